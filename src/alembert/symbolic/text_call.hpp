// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Texts of a run as expressions: numbers that stand for texts
// (base/text_number.hpp). In: a text with marks for numbers (base/message_text.hpp) and the
// expressions that these show. Out: a call of a function of the pool whose value is the number of
// the text. A text without marks is a call without arguments, and so is seen in what is printed.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

/// The mark of a number that stands for a text: "{1:text}".
inline constexpr std::string_view how_text = "text";

ExprId text_call(ExprPool& pool, const std::string& text, std::span<const ExprId> values);

/// -1, 0 or 1, as the text of the first number is before, equal to or behind that of the second.
ExprId text_order(ExprPool& pool, ExprId a, ExprId b);

/// The text with its marks, where a function of that kind is called.
std::optional<std::string> called_text(const ExprPool& pool, ExprId id);

}  // namespace alembert::symbolic
