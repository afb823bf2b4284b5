// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. The clocked part of a model, apart from the rest. In: a flat
// system in which symbols stand for the operators of clocked equations, and what was said about
// clocks. Out: the same system in a pool of its own, in which clocked variables are discrete and
// their equations are in `FlatSystem::clocked`. A hold, or a change from clock to clock, is the
// variable it looks at. Derivatives in clocked equations become variables too. Errors as
// infer_clocks, and M354 (a derivative without a method).
#pragma once

#include "alembert/frontend/modelica/flatten/clock_records.hpp"
#include "alembert/frontend/modelica/flatten/events.hpp"

namespace alembert::modelica {

/// Ids of the system are those of another pool afterwards.
void settle_clocks(FlattenState& state, Events& events);

}  // namespace alembert::modelica
