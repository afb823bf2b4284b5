// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. One case of a sweep over a model. In: a compiled model, values for it. Out: a
// CaseResult on an equidistant grid that all cases share.
#pragma once

#include <string>
#include <vector>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/ensemble/case_result.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert::ensemble {

/// The name of the parameter that stands for the start value of an unknown: "x(start)".
std::string start_name(const std::string& unknown);

/// Makes the start value of an unknown a parameter, so that it can differ from run to run. False if
/// the system has no such unknown.
bool make_start_parameter(flat::FlatSystem& system, const std::string& unknown);

/// The times of the rows: n intervals, both ends.
std::vector<double> output_times(const integrate::SimulateOptions& options);

/// All names that a trajectory of the model has.
std::vector<std::string> trajectory_names(const compile::CompiledModel& model);

/// Values [n_times][n_variables] of the named variables, right limits at events; NaN for a name
/// that the model does not have, and behind the end.
CaseResult simulate_case(const compile::CompiledModel& model,
                         const integrate::SimulateOptions& options,
                         const std::vector<std::string>& variables);

}  // namespace alembert::ensemble
