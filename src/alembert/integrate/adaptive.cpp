// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/adaptive.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/integrate/step_control.hpp"

namespace alembert::integrate {
namespace {

// A step must move t by several units in the last place, else the stages fall together; near t = 0
// the whole span sets the limit.
double smallest_step(double t, double span, double min_step) {
  return std::max(
      {min_step, 16 * std::numeric_limits<double>::epsilon() * std::abs(t), 1e-24 * span});
}

void add_work(Statistics& statistics, const WorkCounts& before, const WorkCounts& after) {
  statistics.rhs_calls += after.rhs_calls - before.rhs_calls;
  statistics.jacobian_calls += after.jacobian_calls - before.jacobian_calls;
  statistics.factorisations += after.factorisations - before.factorisations;
}

}  // namespace

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::done:
      return "done";
    case Outcome::stopped:
      return "stopped";
    case Outcome::step_too_small:
      return "step too small";
    case Outcome::non_finite:
      return "non-finite";
    case Outcome::too_many_steps:
      return "too many steps";
  }
  ensure(false, "unknown outcome");
  return {};
}

AdaptiveResult integrate_adaptive(Stepper& stepper, double t, double t_end, std::span<double> y,
                                  const AdaptiveOptions& options, Observer observer) {
  ensure(y.size() == stepper.system().n, "the state has another size than the system");
  ensure(std::isfinite(t) && std::isfinite(t_end),
         "start and end of an integration must be finite");
  const WorkCounts work_before = stepper.work();
  AdaptiveResult result{.t = t};
  const auto finish = [&](Outcome outcome) {
    result.outcome = outcome;
    result.t = stepper.t();
    std::copy(stepper.y().begin(), stepper.y().end(), y.begin());
    add_work(result.statistics, work_before, stepper.work());
    return result;
  };

  if (!stepper.start(t, y)) return finish(Outcome::non_finite);
  if (t == t_end) return finish(Outcome::done);
  const double direction = t_end < t ? -1 : 1;
  const double span = std::abs(t_end - t);
  double h = direction * std::abs(options.first_step);
  if (h == 0) {
    const FirstStep first = choose_first_step(stepper, t_end, options.tolerances);
    h = first.h;
    result.statistics.rhs_calls += first.rhs_calls;
  }
  StepControl control(stepper.method().error_order);
  double limit = options.max_step;

  for (;;) {
    t = stepper.t();
    if (result.statistics.steps >= options.max_steps) return finish(Outcome::too_many_steps);
    if (limit < smallest_step(t, span, options.min_step)) return finish(Outcome::step_too_small);
    h = direction * std::min(std::abs(h), limit);
    h = direction * std::max(std::abs(h), smallest_step(t, span, options.min_step));
    // A last step a little longer than planned is better than a sliver after it.
    const bool last = std::abs(t_end - t) <= 1.01 * std::abs(h);
    const double planned = h;
    if (last) h = t_end - t;

    const Attempt attempt = stepper.attempt(h, options.tolerances);
    if (!attempt.finite || attempt.error > 1) {
      ++result.statistics.rejected;
      if (!attempt.finite) ++result.statistics.failed;
      const bool at_bottom = std::abs(h) <= smallest_step(t, span, options.min_step);
      h *= attempt.finite ? control.after_rejected(attempt.error) : control.after_failed();
      result.next_step = h;
      if (at_bottom) return finish(attempt.finite ? Outcome::step_too_small : Outcome::non_finite);
      continue;
    }

    const double t_new = last ? t_end : t + h;
    stepper.accept(t_new);
    ++result.statistics.steps;
    const double factor = control.after_accepted(attempt.error);
    // A step cut short by the end says little about what comes after it: plan from the longer one.
    result.next_step = last && factor >= 1
                           ? direction * std::max(std::abs(planned), std::abs(h * factor))
                           : h * factor;
    h = result.next_step;

    if (observer) {
      AcceptedStep step{.stepper = stepper,
                        .t_old = t,
                        .t = t_new,
                        .y_old = stepper.y_old(),
                        .y = stepper.mutable_y()};
      const ObserverAction action = observer(step);
      limit = std::min(options.max_step, step.next_step_limit);
      if (action == ObserverAction::stop) return finish(Outcome::stopped);
      if (action == ObserverAction::state_changed && !stepper.start(t_new, stepper.y()))
        return finish(Outcome::non_finite);
    }
    if (last) return finish(Outcome::done);
  }
}

}  // namespace alembert::integrate
