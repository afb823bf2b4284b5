// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/adaptive.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/integrate/step_control.hpp"

namespace alembert::integrate {
namespace {

/// Steps of a method with a fixed step, where none was given.
constexpr double default_fixed_steps = 1000;

class Loop {
 public:
  Loop(Stepper& stepper, double t, double t_end, std::span<double> y,
       const AdaptiveOptions& options, Observer observer)
      : stepper_(stepper),
        options_(options),
        observer_(observer),
        y_(y),
        t_end_(t_end),
        direction_(t_end < t ? -1 : 1),
        span_(std::abs(t_end - t)),
        limit_(std::min(options.max_step, options.first_limit)),
        work_before_(stepper.work()),
        control_(stepper.method().error_order),
        method_(stepper.method().name) {
    result_.t = t;
    result_.statistics.limited_by.assign(y.size(), 0);
  }

  AdaptiveResult run() {
    if (options_.resume == nullptr) {
      if (!stepper_.start(result_.t, y_)) return finish(Outcome::non_finite);
      if (span_ == 0) return finish(Outcome::done);
      choose_first();
    } else {
      take_over(*options_.resume);
    }
    for (;;) {
      if (!ask_to_go_on()) return finish(Outcome::stopped);
      if (attempts() >= options_.max_steps) return finish(Outcome::too_many_steps);
      const double t = stepper_.t();
      if (limit_ < smallest_step(t)) return finish(Outcome::step_too_small);
      const Taken taken = take_step(t);
      if (taken == Taken::again) continue;
      if (taken == Taken::too_small) return finish(Outcome::step_too_small);
      if (taken == Taken::failed) return finish(Outcome::non_finite);
      ++result_.statistics.steps;
      const ObserverAction action = show(t);
      if (action == ObserverAction::stop) return finish(Outcome::stopped);
      if (action == ObserverAction::take_back) {
        if (!stepper_.start(t, stepper_.y_old())) return finish(Outcome::non_finite);
        continue;
      }
      if (action == ObserverAction::state_changed && !stepper_.start(stepper_.t(), stepper_.y()))
        return finish(Outcome::non_finite);
      if (stepper_.t() == t_end_) return finish(Outcome::done);
    }
  }

 private:
  enum class Taken { yes, again, too_small, failed };

  std::uint64_t attempts() const {
    return result_.statistics.steps + result_.statistics.rejected +
           stepper_.work().inner_rejections - work_before_.inner_rejections;
  }

  // A step must move t by several units in the last place, else the stages fall together; near t =
  // 0 the whole span sets the limit.
  double smallest_step(double t) const {
    return std::max({options_.min_step, 16 * eps * std::abs(t), 1e-24 * span_});
  }

  void take_over(const LoopState& state) {
    span_ = state.span;
    limit_ = state.limit;
    h_ = result_.next_step = state.h;
    resumed_ = state.resumed;
    control_ = state.control;
    if (state.method_changes) method_ = {};
  }

  bool ask_to_go_on() {
    if (!options_.between_steps) return true;
    const auto statistics = [this] { return statistics_so_far(); };
    return options_.between_steps({{.t_end = t_end_,
                                    .span = span_,
                                    .limit = limit_,
                                    .h = h_,
                                    .resumed = resumed_,
                                    .control = control_,
                                    .method_changes = stepper_.method().name != method_},
                                   statistics});
  }

  void choose_first() {
    h_ = direction_ * std::abs(options_.first_step);
    if (h_ != 0 || stepper_.method().step_choice == StepChoice::own) return;
    if (stepper_.method().step_choice == StepChoice::fixed) {
      h_ = direction_ * span_ / default_fixed_steps;
      return;
    }
    const FirstStep first = choose_first_step(stepper_, t_end_, options_.tolerances);
    h_ = first.h;
    result_.statistics.rhs_calls += first.rhs_calls;
  }

