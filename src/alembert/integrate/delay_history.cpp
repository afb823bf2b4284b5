// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/delay_history.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "alembert/base/constants.hpp"
#include "alembert/integrate/archive.hpp"

namespace alembert::integrate {

namespace {

constexpr std::size_t n_points = DelayHistory::n_points;

/// The extrema of Chebyshev's polynomial: sin^2(i pi / 16).
constexpr std::array<double, n_points> places = {
    0.0, 0.03806023374435662, 0.14644660940672624, 0.30865828381745511,
    0.5, 0.69134171618254489, 0.85355339059327376, 0.96193976625564338,
    1.0};

}  // namespace

double DelayHistory::place(std::size_t i) { return places[i]; }

void DelayHistory::begin(double t, std::span<const double> values) {
  start_ = t;
  first_.assign(values.begin(), values.end());
  from_.assign(size(), -infinity);
  until_.assign(size(), infinity);
  segments_.clear();
}

void DelayHistory::add(double t_old, double t, std::span<const double> values,
                       std::span<const double> limits) {
  Segment segment;
  if (!segments_.empty()) {
    const double longest = *std::max_element(longest_.begin(), longest_.end());
    if (segments_.front().t < t_old - longest) {
      segment = std::move(segments_.front());
      segments_.pop_front();
    }
    while (!segments_.empty() && segments_.front().t < t_old - longest) segments_.pop_front();
  }
  segment.t_old = t_old;
  segment.t = t;
  segment.values.assign(values.begin(), values.end());
  segment.limits.assign(limits.begin(), limits.end());
  segments_.push_back(std::move(segment));
}

void DelayHistory::exchange(Archive& archive) {
  std::uint64_t n_segments = segments_.size();
  archive(longest_, first_, from_, until_, start_, n_segments);
  if (archive.reading()) segments_.clear();
  for (std::uint64_t i = 0; i < n_segments; ++i) {
    Segment segment = archive.reading() ? Segment{} : segments_[i];
    archive(segment.t_old, segment.t, segment.values, segment.limits);
    if (archive.reading()) segments_.push_back(std::move(segment));
  }
}

std::deque<DelayHistory::Segment>::const_iterator DelayHistory::segment_at(double t) const {
  const auto found = std::upper_bound(segments_.begin(), segments_.end(), t,
                                      [](double time, const Segment& s) { return time < s.t; });
  return found == segments_.end() ? std::prev(found) : found;
}

double DelayHistory::interpolate(std::array<double, n_points> p, double s) {
  // What is constant stays so to the last bit: floor() of it may be asked for.
  if (std::all_of(p.begin(), p.end(), [&](double v) { return v == p[0]; })) return p[0];
  // Neville's scheme.
  for (std::size_t width = 1; width < n_points; ++width)
    for (std::size_t i = 0; i + width < n_points; ++i) {
      const double left = places[i], right = places[i + width];
      p[i] = ((right - s) * p[i] + (s - left) * p[i + 1]) / (right - left);
    }
  return p[0];
}

void DelayHistory::show_between(std::size_t k, double from, double until) {
  from_[k] = from;
  until_[k] = until;
}

DelayHistory::Place DelayHistory::find(std::size_t k, double t) const {
  t = std::clamp(t, from_[k], until_[k]);
  const bool is_first = t < start_ || (t == start_ && from_[k] < t);
  if (is_first || segments_.empty()) return {nullptr, t};
  if (t < until_[k]) return {&*segment_at(t), t};
  // What ended at the jump, or a rounding before it.
  const auto behind = std::partition_point(segments_.begin(), segments_.end(),
                                           [&](const Segment& s) { return s.t_old < t; });
  const Segment& before = behind == segments_.begin() ? *behind : *std::prev(behind);
  return {&before, std::min(t, before.t)};
}

double DelayHistory::at(std::size_t k, double t) const {
  const auto [found, then] = find(k, t);
  if (found == nullptr) return first_[k];
  std::array<double, n_points> values;
  for (std::size_t i = 0; i < n_points; ++i) values[i] = found->values[i * size() + k];
  return interpolate(values, (then - found->t_old) / (found->t - found->t_old));
}

double DelayHistory::limit(std::size_t k, double t) const {
  double limit = infinity;
  if (segments_.empty() || t >= end()) return limit;
  // No step leads over more than so many of those before it.
  constexpr int most_parts = 64;
  int n_parts = 0;
  for (auto part = segment_at(t); part != segments_.end() && part->t_old - t < limit; ++part) {
    const double way = std::max(part->t_old - t, 0.0);
    if (++n_parts > most_parts) return std::min(limit, way);
    limit = std::min(limit, way + part->limits[k]);
  }
  return limit;
}

double DelayHistory::slope(std::size_t k, double t, unsigned order) const {
  const auto [segment, then] = find(k, t);
  if (segment == nullptr) return 0;
  const Segment& found = *segment;
  const double stretch = 1 / (found.t - found.t_old);
  const double s = stretch * (then - found.t_old);
  std::array<double, n_points> p, first{}, second{};  // Neville's scheme, differentiated twice
  for (std::size_t i = 0; i < n_points; ++i) p[i] = found.values[i * size() + k];
  for (std::size_t width = 1; width < n_points; ++width)
    for (std::size_t i = 0; i + width < n_points; ++i) {
      const double to_left = s - places[i];
      const double to_right = places[i + width] - s;
      const double all = places[i + width] - places[i];
      second[i] =
          (to_right * second[i] + to_left * second[i + 1] + 2 * (first[i + 1] - first[i])) / all;
      first[i] = (to_right * first[i] + to_left * first[i + 1] + p[i + 1] - p[i]) / all;
      p[i] = (to_right * p[i] + to_left * p[i + 1]) / all;
    }
  return order == 1 ? stretch * first[0] : stretch * stretch * second[0];
}

}  // namespace alembert::integrate
