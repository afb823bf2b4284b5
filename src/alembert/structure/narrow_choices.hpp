// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Among what each constraint chooses its dummies. In: a plan whose constraints
// choose among all unknowns in them. Out: the same, block by block, in the blocks in which highest
// derivatives are solved for (Mattsson and Soederlind, 1993): an equation chooses among the
// unknowns of its own block, and what blocks before it give is given. That is enough wherever the
// blocks can be solved at all. A wider choice depends on how the constraint was written, on units,
// and on what happens to be at rest: G(p)*v = 0 fixes a velocity for every p, but a p only while
// something moves.
#pragma once

#include <span>
#include <vector>

#include "alembert/structure/plan.hpp"

namespace alembert::structure {

/// Where no priority says anything about the unknowns of a part; a wish may be for something in
/// another block. Nor where a block would have no choice left and may be singular at some point,
/// which would not be seen, nor where a function tells a derivative of its own that says something
/// else than its value. jacobian: in the order of plan.selection_incidence.items, before and
/// after.
void narrow_choices(const flat::FlatSystem& flat, StructuralPlan& plan,
                    std::vector<symbolic::ExprId>& jacobian);

/// The same from integers alone, but for the rows that stay as they are: [n selection rows].
/// Returns the places of what is left in plan.selection_incidence.items as it was.
std::vector<Index> narrow_to_blocks(StructuralPlan& plan, std::span<const char> stays);

}  // namespace alembert::structure
