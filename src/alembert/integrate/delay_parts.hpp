// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. A step, in parts that polynomials through nine points can keep what is delayed
// in. In: the points of an accepted step. Out: values in each part, times of kinks, and how long a
// step may be that later looks at a part. Parts end where a source of time in what is delayed has
// turned or changed, and at kinks; then they are halved until polynomials agree with the model to a
// tenth of the tolerance. What is delayed may be faster than all states, and no step is short for
// it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "alembert/base/constants.hpp"
#include "alembert/compile/model/delay_kernels.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/delay_history.hpp"
#include "alembert/integrate/function_ref.hpp"
#include "alembert/integrate/isolate_change.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/source_watch.hpp"

namespace alembert::integrate {

class DelayParts {
 public:
  struct Part {
    double t_old, t;
    std::vector<double> limits;       // [n_delays]
    std::vector<double> values = {};  // [n_points][n_delays]
  };
  using Complete = FunctionRef<bool(double t)>;

  DelayParts(ModelPoint& point, double tolerance, SourceWatch::Range range);

  /// From t on nothing discrete changes.
  void begin_leg(double t);
  /// The step from t_old to t; `complete` brings the point to a time in it. False where it cannot.
  bool divide(double t_old, double t, Complete complete);
  const std::vector<Part>& parts() const { return parts_; }
  const std::vector<double>& kinks() const { return kinks_; }
  /// True if the slopes of states, or comparisons, depend on delayed quantity k.
  bool drives(std::size_t k) const { return kernels_.drives[k] != 0; }
  /// True if something was too fast, again and again, to be kept between the points.
  bool gave_up() const { return gave_up_; }
  /// As SourceWatch.
  double shortest_left_out() const { return sources_ ? sources_->shortest_left_out() : infinity; }
  void exchange(Archive& archive);

 private:
  static constexpr std::size_t n_points = DelayHistory::n_points;

  bool divide_part(Part part, int depth);
  bool fill(Part& part);
  bool bracket_kink();
  bool find_kink(const Part& part);
  bool find_bad(const Part& part);
  void limit_where_bent(Part& part) const;
  bool look(double t, Sample& sample);

  ModelPoint& point_;
  const compile::DelayKernels& kernels_;
  std::size_t n_;
  double tolerance_;
  Complete complete_;  // of the step under way
  std::optional<SourceWatch> sources_;
  std::vector<Part> parts_;
  std::vector<double> kinks_;
  std::vector<double> values_;   // [n]: at the last look
  std::vector<char> is_bad_;     // [n]: the polynomial of a part does not agree
  std::vector<double> largest_;  // [n]: so far
  std::vector<double> noise_;    // [n kink functions]: below this a value has no sign
  double patience_;              // how many parts may still be divided
  bool gave_up_ = false;
  std::array<Sample, n_points> samples_;  // of kink functions
  Sample before_, after_, middle_;        // around a kink
  compile::AlignedDoubles work_;
};

}  // namespace alembert::integrate
