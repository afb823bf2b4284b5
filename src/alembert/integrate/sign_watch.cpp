// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/sign_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/base/constants.hpp"

namespace alembert::integrate {

namespace {

/// The rounding error of a function that changes its sign, relative to its size in the step.
constexpr double rounding = 1e-13;
/// What bends by half of what it is away from zero may have come there between the ends of a step.
constexpr double far = 2;
/// What the slopes differ by from those of the interpolation, times the length of the step, in
/// units of the tolerance: as much as a step may be off by that saw everything.
constexpr double tolerable = 20;
/// Slopes of a stiff system differ by much wherever the state is a little off. Those of a pulse do
/// so at one place, and not at this part of the step beside it, by this part of the difference.
constexpr double beside = 0.2;
constexpr double much_less = 0.4;
/// For slopes of the interpolation, relative to the step.
constexpr double nearby = 1e-3;

}  // namespace

SignWatch::SignWatch(ModelPoint& point, const compile::WatchedFunctions& functions)
    : point_(point), functions_(functions), work_(functions.kernel.shape().workspace_size) {
  const std::size_t n = functions.kernel.shape().n_outputs;
  for (Sample* sample : {&begin_, &inside_, &end_, &before_, &after_, &middle_})
    sample->values.resize(n);
  for (Sample& turn : turns_) turn.values.resize(n);
  is_off_.resize(n);
  noise_.resize(n);
  last_change_.resize(n);
}

void SignWatch::begin() {
  begin_.t = point_.time();
  point_.run(functions_.kernel, begin_.values, work_);
  last_length_ = 0;
}

void SignWatch::hold() { held_.assign(point_.variables().begin(), point_.variables().end()); }

void SignWatch::put_back() { std::ranges::copy(held_, point_.variables().begin()); }

bool SignWatch::look(double t, Complete complete, Sample& sample) {
  sample.t = t;
  // What is solved for goes on from where it was before anybody looked.
  put_back();
  if (!complete(t)) return false;
  point_.run(functions_.kernel, sample.values, work_);
  return true;
}

void SignWatch::go_on() {
  for (std::size_t k = 0; k < last_change_.size(); ++k)
    last_change_[k] = end_.values[k] - begin_.values[k];
  last_length_ = end_.t - begin_.t;
  std::swap(begin_, end_);
}

void SignWatch::measure_noise() {
  for (std::size_t k = 0; k < noise_.size(); ++k)
    noise_[k] = rounding * std::max(std::abs(begin_.values[k]), std::abs(end_.values[k]));
}

bool SignWatch::crosses(const Sample& before, const Sample& after) const {
  for (std::uint32_t k = 0; k < noise_.size(); ++k)
    if (changes(k, before, after)) return true;
  return false;
}

bool SignWatch::is_quiet() const {
  const double longer = last_length_ > 0 ? (end_.t - begin_.t) / last_length_ : 0;
  const double* const begin = begin_.values.data();
  const double* const end = end_.values.data();
  const double* const last = last_change_.data();
  const std::size_t n = noise_.size();
  int any = 0;
  for (std::size_t k = 0; k < n; ++k) {  // without a way out, so that it is short
    const double bend = std::abs(end[k] - begin[k] - longer * last[k]);
    const double nearest = std::min(std::abs(begin[k]), std::abs(end[k]));
    any |= static_cast<int>(begin[k] * end[k] < 0) | static_cast<int>(!(nearest >= far * bend));
  }
  return any == 0;
}

/// True if something bends so much that it could have gone to zero and back between the ends.
bool SignWatch::may_cross_inside() const {
  const double longer = last_length_ > 0 ? (end_.t - begin_.t) / last_length_ : 0;
  for (std::size_t k = 0; k < noise_.size(); ++k) {
    const double bend = std::abs(end_.values[k] - begin_.values[k] - longer * last_change_[k]);
    const double nearest = std::min(std::abs(end_.values[k]), std::abs(begin_.values[k]));
    if (nearest > noise_[k] && nearest < far * bend && is_off_[k] == 0) return true;
  }
  return false;
}

/// Of functions that have one sign at three samples: where the parabola through them turns that
/// comes nearest to zero beside what it changes by, or farthest beyond it. Not between the samples
/// if none comes as near as `near`.
double SignWatch::turn_near_zero(const Sample& before, const Sample& between, const Sample& after,
                                 double near) const {
  const double width = after.t - before.t, part = (between.t - before.t) / width;
  double nearest = near, at = 0;
  for (std::size_t k = 0; k < noise_.size(); ++k) {
    const double a = before.values[k], m = between.values[k], b = after.values[k];
    if (is_off_[k] != 0 || !(a * b > 0) || !(a * m > 0)) continue;
    // a + slope x + bend x^2, with x from 0 to 1.
    const double to_between = (m - a) / part, bend = (b - a - to_between) / (1 - part);
    const double slope = b - a - bend;
    const double turn = -0.5 * slope / bend, change = 0.5 * slope * turn;
    if (!(turn > 0 && turn < 1)) continue;
    const double height = std::copysign(a + change, a * (a + change)) / std::abs(change);
    if (height < nearest) nearest = height, at = turn;
  }
  return before.t + at * width;
}

/// Looks where functions seem to turn near zero, by parabolas through three samples that come
/// nearer to the turn each time. inside_ is the first look that shows a change, if one does.
void SignWatch::look_at_turns(Complete complete) {
  constexpr double near[] = {20, 4, 1, 0.25};  // parabolas over all of a step tell little
  const Sample *before = &begin_, *between = &inside_, *after = &end_;
  for (std::size_t round = 0; round < std::size(near); ++round) {
    Sample& turn = turns_[round];
    const double t = turn_near_zero(*before, *between, *after, near[round]);
    if (!(t > before->t && t < after->t) || t == between->t || !look(t, complete, turn)) return;
    if (crosses(begin_, turn)) {
      std::swap(inside_, turn);
      return;
    }
    (t < between->t ? after : before) = between;
    between = &turn;
  }
}

/// What is zero where the step begins, as where the last one was made to end, has the sign that it
/// takes from there.
void SignWatch::leave_begin(const AcceptedStep& step, Complete complete) {
  constexpr double little = 1e-3;
  const auto is_zero = [this](std::size_t k) { return std::abs(begin_.values[k]) <= noise_[k]; };
  bool any = false;
  for (std::size_t k = 0; k < noise_.size(); ++k) any = any || (is_zero(k) && noise_[k] > 0);
  if (!any || !look(step.t_old + little * (step.t - step.t_old), complete, inside_)) return;
  for (std::size_t k = 0; k < noise_.size(); ++k)
    if (is_zero(k)) begin_.values[k] = inside_.values[k];
}

bool SignWatch::look_inside(const AcceptedStep& step, Complete complete) {
  leave_begin(step, complete);
  if (!crosses(begin_, end_) && !may_cross_inside()) return false;
  const double middle = 0.5 * (step.t_old + step.t);
  if (!(middle > step.t_old && middle < step.t) || !look(middle, complete, inside_)) return false;
  if (crosses(begin_, inside_) || crosses(inside_, end_)) return true;
  look_at_turns(complete);
  return true;
}

/// What the slopes at a time of the step differ by from those of its interpolation.
void SignWatch::find_misfit(const AcceptedStep& step, double t, Slopes slopes,
                            std::vector<double>& misfit) {
  const std::size_t n = step.y.size();
  const double by = nearby * (step.t - step.t_old);
  const double low = std::max(step.t_old, t - by), high = std::min(step.t, t + by);
  misfit.assign(n, std::numeric_limits<double>::quiet_NaN());
  for (std::vector<double>* one : {&state_, &slopes_, &ahead_}) one->resize(n);
  put_back();
  if (!step.interpolate(t, state_) || !slopes(t, state_, slopes_) ||
      !step.interpolate(low, state_) || !step.interpolate(high, ahead_))
    return;
  for (std::size_t i = 0; i < misfit.size(); ++i)
    misfit[i] = slopes_[i] - (ahead_[i] - state_[i]) / (high - low);
}

bool SignWatch::misses(const AcceptedStep& step, double t, const Tolerances& tolerances,
                       Slopes slopes) {
  const double length = step.t - step.t_old;
  const bool is_implicit = step.stepper.method().uses_jacobian;
  bool knows_around = false;
  find_misfit(step, t, slopes, misfit_);
  for (std::size_t i = 0; i < misfit_.size(); ++i) {
    const double scale =
        tolerances.scale(i, std::max(std::abs(step.y[i]), std::abs(step.y_old[i])));
    if (!(std::abs(misfit_[i]) * length > tolerable * scale)) continue;
    if (!is_implicit) return true;
    if (!std::exchange(knows_around, true)) {
      find_misfit(step, std::max(step.t_old, t - beside * length), slopes, misfit_before_);
      find_misfit(step, std::min(step.t, t + beside * length), slopes, misfit_after_);
    }
    const double around = 0.5 * (misfit_before_[i] + misfit_after_[i]);
    const double rise = 0.5 * (misfit_after_[i] - misfit_before_[i]);
    if (std::max(std::abs(misfit_[i] - around), std::abs(rise)) > much_less * std::abs(misfit_[i]))
      return true;
  }
  return false;
}

bool SignWatch::isolate(Complete complete, FunctionRef<bool(const Sample&)> is_after, double finest,
                        double* failed) {
  constexpr double n_eps = 4;
  finest = std::max(finest, roundings_of_time(n_eps, before_, after_));
  bool good = true;
  isolate_change(
      before_, after_, middle_, finest,
      {.secant = [&](double before,
                     double after) { return earliest_zero(before_, after_, before, after); },
       .look =
           [&](double t, Sample& sample) {
             good = look(t, complete, sample);
             if (!good && failed != nullptr) *failed = t;
             return good;
           },
       .is_after = is_after});
  return good;
}

}  // namespace alembert::integrate
