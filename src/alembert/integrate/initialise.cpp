// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/initialise.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/integrate/run_watch.hpp"

namespace alembert::integrate {

using compile::CompiledModel;

namespace {

[[noreturn]] void report_no_start(const ModelPoint& point, const ChartControl& charts) {
  const CompiledModel& model = point.model();
  if (model.has_choice() && charts.selection().best.quality < singular_quality)
    throw Error("I005",
                "the constraints are singular at the start values, whatever the states: one of "
                "them may repeat another, or the start is a point where the motion is not "
                "determined. Remove the constraint that repeats, or start elsewhere.",
                model.flat().origin);
  std::string names;
  for (std::uint32_t i = 0; i < model.n_variables(); ++i)
    if (!std::isfinite(point.outputs()[i]))
      names += (names.empty() ? "'" : ", '") + model.variable_names()[i] + "'";
  throw Error("I001",
              "no consistent start: " + names +
                  " could not be computed from the start values. Give start values near "
                  "a solution of the equations.",
              model.flat().origin);
}

void require_fixed_starts(const ModelPoint& point, const CompiledModel::StartPoint& start) {
  const CompiledModel& model = point.model();
  for (std::uint32_t i = 0; i < model.n_variables(); ++i) {
    if (!start.fixed[i]) continue;
    const double error = std::abs(point.variables()[i] - start.values[i]);
    if (error > 1e-6 * std::max(1.0, std::abs(start.values[i])))
      throw Error("I002",
                  "the fixed start " + model.variable_names()[i] + " = " +
                      number_text(start.values[i]) + " contradicts the equations, which give " +
                      rounded_text(point.variables()[i]) +
                      " with the other start values. Change one of them, or leave this "
                      "one free.",
                  model.flat().origin);
  }
}

}  // namespace

void initialise(ModelPoint& point, EventIteration& events, ChartControl& charts, double start) {
  const CompiledModel& model = point.model();
  if (!model.flat().initial_equations.empty())
    throw Error("I004",
                "the model has initial equations, which cannot be solved yet. Give start "
                "values instead.",
                model.flat().initial_equations.front().origin);
  const std::vector<double> constants(point.constants().begin(), point.constants().end());
  const CompiledModel::StartPoint given = model.start_point(constants);
  std::copy(given.values.begin(), given.values.end(), point.variables().begin());
  point.set_time(start);
  point.use(model.static_chart());
  double& initial = point.constants()[model.constants().initial];
  initial = 1;
  const auto solve = [&] {
    charts.choose();
    return point.complete();
  };
  const EventIteration::Result result = events.run(solve);
  if (result.end == EventIteration::End::no_values) report_no_start(point, charts);
  if (result.end != EventIteration::End::settled)
    throw Error("I006", "no consistent start: " + explain(model, result), model.flat().origin);
  require_fixed_starts(point, given);
  initial = 0;
}

}  // namespace alembert::integrate
