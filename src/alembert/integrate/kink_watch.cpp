// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/kink_watch.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"
#include "alembert/integrate/counted_system.hpp"

namespace alembert::integrate {

namespace {

/// How often a step is repeated at most. The error of the method moves the kink each time, by less
/// and less.
constexpr int most_retries = 6;
/// How often a step whose error was too large is cut for a kink.
constexpr int most_foreseen = 2;
/// How many steps are repeated for kinks. Each costs one of these, and each step that meets no kink
/// and has its planned length earns one back. Where kinks come at every step, as in a motion that
/// slides along a jump, they are thus left to the error estimate of the method.
constexpr double most_patience = 12;
/// How many kinks of a step are looked at, if all before the last are negligible.
constexpr int most_kinks = 4;
/// The distance from a kink, relative to the step, at which derivatives are taken on both its
/// sides. The state is a polynomial there, so that differences show the kink alone.
constexpr double aside = 3e-5;
/// Of a step, where it begins at a kink as near as matters. One up to the kink would lead nowhere,
/// and show the model in the middle of a leap: the first step goes over it.
constexpr double at_begin = 1e-6;
/// How near to a kink its place is looked for at first, relative to the step: nearer than that.
constexpr double roughly = 1e-5;
/// The error that the short step over a kink may have, relative to the tolerance.
constexpr double negligible = 0.1;
/// The error that a kink may cause in a step of ordinary length, relative to the tolerance.
constexpr double tolerable = 0.25;

/// Shorter steps would be lost in the rounding of t.
double least_step(double t) { return 64 * eps * std::abs(t); }

/// Stages of a step that is to end at a kink may lie beyond it, because of their own errors. So a
/// long step first comes near; the stages of the short one after it are exact.
constexpr double near_enough = 0.98;
double approach(double way, double beside) {
  if (way > 100 * beside) return near_enough * way;
  return way > 3 * beside ? way - beside : way + beside;
}

/// The error of a formula over a step of length 1 in which the slopes jump by 1, and in which their
/// derivatives do, after this part of the step. For a jump of the slopes the part does not matter:
/// a stage at an end of the step is on the other side of the jump, however near it is.
constexpr double share_of_jump = 0.25;
double share_of_bend(double part) { return std::min({0.03, 0.1 * part, 0.1 * (1 - part)}); }

}  // namespace

KinkWatch::KinkWatch(ModelPoint& point, const compile::WatchedFunctions& kinks)
    : SignWatch(point, kinks),
      are_smooth_(kinks.are_smooth),
      is_weak_(n_functions()),
      patience_(most_patience) {}

void KinkWatch::begin() {
  SignWatch::begin();
  edge_ = target_ = begin_.t;
  n_retries_ = n_foreseen_ = 0;
}

/// Finds a part of the step in which a kink comes first: from before_ to after_.
bool KinkWatch::bracket(const AcceptedStep& step, Complete complete) {
  measure_noise();
  if (!look_inside(step, complete)) {
    if (!crosses(begin_, end_)) return false;
    before_ = begin_;
    after_ = end_;
    return true;
  }
  const bool is_first = crosses(begin_, inside_);
  if (!is_first && !crosses(inside_, end_)) return false;
  before_ = is_first ? begin_ : inside_;
  after_ = is_first ? inside_ : end_;
  return true;
}

/// True if something that changes its sign up to the sample after it has done so here.
bool KinkWatch::is_beyond(const Sample& sample) const {
  for (std::size_t k = 0; k < n_functions(); ++k) {
    const double a = before_.values[k];
    if (a * after_.values[k] < 0 && a * sample.values[k] <= 0) return true;
  }
  return false;
}

bool KinkWatch::slopes_at(const AcceptedStep& step, double t, std::vector<double>& slopes) {
  const OdeSystem& system = step.stepper.system();
  slopes.resize(system.n);
  return step.interpolate(t, state_) && system.rhs(system.context, t, state_.data(), slopes.data());
}

std::optional<KinkWatch::Strength> KinkWatch::strength(const AcceptedStep& step,
                                                       const Tolerances& tolerances) {
  const double by = std::max(aside * (step.t - step.t_old), 64 * eps * std::abs(step.t));
  state_.resize(step.y.size());
  put_back();
  for (int i = 0; i < 3; ++i)
    if (!slopes_at(step, before_.t - i * by, slopes_[i]) ||
        !slopes_at(step, after_.t + i * by, slopes_[3 + i]))
      return std::nullopt;
  ErrorNorm of_slopes, of_derivatives;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const auto f = [&](int k) { return slopes_[k][i]; };
    const double scale =
        tolerances.scale(i, std::max(std::abs(step.y[i]), std::abs(step.y_old[i])));
    // One-sided differences of second order.
    const double left = (3 * f(0) - 4 * f(1) + f(2)) / (2 * by);
    const double right = (-3 * f(3) + 4 * f(4) - f(5)) / (2 * by);
    const double expected = 0.5 * (left + right) * (after_.t - before_.t);
    of_slopes.add(0, (f(3) - f(0) - expected) / scale);
    of_derivatives.add(0, (right - left) / scale);
  }
  const auto n = static_cast<std::uint32_t>(state_.size());
  const Strength found{of_slopes.value(n), of_derivatives.value(n)};
  if (!std::isfinite(found.of_slopes) || !std::isfinite(found.of_derivatives)) return std::nullopt;
  return found;
}

