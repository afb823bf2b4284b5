// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/pulse_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace alembert::integrate {

namespace {

/// How often a step is repeated at most, and how many places in it are looked at.
constexpr int most_retries = 6;
constexpr int most_places = 8;
/// A place that was harmless in one step is taken to be so in others that are not much longer.
constexpr double not_much_longer = 2;
/// What the slopes differ by from those of the interpolation, times the length of the step, in
/// units of the tolerance: as much as a step may be off by that saw everything.
constexpr double tolerable = 20;
/// Slopes of a stiff system differ by much wherever the state is a little off. Those of a pulse do
/// so at one place, and not at this part of the step beside it, by this part of the difference.
constexpr double beside = 0.2;
constexpr double much_less = 0.4;
/// For slopes of the interpolation, relative to the step.
constexpr double nearby = 1e-3;
/// A step that ends this near to the place, relative to its length, has seen it.
constexpr double at_the_end = 1e-3;

}  // namespace

PulseWatch::PulseWatch(ModelPoint& point, const compile::Kernel& places)
    : point_(point), places_(places), work_(places.shape().workspace_size) {
  for (Sample* sample : {&begin_, &end_, &before_, &after_, &middle_})
    sample->values.resize(places.shape().n_outputs);
  harmless_.resize(places.shape().n_outputs);
}

void PulseWatch::begin() {
  begin_.t = point_.time();
  point_.run(places_, begin_.values, work_);
  n_retries_ = 0;
}

bool PulseWatch::look(double t, Complete complete, Sample& sample) {
  sample.t = t;
  std::ranges::copy(held_, point_.variables().begin());
  if (!complete(t)) return false;
  point_.run(places_, sample.values, work_);
  return true;
}

bool PulseWatch::crosses(const Sample& before, const Sample& after, double length) const {
  for (std::size_t k = 0; k < harmless_.size(); ++k)
    if (before.values[k] * after.values[k] < 0 && length > not_much_longer * harmless_[k])
      return true;
  return false;
}

/// What the slopes at a time of the step differ by from those of its interpolation.
void PulseWatch::find_misfit(const AcceptedStep& step, double t, std::vector<double>& misfit) {
  const OdeSystem& system = step.stepper.system();
  const double by = nearby * (step.t - step.t_old);
  const double low = std::max(step.t_old, t - by), high = std::min(step.t, t + by);
  misfit.assign(system.n, std::numeric_limits<double>::quiet_NaN());
  for (std::vector<double>* one : {&state_, &slopes_, &ahead_}) one->resize(system.n);
  std::ranges::copy(held_, point_.variables().begin());
  if (!step.interpolate(t, state_) ||
      !system.rhs(system.context, t, state_.data(), slopes_.data()) ||
      !step.interpolate(low, state_) || !step.interpolate(high, ahead_))
    return;
  for (std::size_t i = 0; i < misfit.size(); ++i)
    misfit[i] = slopes_[i] - (ahead_[i] - state_[i]) / (high - low);
}

bool PulseWatch::misses(const AcceptedStep& step, double t, const Tolerances& tolerances) {
  const double length = step.t - step.t_old;
  const bool is_implicit = step.stepper.method().uses_jacobian;
  find_misfit(step, t, misfit_);
  if (is_implicit) {
    find_misfit(step, std::max(step.t_old, t - beside * length), misfit_before_);
    find_misfit(step, std::min(step.t, t + beside * length), misfit_after_);
  }
  for (std::size_t i = 0; i < misfit_.size(); ++i) {
    const double scale =
        tolerances.scale(i, std::max(std::abs(step.y[i]), std::abs(step.y_old[i])));
    if (!(std::abs(misfit_[i]) * length > tolerable * scale)) continue;
    if (!is_implicit) return true;
    const double around = 0.5 * (misfit_before_[i] + misfit_after_[i]);
    const double rise = 0.5 * (misfit_after_[i] - misfit_before_[i]);
    if (std::max(std::abs(misfit_[i] - around), std::abs(rise)) > much_less * std::abs(misfit_[i]))
      return true;
  }
  return false;
}

double PulseWatch::decide(const AcceptedStep& step, const Tolerances& tolerances,
                          Complete complete) {
  if (!look(step.t, complete, end_)) return 0;  // reported by whoever completes the point next
  const double length = step.t - step.t_old;
  Sample& from = before_;
  from = begin_;
  for (int n = 0; n < most_places && crosses(from, end_, length); ++n) {
    const Sample start = from;
    after_ = end_;
    isolate_change(
        before_, after_, middle_, 4,
        {.secant = [&](double before,
                       double after) { return earliest_zero(before_, after_, before, after); },
         .look = [&](double t, Sample& sample) { return look(t, complete, sample); },
         .is_after = [&](const Sample& sample) { return crosses(start, sample, length); }});
    const double way = after_.t - step.t_old;
    const bool is_inside = way > at_the_end * length && way < (1 - at_the_end) * length;
    if (is_inside && n_retries_ < most_retries && misses(step, after_.t, tolerances)) {
      ++n_retries_;
      return way;
    }
    for (std::size_t k = 0; k < harmless_.size(); ++k)
      if (start.values[k] * after_.values[k] < 0) harmless_[k] = std::max(harmless_[k], length);
    from = after_;
  }
  n_retries_ = 0;
  std::swap(begin_, end_);
  return 0;
}

double PulseWatch::judge(const AcceptedStep& step, const Tolerances& tolerances,
                         Complete complete) {
  held_.assign(point_.variables().begin(), point_.variables().end());
  const double retry = decide(step, tolerances, complete);
  std::ranges::copy(held_, point_.variables().begin());
  return retry;
}

}  // namespace alembert::integrate
