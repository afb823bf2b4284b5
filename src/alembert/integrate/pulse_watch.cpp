// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/pulse_watch.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::integrate {

namespace {

/// How often a step is repeated at most, and how many places in it are looked at.
constexpr int most_retries = 6;
constexpr int most_places = 8;
/// A place that was harmless in one step is taken to be so in others that are not much longer.
constexpr double not_much_longer = 2;
/// A step that ends this near to the place, relative to its length, has seen it.
constexpr double at_the_end = 1e-9;

}  // namespace

PulseWatch::PulseWatch(ModelPoint& point, const compile::WatchedFunctions& places)
    : SignWatch(point, places), harmless_(n_functions()) {}

void PulseWatch::begin() {
  SignWatch::begin();
  n_retries_ = 0;
}

double PulseWatch::decide(const AcceptedStep& step, const Tolerances& tolerances, Complete complete,
                          Slopes slopes) {
  if (!look(step.t, complete, end_)) return 0;  // reported by whoever completes the point next
  const double length = step.t - step.t_old;
  for (std::size_t k = 0; k < n_functions(); ++k)
    is_off_[k] = length > not_much_longer * harmless_[k] ? 0 : 1;
  measure_noise();
  // What is passed twice is passed on either side of the place inside.
  const bool has_two_parts = look_inside(step, complete);
  double way = pass(step, begin_, has_two_parts ? inside_ : end_, tolerances, complete, slopes);
  if (way == 0 && has_two_parts) way = pass(step, inside_, end_, tolerances, complete, slopes);
  if (way > 0) {
    ++n_retries_;
    return way;
  }
  n_retries_ = 0;
  go_on();
  return 0;
}

/// The length of a step to the first place in a part of this one that it has missed; 0 if none.
double PulseWatch::pass(const AcceptedStep& step, const Sample& from, const Sample& to,
                        const Tolerances& tolerances, Complete complete, Slopes slopes) {
  const double length = step.t - step.t_old;
  start_ = from;
  for (int n = 0; n < most_places && crosses(start_, to); ++n) {
    before_ = start_;
    after_ = to;
    isolate(complete, [&](const Sample& sample) { return crosses(start_, sample); });
    const double way = after_.t - step.t_old;
    const bool is_inside = way > at_the_end * length && way < (1 - at_the_end) * length;
    if (is_inside && n_retries_ < most_retries && misses(step, after_.t, tolerances, slopes))
      return way;
    for (std::size_t k = 0; k < n_functions(); ++k)
      if (start_.values[k] * after_.values[k] < 0) harmless_[k] = std::max(harmless_[k], length);
    start_ = after_;
  }
  return 0;
}

double PulseWatch::judge(const AcceptedStep& step, const Tolerances& tolerances, Complete complete,
                         Slopes slopes) {
  return undisturbed([&] { return decide(step, tolerances, complete, slopes); });
}

}  // namespace alembert::integrate
