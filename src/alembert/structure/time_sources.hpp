// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What drives a model from outside: expressions of time alone that the slopes of
// its states, or its comparisons, are made of. In: a reduced system. Out: angles and other sources.
// An integrator sees them where it evaluates the model and nowhere else: steps that grow while
// nothing happens would go over a whole period of a source, and what it does there. Linear in the
// size of the system.
#pragma once

#include <span>
#include <vector>

#include "alembert/structure/reduced_system.hpp"

namespace alembert::structure {

/// Of time, parameters, and discrete quantities.
struct TimeSources {
  std::vector<ExprId> angles;  ///< arguments of sine and cosine
  std::vector<ExprId> others;  ///< with functions that are neither these nor polynomials
};

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
};

TimeSources time_sources(const DrivenSystem& system);

}  // namespace alembert::structure
