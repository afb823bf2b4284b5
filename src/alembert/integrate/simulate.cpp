// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"

namespace alembert::integrate {

namespace {

using compile::CompiledChart;
using compile::CompiledModel;

/// A chart is left when another is this much better, so that two of equal worth do not take turns.
constexpr double hysteresis = 0.5;

/// Below this a chart is singular: its unknowns are double roots, known to half the digits only.
constexpr double singular = 1e-6;

class Simulation {
 public:
  Simulation(const CompiledModel& model, const SimulateOptions& options)
      : model_(model),
        options_(options),
        parameters_(model.parameter_values(options.parameters)),
        inputs_(1 + model.n_variables()),
        outputs_(model.n_variables() + model.n_observed()) {}

  SimulationResult run() {
    find_consistent_start();
    OdeSystem system;
    system.n = static_cast<std::uint32_t>(chart_->states.size());
    system.context = this;
    system.rhs = [](void* self, double t, const double* y, double* f) {
      return static_cast<Simulation*>(self)->derivatives(t, y, f);
    };
    const auto stepper = make_stepper(options_.method, system);
    if (!stepper) {
      std::string names;
      for (const MethodInfo* method : all_methods())
        names += (names.empty() ? "" : ", ") + std::string(method->name);
      throw Error("I003", "there is no method named '" + options_.method + "'. The methods are " +
                              names + ".");
    }
    prepare_output();
    std::vector<double> y = states();
    AdaptiveOptions adaptive;
    adaptive.tolerances = {options_.tolerance, options_.tolerance};
    adaptive.max_steps = options_.max_steps;
    auto observer = [this](AcceptedStep& step) { return observe(step); };
    const AdaptiveResult end =
        integrate_adaptive(*stepper, options_.start, options_.stop, y, adaptive, observer);
    result_.outcome = end.outcome;
    result_.end_time = end.t;
    result_.statistics = end.statistics;
    if (end.outcome != Outcome::done) explain_end(end);
    return std::move(result_);
  }

 private:
  void use(const CompiledChart& chart) {
    chart_ = &chart;
    const std::size_t size =
        std::max(chart.derivatives.shape().workspace_size, chart.variables.shape().workspace_size);
    if (workspace_.size() < size) workspace_ = compile::AlignedDoubles(size);
  }

  bool derivatives(double t, const double* y, double* f) {
    inputs_[0] = t;
    for (std::size_t i = 0; i < chart_->states.size(); ++i) inputs_[1 + chart_->states[i]] = y[i];
    chart_->derivatives(inputs_.data(), parameters_.data(), f, workspace_.data());
    return std::all_of(f, f + chart_->states.size(), [](double v) { return std::isfinite(v); });
  }

  /// All variables at (t, states); the point becomes the guess of what comes next. False if one has
  /// no value.
  bool complete(double t, std::span<const double> y) {
    inputs_[0] = t;
    for (std::size_t i = 0; i < chart_->states.size(); ++i) inputs_[1 + chart_->states[i]] = y[i];
    chart_->variables(inputs_.data(), parameters_.data(), outputs_.data(), workspace_.data());
    for (std::uint32_t i = 0; i < model_.n_variables(); ++i)
      if (!std::isfinite(outputs_[i])) return false;
    std::copy_n(outputs_.begin(), model_.n_variables(), inputs_.begin() + 1);
    return true;
  }

  std::vector<double> states() const {
    std::vector<double> y;
    for (const auto s : chart_->states) y.push_back(inputs_[1 + s]);
    return y;
  }

  std::vector<std::string> state_names() const {
    std::vector<std::string> names;
    for (const auto s : chart_->states) names.push_back(model_.variable_names()[s]);
    return names;
  }

  bool dynamic() const {
    return options_.formulation == Formulation::dynamic && model_.has_choice();
  }

  void find_consistent_start() {
    if (!model_.flat().initial_equations.empty())
      throw Error("I004",
                  "the model has initial equations, which cannot be solved yet. Give start "
                  "values instead.",
                  model_.flat().initial_equations.front().origin);
    const CompiledModel::StartPoint start = model_.start_point(parameters_);
    std::copy(start.values.begin(), start.values.end(), inputs_.begin() + 1);
    use(model_.static_chart());
    if (dynamic()) {
      const auto selection = selection_at(options_.start, &inputs_[1]);
      if (selection.best.quality > selection.current_quality)
        use(model_.compile(selection.best.chart));
    }
    if (!complete(options_.start, states())) {
      if (model_.has_choice() && selection_at(options_.start, &inputs_[1]).best.quality < singular)
        throw Error("I005",
                    "the constraints are singular at the start values, whatever the states: one of "
                    "them may repeat another, or the start is a point where the motion is not "
                    "determined. Remove the constraint that repeats, or start elsewhere.",
                    model_.flat().origin);
      std::string names;
      for (std::uint32_t i = 0; i < model_.n_variables(); ++i)
        if (!std::isfinite(outputs_[i]))
          names += (names.empty() ? "'" : ", '") + model_.variable_names()[i] + "'";
      throw Error("I001",
                  "no consistent start: " + names +
                      " could not be computed from the start values. Give start values near "
                      "a solution of the equations.",
                  model_.flat().origin);
    }
    for (std::uint32_t i = 0; i < model_.n_variables(); ++i) {
      if (!start.fixed[i]) continue;
      const double error = std::abs(outputs_[i] - start.values[i]);
      if (error > 1e-6 * std::max(1.0, std::abs(start.values[i])))
        throw Error("I002",
                    "the fixed start " + model_.variable_names()[i] + " = " +
                        number_text(start.values[i]) + " contradicts the equations, which give " +
                        rounded_text(outputs_[i]) +
                        " with the other start values. Change one of them, or leave this "
                        "one free.",
                    model_.flat().origin);
    }
  }