  Taken take_step(double t) {
    // A stepper may change its method on the way; the history of errors was of the other one.
    if (stepper_.method().name != method_) {
      method_ = stepper_.method().name;
      control_ = StepControl(stepper_.method().error_order);
      ++result_.statistics.method_changes;
    }
    switch (stepper_.method().step_choice) {
      case StepChoice::own: return take_own_step(t);
      case StepChoice::fixed: return take_fixed_step(t);
      case StepChoice::by_error: break;
    }
    return take_controlled_step(t);
  }

  void count(const Attempt& attempt) {
    if (attempt.limiting != no_component) ++result_.statistics.limited_by[attempt.limiting];
  }

  Taken take_own_step(double t) {
    const double h = direction_ * std::min(std::abs(t_end_ - t), limit_);
    const Attempt attempt = stepper_.attempt(h, options_.tolerances);
    count(attempt);
    if (!attempt.finite) {
      ++result_.statistics.rejected;
      ++result_.statistics.failed;
      return Taken::failed;
    }
    if (attempt.error > 1) {
      ++result_.statistics.rejected;
      return Taken::too_small;
    }
    // What is left to the end must not be rounding alone.
    const bool at_end = std::abs(t_end_ - attempt.t_new) <= smallest_step(t_end_);
    const double t_new = at_end ? t_end_ : attempt.t_new;
    h_ = result_.next_step = t_new - t;
    if (std::abs(h_) < smallest_step(t) && !at_end) {
      ++result_.statistics.rejected;
      return Taken::too_small;
    }
    stepper_.accept(t_new);
    return Taken::yes;
  }

  // The last step is shorter where the span is no multiple; a sliver of rounding is not a step.
  Taken take_fixed_step(double t) {
    const double h = direction_ * std::min(std::abs(h_), limit_);
    const bool last = std::abs(t_end_ - t) <= (1 + 1e-8) * std::abs(h);
    const Attempt attempt = stepper_.attempt(last ? t_end_ - t : h, options_.tolerances);
    if (!attempt.finite) {
      ++result_.statistics.rejected;
      ++result_.statistics.failed;
      return Taken::failed;
    }
    stepper_.accept(last ? t_end_ : t + h);
    result_.next_step = h_;
    return Taken::yes;
  }

  Taken take_controlled_step(double t) {
    h_ = direction_ * std::min(std::abs(h_), limit_);
    h_ = direction_ * std::max(std::abs(h_), smallest_step(t));
    // A last step a little longer than planned is better than a sliver after it.
    const bool last = std::abs(t_end_ - t) <= 1.01 * std::abs(h_);
    const double planned = h_;
    if (last) h_ = t_end_ - t;

    const Attempt attempt = stepper_.attempt(h_, options_.tolerances);
    count(attempt);
    if (!attempt.finite || attempt.error > 1) {
      ++result_.statistics.rejected;
      if (!attempt.finite) ++result_.statistics.failed;
      const double planned_before = std::exchange(resumed_, 0.0);
      if (attempt.finite && cut_short(std::max(planned_before, std::abs(h_)))) return Taken::again;
      const bool at_bottom = !(std::abs(h_) > smallest_step(t));  // or no number
      h_ *= attempt.finite ? control_.after_rejected(attempt.error) : control_.after_failed();
      result_.next_step = h_;
      if (!at_bottom) return Taken::again;
      return attempt.finite ? Taken::too_small : Taken::failed;
    }
    const double least_growth = stepper_.method().least_growth;
    const bool keeps_step = stepper_.method().keeps_step;
    stepper_.accept(last ? t_end_ : t + h_);
    double factor = control_.after_accepted(attempt.error);
    if ((factor >= 1 || keeps_step) && factor < least_growth) factor = 1;
    // A step cut short by the end says little about what comes after it: plan from the longer one.
    h_ = last && factor >= 1 ? direction_ * std::max(std::abs(planned), std::abs(h_ * factor))
                             : h_ * factor;
    // So does one that was to end at a kink.
    h_ = direction_ * std::max(std::abs(h_), std::exchange(resumed_, 0.0));
    result_.next_step = h_;
    return Taken::yes;
  }

