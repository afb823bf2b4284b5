// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. A point of a compiled model, and what can be computed there: time, all
// variables, and the constants of the time between events. In: states. Out: derivatives, all
// variables, modes. Inner Newton iterations start from the point as it was last completed. Nothing
// is allocated once a chart is in use.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/chart_jacobian.hpp"
#include "alembert/integrate/chart_residual.hpp"
#include "alembert/integrate/delay_history.hpp"
#include "alembert/integrate/sliding.hpp"
#include "alembert/integrate/transport_profile.hpp"

namespace alembert::integrate {

class Archive;

class ModelPoint {
 public:
  /// constants: as CompiledModel::parameter_values gives them.
  ModelPoint(const compile::CompiledModel& model, std::vector<double> constants);

  const compile::CompiledModel& model() const { return model_; }
  const compile::CompiledChart& chart() const { return *chart_; }
  void use(const compile::CompiledChart& chart);
  std::uint32_t n_states() const { return static_cast<std::uint32_t>(chart_->states.size()); }

  double time() const { return inputs_[0]; }
  void set_time(double t) { inputs_[0] = t; }
  std::span<double> variables() { return {inputs_.data() + 1, model_.n_variables()}; }
  std::span<const double> variables() const { return {inputs_.data() + 1, model_.n_variables()}; }
  std::span<double> constants() { return constants_; }
  std::span<const double> constants() const { return constants_; }
  /// As the last `complete` left it: all variables, then observed quantities.
  std::span<const double> outputs() const { return outputs_; }

  /// Sets time and states only, and what is delayed.
  void enter(double t, const double* y);
  /// Delayed values come from there, if it is not null; it must outlive the point.
  void follow(const DelayHistory* history) { history_ = history; }
  /// The same of what pipes hold, [n_transports] as it was at this time, with their velocities
  /// then.
  void follow(const std::vector<TransportProfile>* pipes) { pipes_ = pipes; }
  void note_velocities(double t, std::span<const double> velocities) {
    pipes_time_ = t;
    pipes_rates_.assign(velocities.begin(), velocities.end());
  }
  /// Values, delays and longest delays [3 n_delays] at the point as it is.
  std::span<const double> delays();
  /// [n_transports][n_of_transport] at the point as it is: what both ends are offered, and these.
  std::span<const double> transports();
  enum OfTransport : std::size_t { position = 2, is_forward, velocity, rates, n_of_transport = 7 };
  /// f [n_states] at (t, y); false where it has no value. Leaves (t, y) in the point.
  bool derivatives(double t, const double* y, double* f);
  /// The same with the constants as they are, also while sliding.
  bool plain_derivatives(double t, const double* y, double* f);
  /// From now on derivatives and variables are those of a motion along surfaces. Constants stay as
  /// they were entered.
  void slide(Sliding sliding) { sliding_.emplace(std::move(sliding)); }
  bool slides() const { return sliding_.has_value(); }
  /// Of a point that slides.
  Sliding& sliding() { return *sliding_; }
  /// Ends it at a corner, which has these constants.
  void end_sliding(Sliding::Corner corner, std::span<const double> constants);
  /// Between 0 and 1 where the motion stays on a surface; beyond, it leaves it. NaN where there are
  /// no values.
  std::span<const double> sliding_shares(double t, std::span<const double> y);
  /// From now on `jacobian` may be called, also on other charts; false where there is none.
  bool use_jacobian();
  ColumnPattern jacobian_pattern() const { return jacobian_.pattern(); }
  /// df/dy and df/dt at (t, y) as OdeSystem wants them; false where they have no value.
  bool jacobian(double t, const double* y, bool dense, double* dfdy, double* dfdt);
  /// As `complete` without solving for slopes that the residual leaves open: those are as it was
  /// called with last. For charts that have one.
  bool complete_with_slopes(double t, std::span<const double> y);
  /// From now on `residual` and its Jacobian may be called, also on other charts; false where the
  /// chart has no such form.
  bool use_residual();
  ColumnPattern residual_pattern() const { return residual_.pattern(); }
  /// r [n_states] at (t, y, y') and dr/dy + factor dr/dy' as OdeSystem wants them; false where they
  /// have no value. Not while delayed values are followed, or along a surface.
  bool residual(double t, const double* y, const double* slope, double* r);
  bool residual_jacobian(double t, const double* y, const double* slope, double factor, bool dense,
                         double* entries);
  /// All variables at (t, y); the point becomes the guess of what comes next. False, and the
  /// point's other variables as they were, if one has no value.
  bool complete(double t, std::span<const double> y);
  /// The same from the states that the point has.
  bool complete();
  /// Modes and crossings [n_modes + n_crossings] as they would be at (t, y).
  void modes_at(double t, std::span<const double> y, std::span<double> out);
  /// Runs a kernel over [time, variables...] at the point as it is.
  void run(const compile::Kernel& kernel, std::span<double> out);
  /// The same for a kernel that is neither of the model's events nor of a chart.
  void run(const compile::Kernel& kernel, std::span<double> out, compile::AlignedDoubles& work);

