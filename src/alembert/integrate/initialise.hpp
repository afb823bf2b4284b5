// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. The consistent start of a run. In: a ModelPoint with parameters; start values
// and initial equations of the model. Out: the same point, consistent, on a good chart, with
// discrete variables and modes that agree with it, and what was assumed on the way
// (docs/theory/initialisation.md). Errors I001, I002, I005, I006, I008.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alembert/integrate/chart_control.hpp"
#include "alembert/integrate/event_iteration.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/start_solver.hpp"

namespace alembert::integrate {

struct InitialReport {
  std::vector<StartAttempt> attempts;  // the last time the start was solved
  std::vector<std::string> filled;     // variables whose start values were taken as conditions
  std::optional<std::string> termination = {};  // what the start ended the run with, if it did
};

InitialReport initialise(ModelPoint& point, EventIteration& events, ChartControl& charts,
                         const SimulateOptions& options);

}  // namespace alembert::integrate
