// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/model_case.hpp"

#include <limits>
#include <optional>

#include "alembert/compile/model/output_columns.hpp"

namespace alembert::ensemble {

std::string start_name(const std::string& unknown) { return unknown + "(start)"; }

bool make_start_parameter(flat::FlatSystem& system, const std::string& unknown) {
  const symbolic::ExprId symbol = system.pool->find_symbol(unknown);
  if (!symbol.valid()) return false;
  for (flat::Unknown& candidate : system.unknowns) {
    if (candidate.symbol != symbol) continue;
    const symbolic::ExprId start = system.pool->parameter(start_name(unknown));
    system.parameters.push_back(
        {.symbol = start,
         .value = candidate.start.valid() ? candidate.start : system.pool->integer(0),
         .description = "start value of " + unknown,
         .origin = candidate.origin});
    candidate.start = start;
    return true;
  }
  return false;
}

std::vector<double> output_times(const integrate::SimulateOptions& options) {
  std::vector<double> times;
  for (std::uint32_t i = 0; i < options.intervals; ++i)
    times.push_back(options.start + (options.stop - options.start) * i / options.intervals);
  times.push_back(options.stop);
  return times;
}

std::vector<std::string> trajectory_names(const compile::CompiledModel& model) {
  return compile::OutputColumns(model).names;
}

CaseResult simulate_case(const compile::CompiledModel& model,
                         const integrate::SimulateOptions& options,
                         const std::vector<std::string>& variables) {
  using integrate::Outcome;
  const integrate::SimulationResult run = integrate::simulate(model, options);
  CaseResult result;
  result.status = run.outcome == Outcome::done         ? CaseStatus::done
                  : run.outcome == Outcome::terminated ? CaseStatus::terminated
                                                       : CaseStatus::stopped;
  result.end_time = run.end_time;
  result.message = run.message;
  std::vector<std::optional<std::size_t>> columns;
  for (const std::string& name : variables) columns.push_back(run.trajectory.find(name));
  const std::vector<double> times = output_times(options);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  result.values.assign(times.size() * variables.size(), nan);
  std::size_t row = 0;
  const std::vector<double>& rows = run.trajectory.times();
  for (std::size_t i = 0; i < times.size(); ++i) {
    while (row < rows.size() && rows[row] < times[i]) ++row;
    while (row + 1 < rows.size() && rows[row + 1] == times[i]) ++row;
    if (row == rows.size() || rows[row] != times[i]) continue;
    for (std::size_t j = 0; j < columns.size(); ++j)
      if (columns[j])
        result.values[i * variables.size() + j] = run.trajectory.value(row, *columns[j]);
  }
  return result;
}

}  // namespace alembert::ensemble
