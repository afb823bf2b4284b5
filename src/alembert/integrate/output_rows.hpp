// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. The rows of a trajectory. In: a ModelPoint that was just completed. Out: rows
// of all variables, observed quantities and discrete variables at the times asked for, and both
// sides of each event; kept here, or given away one by one.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "alembert/compile/model/output_columns.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert::integrate {

class Archive;

class OutputRows {
 public:
  OutputRows(const ModelPoint& point, const SimulateOptions& options);

  /// The next time of output; infinite after the last.
  double next_time() const;
  /// Goes on to the first time of output after t.
  void pass(double t);
  /// Appends the point as it is.
  void write();

  result::Trajectory take() { return std::move(trajectory_); }
  std::uint64_t n_rows() const { return n_rows_; }
  /// Of the row written last; infinitely early before the first.
  double last_time() const { return last_time_; }
  /// The rows so far, where they are kept here.
  void exchange(Archive& archive);
  /// What was seen of constraints, energies and momenta, for the report.
  void report(SimulationResult& result) const;
  /// A sentence about variables that were outside of their bounds; empty if none was.
  std::string warn_of_bounds() const;

 private:
  void look_at_bounds();
  std::vector<result::ColumnValues> values_of_columns() const;

  const ModelPoint& point_;
  const SimulateOptions& options_;
  result::Trajectory trajectory_;
  compile::OutputColumns columns_;
  std::vector<double> row_;
  std::size_t next_ = 0;
  std::uint64_t n_rows_ = 0;
  double last_time_ = -std::numeric_limits<double>::infinity();
  std::vector<std::string> names_;                     // of the columns
  std::vector<double> residuals_, largest_residuals_;  // [n_constraint_levels]
  struct Watched {
    std::uint32_t column;
    double start;
    double largest_change;
  };
  std::vector<Watched> conserved_;
  struct Bounded {
    std::uint32_t variable;
    double min, max;     // with what the tolerance allows
    double time, value;  // when it was first outside; NaN: never
  };
  std::vector<Bounded> bounded_;
};

}  // namespace alembert::integrate
