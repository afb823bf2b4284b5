// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What cancels in a combination of equations. In: its terms, each a factor times
// an equation. Out: the unknowns and derivatives along which the sum has no slope but rounding, so
// that it has the same value whatever they are.
#pragma once

#include <span>
#include <vector>

#include "alembert/structure/judged_numbers.hpp"

namespace alembert::structure {

/// A sum of which each term is as doubtful as this, beside its rounding; with values that are
/// known.
struct SumOfTerms {
  std::span<const ExprId> terms;
  std::span<const double> doubts;  // [n terms]
  const symbolic::Values* known = nullptr;
};

struct CancelledSymbols {
  std::vector<ExprId> symbols;
  std::vector<ExprId> slopes;  // of the terms, which add up to rounding
};

/// Of unknowns below something that jumps or has kinks, slopes do not tell: they never cancel.
CancelledSymbols cancelled_symbols(symbolic::ExprPool& pool, const SumOfTerms& sum);

/// True if more than rounding is left of the sum.
bool says_something(const symbolic::ExprPool& pool, const SumOfTerms& sum);

}  // namespace alembert::structure
