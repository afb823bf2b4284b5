// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What an equation says if it is very simple. In: a residual. Out: its terms as
// numbers times unknowns and the rest. Reads the canonical sum as it stands; makes no expressions.
#pragma once

#include <optional>
#include <vector>

#include "alembert/symbolic/pool.hpp"

namespace alembert::structure {

struct LinearTerm {
  symbolic::ExprId variable;  // x, der(x), ...
  symbolic::Number coefficient;
};

struct KnownTerm {
  symbolic::ExprId expression;  // without unknowns
  symbolic::Number coefficient;
};

/// residual = sum of terms + sum of known
struct NumberLinear {
  std::vector<LinearTerm> terms;
  std::vector<KnownTerm> known;
};

/// Nothing if an unknown stands under anything but a sum and a factor that is a number.
std::optional<NumberLinear> number_linear(const symbolic::ExprPool& pool,
                                          symbolic::ExprId residual);

/// Every residual in that form: a term that bends unknowns counts as an unknown of its own. Makes
/// expressions where a number has to be taken off a product.
NumberLinear combination_of_terms(symbolic::ExprPool& pool, symbolic::ExprId residual);

/// True if the expression is made of numbers and parameters.
bool is_constant_in_time(const symbolic::ExprPool& pool, symbolic::ExprId expression);

}  // namespace alembert::structure
