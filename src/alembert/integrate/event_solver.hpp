// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. The continuous part of a model at an event. In: a ModelPoint whose states and
// constants are given. Out: all its other variables. The kernels of the chart come first; where
// they find nothing, those of the structure that the modes have by themselves, then the equations
// block by block on the ladder that the start has; at last those that hold what the modes leave
// undetermined.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/start_solver.hpp"

namespace alembert::integrate {

class EventSolver {
 public:
  /// span: of the run.
  EventSolver(ModelPoint& point, double span) : point_(point), span_(span) {}

  /// To be told each new event.
  void begin();
  /// From now on until the next event, unknowns that modes leave undetermined may keep their
  /// values. That is for when nothing else was found with any modes: where all is determined by
  /// some, those are meant. What was held before an event may be held behind it at once. False if
  /// that was so already.
  bool allow_holding() { return !std::exchange(may_hold_, true); }
  /// All variables from the states that the point has. False, and the point at the best that was
  /// found, if there are no values.
  bool solve();
  /// Why the last attempt on the ladder failed; empty if none did.
  const std::string& failure() const { return failure_; }

 private:
  bool solve_by_variant();
  bool solve_by_holding();
  bool climb();

  ModelPoint& point_;
  double span_;
  const compile::CompiledChart* chart_ = nullptr;  // that ladder_ belongs to
  compile::CompiledModel::StartPoint given_;
  std::optional<StartSolver> ladder_;
  std::string failure_;
  int n_failures_ = 0;
  bool may_hold_ = false;
  /// Where states jumped into the structure of some modes, and what they were before: with other
  /// modes they did not.
  const compile::ModeVariant* jumped_into_ = nullptr;
  bool jump_holds_ = false;  // with the modes of that structure
  std::vector<double> before_jump_;
};

}  // namespace alembert::integrate
