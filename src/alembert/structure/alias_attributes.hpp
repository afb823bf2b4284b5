// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What aliases have in common. In: the unknowns of an alias class with their
// signs. Out: which of them stays, with the best of all their attributes. Error S005 where they
// contradict each other: fixed starts that differ, ranges that do not meet.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/graph/bipartite_graph.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::structure {

using graph::Index;
using symbolic::ExprId;

struct ClassMember {
  Index unknown;
  bool negative;  // against the class; after `put_best_first` against the first
};

/// Values of expressions of parameters, found when first asked for.
class StartNumbers {
 public:
  explicit StartNumbers(const flat::FlatSystem& flat) : flat_(flat) {}
  /// Nothing if a parameter has no value yet.
  std::optional<double> value(ExprId expression);

 private:
  const flat::FlatSystem& flat_;
  std::optional<symbolic::Values> values_;
};

/// The one to keep comes first: the rather wanted as a state, with a fixed start, least deep in the
/// hierarchy, shortest name, first by name; the others follow in that order.
void put_best_first(const flat::FlatSystem& flat, std::vector<ClassMember>& members);

/// The first of `members` with the attributes of all.
flat::Unknown merged_unknown(const flat::FlatSystem& flat, std::span<const ClassMember> members,
                             StartNumbers& numbers);

/// S005 if the unknown (negated) has a fixed start other than the constant it equals.
void check_constant_start(const flat::FlatSystem& flat, const flat::Unknown& unknown,
                          ExprId constant, StartNumbers& numbers);

/// Starts of derivatives for the symbols that stand for them now; one for each symbol.
struct MovedStart {
  flat::DerivativeStart start;  // as given
  ExprId symbol;                // now; none: the derivative of a constant
  bool negative = false;
};
std::vector<flat::DerivativeStart> merged_starts(const flat::FlatSystem& flat,
                                                 std::span<const MovedStart> moved,
                                                 StartNumbers& numbers);

}  // namespace alembert::structure
