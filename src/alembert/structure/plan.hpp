// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Decisions, as integers: what is differentiated, and between which derivatives a
// chart (chart.hpp) has to choose. In: a FlatSystem. Out: StructuralPlan; Error S001 or S002 where
// no plan exists. Near-linear in the size of the differentiated system.
#pragma once

#include <vector>

#include "alembert/structure/simplify.hpp"
#include "alembert/structure/structure.hpp"

namespace alembert::structure {

/// A mechanism of its own in the selection problem: shares no unknown with the others.
struct SelectionPart {
  std::vector<Index> rows;  // positions in selection_rows, ascending
  /// Of the flat system, the rather a dummy the earlier: highest order first, so that a state is
  /// `v` rather than `der(y)` where both would do, then in canonical order.
  std::vector<Index> unknowns;
  /// Priorities tell its states, and these are good everywhere, or it has none: `settle_choices`
  /// (chart.hpp).
  bool settled = false;
};

struct StructuralPlan {
  Structure structure;                  // after Pantelides
  std::vector<Index> differentiations;  // [n equations of the flat system]
  std::vector<Index> highest_order;     // [n unknowns]: of the chain, after differentiation
  /// The selection problem: rows are the equations differentiated at least once, in their highest
  /// version; columns the unknowns that they choose among (narrow_choices.hpp), in their highest
  /// derivative. Both in canonical order.
  std::vector<Index> selection_rows;      // flat equations
  graph::IndexLists selection_incidence;  // unknowns of each selection row
  std::vector<SelectionPart> selection_parts;
  Index structural_index = 0;    // after Pryce: most differentiations, one more if an unknown of
                                 // highest order 0 is left
  Index degrees_of_freedom = 0;  // how many values are free at the start: the number of states
};

StructuralPlan make_plan(const flat::FlatSystem& flat);
StructuralPlan make_plan(const flat::FlatSystem& given, const SimplifiedSystem& simplified);
/// S001 or S002 if the structure of a simplified system is not regular; in terms of the system as
/// given where that is at fault itself.
void require_regular(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                     Structure& structure);
/// The same from integers alone; the structure must be regular.
StructuralPlan make_plan(Structure regular);
/// Makes plan.selection_parts: connected, in the order of their first rows.
void cut_into_parts(StructuralPlan& plan);

}  // namespace alembert::structure
