// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/base/constants.hpp"

namespace alembert::result {
namespace {

enum class Side { left, right };

/// Where a trajectory is read: between two rows.
struct Place {
  std::size_t row = 0;
  double share = 0;  // of the next row
};

/// The last row of a time seen from the right, the first one seen from the left.
Place place_at(const std::vector<double>& times, double t, Side side) {
  if (side == Side::right) {
    const auto after = std::upper_bound(times.begin(), times.end(), t) - times.begin();
    const auto row = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - 1, 0));
    if (times[row] == t || row + 1 == times.size()) return {row, 0};
    return {row, (t - times[row]) / (times[row + 1] - times[row])};
  }
  const auto at =
      static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), t) - times.begin());
  if (at == times.size()) return {times.size() - 1, 0};
  if (times[at] == t || at == 0) return {at, 0};
  return {at - 1, (t - times[at - 1]) / (times[at] - times[at - 1])};
}

double value_at(const Trajectory& trajectory, const Place& place, std::size_t column) {
  const double here = trajectory.value(place.row, column);
  if (place.share == 0) return here;
  return here + place.share * (trajectory.value(place.row + 1, column) - here);
}

/// NaN on both sides is no difference; on one side it is more than any number.
double distance(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return 0;
  if (a == b) return 0;  // infinities too
  return std::abs(a - b);
}

double scale_of(const Trajectory& a, std::size_t column) {
  double low = infinity;
  double high = -low;
  for (std::size_t i = 0; i < a.n_rows(); ++i) {
    low = std::min(low, a.value(i, column));
    high = std::max(high, a.value(i, column));
  }
  if (high > low) return high - low;
  return high != 0 && std::isfinite(high) ? std::abs(high) : 1;
}