  /// True if the step is to end sooner for another reason than its error; then the next has the
  /// planned length again.
  bool cut_short(double planned) {
    if (!options_.after_rejected) return false;
    const double h = options_.after_rejected(h_, stepper_.y_attempted());
    if (!(h > smallest_step(stepper_.t())) || !(h < std::abs(h_))) return false;
    resumed_ = planned;
    h_ = result_.next_step = direction_ * h;
    return true;
  }

  ObserverAction show(double t_old) {
    if (!observer_) return ObserverAction::go_on;
    AcceptedStep step{.stepper = stepper_,
                      .t_old = t_old,
                      .t = stepper_.t(),
                      .y_old = stepper_.y_old(),
                      .y = stepper_.mutable_y()};
    const ObserverAction action = observer_(step);
    limit_ = std::min(options_.max_step, step.next_step_limit);
    if (action == ObserverAction::take_back) {
      --result_.statistics.steps;
      ++result_.statistics.rejected;
      resumed_ = std::max(resumed_, std::abs(step.t - t_old));
      limit_ = step.retry_step;
    } else if (step.retry_step > 0) {
      resumed_ = std::max(resumed_, std::abs(h_));
      limit_ = std::min(limit_, step.retry_step);
    }
    return action;
  }

  Statistics statistics_so_far() const {
    const WorkCounts& work = stepper_.work();
    Statistics statistics = result_.statistics;
    statistics.method = method_;
    statistics.rhs_calls += work.rhs_calls - work_before_.rhs_calls;
    statistics.jacobian_calls += work.jacobian_calls - work_before_.jacobian_calls;
    statistics.factorisations += work.factorisations - work_before_.factorisations;
    statistics.rejected += work.inner_rejections - work_before_.inner_rejections;
    if (!work_before_.first_non_finite.seen) statistics.first_non_finite = work.first_non_finite;
    return statistics;
  }

  AdaptiveResult finish(Outcome outcome) {
    result_.outcome = outcome;
    result_.t = stepper_.t();
    std::copy(stepper_.y().begin(), stepper_.y().end(), y_.begin());
    result_.statistics = statistics_so_far();
    return std::move(result_);
  }

  Stepper& stepper_;
  const AdaptiveOptions& options_;
  Observer observer_;
  std::span<double> y_;
  double t_end_, direction_, span_;
  double limit_;
  double h_ = 0;
  double resumed_ = 0;  // the step that was planned before it was cut short at a kink
  WorkCounts work_before_;
  StepControl control_;
  std::string_view method_;
  AdaptiveResult result_;
};

}  // namespace

Statistics& Statistics::operator+=(const Statistics& later) {
  steps += later.steps;
  rejected += later.rejected;
  failed += later.failed;
  rhs_calls += later.rhs_calls;
  jacobian_calls += later.jacobian_calls;
  factorisations += later.factorisations;
  method_changes += later.method_changes;
  method = later.method;
  limited_by.resize(std::max(limited_by.size(), later.limited_by.size()), 0);
  for (std::size_t i = 0; i < later.limited_by.size(); ++i) limited_by[i] += later.limited_by[i];
  if (!first_non_finite.seen) first_non_finite = later.first_non_finite;
  return *this;
}

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::done: return "done";
    case Outcome::stopped: return "stopped";
    case Outcome::step_too_small: return "step too small";
    case Outcome::non_finite: return "non-finite";
    case Outcome::too_many_steps: return "too many steps";
    case Outcome::terminated: return "terminated";
    case Outcome::assertion_failed: return "assertion failed";
    case Outcome::event_failed: return "event without a solution";
    case Outcome::accumulation: return "events accumulate";
    case Outcome::interrupted: return "interrupted";
    case Outcome::paused: return "paused";
  }
  ensure(false, "unknown outcome");
  return {};
}

AdaptiveResult integrate_adaptive(Stepper& stepper, double t, double t_end, std::span<double> y,
                                  const AdaptiveOptions& options, Observer observer) {
  ensure(y.size() == stepper.system().n, "the state has another size than the system");
  ensure(std::isfinite(t) && std::isfinite(t_end),
         "start and end of an integration must be finite");
  return Loop(stepper, t, t_end, y, options, observer).run();
}

}  // namespace alembert::integrate