double KinkWatch::way_on(double t) const {
  if (edge_ > t + least_step(t)) return edge_ - t;
  return target_ > t ? std::max(target_ - t, least_step(t)) : 0;
}

double KinkWatch::foresee(double t_attempted, Complete complete) {
  if (n_foreseen_ == most_foreseen || patience_ < 1) return 0;
  return undisturbed([&] { return find_ahead(t_attempted, complete); });
}

double KinkWatch::find_ahead(double t_attempted, Complete complete) {
  if (!look(t_attempted, complete, end_)) return 0;
  measure_noise();
  before_ = begin_;
  after_ = end_;
  for (std::size_t k = 0; k < n_functions(); ++k)
    if (is_weak_[k]) after_.values[k] = before_.values[k];
  if (!crosses(before_, after_)) return 0;
  ++n_foreseen_;
  patience_ -= 1;
  return near_enough * (earliest_zero(before_, after_, 1, 1) - begin_.t);
}

/// Notes whether what changes its sign from before_ to after_ would matter in a step of usual
/// length.
void KinkWatch::note_strength(const Strength& strength) {
  const double error = usual_step_ * (strength.of_slopes * share_of_jump +
                                      usual_step_ * strength.of_derivatives * share_of_bend(0.5));
  for (std::size_t k = 0; k < n_functions(); ++k)
    if (before_.values[k] * after_.values[k] < 0) is_weak_[k] = error < tolerable;
}

double KinkWatch::accept() {
  go_on();
  n_retries_ = n_foreseen_ = 0;
  return 0;
}

double KinkWatch::judge(const AcceptedStep& step, const Tolerances& tolerances, bool told_by_states,
                        Complete complete) {
  return undisturbed([&] { return decide(step, tolerances, told_by_states, complete); });
}

double KinkWatch::decide(const AcceptedStep& step, const Tolerances& tolerances,
                         bool told_by_states, Complete complete) {
  if (!look(step.t, complete, end_)) return 0;  // reported by whoever completes the point next
  usual_step_ = std::max(0.9 * usual_step_, step.t - step.t_old);
  if (n_retries_ == most_retries) return accept();
  const bool shows_at_end = step.stepper.method().step_choice == StepChoice::own;
  // A function with a corner may come to zero and back right behind the place where another changes
  // its sign: that has to be exact then.
  const bool has_corners = !are_smooth_ || !told_by_states;
  const OdeSystem& system = step.stepper.system();
  const auto slopes = [&](double t, const std::vector<double>& y, std::vector<double>& f) {
    return system.rhs(system.context, t, y.data(), f.data());
  };
  bool any = !is_quiet() && bracket(step, complete);
  const bool is_free = n_retries_ == 0 && n_foreseen_ == 0 && !(target_ > step.t_old);
  if (!any && is_free) patience_ = std::min(patience_ + 1, most_patience);
  const auto beyond = [&](const Sample& sample) { return is_beyond(sample); };
  for (int kink = 0; any && kink < most_kinks; ++kink) {
    isolate(complete, beyond, shows_at_end && has_corners ? 0 : roughly * (step.t - step.t_old));
    // The middle of a pulse may be a kink.
    if (shows_at_end && patience_ >= 1 && after_.t < step.t &&
        misses(step, after_.t, tolerances, slopes)) {
      ++n_retries_;
      patience_ -= 1;
      return after_.t - step.t_old;
    }
    if (shows_at_end && !crosses(after_, end_)) break;
    const auto found = strength(step, tolerances);
    if (!found) break;
    const double length = step.t - step.t_old;
    double way = after_.t - step.t_old;
    const double part = std::clamp(way / length, 0.0, 1.0);
    const double error = length * (found->of_slopes * share_of_jump +
                                   length * found->of_derivatives * share_of_bend(part));
    note_strength(*found);
    if (error > tolerable && patience_ >= 1) {
      isolate(complete, beyond, 4 * eps * length);
      way = after_.t - step.t_old;
      // Up to just before the kink, and then over it by a step as short as it takes.
      const double beside = std::max(
          std::min({0.5 * negligible / (share_of_jump * found->of_slopes),
                    0.5 * std::sqrt(negligible / (share_of_bend(0.5) * found->of_derivatives)),
                    way > at_begin * length ? 0.1 * way : 0.1 * length}),
          least_step(after_.t));
      const double retry = approach(way, beside);
      if (retry < length) {
        ++n_retries_;
        patience_ -= 1;
        edge_ = after_.t - beside;
        target_ = after_.t + beside;
        return retry;
      }
    }
    before_ = after_;
    after_ = end_;
    any = crosses(before_, after_);
  }
  return accept();
}

}  // namespace alembert::integrate
