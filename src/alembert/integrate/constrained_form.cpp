// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/constrained_form.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "alembert/integrate/mass_metric.hpp"

namespace alembert::integrate {

namespace {

/// Errors shall die out well before the model has moved, and not so fast that they alone make the
/// steps short.
constexpr double faster_than_motion = 10;

}  // namespace

double choose_omega(const ModelPoint& point, double span) {
  // The rates |x'|/|x| and sqrt(|x''|/|x|) of the largest member of each kind: single small values
  // say nothing of the motion. Positions count, which have second derivatives; a velocity beside
  // them would be taken for one.
  const auto& model = point.model();
  const auto values = point.variables();
  const std::uint32_t none = model.n_variables();
  const auto next = [&](std::uint32_t at) { return at < none ? model.derivative_of(at) : none; };
  std::vector<char> is_derivative(none, 0);
  for (std::uint32_t at = 0; at < none; ++at)
    if (next(at) < none) is_derivative[next(at)] = 1;
  const auto is_position = [&](std::uint32_t state) {
    return !is_derivative[state] && next(next(state)) < none;
  };
  const auto& states = point.chart().states;
  const bool any_position = std::ranges::any_of(states, is_position);
  double largest[3] = {0, 0, 0};
  for (const std::uint32_t state : states) {
    if (any_position && !is_position(state)) continue;
    std::uint32_t at = state;
    for (double& size : largest) {
      if (at >= none) break;
      size = std::max(size, std::abs(values[at]));
      at = next(at);
    }
  }
  double rate = span > 0 ? 1 / span : 1;
  if (largest[0] > 0)
    rate = std::max({rate, largest[1] / largest[0], std::sqrt(largest[2] / largest[0])});
  return faster_than_motion * rate;
}

ConstrainedForm::ConstrainedForm(ModelPoint& point, const SimulateOptions& options,
                                 Formulation formulation, double omega)
    : point_(point), formulation_(formulation) {
  const auto& model = point.model();
  if (formulation == Formulation::baumgarte) {
    point.use(model.index_one().chart);
    omega_ = omega > 0 ? omega : options.baumgarte_omega;
    if (omega_ <= 0) omega_ = choose_omega(point, options.stop - options.start);
    point.use(model.index_one({omega_, options.baumgarte_zeta}).chart);
    return;
  }
  const Metric metric = formulation == Formulation::projection ? options.metric : Metric::euclidean;
  const compile::CompiledIndexOne& least = model.index_one();
  const compile::CompiledIndexOne& form =
      metric == Metric::mass && !least.invariants.empty() && !MassMetric::fits(model, least.chart)
          ? model.index_one({}, structure::Settle::names)
          : least;
  point.use(form.chart);
  projector_.emplace(point, form, metric);
  if (formulation == Formulation::ggl) index_two_.emplace(point, form, model.index_two());
}

std::uint32_t ConstrainedForm::size() const {
  return index_two_ ? index_two_->size() : point_.n_states();
}

void ConstrainedForm::gather(std::span<double> y) const {
  if (index_two_)
    index_two_->gather(y);
  else
    point_.copy_states(y);
}

ConstrainedForm::Settled ConstrainedForm::settle_step(double t, std::span<double> y,
                                                      double negligible) {
  // The multipliers of index 2 do it within the step.
  if (!projector_ || index_two_) return {};
  if (!projector_->project(t, y, negligible)) return {.good = false};
  return {.good = true, .changed = projector_->distance() > negligible};
}

bool ConstrainedForm::settle_shown(double t, std::span<double> y, std::span<double> error) {
  return !projector_ || projector_->project(t, y, 0, error);
}

}  // namespace alembert::integrate
