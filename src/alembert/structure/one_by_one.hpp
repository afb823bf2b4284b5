// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Whether dummies follow from each other one after the other, each with a number
// as its coefficient, so that no point is singular. In: a part of a selection problem and its
// matrix as expressions.
#pragma once

#include <span>
#include <vector>

#include "alembert/structure/chart.hpp"

namespace alembert::structure {

/// The rows of a part that were differentiated at least `level` times.
std::vector<Index> rows_of_level(const StructuralPlan& plan, const SelectionPart& part,
                                 Index level);

/// Reused, so that a part costs its own size.
class OneByOne {
 public:
  /// jacobian: in the order of plan.selection_incidence.items. All of it is kept by reference.
  OneByOne(const flat::FlatSystem& flat, const StructuralPlan& plan, const Chart& chart,
           std::span<const symbolic::ExprId> jacobian)
      : pool_(*flat.pool),
        plan_(plan),
        chart_(chart),
        jacobian_(jacobian),
        local_(plan.highest_order.size(), none) {}

  /// The dummies of one level.
  bool can_be_found(const SelectionPart& part, Index level);

 private:
  Index last_open(Index row) const;

  const symbolic::ExprPool& pool_;
  const StructuralPlan& plan_;
  const Chart& chart_;
  std::span<const symbolic::ExprId> jacobian_;
  std::vector<Index> local_;  // [n unknowns]: place among the open dummies; none between calls
};

}  // namespace alembert::structure
