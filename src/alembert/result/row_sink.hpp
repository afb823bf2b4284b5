// SPDX-License-Identifier: Apache-2.0
// Stage: result. Where the rows of a run go, one after the other, so that a long run needs no more
// memory than a short one. In: rows as they come. Out: a file, by `commit`; without it nothing.
#pragma once

#include <optional>
#include <span>

#include "alembert/result/columns.hpp"
#include "alembert/result/trajectory.hpp"

namespace alembert::result {

class RowSink {
 public:
  virtual ~RowSink() = default;
  /// Called once, before the first row.
  virtual void begin(const Columns& columns) = 0;
  virtual void append(double time, std::span<const double> row) = 0;
  /// What was appended is there, whole; nothing may be appended afterwards.
  virtual void commit() = 0;
  /// After `append` or `commit` failed, as on a full disk: the rows that reached the disk become
  /// the result. The time of the last; none, and nothing changes on disk, where they are not
  /// readable by themselves.
  virtual std::optional<double> keep_part() { return std::nullopt; }
};

/// All of a trajectory, committed.
inline void write_rows(const Trajectory& trajectory, RowSink& sink) {
  sink.begin({trajectory.names()});
  for (std::size_t i = 0; i < trajectory.n_rows(); ++i)
    sink.append(trajectory.times()[i], trajectory.row(i));
  sink.commit();
}

}  // namespace alembert::result
