// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/chart_control.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace alembert::integrate {

using compile::CompiledModel;

namespace {

/// A chart is left when another is this much better, so that two of equal worth do not take turns.
constexpr double hysteresis = 0.5;

}  // namespace

ChartControl::ChartControl(ModelPoint& point, Formulation formulation)
    : point_(point),
      dynamic_(formulation == Formulation::dynamic && point.model().has_choice()),
      ahead_(point.model().n_variables()) {}

CompiledModel::Selection ChartControl::selection() const {
  return point_.model().select(point_.chart().reduced.chart, point_.time(),
                               point_.variables().data(), point_.constants().data());
}

double ChartControl::quality_here() const {
  return point_.model().chart_quality(point_.chart().reduced.chart, point_.time(),
                                      point_.variables().data(), point_.constants().data());
}

void ChartControl::choose() {
  if (!dynamic_) return;
  const auto at_point = selection();
  if (at_point.best.quality > at_point.current_quality)
    point_.use(point_.model().compile(at_point.best.chart));
}

std::optional<ChartSwitch> ChartControl::improve() {
  if (!dynamic_ || !point_.model().choice_varies()) return std::nullopt;
  const auto at_point = selection();
  if (at_point.current_quality >= hysteresis * at_point.best.quality ||
      at_point.best.chart == point_.chart().reduced.chart)
    return std::nullopt;
  ChartSwitch change{
      point_.time(), point_.state_names(), {}, at_point.current_quality, at_point.best.quality};
  point_.use(point_.model().compile(at_point.best.chart));
  change.to = point_.state_names();
  return change;
}

bool ChartControl::regular() const {
  return !point_.model().choice_varies() || quality_here() >= singular_quality;
}

double ChartControl::time_in_chart(double last_step) {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  if (!point_.model().choice_varies()) return unlimited;
  const auto logs_at = [&](double t, const double* variables) {
    return point_.model().log_determinants(point_.chart().reduced.chart, t, variables,
                                           point_.constants().data());
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

std::string ChartControl::explain() const {
  if (!point_.model().has_choice()) return "";
  const auto at_point = selection();
  if (at_point.current_quality > 1e3 * singular_quality) return "";
  if (at_point.best.quality <= 1e3 * singular_quality)
    return "the constraints are singular here, whatever the states: the motion may not "
           "be determined beyond this point. Look for a redundant constraint.";
  std::string states;
  for (const std::string& name : point_.state_names())
    states += (states.empty() ? "'" : ", '") + name + "'";
  return "the states " + states +
         " no longer describe the motion here, the constraints being singular in the "
         "other unknowns. Let the states be re-selected (formulation dynamic).";
}

}  // namespace alembert::integrate
