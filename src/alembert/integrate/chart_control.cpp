// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/chart_control.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace alembert::integrate {

using compile::CompiledModel;

namespace {

/// A chart is left when another is this much better, so that two of equal worth do not take turns.
constexpr double hysteresis = 0.5;
/// What is left, a step later, of how long a row has been; in passages steps are long.
constexpr double memory = 0.999;
constexpr double memory_in_passage = 0.9;

}  // namespace

ChartControl::ChartControl(ModelPoint& point, Formulation formulation)
    : point_(point),
      dynamic_(formulation != Formulation::dummy && point.model().has_choice()),
      ahead_(point.model().n_variables()) {}

CompiledModel::Selection ChartControl::selection() const {
  return point_.model().select(point_.chart().reduced.chart, point_.time(),
                               point_.variables().data(), point_.constants().data());
}

double ChartControl::quality() const {
  if (!point_.model().choice_varies()) return 1;
  return point_.model().chart_quality(point_.chart().reduced.chart, point_.time(),
                                      point_.variables().data(), point_.constants().data(),
                                      row_sizes_);
}

void ChartControl::look(bool in_passage) {
  const std::vector<double> lengths = point_.model().selection_row_lengths(
      point_.time(), point_.variables().data(), point_.constants().data());
  row_sizes_.resize(lengths.size(), 0.0);
  for (std::size_t r = 0; r < lengths.size(); ++r)
    row_sizes_[r] =
        std::max((in_passage ? memory_in_passage : memory) * row_sizes_[r], lengths[r]);
}

void ChartControl::forget() { row_sizes_.clear(); }

void ChartControl::choose() {
  if (dynamic_) choose_start();
}

void ChartControl::choose_start() {
  if (!point_.model().has_choice()) return;
  const auto at_point = selection();
  if (at_point.best.quality > at_point.current_quality)
    point_.use(point_.model().compile(at_point.best.chart));
}

ChartControl::Improvement ChartControl::improve() {
  if (!dynamic_ || !point_.model().choice_varies()) return {{}, quality()};
  const CompiledModel& model = point_.model();
  const structure::Chart& now = point_.chart().reduced.chart;
  const auto better = model.improve(now, hysteresis, point_.time(), point_.variables().data(),
                                    point_.constants().data(), row_sizes_);
  Improvement result{{}, better.quality};
  if (better.changes.empty()) return result;
  for (const auto& change : better.changes)
    result.switches.push_back({point_.time(), change.part, model.states_of_part(now, change.part),
                               model.states_of_part(better.chart, change.part),
                               change.quality_before, change.quality_after});
  point_.use(model.compile(better.chart));
  return result;
}

double ChartControl::time_in_chart(double last_step) {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  if (!point_.model().choice_varies()) return unlimited;
  const auto logs_at = [&](double t, const double* variables) {
    return point_.model().log_determinants(point_.chart().reduced.chart, t, variables,
                                           point_.constants().data(), row_sizes_);
  };
  const double ahead_by = 1e-3 * last_step;
  const auto variables = point_.variables();
  for (std::uint32_t i = 0; i < variables.size(); ++i) {
    const auto d = point_.model().derivative_of(i);
    ahead_[i] = variables[i] + (d < variables.size() ? ahead_by * variables[d] : 0.0);
  }
  const std::vector<double> here = logs_at(point_.time(), variables.data());
  const std::vector<double> there = logs_at(point_.time() + ahead_by, ahead_.data());
  double limit = unlimited;
  for (std::size_t i = 0; i < here.size(); ++i)
    if (there[i] < here[i])
      limit = std::min(limit, 0.5 * ahead_by / -std::expm1(there[i] - here[i]));
  return limit;
}

double ChartControl::best_quality() const {
  return point_.model()
      .best_chart(point_.time(), point_.variables().data(), point_.constants().data(), row_sizes_)
      .quality;
}

void ChartControl::go_to_best() {
  point_.use(point_.model().compile(
      point_.model()
          .best_chart(point_.time(), point_.variables().data(), point_.constants().data())
          .chart));
}

std::optional<std::string> judge_switches(std::span<const ChartSwitch> switches,
                                          std::uint64_t n_steps) {
  constexpr std::size_t few = 20;
  // Per mechanism: many of them may change now and then.
  std::map<std::uint32_t, std::uint64_t> counts;
  for (const ChartSwitch& change : switches) ++counts[change.block];
  for (const auto& [block, count] : counts) {
    if (count < few || 3 * count < n_steps) continue;
    std::string states;
    for (const ChartSwitch& change : switches)
      if (change.block == block) {
        for (const std::string& name : change.to)
          states += (states.empty() ? "'" : ", '") + name + "'";
        break;
      }
    return "the states of one mechanism (" + states + ") were re-selected " +
           std::to_string(count) + " times in " + std::to_string(n_steps) +
           " steps: it moves through its charts about as fast as it is integrated. The formulation "
           "projection needs no selection.";
  }
  return std::nullopt;
}

std::string ChartControl::explain() const {
  if (!point_.model().has_choice()) return "";
  const bool has_states = point_.chart().reduced.chart.n_dummies.size() > 0;
  if (best_quality() <= (has_states ? 1e3 * singular_quality : 0.3 * passage_quality))
    return "the constraints are singular here, whatever the states: the motion may not "
           "be determined beyond this point. Look for a redundant constraint" +
           std::string(has_states ? "." : ", or use the formulation dynamic.");
  if (!has_states || quality() > 1e3 * singular_quality) return "";
  std::string states;
  for (const std::string& name : point_.state_names())
    states += (states.empty() ? "'" : ", '") + name + "'";
  return "the states " + states +
         " no longer describe the motion here, the constraints being singular in the "
         "other unknowns. Let the states be re-selected (formulation dynamic).";
}

}  // namespace alembert::integrate
