// SPDX-License-Identifier: Apache-2.0
// Stage: structure. How large expressions are, roughly: at the start values, with everything that
// earlier blocks assign computed from them. In: a flat system, and assignments as blocks are made.
// Out: sizes. A variable of which nothing is known counts as its nominal size, or as 1. It is no
// solution of the equations: good enough to tell 0.3 from 2, where elimination divides by one of
// them. Asked for seldom, so that values are computed when they are needed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using symbolic::ExprId;

class SamplePoint {
 public:
  /// variables: symbols of those that blocks may assign; both must outlive the point.
  SamplePoint(const flat::FlatSystem& flat, std::span<const ExprId> variables);

  /// From now on it is as large as this.
  void assign(std::uint32_t variable, ExprId value) { definition_[variable] = value; }
  /// |value| of the expression; 0 where it has none.
  double size_of(ExprId expression);

 private:
  void begin();
  /// Enters values for all that the expression needs.
  void prepare(ExprId expression);
  double start_of(ExprId symbol) const;

  const flat::FlatSystem& flat_;
  std::span<const ExprId> variables_;
  std::vector<ExprId> definition_;  // [n variables]; invalid where nothing assigns it
  // None of these is there until a size is asked for.
  std::optional<symbolic::NodeIndex> variable_of_;  // by symbol: place among the variables
  std::optional<symbolic::NodeIndex> unknown_of_;   // by symbol: of the flat system
  symbolic::Values values_;                         // by symbol; looked up, never iterated
  std::vector<std::optional<double>> starts_;       // [n_unknowns]
};

}  // namespace alembert::structure
