// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. A model with a run of it, as a value:
//   Problem swing(pendulum.flatten(), {.stop = 10});
//   Solution sol = swing.solve();
//   sol(2.5, x * x + y * y);              sol(2.5, "der(x)");            sol[m * g * y];
//   sol(t, v, Side::before);              // the left side of an event
//   Solution far = swing.remake({{"g", 1.62}, {"x", 0.5}}).solve();      // nothing is compiled
// In: a FlatSystem, options. Out: any expression of the model's symbols at any time, eliminated
// quantities and derivatives included, computed when asked for from the dense output.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "alembert/integrate/dense_history.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/symbolic/expr.hpp"

namespace alembert::integrate {

class Solution {
 public:
  Solution(std::shared_ptr<const compile::CompiledModel> model, SimulationResult result,
           std::shared_ptr<const DenseHistory> history);

  /// How it went, with the trajectory of all variables.
  const SimulationResult& result() const { return result_; }
  /// Of the trajectory; at an event a time comes twice.
  const std::vector<double>& times() const { return result_.trajectory.times(); }

  /// The value at a time; NaN where it has none. Error I017 for a time outside of the run or a
  /// derivative that cannot be had, C001 for a symbol that is not the model's.
  double operator()(double t, const symbolic::Expr& quantity, Side side = Side::after) const;
  /// The quantity as text: a name as the result has it, or an expression of names.
  double operator()(double t, std::string_view quantity, Side side = Side::after) const;
  /// Values at all of times(), both sides of events included; NaN at rows of before the checkpoint
  /// that the run was taken up from, of which no more is known than they tell.
  std::vector<double> operator[](const symbolic::Expr& quantity) const;
  std::vector<double> operator[](std::string_view quantity) const;

 private:
  struct Evaluator;

  symbolic::ExprId parse(std::string_view quantity) const;
  const Evaluator& evaluator(symbolic::ExprId quantity) const;
  double value(double t, const Evaluator& evaluator, Side side) const;
  std::vector<double> values(symbolic::ExprId quantity) const;

  std::shared_ptr<const compile::CompiledModel> model_;
  SimulationResult result_;
  std::shared_ptr<const DenseHistory> history_;
  std::vector<symbolic::ExprId> symbols_;  // [n_variables]
  mutable std::map<symbolic::ExprId, std::shared_ptr<const Evaluator>> evaluators_;
};

class Problem {
 public:
  using Values = SimulateOptions::Values;

  explicit Problem(flat::FlatSystem flat, SimulateOptions options = {});
  explicit Problem(std::shared_ptr<const compile::CompiledModel> model,
                   SimulateOptions options = {});

  const compile::CompiledModel& model() const { return *model_; }
  const SimulateOptions& options() const { return options_; }

  /// The same with other values, by name, of parameters and starts; the compiled model is shared.
  /// Error I013 for a name that is neither.
  Problem remake(const Values& values) const;
  /// The same with other options; values that were changed stay so unless given there.
  Problem remake(SimulateOptions options) const;

  /// Throws as `simulate` does; a run that ends early is a solution up to there.
  Solution solve() const;

 private:
  std::shared_ptr<const compile::CompiledModel> model_;
  SimulateOptions options_;
};

}  // namespace alembert::integrate
