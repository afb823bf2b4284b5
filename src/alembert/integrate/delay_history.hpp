// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. What delayed quantities were. In: their values at nine points of each accepted
// step. Out: values at any earlier time, by the polynomial through these points; before the start
// the first value. Steps longer ago than the longest delay are forgotten.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

namespace alembert::integrate {

class Archive;

class DelayHistory {
 public:
  static constexpr std::size_t n_points = 9;  // of a step, both ends included

  /// longest: [n], of each delayed quantity.
  explicit DelayHistory(std::vector<double> longest) : longest_(std::move(longest)) {}

  std::size_t size() const { return longest_.size(); }
  /// Where in a step, from 0 to 1, point i is: ends of polynomials of high order are dense.
  static double place(std::size_t i);
  /// Values [n] at the start of the run.
  void begin(double t, std::span<const double> values);
  /// values: [n_points][n], at their places from t_old to t.
  void add(double t_old, double t, std::span<const double> values);
  /// Of the last step.
  double end() const { return segments_.empty() ? start_ : segments_.back().t; }
  /// The value of quantity k at time t; continued beyond the last step.
  double at(std::size_t k, double t) const;
  /// Its first or second derivative there; 0 before the start.
  double slope(std::size_t k, double t, unsigned order) const;
  void exchange(Archive& archive);

 private:
  struct Segment {
    double t_old;
    double t;
    std::vector<double> values;  // [n_points][n]
  };

  const Segment& segment_at(double t) const;

  std::vector<double> longest_;
  std::vector<double> first_;  // [n]
  double start_ = 0;
  std::deque<Segment> segments_;
};

}  // namespace alembert::integrate
