// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Unknowns that nothing determines while modes have the values they have,
// although no equation contradicts another: the pressure between two valves that are shut, the
// forces of two brakes that hold one body. In: a system with the modes put in, its plan, and the
// numbers of its Jacobian at a point. Out: the same with an equation der(x) = 0 for each such
// unknown, in the place of an equation that repeats others there. The unknown becomes a state that
// keeps the value it had.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "alembert/structure/plan.hpp"

namespace alembert::structure {

/// An unknown, and an equation that says nothing which others do not say; of the simplified system.
struct Undetermined {
  Index equation;
  Index unknown;
  bool operator==(const Undetermined&) const = default;
};

struct HeldUnknown {
  Undetermined what;  // the place of the equation is taken by der(unknown) = 0
  ExprId residual;    // of the equation as it was
  std::string text;   // the equation as it was, in quotes
};

/// Larger systems are not looked at.
inline constexpr std::size_t most_unknowns_held_among = 5000;

/// What of the system Jacobian (system_jacobian.hpp) lies in its diagonal blocks: only that decides
/// whether it is regular.
struct BlockDiagonal {
  std::vector<Index> equations;  // [n rows]
  graph::IndexLists incidence;   // unknowns of each row
  std::vector<ExprId> entries;   // in the order of its items
};
BlockDiagonal block_diagonal(const SimplifiedSystem& simplified, const StructuralPlan& plan);

/// numbers: of the entries of the matrix. None where it is regular, where a derivative is not
/// determined either (that would be the motion itself), or where what repeats others is a
/// constraint that was differentiated.
std::vector<Undetermined> find_undetermined(const SimplifiedSystem& simplified,
                                            const StructuralPlan& plan, const BlockDiagonal& matrix,
                                            std::vector<double> numbers);

std::vector<HeldUnknown> hold(const flat::FlatSystem& given, SimplifiedSystem& simplified,
                              std::span<const Undetermined> undetermined);

}  // namespace alembert::structure
