// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. Taylor steps in lanes, on the equations of a model as they are (docs/theory/
// taylor.md). In: a compiled model without events or branches. Out: one step as a tape: series,
// length of the step by its last terms, sum, two corrections onto all constraints. The states are
// every variable with its derivatives; pivots are those that are good at the model's start, and a
// lane where they are not has a step with its own.
#pragma once

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/ensemble/adaptive_batch.hpp"

namespace alembert::ensemble {

/// For AdaptiveBatch, which must not outlive the model. Errors as of SeriesModel; B001 for a model
/// with events, delays or branches, or whose start is singular.
LaneSteps make_taylor_steps(const compile::CompiledModel& model, double relative, double absolute);

}  // namespace alembert::ensemble
