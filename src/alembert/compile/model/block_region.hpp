// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. A block that must be solved, as a region of a tape. In: a linear or
// nonlinear Block. Out: the nested tape over [tears, captured symbols] that runs the block's
// assignments and gives residuals and their Jacobian by the tears. Derivatives go through the
// assignments by the chain rule, value by value (forward mode), so that nothing is substituted into
// anything and long chains of assignments stay as short as they are.
#pragma once

#include <span>
#include <unordered_set>
#include <vector>

#include "alembert/compile/tape.hpp"
#include "alembert/structure/reduced_system.hpp"

namespace alembert::compile {

struct BlockRegion {
  SolveRegion region;  // without the values `captured` and `guesses` of the outer tape
  std::vector<symbolic::ExprId> captured;  // symbols whose values belong there
};

/// parameters: symbols, in the order of the outer tape's. `found`: discrete symbols that are none
/// of them, because blocks give their values.
BlockRegion block_region(symbolic::ExprPool& pool,
                         const structure::DifferentiatedSystem& differentiated,
                         const structure::Block& block,
                         std::span<const symbolic::ExprId> parameters,
                         const std::unordered_set<symbolic::ExprId>& found = {});

}  // namespace alembert::compile
