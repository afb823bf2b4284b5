// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Back onto the constraints. In: states of a model in index-1 form that obey its
// invariants but for errors of integration or interpolation. Out: states near them that obey them:
// Gauss-Newton steps of least norm, Euclidean or in the metric of kinetic energy (Ascher, Chin,
// Petzold and Reich 1994), first of the states that constraints are about, such as positions, then
// of those that their derivatives are about (Eich, SIAM J. Numer. Anal. 30, 1993). Directions in
// which the constraints say nothing, because they depend on each other at this point, are left as
// they are.
#pragma once

#include <memory>
#include <span>

#include "alembert/compile/model/compiled_index_one.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert::integrate {

class Projector {
 public:
  /// The point is on the chart of the form, and consistent. Errors as MassMetric.
  Projector(ModelPoint& point, const compile::CompiledIndexOne& form, Metric metric);
  ~Projector();

  /// y: [n_states] or more; as it was where it is no farther away than `negligible`. False, and y
  /// as it was, where the constraints have no value. `error`, [n_states] or empty, loses what leads
  /// off the constraints.
  bool project(double t, std::span<double> y, double negligible = 0, std::span<double> error = {});
  /// Largest residual before the last projection, each divided by the length of its gradient: a
  /// distance.
  double distance() const { return distance_; }
  /// Whether the gradients, where they were last looked at, are far from dependent, and none is
  /// much shorter than it has been. False where that is not known.
  bool clearly_regular() const;
  void exchange(Archive& archive);

 private:
  struct Work;

  ModelPoint& point_;
  const compile::CompiledIndexOne& form_;
  std::unique_ptr<Work> work_;
  double distance_ = 0;
};

}  // namespace alembert::integrate
