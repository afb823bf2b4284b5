// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. What delayed quantities were. In: their values at nine points of each part of
// an accepted step. Out: values at any earlier time, by the polynomial through these points; before
// the start the first value; and how long a step may be that looks at them. Parts longer ago than
// the longest delay are forgotten.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <span>
#include <vector>

namespace alembert::integrate {

class Archive;

class DelayHistory {
 public:
  static constexpr std::size_t n_points = 9;  // of a part, both ends included

  /// longest: [n], of each delayed quantity.
  explicit DelayHistory(std::vector<double> longest) : longest_(std::move(longest)) {}

  std::size_t size() const { return longest_.size(); }
  /// Where in a part, from 0 to 1, point i is: ends of polynomials of high order are dense.
  static double place(std::size_t i);
  /// The polynomial through values at the places, there.
  static double interpolate(std::array<double, n_points> values, double place);
  /// Values [n] at the start of the run.
  void begin(double t, std::span<const double> values);
  /// values: [n_points][n], at their places from t_old to t. limits: [n], of steps that look at
  /// them.
  void add(double t_old, double t, std::span<const double> values, std::span<const double> limits);
  /// Quantity k jumped at both these times. Until told otherwise only what was between them is
  /// looked at: a step that ends where a jump arrives, or begins there, is on its own side of it.
  void show_between(std::size_t k, double from, double until);
  /// Of the last part.
  double end() const { return segments_.empty() ? start_ : segments_.back().t; }
  /// The value of quantity k at time t; continued beyond the last part.
  double at(std::size_t k, double t) const;
  /// At the end of the last part.
  double last(std::size_t k) const {
    return segments_.empty() ? first_[k] : segments_.back().values[(n_points - 1) * size() + k];
  }
  /// How far a step may lead from time t on: into a part, no further than its limit.
  double limit(std::size_t k, double t) const;
  /// Its first or second derivative there; 0 before the start.
  double slope(std::size_t k, double t, unsigned order) const;
  void exchange(Archive& archive);

 private:
  struct Segment {
    double t_old;
    double t;
    std::vector<double> values;  // [n_points][n]
    std::vector<double> limits;  // [n]
  };

  /// That ends behind t; the last one beyond them all.
  std::deque<Segment>::const_iterator segment_at(double t) const;
  /// Where a quantity is to be looked at; no segment: it is as it was first.
  struct Place {
    const Segment* segment;
    double t;
  };
  Place find(std::size_t k, double t) const;

  std::vector<double> longest_;
  std::vector<double> first_;         // [n]
  std::vector<double> from_, until_;  // [n]: jumps between which it is looked at
  double start_ = 0;
  std::deque<Segment> segments_;
};

}  // namespace alembert::integrate
