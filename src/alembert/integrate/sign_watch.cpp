// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/sign_watch.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"

namespace alembert::integrate {

namespace {

/// The rounding error of a function that changes its sign, relative to its size in the step.
constexpr double rounding = 1e-13;

}  // namespace

SignWatch::SignWatch(ModelPoint& point, const compile::Kernel& functions)
    : point_(point), functions_(functions), work_(functions.shape().workspace_size) {
  const std::size_t n = functions.shape().n_outputs;
  for (Sample* sample : {&begin_, &inside_, &end_, &before_, &after_, &middle_})
    sample->values.resize(n);
  is_off_.resize(n);
  noise_.resize(n);
  last_change_.resize(n);
}

void SignWatch::begin() {
  begin_.t = point_.time();
  point_.run(functions_, begin_.values, work_);
  last_length_ = 0;
}

void SignWatch::hold() { held_.assign(point_.variables().begin(), point_.variables().end()); }

void SignWatch::put_back() { std::ranges::copy(held_, point_.variables().begin()); }

bool SignWatch::look(double t, Complete complete, Sample& sample) {
  sample.t = t;
  // What is solved for goes on from where it was before anybody looked.
  put_back();
  if (!complete(t)) return false;
  point_.run(functions_, sample.values, work_);
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

std::uint32_t SignWatch::n_changes(const Sample& before, const Sample& after) const {
  std::uint32_t n = 0;
  for (std::uint32_t k = 0; k < noise_.size(); ++k) n += changes(k, before, after) ? 1 : 0;
  return n;
}

/// True if something bends so much that it could have gone to zero and back between the ends.
bool SignWatch::may_cross_inside() const {
  constexpr double far = 2;
  const double longer = last_length_ > 0 ? (end_.t - begin_.t) / last_length_ : 0;
  for (std::size_t k = 0; k < noise_.size(); ++k) {
    const double bend = std::abs(end_.values[k] - begin_.values[k] - longer * last_change_[k]);
    const double nearest = std::min(std::abs(end_.values[k]), std::abs(begin_.values[k]));
    if (nearest > noise_[k] && nearest < far * bend && is_off_[k] == 0) return true;
  }
  return false;
}

/// Of functions that have one sign at the ends and in the middle: where the parabola through the
/// three turns that comes nearest to zero beside what it changes by, or farthest beyond it. Not
/// inside of the step if none comes near.
double SignWatch::turn_near_zero(const AcceptedStep& step) const {
  constexpr double near = 0.25;  // parabolas are not exact
  double nearest = near, at = 0;
  for (std::size_t k = 0; k < noise_.size(); ++k) {
    const double a = begin_.values[k], m = inside_.values[k], b = end_.values[k];
    if (is_off_[k] != 0 || !(a * b > 0) || !(a * m > 0)) continue;
    // a + slope x + bend x^2, with x from 0 to 1.
    const double bend = 2 * (a - 2 * m + b), slope = b - a - bend;
    const double turn = -0.5 * slope / bend, change = 0.5 * slope * turn;
    if (!(turn > 0 && turn < 1)) continue;
    const double height = std::copysign(a + change, a * (a + change)) / std::abs(change);
    if (height < nearest) nearest = height, at = turn;
  }
  return step.t_old + at * (step.t - step.t_old);
}

bool SignWatch::look_inside(const AcceptedStep& step, Complete complete) {
  if (!crosses(begin_, end_) && !may_cross_inside()) return false;
  const double middle = 0.5 * (step.t_old + step.t);
  if (!(middle > step.t_old && middle < step.t) || !look(middle, complete, inside_)) return false;
  if (crosses(begin_, inside_) || crosses(inside_, end_)) return true;
  const double turn = turn_near_zero(step);
  if (turn > step.t_old && turn < step.t && look(turn, complete, middle_))
    std::swap(inside_, middle_);
  return true;
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
