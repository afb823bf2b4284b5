// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. The rows of a trajectory. In: a ModelPoint that was just completed. Out: rows
// of all variables, observed quantities and discrete variables at equidistant times, and both sides
// of each event.
#pragma once

#include <cstdint>
#include <vector>

#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert::integrate {

class OutputRows {
 public:
  OutputRows(const ModelPoint& point, const SimulateOptions& options);

  /// The next equidistant time; infinite after the last.
  double next_time() const;
  /// Goes on to the first equidistant time after t.
  void pass(double t);
  /// Appends the point as it is.
  void write();

  result::Trajectory take() { return std::move(trajectory_); }
  double largest_constraint_residual() const { return largest_residual_; }

 private:
  const ModelPoint& point_;
  const SimulateOptions& options_;
  result::Trajectory trajectory_;
  std::vector<double> row_;
  std::uint32_t next_ = 0;
  double largest_residual_ = 0;
};

}  // namespace alembert::integrate
