// SPDX-License-Identifier: Apache-2.0
// Stage: flat. Expressions and equations of a system as people read them in messages: cut off with
// "..." where they get long, and with the Booleans of the system as conditions (`b`, not `0 <> b`).
#pragma once

#include <cstddef>
#include <string>

#include "alembert/flat/flat_system.hpp"
#include "alembert/symbolic/print_truth.hpp"

namespace alembert::flat {

/// Whether a symbol is a Boolean of the system, which must outlive the answer.
symbolic::IsTruth is_boolean_of(const FlatSystem& system);

std::string short_text(const FlatSystem& system, ExprId expression, std::size_t max_length = 80);
/// "left = right"; each side is cut by itself.
std::string short_text(const FlatSystem& system, ExprId left, ExprId right,
                       std::size_t max_length = 80);
inline std::string short_text(const FlatSystem& system, const FlatEquation& equation,
                              std::size_t max_length = 80) {
  return short_text(system, equation.left, equation.right, max_length);
}

}  // namespace alembert::flat
