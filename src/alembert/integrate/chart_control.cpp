// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/chart_control.hpp"

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

CompiledModel::Selection ChartControl::selection_at(double t, const double* variables) const {
  return point_.model().select(point_.chart().reduced.chart, t, variables,
                               point_.constants().data());
}

CompiledModel::Selection ChartControl::selection() const {
  return selection_at(point_.time(), point_.variables().data());
}

double ChartControl::quality_at(double t, const double* variables) const {
  return point_.model().chart_quality(point_.chart().reduced.chart, t, variables,
                                      point_.constants().data());
}

double ChartControl::quality_here() const {
  return quality_at(point_.time(), point_.variables().data());
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
  const double here = quality_here();
  const double ahead_by = 1e-3 * last_step;
  const auto variables = point_.variables();
  for (std::uint32_t i = 0; i < variables.size(); ++i) {
    const auto d = point_.model().derivative_of(i);
    ahead_[i] = variables[i] + (d < variables.size() ? ahead_by * variables[d] : 0.0);
  }
  const double there = quality_at(point_.time() + ahead_by, ahead_.data());
  if (!(there < here)) return unlimited;
  return 0.5 * here * ahead_by / (here - there);
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
