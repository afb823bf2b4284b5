// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. The consistent start of a run. In: a ModelPoint with parameters; start values
// and initial equations of the model. Out: the same point, consistent, on a good chart, with
// discrete variables and modes that agree with it. Errors I001, I002, I005, I006.
#pragma once

#include "alembert/integrate/chart_control.hpp"
#include "alembert/integrate/event_iteration.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

void initialise(ModelPoint& point, EventIteration& events, ChartControl& charts, double start);

}  // namespace alembert::integrate
