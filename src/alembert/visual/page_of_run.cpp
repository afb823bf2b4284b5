// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/page_of_run.hpp"

#include <fmt/format.h>

#include <span>

#include "alembert/base/unit.hpp"
#include "alembert/flat/scene.hpp"

namespace alembert::visual {
namespace {

using compile::CompiledModel;
using integrate::SimulateOptions;
using integrate::SimulationResult;

std::string symbol_name(const flat::FlatSystem& flat, flat::ExprId symbol) {
  return flat.pool->symbol_of(symbol).name;
}

/// Calls take(name, unit, description) for every quantity that a result may have.
template <class Take>
void for_each_quantity(const flat::FlatSystem& flat, Take take) {
  for (const auto& unknown : flat.unknowns)
    take(symbol_name(flat, unknown.symbol), unknown.unit, unknown.description);
  for (const auto& discrete : flat.discrete_variables)
    take(symbol_name(flat, discrete.symbol), discrete.unit, discrete.description);
  for (const auto& observed : flat.observed)
    take(observed.name, observed.unit, observed.description);
}

/// "m/s" of "m", "J/(kg.s)" of "J/kg".
std::string rate_text(const std::string& unit) {
  const std::size_t slash = unit.find('/');
  if (slash == std::string::npos) return unit == "1" ? "1/s" : unit + "/s";
  std::string below = unit.substr(slash + 1);
  if (below == "s") return unit.substr(0, slash) + "/s2";
  if (below.starts_with('(')) below = below.substr(1, below.size() - 2);
  return unit.substr(0, slash) + "/(" + below + ".s)";
}

PageRun::Table settings(const SimulateOptions& options) {
  return {"Settings",
          {{"From", fmt::format("{} s", options.start)},
           {"To", fmt::format("{} s", options.stop)},
           {"Tolerance", fmt::format("{}", options.tolerance)},
           {"Output intervals", fmt::format("{}", options.intervals)},
           {"Method", options.method},
           {"Formulation", std::string(to_string(options.formulation))}}};
}

PageRun::Table what_happened(const SimulationResult& run) {
  const auto& statistics = run.statistics;
  PageRun::Table table{"What happened", {}};
  const auto row = [&](const char* name, std::string value) {
    table.rows.emplace_back(name, std::move(value));
  };
  row("Outcome", std::string(to_string(run.outcome)));
  row("End", fmt::format("{} s", run.end_time));
  if (!run.message.empty()) row("Message", run.message);
  if (!statistics.method.empty()) row("Method of the last step", std::string(statistics.method));
  row("Steps", fmt::format("{}, {} rejected", statistics.steps, statistics.rejected));
  row("Right-hand side calls", fmt::format("{}", statistics.rhs_calls));
  row("Jacobians, factorisations",
      fmt::format("{}, {}", statistics.jacobian_calls, statistics.factorisations));
  row("Events",
      fmt::format("{} by comparisons, {} by the clock", run.n_state_events, run.n_time_events));
  row("Changes of states", fmt::format("{}", run.switches.size()));
  row("Formulation", std::string(to_string(run.formulation)));
  if (run.n_passages > 0)
    row("Passages through singular configurations", fmt::format("{}", run.n_passages));
  row("Largest constraint residual", fmt::format("{:.3g}", run.largest_constraint_residual));
  for (const auto& level : run.constraint_levels)
    table.rows.emplace_back(
        fmt::format("... differentiated {} times less", level.below_highest),
        fmt::format("{:.3g} in {} constraints", level.largest_residual, level.n_constraints));
  for (const auto& quantity : run.conserved)
    table.rows.emplace_back(
        quantity.name, fmt::format("{:.10g} at the start, largest change {:.3g}", quantity.start,
                                   quantity.largest_change));
  return table;
}

PageRun::Table parameters(const flat::FlatSystem& flat, std::span<const double> values) {
  PageRun::Table table{"Parameters", {}};
  constexpr std::size_t most = 500;
  for (std::size_t p = 0; p < std::min(flat.parameters.size(), most); ++p) {
    const auto& parameter = flat.parameters[p];
    std::string text = fmt::format("{}", values[p]);
    if (!parameter.unit.empty()) text += " " + parameter.unit;
    if (!parameter.description.empty()) text += "  (" + parameter.description + ")";
    table.rows.emplace_back(symbol_name(flat, parameter.symbol), std::move(text));
  }
  return table;
}

}  // namespace

PlotOptions plot_options(const CompiledModel& model, const SimulateOptions& options) {
  PlotOptions known;
  const flat::FlatSystem& flat = model.flat();
  for_each_quantity(flat,
                    [&](const std::string& name, const std::string& unit, const std::string&) {
                      if (!unit.empty()) known.units.emplace(name, unit);
                    });
  const std::vector<double> values = model.parameter_values(options.parameters);
  for (std::size_t p = 0; p < flat.parameters.size(); ++p)
    known.constants.emplace(symbol_name(flat, flat.parameters[p].symbol), values[p]);
  return known;
}

result::ColumnNotes column_notes(const flat::FlatSystem& flat) {
  result::ColumnNotes notes;
  const auto note = [&](const std::string& name, const std::string& unit,
                        const std::string& description) {
    if (!unit.empty() || !description.empty())
      notes.emplace(name, result::ColumnNote{unit, description});
  };
  for_each_quantity(flat, note);
  for (const auto& parameter : flat.parameters)
    note(symbol_name(flat, parameter.symbol), parameter.unit, parameter.description);
  for (const auto& unknown : flat.unknowns)
    if (const std::optional<Unit> unit = parse_unit(unknown.unit); unit && !unknown.unit.empty())
      note("der(" + symbol_name(flat, unknown.symbol) + ")", rate_text(unknown.unit), "");
  notes.emplace("time", result::ColumnNote{"s", "time"});
  return notes;
}

std::optional<SceneMotion> scene_of_run(const CompiledModel& model,
                                        const result::Trajectory& trajectory,
                                        const SimulateOptions& options,
                                        const MotionOptions& motion) {
  const auto& scene = model.flat().scene;
  if (scene == nullptr || scene->shapes.empty()) return std::nullopt;
  return move_scene(*scene, {{&trajectory, plot_options(model, options).constants}}, motion);
}

Page page_of_run(const CompiledModel& model, const SimulationResult& run,
                 const SimulateOptions& options) {
  return page_of_run(model, run, options, run.trajectory);
}

Page page_of_run(const CompiledModel& model, const SimulationResult& run,
                 const SimulateOptions& options, const result::Trajectory& rows) {
  const flat::FlatSystem& flat = model.flat();
  Page page{.title = flat.name};
  PageRun shown{.name = flat.name, .trajectory = rows};
  for_each_quantity(
      flat, [&](const std::string& name, const std::string& unit, const std::string& description) {
        if (!unit.empty() || !description.empty()) shown.about.push_back({name, unit, description});
      });
  for (const auto& event : run.events)
    shown.events.push_back(
        {event.time, event.modes.empty() ? "by the clock" : model.describe_modes(event.modes)});
  for (const auto& change : run.switches)
    shown.switches.push_back(
        {change.time, change.from, change.to, change.quality_before, change.quality_after});
  shown.report = {what_happened(run), settings(options)};
  if (!flat.parameters.empty())
    shown.report.push_back(parameters(flat, model.parameter_values(options.parameters)));
  shown.warnings = run.warnings;
  for (const std::string& name : run.filled_starts)
    shown.warnings.push_back("The start value of '" + name +
                             "' was taken as a condition: nothing else determined it.");
  page.runs.push_back(std::move(shown));
  if (rows.n_rows() > 0) page.scene = scene_of_run(model, rows, options);
  return page;
}

}  // namespace alembert::visual
