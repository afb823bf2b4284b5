// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Coefficients of the unknowns of a block in an equation. In: a residual and
// symbols. Out: for each symbol its slope, and whether the equation may be divided by it: it does
// if it is a number, or made of parameters whose values make it differ from zero, and the residual
// is a straight line in the symbol, whatever the others are.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::structure {

using symbolic::ExprId;

struct Coefficient {
  ExprId slope;  // d residual / d symbol
  /// Its value, where the slope is constant and the equation may be solved for the symbol; else 0.
  double safe_value = 0;
};

/// Parameters are evaluated once, when first needed. Those that the initial equations determine
/// have no value here.
class CoefficientReader {
 public:
  explicit CoefficientReader(const flat::FlatSystem& flat) : flat_(flat) {}

  /// symbols: each in the residual.
  std::vector<Coefficient> read(ExprId residual, std::span<const ExprId> symbols);
  /// The value of an expression of numbers and parameters; 0 if it is none, or not finite.
  double constant_value(ExprId expression);

 private:
  const flat::FlatSystem& flat_;
  std::optional<symbolic::Values> values_;
};

}  // namespace alembert::structure
