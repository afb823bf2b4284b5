// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. The loop around a stepper: step control, ends, observers.
// In: a Stepper, a start, an end, tolerances; an observer that is shown every accepted step, may
// read between its ends, change the state or stop. Out: the state at the end and an outcome, which
// is a value. Nothing is allocated between the first step and the last.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "alembert/integrate/function_ref.hpp"
#include "alembert/integrate/step_control.hpp"
#include "alembert/integrate/stepper.hpp"

namespace alembert::integrate {

enum class Outcome {
  done,            ///< reached the end
  stopped,         ///< the observer asked for it
  step_too_small,  ///< the tolerance cannot be met: a singularity, or a tolerance below rounding
  non_finite,      ///< the right-hand side has no value here, or ahead with however small a step
  too_many_steps,
  terminated,        ///< the model asked for it: a good end
  assertion_failed,  ///< a condition that must hold does not
  event_failed,      ///< no values agree with the equations after an event
  accumulation,      ///< events follow each other in ever shorter times
  interrupted,       ///< from outside, as by a key
  paused,            ///< a checkpoint was made, and its receiver wanted no more
};

/// "done", "step too small", ...
std::string_view to_string(Outcome outcome);

struct Statistics {
  std::uint64_t steps = 0;     ///< accepted
  std::uint64_t rejected = 0;  ///< error too large, or failed
  std::uint64_t failed = 0;    ///< of the rejected: the right-hand side had no value
  std::uint64_t rhs_calls = 0;
  std::uint64_t jacobian_calls = 0;
  std::uint64_t factorisations = 0;
  std::uint64_t method_changes = 0;  ///< of a stepper that chooses among methods
  std::string_view method = {};      ///< that made the last step
  /// [n]: in how many attempts this state had the largest share of the error.
  std::vector<std::uint64_t> limited_by = {};
  /// The first value that was missing; a step may have been tried again, smaller, since then.
  NonFiniteValue first_non_finite = {};

  /// The same of the time before and of what came after.
  Statistics& operator+=(const Statistics& later);
};

/// What an observer sees: the step from t_old to t that was just accepted.
struct AcceptedStep {
  Stepper& stepper;
  double t_old;
  double t;
  std::span<const double> y_old;  // [n]
  std::span<double> y;            // [n]; after a change return `state_changed`
  /// May be set: how long the next step may be at most, where more than the error limits it.
  double next_step_limit = std::numeric_limits<double>::infinity();
  /// To be set with `take_back`; with `go_on`, how long the next step is to be, after which steps
  /// are as long again as they would have been.
  double retry_step = 0;

  /// The state at a time between t_old and t; false where the right-hand side has no value.
  bool interpolate(double time, std::span<double> out) const {
    return stepper.interpolate((time - t_old) / (t - t_old), out);
  }
};

enum class ObserverAction {
  go_on,
  state_changed,
  stop,
  take_back,  ///< a step of the length `retry_step` takes its place
};

using Observer = FunctionRef<ObserverAction(AcceptedStep&)>;

/// What the loop itself carries from step to step.
struct LoopState {
  double t_end = 0;
  double span = 0;              ///< of the whole integration
  double limit = 0;             ///< of the next step
  double h = 0;                 ///< planned for it
  double resumed = 0;           ///< planned for the one after it, where that is to end at a kink
  StepControl control{1};       ///< history of errors
  bool method_changes = false;  ///< before the next step
};

/// What is to be seen between two steps, when nothing is under way.
struct BetweenSteps {
  LoopState state;
  FunctionRef<Statistics()> statistics;  ///< of this integration so far
};

struct AdaptiveOptions {
  Tolerances tolerances = {};
  double first_step = 0;  ///< 0: chosen; of methods with a fixed step: the step
  double max_step = std::numeric_limits<double>::infinity();
  double first_limit =
      std::numeric_limits<double>::infinity();  ///< of the first step, by any method
  double min_step = 0;                          ///< besides what rounding of t allows
  /// Accepted and rejected ones: attempts that lead nowhere end too.
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
  /// Called before every attempt; false stops.
  FunctionRef<bool(const BetweenSteps&)> between_steps = {};
  /// Called after an attempt with values whose error was too large; the state is as it was. Where
  /// it knows better than the error how long the step should be, it tells; else 0.
  FunctionRef<double(double h, std::span<const double> y_attempted)> after_rejected = {};
  /// Goes on where another loop was; the stepper is there already.
  const LoopState* resume = nullptr;
};

struct AdaptiveResult {
  Outcome outcome = Outcome::done;
  double t = 0;          ///< where the state belongs to
  double next_step = 0;  ///< a good first step for going on from here
  Statistics statistics = {};
};

/// Integrates from (t, y) to t_end, forwards or backwards, and leaves the last state in y.
AdaptiveResult integrate_adaptive(Stepper& stepper, double t, double t_end, std::span<double> y,
                                  const AdaptiveOptions& options = {}, Observer observer = {});

}  // namespace alembert::integrate
