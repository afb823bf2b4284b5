// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Small linear systems solved by formulas. In: residuals, linear in the symbols.
// Out: assignments in solve order, or nothing where a pivot could vanish: a pivot is a number, or
// made of parameters whose values keep it away from zero. Gaussian elimination with rows and
// columns chosen by the pivots' sizes; expressions grow with every step, so it is for two or three
// unknowns.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "alembert/graph/bipartite_graph.hpp"
#include "alembert/structure/coefficients.hpp"

namespace alembert::structure {

struct SolvedUnknown {
  graph::Index unknown;   // of the symbols
  graph::Index equation;  // of the residuals: the pivot row
  ExprId value;           // of what is known and the symbols solved before
};

std::optional<std::vector<SolvedUnknown>> solve_small_linear(symbolic::ExprPool& pool,
                                                             CoefficientReader& reader,
                                                             std::span<const ExprId> residuals,
                                                             std::span<const ExprId> symbols);

}  // namespace alembert::structure
