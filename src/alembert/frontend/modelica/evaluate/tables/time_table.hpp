// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate, tables. A table over time: curves that begin at a start time,
// and the times at which a run must stop because they have a kink or a jump.
#pragma once

#include <vector>

#include "alembert/frontend/modelica/evaluate/tables/curve.hpp"

namespace alembert::modelica::tables {

enum class TimeEvents { always = 1, at_discontinuities, none };

class TimeTable {
 public:
  struct Options {
    Smoothness smoothness = Smoothness::linear;
    Extrapolation extrapolation = Extrapolation::last_two_points;
    TimeEvents time_events = TimeEvents::always;
    double start_time = 0;
    double shift_time = 0;
  };
  /// `columns` count from 1; the first column of the matrix is time.
  TimeTable(const Options& options, const Matrix& matrix, const std::vector<std::size_t>& columns);

  /// No event any more: what Modelica.Constants.inf is.
  static constexpr double never = 1.7976931348623157e308;

  std::size_t n_columns() const { return curves_.size(); }
  double first_time() const { return x_.front(); }
  double last_time() const { return x_.back(); }

  /// `next` is the next event as known to the model and `previous_next` its pre-value: while they
  /// are equal and the time has reached them, the event is still to be handled, and the value is
  /// that before it.
  Jet at(std::size_t column, double time, double next, double previous_next) const;
  /// The first event after `time`.
  double next_event(double time) const;

 private:
  double last_event_before(double next) const;

  Options options_;
  std::vector<double> x_;
  std::vector<double> events_;  // of the table itself, increasing
  std::vector<Curve> curves_;
};

}  // namespace alembert::modelica::tables
