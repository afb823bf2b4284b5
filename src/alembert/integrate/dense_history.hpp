// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. The states of a run at every time. In: accepted steps, and the instants of
// events. Out: for a time and a side of it, the chart, what was constant, and the states, by the
// polynomial that the stepper itself has for the step. Both sides of an event have segments of
// their own; a segment of no length is an instant.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alembert/integrate/adaptive.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

/// Of a time at which something jumps.
enum class Side { before, after };

class DenseHistory {
 public:
  struct Segment {
    double t_old = 0;
    double t = 0;
    const compile::CompiledChart* chart = nullptr;
    std::shared_ptr<const std::vector<double>> constants;  // shared while nothing changes them
    std::vector<double> guess;   // [n_variables]: where inner iterations begin
    std::vector<double> values;  // [n_nodes][n_states + n_delayed]; one node in an instant

    std::size_t width() const { return width_; }
    /// States, then delayed values, at a time in the segment.
    void at(double time, std::span<double> out) const;

   private:
    friend class DenseHistory;
    std::size_t width_ = 0;
  };

  /// The part of a step that ends at `end`; the point is left somewhere in it.
  void add(ModelPoint& point, const AcceptedStep& step, double end);
  /// The point as it is.
  void add(ModelPoint& point);

  bool empty() const { return segments_.empty(); }
  double start() const { return segments_.front().t_old; }
  double end() const { return segments_.back().t; }
  bool knows(double time) const { return !empty() && time >= start() && time <= end(); }
  /// The time must be known.
  const Segment& find(double time, Side side) const;

 private:
  Segment begin_segment(ModelPoint& point, double t_old, double t);
  void take_node(ModelPoint& point, double t, std::span<const double> y, Segment& segment);

  std::vector<Segment> segments_;
  std::vector<double> state_;
};

}  // namespace alembert::integrate
