// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. The metric of kinetic energy for states that are moved onto constraints: a
// change of positions, and one of velocities, is as large as sqrt(d' M(q) d). It depends neither on
// the units of coordinates nor on which were chosen. In: a model recognised as mechanics, the
// states of its index-1 form. Out: changes of variables in which that metric is Euclidean.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "alembert/compile/tape_derivative.hpp"
#include "alembert/integrate/mechanical_point.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

/// A constraint a row, a state a column.
using GradientRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class MassMetric {
 public:
  /// At the point, which is consistent. Error S013 or I014 where the model is of another form.
  explicit MassMetric(const ModelPoint& point);
  /// Whether all positions are states of the chart. Error S013 where the model is of another form.
  static bool fits(const compile::CompiledModel& model, const compile::CompiledChart& chart);

  /// M at positions of these states; false where it has no value or is no metric.
  bool evaluate(double t, std::span<const double> y);
  /// Places of the Jacobian that do not count: velocities are corrected by velocities, not by
  /// positions, so that no unit of time is part of the metric.
  std::vector<char> ignored_entries(const compile::ColumnSparsity& jacobian) const;
  /// Each row of gradients by states into one by the new variables.
  void enter(GradientRows& rows) const;
  /// A step in the new variables back into one of states.
  void leave(Eigen::VectorXd& step) const;

 private:
  MechanicalPoint mechanics_;
  std::vector<Eigen::Index> position_, velocity_;  // [n]: places among the states
  std::vector<double> q_;                          // [n]
  Eigen::MatrixXd factor_;                         // M = L L', lower
};

}  // namespace alembert::integrate
