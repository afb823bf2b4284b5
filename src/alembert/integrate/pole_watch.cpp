// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/pole_watch.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"

namespace alembert::integrate {

PoleWatch::PoleWatch(ModelPoint& point, const compile::WatchedFunctions& denominators)
    : SignWatch(point, denominators) {}

void PoleWatch::begin() {
  SignWatch::begin();
  closing_in_ = false;
  next_step_limit_ = infinity;
}

/// True if slopes on both sides of the zero are beyond what they are at the end of the step on the
/// same side, about as much as the denominator is smaller: one end may be much nearer than the
/// other. A quotient whose numerator vanishes as well stays as it is, but for the rounding of the
/// numerator: so not too near.
bool PoleWatch::grows(const AcceptedStep& step, double zero, Complete complete) {
  constexpr double least = 3, share = 0.05;
  // A step that was not chosen by its error may begin very near, and may come out anywhere.
  const bool is_fixed = step.stepper.method().step_choice == StepChoice::fixed;
  const double near = is_fixed ? 1e-4 : 1e-2;
  const bool known = look(zero - near * (zero - step.t_old), complete, before_) &&
                     look(zero + near * (step.t - zero), complete, after_);
  put_back();
  if (!known) return false;
  // By so many times it is nearer to the zero there than at the end.
  double nearer_before = 0, nearer_after = 0;
  for (std::size_t k = 0; k < before_.values.size(); ++k)
    if (before_.values[k] * after_.values[k] < 0) {
      nearer_before = std::max(nearer_before, std::abs(begin_.values[k] / before_.values[k]));
      nearer_after = std::max(nearer_after, std::abs(end_.values[k] / after_.values[k]));
    }
  const OdeSystem& system = step.stepper.system();
  state_.resize(system.n);
  slopes_.resize(system.n);
  std::uint32_t largest = 0;
  // Of a method that takes all variables for its state, that tells slopes too.
  const auto size_at = [&](double t, std::span<const double> y) {
    if (system.rhs == nullptr)
      std::ranges::copy(y, slopes_.begin());
    else if (!system.rhs(system.context, t, y.data(), slopes_.data()))
      return infinity;
    double size = 0;
    for (std::uint32_t i = 0; i < system.n; ++i)
      if (const double own = std::abs(slopes_[i]) / std::max(1.0, std::abs(step.y[i])); own > size)
        size = own, largest = i;
    return size;
  };
  const auto grows_to = [&](double t, double at_end, double nearer) {
    const double there = step.interpolate(t, state_) ? size_at(t, state_) : infinity;
    return std::isfinite(at_end) && there > std::max(least, share * nearer) * at_end;
  };
  if (!grows_to(before_.t, size_at(step.t_old, step.y_old), nearer_before)) return false;
  steepest_ = largest;
  if (is_fixed) return true;
  return grows_to(after_.t, size_at(step.t, step.y), nearer_after);
}

double PoleWatch::decide(const AcceptedStep& step, Complete complete) {
  if (!look(step.t, complete, end_)) return 0;  // reported by whoever completes the point next
  if (crosses(begin_, end_)) {
    before_ = begin_;
    after_ = end_;
    double zero = 0;
    const bool has_values = isolate(
        complete, [&](const Sample& sample) { return crosses(begin_, sample); }, 0, &zero);
    if (grows(step, has_values ? after_.t : zero, complete)) {
      closing_in_ = true;
      return 0.5 * (before_.t - step.t_old);
    }
  }
  if (closing_in_) limit_next(step);
  go_on();
  return 0;
}

/// So near to a pole a state may be less than its tolerance, and errors may lead anywhere. Steps
/// that leave most of a denominator lead on to its zero.
void PoleWatch::limit_next(const AcceptedStep& step) {
  constexpr double part_of_way = 0.25;
  double way = infinity;
  for (std::size_t k = 0; k < begin_.values.size(); ++k) {
    const double before = std::abs(begin_.values[k]), after = std::abs(end_.values[k]);
    if (after < before) way = std::min(way, (step.t - step.t_old) * after / (before - after));
  }
  closing_in_ = way < infinity;
  next_step_limit_ = part_of_way * way;
}

double PoleWatch::judge(const AcceptedStep& step, Complete complete) {
  next_step_limit_ = infinity;
  return undisturbed([&] { return decide(step, complete); });
}

}  // namespace alembert::integrate
