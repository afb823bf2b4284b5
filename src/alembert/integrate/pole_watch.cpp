// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/pole_watch.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"

namespace alembert::integrate {

PoleWatch::PoleWatch(ModelPoint& point, const compile::Kernel& denominators)
    : point_(point), denominators_(denominators), work_(denominators.shape().workspace_size) {
  for (Sample* sample : {&begin_, &end_, &before_, &after_, &middle_})
    sample->values.resize(denominators.shape().n_outputs);
}

void PoleWatch::begin() {
  begin_.t = point_.time();
  point_.run(denominators_, begin_.values, work_);
}

bool PoleWatch::look(double t, Complete complete, Sample& sample) {
  sample.t = t;
  std::ranges::copy(held_, point_.variables().begin());
  if (!complete(t)) return false;
  point_.run(denominators_, sample.values, work_);
  return true;
}

bool PoleWatch::crosses(const Sample& before, const Sample& after) const {
  for (std::size_t k = 0; k < before.values.size(); ++k)
    if (before.values[k] * after.values[k] < 0) return true;
  return false;
}

/// True if slopes on both sides of the zero are beyond what they are at the ends of the step, about
/// as much as the denominator is smaller. A quotient whose numerator vanishes as well stays as it
/// is, but for the rounding of the numerator: so not too near.
bool PoleWatch::grows(const AcceptedStep& step, Complete complete) {
  constexpr double near = 1e-2, least = 3, share = 0.05;
  const double zero = after_.t;
  const bool known = look(zero - near * (zero - step.t_old), complete, before_) &&
                     look(zero + near * (step.t - zero), complete, after_);
  std::ranges::copy(held_, point_.variables().begin());
  if (!known) return false;
  double nearer = 0;  // by so many times it is nearer to the zero there than at the ends
  for (std::size_t k = 0; k < before_.values.size(); ++k)
    if (before_.values[k] * after_.values[k] < 0)
      nearer =
          std::max(nearer, std::min(std::abs(begin_.values[k]), std::abs(end_.values[k])) /
                               std::max(std::abs(before_.values[k]), std::abs(after_.values[k])));
  const OdeSystem& system = step.stepper.system();
  state_.resize(system.n);
  slopes_.resize(system.n);
  const auto size_at = [&](double t, std::span<const double> y) {
    if (!system.rhs(system.context, t, y.data(), slopes_.data())) return infinity;
    double size = 0;
    for (std::uint32_t i = 0; i < system.n; ++i)
      size = std::max(size, std::abs(slopes_[i]) / std::max(1.0, std::abs(step.y[i])));
    return size;
  };
  const auto size_inside = [&](double t) {
    return step.interpolate(t, state_) ? size_at(t, state_) : infinity;
  };
  const double at_ends = std::max(size_at(step.t_old, step.y_old), size_at(step.t, step.y));
  return std::isfinite(at_ends) && std::min(size_inside(before_.t), size_inside(after_.t)) >
                                       std::max(least, share * nearer) * at_ends;
}

double PoleWatch::decide(const AcceptedStep& step, Complete complete) {
  if (!look(step.t, complete, end_)) return 0;  // reported by whoever completes the point next
  if (crosses(begin_, end_)) {
    before_ = begin_;
    after_ = end_;
    isolate_change(
        before_, after_, middle_, 4,
        {.secant = [&](double before,
                       double after) { return earliest_zero(before_, after_, before, after); },
         .look = [&](double t, Sample& sample) { return look(t, complete, sample); },
         .is_after = [&](const Sample& sample) { return crosses(begin_, sample); }});
    if (grows(step, complete)) return 0.5 * (before_.t - step.t_old);
  }
  std::swap(begin_, end_);
  return 0;
}

double PoleWatch::judge(const AcceptedStep& step, Complete complete) {
  held_.assign(point_.variables().begin(), point_.variables().end());
  const double retry = decide(step, complete);
  std::ranges::copy(held_, point_.variables().begin());
  return retry;
}

}  // namespace alembert::integrate
