// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. A whole model as an OdeTape. In: a compiled model without events. Out: its
// derivatives in lanes. Where no choice of states is good everywhere all coordinates are states,
// and each step ends with a projection onto the constraints. Linear systems become straight-line
// code with the pivots that are good at the model's start, and a margin; iterations begin where the
// last one of their system ended.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/ensemble/ode_tape.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert::ensemble {

/// Error B001 for a model that needs a run of its own: events or delays.
OdeTape ode_tape(const compile::CompiledModel& model, Pivots pivots = Pivots::by_size);

/// Where one system begins.
struct SystemStart {
  std::vector<double> parameters;  // [n_parameters]
  std::vector<double> states;      // [n_states]
  std::vector<double> memory;      // [n_memory]
};
/// The model's consistent start with the values given, as a run of its own would find it. Errors as
/// integrate::simulate.
SystemStart system_start(const compile::CompiledModel& model, const OdeTape& ode,
                         const integrate::SimulateOptions::Values& parameters = {},
                         const integrate::SimulateOptions::Values& starts = {});
/// The same by names, of variables of the model.
SystemStart system_start(const compile::CompiledModel& model, std::span<const std::string> states,
                         std::span<const std::string> memory,
                         const integrate::SimulateOptions::Values& parameters = {},
                         const integrate::SimulateOptions::Values& starts = {});

/// Error B001 where the model has events or delays.
void require_fit_for_lanes(const compile::CompiledModel& model);

}  // namespace alembert::ensemble
