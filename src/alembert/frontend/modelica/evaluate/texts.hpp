// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Texts that show quantities of the run, compared and chosen
// from. In: Texts (value.hpp). Out: conditions and Texts, where they can be told: a text whose
// words are Booleans or literals of enumerations is one of a few, each under a condition; one that
// shows a number equals another text where the number lies in an interval.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alembert/frontend/modelica/evaluate/scalars.hpp"
#include "alembert/frontend/modelica/evaluate/value.hpp"

namespace alembert::modelica {

struct PossibleText {
  std::string text;
  ExprId when;  ///< a condition
};

/// All that the text can be; nothing if it shows a number, or these are too many.
std::optional<std::vector<PossibleText>> possible_texts(Scalars& scalars, const Text& text);

/// The condition under which the comparison holds; nothing if it cannot be told.
std::optional<ExprId> compared_texts(Scalars& scalars, Operator op, const Text& a, const Text& b);

/// `if condition then a else b`; nothing if it cannot be told.
std::optional<Text> chosen_text(Scalars& scalars, ExprId condition, const Text& a, const Text& b);

/// The word of that number, counted from 0; nothing if words have letters that no Text can have.
std::optional<Text> numbered_text(const std::vector<std::string>& words, ExprId number);

}  // namespace alembert::modelica