/// Of the rows of either, what lies in the span of both.
std::vector<double> times_in_both(const Trajectory& a, const Trajectory& b) {
  if (a.n_rows() == 0 || b.n_rows() == 0) return {};
  const double first = std::max(a.times().front(), b.times().front());
  const double last = std::min(a.times().back(), b.times().back());
  std::vector<double> times;
  for (const Trajectory* one : {&a, &b})
    for (const double t : one->times())
      if (t >= first && t <= last) times.push_back(t);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

/// Rows of one time: an event shows both its sides. Several that follow each other at once are one,
/// since another run may see all of them at one time.
struct Event {
  double begin = 0;  // time
  double end = 0;
  std::size_t first = 0;  // row
  std::size_t last = 0;
};

std::vector<Event> events_of(const Trajectory& trajectory, double at_once) {
  const std::vector<double>& times = trajectory.times();
  std::vector<Event> events;
  for (std::size_t i = 0; i < times.size();) {
    std::size_t last = i;
    while (last + 1 < times.size() && times[last + 1] == times[i]) ++last;
    if (last > i && !events.empty() && times[i] - events.back().begin <= at_once) {
      events.back().end = times[i];
      events.back().last = last;
    } else if (last > i) {
      events.push_back({times[i], times[i], i, last});
    }
    i = last + 1;
  }
  return events;
}

/// The number of the event nearest to t; there is one.
std::size_t nearest(const std::vector<Event>& events, double t) {
  const auto after = std::lower_bound(events.begin(), events.end(), t,
                                      [](const Event& event, double x) { return event.begin < x; });
  if (after == events.begin()) return 0;
  const bool is_before = after == events.end() || t - (after - 1)->begin <= after->begin - t;
  return static_cast<std::size_t>(after - events.begin()) - (is_before ? 1 : 0);
}

/// The time from an event to its neighbours.
double gap_around(const std::vector<Event>& events, std::size_t k) {
  double gap = infinity;
  if (k > 0) gap = events[k].begin - events[k - 1].end;
  if (k + 1 < events.size()) gap = std::min(gap, events[k + 1].begin - events[k].end);
  return gap;
}

/// One event as both saw it.
struct EventPair {
  Event in_a, in_b;

  double begin() const { return std::min(in_a.begin, in_b.begin); }
  double end() const { return std::max(in_a.end, in_b.end); }
  double apart() const {
    return std::max(std::abs(in_a.begin - in_b.begin), std::abs(in_a.end - in_b.end));
  }
};

/// Events that are each other's nearest, and much nearer than others and than the span is long.
/// What has no partner is compared with what the other did at that time.
std::vector<EventPair> pair_events(const Trajectory& a, const Trajectory& b) {
  if (a.n_rows() == 0 || b.n_rows() == 0) return {};
  constexpr double near = 1e-3, at_once = 1e-6;  // of the span
  constexpr double of_gap = 0.1;
  const double span =
      std::min(a.times().back(), b.times().back()) - std::max(a.times().front(), b.times().front());
  const std::vector<Event> in_a = events_of(a, at_once * span), in_b = events_of(b, at_once * span);
  std::vector<EventPair> pairs;
  for (std::size_t i = 0; i < in_a.size() && !in_b.empty(); ++i) {
    const std::size_t j = nearest(in_b, in_a[i].begin);
    if (nearest(in_a, in_b[j].begin) != i) continue;
    const EventPair pair{in_a[i], in_b[j]};
    const double gap = std::min(gap_around(in_a, i), gap_around(in_b, j));
    if (pair.apart() <= std::min(near * span, of_gap * gap)) pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace

const Difference* Comparison::worst() const {
  const Difference* worst = nullptr;
  for (const Difference& difference : differences)
    if (worst == nullptr || std::isnan(difference.relative) ||
        difference.relative > worst->relative) {
      worst = &difference;
      if (std::isnan(difference.relative)) break;
    }
  return worst;
}

Comparison compare(const Trajectory& a, const Trajectory& b) {
  Comparison result;
  std::vector<std::pair<std::size_t, std::size_t>> columns;
  for (std::size_t i = 0; i < a.n_columns(); ++i) {
    if (const auto j = b.find(a.names()[i])) {
      columns.emplace_back(i, *j);
      result.differences.push_back({a.names()[i]});
    } else {
      result.only_in_a.push_back(a.names()[i]);
    }
  }
  for (const std::string& name : b.names())
    if (!a.find(name)) result.only_in_b.push_back(name);
  const std::vector<double> times = times_in_both(a, b);
  result.n_times = times.size();
  if (times.empty()) {
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    for (Difference& difference : result.differences)
      difference.largest = difference.time = unknown;
  }
  const auto compare_at = [&](double t, const Place& in_a, const Place& in_b) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      Difference& difference = result.differences[k];
      const double d =
          distance(value_at(a, in_a, columns[k].first), value_at(b, in_b, columns[k].second));
      if (!(d <= difference.largest) && !std::isnan(difference.largest)) {
        difference.largest = d;
        difference.time = t;
      }
    }
  };
  const std::vector<EventPair> pairs = pair_events(a, b);
  auto pair = pairs.begin();
  bool is_told = false;  // of the pair
  for (const double t : times) {
    for (; pair != pairs.end() && pair->end() < t; ++pair) is_told = false;
    if (pair == pairs.end() || t < pair->begin()) {
      for (const Side side : {Side::left, Side::right})
        compare_at(t, place_at(a.times(), t, side), place_at(b.times(), t, side));
    } else if (!std::exchange(is_told, true)) {  // between its two times one is ahead of the other
      compare_at(t, {pair->in_a.first}, {pair->in_b.first});
      compare_at(t, {pair->in_a.last}, {pair->in_b.last});
      result.events_apart = std::max(result.events_apart, pair->apart());
    }
  }
  for (std::size_t k = 0; k < columns.size(); ++k)
    result.differences[k].relative = result.differences[k].largest / scale_of(a, columns[k].first);
  return result;
}

}  // namespace alembert::result