  void prepare_output() {
    std::vector<std::string> names = model_.variable_names();
    for (const auto& observed : model_.flat().observed) names.push_back(observed.name);
    result_.trajectory = result::Trajectory(std::move(names));
    result_.trajectory.reserve(options_.intervals + 1);
    write_row(options_.start);
    next_output_ = 1;
    interpolated_.resize(chart_->states.size());
  }

  double output_time(std::uint32_t k) const {
    if (k >= options_.intervals) return options_.stop;
    return options_.start + (options_.stop - options_.start) * k / options_.intervals;
  }

  /// Appends the point that `complete` left behind.
  void write_row(double t) {
    result_.trajectory.append(t, outputs_);
    const double residual = model_.constraint_residual(t, outputs_.data(), parameters_.data());
    result_.largest_constraint_residual = std::max(result_.largest_constraint_residual, residual);
  }

  ObserverAction observe(AcceptedStep& step) {
    for (; next_output_ <= options_.intervals && output_time(next_output_) <= step.t;
         ++next_output_) {
      const double t = output_time(next_output_);
      const bool there =
          t == step.t ? (std::copy(step.y.begin(), step.y.end(), interpolated_.begin()), true)
                      : step.interpolate(t, interpolated_);
      if (!there || !complete(t, interpolated_)) return ObserverAction::stop;
      write_row(t);
    }
    if (!complete(step.t, step.y)) return ObserverAction::stop;
    if (!model_.has_choice()) return ObserverAction::go_on;
    const bool changed = dynamic() && change_chart(step);
    if (selection_at(step.t, &inputs_[1]).current_quality < singular) return ObserverAction::stop;
    step.next_step_limit = time_in_chart(step.t, step.t - step.t_old);
    return changed ? ObserverAction::state_changed : ObserverAction::go_on;
  }

  CompiledModel::Selection selection_at(double t, const double* variables) const {
    return model_.select(chart_->reduced.chart, t, variables, parameters_.data());
  }

  /// Half the time after which the chart would be singular if things went on as they go now. A
  /// longer step could come out on another branch of the constraints without any error estimate
  /// noticing.
  double time_in_chart(double t, double last_step) {
    const double here = selection_at(t, &inputs_[1]).current_quality;
    const double ahead_by = 1e-3 * last_step;
    ahead_.assign(inputs_.begin() + 1, inputs_.end());
    for (std::uint32_t i = 0; i < model_.n_variables(); ++i)
      if (const auto d = model_.derivative_of(i); d < model_.n_variables())
        ahead_[i] += ahead_by * inputs_[1 + d];
    const double there = selection_at(t + ahead_by, ahead_.data()).current_quality;
    if (!(there < here)) return std::numeric_limits<double>::infinity();
    return 0.5 * here * ahead_by / (here - there);
  }

  bool change_chart(AcceptedStep& step) {
    const auto selection = selection_at(step.t, &inputs_[1]);
    if (selection.current_quality >= hysteresis * selection.best.quality ||
        selection.best.chart == chart_->reduced.chart)
      return false;
    ChartSwitch change{
        step.t, state_names(), {}, selection.current_quality, selection.best.quality};
    use(model_.compile(selection.best.chart));
    change.to = state_names();
    result_.switches.push_back(std::move(change));
    for (std::size_t i = 0; i < chart_->states.size(); ++i)
      step.y[i] = inputs_[1 + chart_->states[i]];
    return true;
  }

  void explain_end(const AdaptiveResult& end) {
    std::string states;
    for (const std::string& name : state_names())
      states += (states.empty() ? "'" : ", '") + name + "'";
    result_.message =
        "stopped at time " + rounded_text(end.t) + " of " + rounded_text(options_.stop) + ": ";
    const auto selection =
        model_.has_choice() ? selection_at(end.t, &inputs_[1]) : CompiledModel::Selection{{}, 1.0};
    if (selection.current_quality > 1e3 * singular)
      result_.message += std::string(to_string(end.outcome)) + ".";
    else if (selection.best.quality > 1e3 * singular)
      result_.message +=
          "the states " + states +
          " no longer describe the motion here, the constraints being singular in the "
          "other unknowns. Let the states be re-selected (formulation dynamic).";
    else
      result_.message +=
          "the constraints are singular here, whatever the states: the motion may not "
          "be determined beyond this point. Look for a redundant constraint.";
  }

  const CompiledModel& model_;
  const SimulateOptions& options_;
  std::vector<double> parameters_;
  std::vector<double> inputs_;        // [time, variables...]: the current point and guess
  std::vector<double> outputs_;       // [variables..., observed...]
  std::vector<double> interpolated_;  // [n_states]
  std::vector<double> ahead_;         // [variables...]
  compile::AlignedDoubles workspace_;
  const CompiledChart* chart_ = nullptr;
  std::uint32_t next_output_ = 0;
  SimulationResult result_;
};

}  // namespace

SimulationResult simulate(const CompiledModel& model, const SimulateOptions& options) {
  return Simulation(model, options).run();
}

}  // namespace alembert::integrate
