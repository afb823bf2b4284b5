// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/time_events.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"

namespace alembert::integrate {

TimeEvents::TimeEvents(ModelPoint& point, double start, double stop)
    : point_(point),
      span_(std::abs(stop - start)),
      stop_(stop),
      times_(point.model().events().timed_modes.size()),
      modes_(point.model().events().modes.shape().n_outputs) {
  const auto& samples = point.model().flat().samples;
  std::vector<double> numbers(2 * samples.size());
  point.run(point.model().events().clocks, numbers);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Clock clock{numbers[i], numbers[samples.size() + i]};
    if (!(clock.interval > 0) || !std::isfinite(clock.start))
      throw Error("I007",
                  "a clock that starts at " + number_text(clock.start) + " has the interval " +
                      number_text(clock.interval) + ". Intervals must be positive.",
                  samples[i].origin);
    clock.n = std::max(0.0, std::ceil((start - clock.start) / clock.interval - 8 * eps));
    clocks_.push_back(clock);
  }
}

double TimeEvents::rounding(double t) const {
  return 4 * eps * std::max(std::abs(t), 1e-3 * span_);
}

/// The first time from `candidate` on, to a few units in the last place, at which the mode has
/// another value: rounding, and `time > T`, may put it just behind.
double TimeEvents::next_change(std::uint32_t mode, double candidate) {
  const double now = point_.time();
  if (!(candidate >= now - 4 * eps * std::abs(now))) return infinity;
  const double held = point_.constants()[point_.model().constants().modes + mode];
  const auto differs_at = [&](double t) {
    point_.set_time(t);
    point_.run(point_.model().events().modes, modes_);
    point_.set_time(now);
    return modes_[mode] != held;
  };
  double t = std::max(candidate, std::nextafter(now, infinity));
  // An event just before has it already, where its time is that one but for rounding.
  if (!differs_at(t + rounding(t))) return infinity;
  for (int k = 0; k < 4; ++k, t = std::nextafter(t, infinity))
    if (differs_at(t)) return t;
  return infinity;
}

double TimeEvents::next() {
  double first = infinity;
  const double now = point_.time();
  for (const Clock& clock : clocks_) {
    double t = clock.time();
    // One that rounding puts behind the end of the run is meant to tick at it.
    if (t > stop_ && t - stop_ <= 4 * eps * std::abs(stop_)) t = stop_;
    if (t > now) first = std::min(first, t);
  }
  const auto& timed = point_.model().events().timed_modes;
  point_.run(point_.model().events().change_times, times_);
  for (std::size_t i = 0; i < timed.size(); ++i)
    if (times_[i] < first) first = std::min(first, next_change(timed[i], times_[i]));
  return first;
}

bool TimeEvents::tick(double t) {
  bool any = false;
  for (std::size_t i = 0; i < clocks_.size(); ++i) {
    Clock& clock = clocks_[i];
    const double latest = t + 4 * eps * std::abs(t);
    if (clock.time() > latest) continue;
    clock.n = std::max(clock.n, std::floor((latest - clock.start) / clock.interval)) + 1;
    point_.constants()[point_.model().constants().samples + i] = 1;
    any = true;
  }
  return any;
}

void TimeEvents::silence() {
  const auto& layout = point_.model().constants();
  for (std::size_t i = 0; i < clocks_.size(); ++i) point_.constants()[layout.samples + i] = 0;
}

}  // namespace alembert::integrate
