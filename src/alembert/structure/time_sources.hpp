// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What drives a model from outside: expressions of time alone that the slopes of
// its states, or its comparisons, are made of. In: a reduced system. Out: angles and other sources.
// An integrator sees them where it evaluates the model and nowhere else: steps that grow while
// nothing happens would go over a whole period of a source, and what it does there. Linear in the
// size of the system.
#pragma once

#include <vector>

#include "alembert/structure/needed_variables.hpp"

namespace alembert::structure {

/// Of time, parameters, and discrete quantities.
struct TimeSources {
  std::vector<ExprId> angles;  ///< arguments of sine and cosine
  std::vector<ExprId> others;  ///< with functions that are neither these nor polynomials
};

TimeSources time_sources(const DrivenSystem& system);

}  // namespace alembert::structure