  void copy_states(std::span<double> y) const;
  /// Where `derivatives` first had no value.
  struct Failure {
    const compile::CompiledChart* chart = nullptr;  // null: nowhere
    std::vector<double> inputs;                     // [time, variables...]
    std::vector<double> constants;
  };
  const Failure& first_failure() const { return failure_; }
  const Failure& last_failure() const { return last_failure_; }
  /// How often they had none so far.
  std::uint64_t n_failures() const { return n_failures_; }
  /// The point as it is, where it has none.
  Failure failure_here() const { return {chart_, inputs_, constants_}; }
  /// All variables there, as far as they have values. [variables..., observed...]
  void evaluate(const Failure& failure, std::span<double> out);
  /// The point as it is; `with_chart`: and the chart in use.
  void exchange(Archive& archive, bool with_chart);
  std::vector<std::string> state_names() const;

 private:
  const compile::CompiledModel& model_;
  const compile::CompiledChart* chart_ = nullptr;
  std::vector<double> constants_;  // [constants]
  std::vector<double> inputs_;     // [time, variables...]
  std::vector<double> outputs_;    // [variables..., observed...]
  std::vector<double> states_;     // [n_states], work
  struct Delayed {
    bool any_beyond = false;  // delayed by less than the step so far
    bool changed = false;
  };
  /// Enters what is delayed, with variables as they are.
  Delayed look_up_delayed(double t);
  void look_up_history(double t, Delayed& found);
  void look_up_pipes(Delayed& found);
  void enter_delayed(std::size_t k, double value, Delayed& found);
  void enter_states(double t, const double* y);
  bool note_failure();
  /// In time, at the point as it was looked up.
  double delayed_slope(std::size_t k, double t, unsigned order) const;
  bool follows() const { return history_ != nullptr || pipes_ != nullptr; }

  const DelayHistory* history_ = nullptr;
  const std::vector<TransportProfile>* pipes_ = nullptr;
  double pipes_time_ = 0;
  std::vector<double> pipes_rates_;  // [n_transports]
  std::vector<double> delays_;       // [3 n_delays]
  std::vector<double> transports_;   // [n_transports][n_of_transport]
  compile::AlignedDoubles workspace_;
  ChartJacobianCaller jacobian_;
  const compile::CompiledChart* jacobian_chart_ = nullptr;  // that jacobian_ belongs to
  bool jacobian_exists_ = false;
  ChartResidualCaller residual_;
  const compile::CompiledChart* residual_chart_ = nullptr;  // that residual_ belongs to
  bool residual_exists_ = false;
  Failure failure_, last_failure_;
  std::uint64_t n_failures_ = 0;
  /// Of all corners by their weights.
  bool blend_derivatives(double t, const double* y, double* f);
  bool blend_variables(double t, std::span<const double> y);
  std::optional<Sliding> sliding_;
  std::vector<double> blended_;  // as outputs_, work
  std::vector<double> held_;     // constants, work
};

}  // namespace alembert::integrate
