// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/tables/time_table.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::modelica::tables {

namespace {

/// Times that differ by rounding only are one event.
double slack(double time) { return 1e-13 * std::max(1.0, std::abs(time)); }

std::vector<double> events_of(const TimeTable::Options& options, const std::vector<double>& x) {
  std::vector<double> events;
  if (options.time_events == TimeEvents::none || x.size() < 2) return events;
  events.push_back(x.front());
  if (!is_spline(options.smoothness)) {
    const bool every =
        options.time_events == TimeEvents::always || options.smoothness == Smoothness::constant;
    for (std::size_t i = 1; i + 1 < x.size(); ++i)
      if ((every || x[i] == x[i + 1]) && x[i] > events.back()) events.push_back(x[i]);
  }
  if (x.back() > events.back()) events.push_back(x.back());
  return events;
}

}  // namespace

TimeTable::TimeTable(const Options& options, const Matrix& matrix,
                     const std::vector<std::size_t>& columns)
    : options_(options) {
  for (std::size_t row = 0; row < matrix.n_rows; ++row) x_.push_back(matrix(row, 0));
  events_ = events_of(options_, x_);
  for (const std::size_t column : columns) {
    std::vector<double> y;
    for (std::size_t row = 0; row < matrix.n_rows; ++row) y.push_back(matrix(row, column - 1));
    curves_.emplace_back(options_.smoothness, options_.extrapolation, x_, std::move(y));
  }
}

double TimeTable::next_event(double time) const {
  if (time + slack(time) < options_.start_time) return options_.start_time;
  if (events_.empty()) return never;
  const double shift = options_.shift_time;
  double now = time - shift;
  double periods = 0;
  if (options_.extrapolation == Extrapolation::periodic) {
    const double period = x_.back() - x_.front();
    periods = period * std::floor((now - x_.front()) / period);
    now -= periods;
    // The first point is the last one of the period before.
    const auto next = std::upper_bound(events_.begin() + 1, events_.end(), now + slack(time));
    if (next != events_.end()) return *next + periods + shift;
    return events_[1] + periods + period + shift;
  }
  const auto next = std::upper_bound(events_.begin(), events_.end(), now + slack(time));
  return next == events_.end() ? never : *next + shift;
}

/// Of the table's own events, the last one before `next`; both in the table's time.
double TimeTable::last_event_before(double next) const {
  const double tiny = slack(next);
  if (options_.extrapolation == Extrapolation::periodic) {
    const double period = x_.back() - x_.front();
    const double periods = period * (std::ceil((next - tiny - x_.front()) / period) - 1);
    const auto here = std::lower_bound(events_.begin(), events_.end(), next - periods - tiny);
    return here == events_.begin() ? -never : *(here - 1) + periods;
  }
  const auto here = std::lower_bound(events_.begin(), events_.end(), next - tiny);
  return here == events_.begin() ? -never : *(here - 1);
}

Jet TimeTable::at(std::size_t column, double time, double next, double previous_next) const {
  const bool is_waiting = next < never && next == previous_next && time >= next;
  if (time < options_.start_time || (is_waiting && next <= options_.start_time)) return {};
  const Curve& curve = curves_[column];
  const double now = time - options_.shift_time;
  if (is_waiting) return curve.before(now, next - options_.shift_time);
  // Just after an event, rounding must not lead back before it.
  if (!events_.empty() && time < next) {
    const double last = next < never ? last_event_before(next - options_.shift_time)
                        : options_.extrapolation != Extrapolation::periodic ? events_.back()
                                                                            : -never;
    if (now < last && last - now <= slack(time)) return curve.at(last);
  }
  return curve.at(now);
}

}  // namespace alembert::modelica::tables
