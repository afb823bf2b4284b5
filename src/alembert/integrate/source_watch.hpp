// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. How far a step may go by what drives the model from outside. In: the kernels of
// its sources, and constants. Out: the next time that no step may go over: a quarter of a period of
// each sine, where it is zero or largest, and for other sources the rows of the result at which
// they turn or have changed by much. Where a state hardly moves steps grow without limit, and a
// rectifier would miss the peaks of its source.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/integrate/archive.hpp"

namespace alembert::compile {
struct SourceKernels;
}

namespace alembert::integrate {

class SourceWatch {
 public:
  struct Range {
    double start, stop;
    double between;  // rows of the result
  };
  SourceWatch(const compile::SourceKernels& kernels, Range range);

  bool any() const { return !angles_.empty() || !sources_.empty(); }
  /// From t on nothing discrete changes. constants: as the kernels read them, until the next call.
  void begin(double t, std::span<const double> constants);
  /// The longest step from t, which ascends from one call to the next.
  double limit(double t);
  /// The shortest period of a sine that steps did not follow, as it turns too often in the run;
  /// infinite where there is none.
  double shortest_left_out() const { return shortest_left_out_; }
  /// What `begin` at the same time once more goes on from.
  void exchange(Archive& archive);

 private:
  struct Source {
    double now, next;  // at the row under way, and at the one after it
    double at_knot;    // where a step ended last
    double low, high;  // so far
  };

  void evaluate(const compile::Kernel& kernel, double t, std::span<double> out);
  double row(double i) const { return range_.start + i * range_.between; }
  bool turns_or_changes() const;
  void read_next_row();
  void find_knot(double t);
  double limit_by_angles(double t);

  const compile::SourceKernels& kernels_;
  Range range_;
  std::span<const double> constants_;
  compile::AlignedDoubles workspace_;
  std::vector<double> angles_, later_;  // [n angles]
  std::vector<double> values_;          // [n other sources]
  std::vector<Source> sources_;         // the same
  std::vector<double> lows_, highs_;    // the same: of the time before
  double shortest_left_out_ = std::numeric_limits<double>::infinity();
  bool first_ = true;  // nothing was before
  double begin_ = 0;   // where nothing discrete changed last
  double i_ = 0;       // the row under way
  double knot_ = -std::numeric_limits<double>::infinity();
};

}  // namespace alembert::integrate
