// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Constraints that repeat others: one written twice, a planar loop closed in
// three dimensions, a spatial loop that moves although it has too many joints. In: a simplified
// system. Out: the same with each of them replaced by a value for an unknown that they leave
// undetermined, which is a force that nothing tells from another; and what was done. A force acts
// on a derivative, as the constraint does on what has one, or is one by its unit. Repeated ones are
// found by the rank of the constraints' gradients at points that obey them all, several, so that a
// singular configuration is not taken for one. Error S006 where equations that depend on each other
// cannot all hold. What has derivatives is never given a value: then the motion itself would not be
// determined.
#pragma once

#include <string>
#include <vector>

#include "alembert/structure/plan.hpp"

namespace alembert::structure {

struct DroppedConstraint {
  Index equation;          // of the simplified system; its place is taken by unknown = 0
  Index unknown;           // of the simplified system
  ExprId residual;         // of the equation as it was
  Index differentiations;  // how often it would have been differentiated
  std::string text;        // the equation as it was, in quotes
  Origin origin;
};

/// Larger systems of constraints are taken as they are.
inline constexpr std::size_t most_constraints_ranked = 400;

/// Replaces structurally surplus equations, if what they leave undetermined is algebraic; to be
/// called before the structure is required to be regular.
std::vector<DroppedConstraint> drop_surplus_equations(const flat::FlatSystem& given,
                                                      SimplifiedSystem& simplified);
/// Replaces constraints that depend on others where they hold; makes the plan anew if there are
/// any.
std::vector<DroppedConstraint> drop_dependent_constraints(const flat::FlatSystem& given,
                                                          SimplifiedSystem& simplified,
                                                          StructuralPlan& plan);

/// Both, around the plan of the system; S001 or S002 where that has none.
/// structure: of the simplified system as it comes.
StructuralPlan plan_without_redundancy(const flat::FlatSystem& given, SimplifiedSystem& simplified,
                                       Structure structure,
                                       std::vector<DroppedConstraint>& dropped);

/// "the constraint ... says nothing that others do not say; 'l2', ..., is taken to be 0".
std::string describe(const flat::FlatSystem& flat, const DroppedConstraint& dropped);

}  // namespace alembert::structure
