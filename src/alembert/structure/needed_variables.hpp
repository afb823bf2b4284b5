// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Which variables the slopes of the states, and comparisons, are made of. In: a
// reduced system. Out: a mark for each. What is shown alone may be as fast, or as bent, as it
// likes. The same of what is delayed, which may be shown to the model later.
#pragma once

#include <span>
#include <vector>

#include "alembert/structure/reduced_system.hpp"

namespace alembert::structure {

struct DrivenSystem {
  symbolic::ExprPool& pool;
  const DifferentiatedSystem& differentiated;
  const ReducedSystem& reduced;
  /// What else is looked at while time goes on, such as the sides of comparisons.
  std::span<const ExprId> watched;
  /// Symbols in them that stand for expressions of those that were kept, as far as there are any.
  std::span<const ExprId> eliminated, eliminated_values;
  /// Symbols of the kind discrete that vary all the same: delayed quantities.
  std::span<const ExprId> delayed;
  /// False: what is watched counts alone, not the slopes.
  bool of_slopes = true;
};

/// [n variables of the structure]: 1 for those that are needed.
std::vector<char> needed_variables(const DrivenSystem& system);
/// True if one of the block's unknowns is needed.
bool asks_for(const Block& block, std::span<const char> needed);
/// What the needed ones are computed from.
std::vector<ExprId> needed_expressions(const DrivenSystem& system);

}  // namespace alembert::structure
