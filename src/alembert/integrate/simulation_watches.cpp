// SPDX-License-Identifier: Apache-2.0
// What a step may have gone over that its estimate of the error does not see, and how long steps
// may be for it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/integrate/simulation.hpp"
#include "alembert/integrate/taylor_stepper.hpp"

namespace alembert::integrate {

bool Simulation::watches_kinks() const { return kinks_ && sees_slopes(); }

bool Simulation::sees_slopes() const {
  const MethodInfo& method = stepper_->method();
  const OdeSystem& system = stepper_->system();
  return method.step_choice != StepChoice::fixed && !method.keeps_step && !point_.slides() &&
         !in_passage_ && start_.event_chart == nullptr && system.mass == nullptr &&
         system.rhs != nullptr;
}

/// Steps of a fixed size are as they were asked for.
double Simulation::way_to_break(double t) {
  return delays_.any() && stepper_->method().step_choice != StepChoice::fixed
             ? delays_.way_to_break(t)
             : infinity;
}

bool Simulation::watches_poles() const {
  return poles_ && !form_ && !in_passage_ && !point_.slides() &&
         point_.chart().variant == nullptr && !charts_.dynamic();
}

bool Simulation::leads_over_pole(AcceptedStep& step) {
  if (!watches_poles() || stepper_->method().step_choice == StepChoice::fixed) return false;
  step.retry_step = poles_->judge(step, [&](double t) { return complete_in(step, t); });
  return step.retry_step > 0;
}

bool Simulation::ends_at_pole(const AcceptedStep& step) {
  if (!watches_poles() || stepper_->method().step_choice != StepChoice::fixed ||
      poles_->judge(step, [&](double t) { return complete_in(step, t); }) == 0)
    return false;
  const bool names_states = stepper_->system().rhs != nullptr;
  reason_ = explain_pole(names_states ? point_.state_names()[poles_->steepest()] : "");
  point_.enter(step.t_old, step.y_old.data());
  result_.outcome = Outcome::stopped;
  return true;
}

bool Simulation::carries_too_far(AcceptedStep& step) {
  if (!pipes_.any() || stepper_->method().step_choice == StepChoice::fixed ||
      !point_.complete(step.t, step.y))
    return false;
  const double share = pipes_.share_within();
  if (share < 1) step.retry_step = share * (step.t - step.t_old);
  return share < 1;
}

bool Simulation::misses_kink(AcceptedStep& step) {
  if (!watches_kinks()) return false;
  const bool of_states = states_tell(kinks_->functions(), kinks_told_);
  const auto complete = [&](double t) {
    return of_states ? enter_in(step, t) : complete_in(step, t);
  };
  step.retry_step =
      kinks_->judge(step, {tolerance(), tolerance(), absolute_each_}, of_states, complete);
  return step.retry_step > 0;
}

bool Simulation::misses_pulse(AcceptedStep& step) {
  if (!pulses_ || (!sees_slopes() && !goes_by_series())) return false;
  const bool of_states = states_tell(pulses_->functions(), pulses_told_);
  const auto complete = [&](double t) {
    return of_states ? enter_in(step, t) : complete_in(step, t);
  };
  const auto slopes = [&](double t, const std::vector<double>& y, std::vector<double>& f) {
    if (goes_by_series()) return slopes_beside_series(t, y, f);
    const OdeSystem& system = step.stepper.system();
    return system.rhs(system.context, t, y.data(), f.data());
  };
  step.retry_step =
      pulses_->judge(step, {tolerance(), tolerance(), absolute_each_}, complete, slopes);
  return step.retry_step > 0;
}

/// Series of what is zero to all orders go over whatever comes later.
bool Simulation::goes_by_series() const {
  return start_.event_chart != nullptr && !in_passage_ &&
         stepper_->method().name == TaylorStepper::info.name;
}

/// Series have all variables as states. The chart of events tells slopes of some.
bool Simulation::slopes_beside_series(double t, const std::vector<double>& y,
                                      std::vector<double>& f) {
  const compile::CompiledChart& all = point_.chart();
  const compile::CompiledChart& chart = *start_.event_chart;
  point_.enter(t, y.data());
  point_.use(chart);
  std::vector<double> states(chart.states.size()), slopes(states.size());
  point_.copy_states(states);
  const bool has_values = point_.derivatives(t, states.data(), slopes.data());
  point_.use(all);
  std::ranges::fill(f, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < all.states.size(); ++i)
    if (const auto k = std::ranges::find(chart.states, all.states[i]); k != chart.states.end())
      f[i] = slopes[static_cast<std::size_t>(k - chart.states.begin())];
  return has_values;
}

double Simulation::way_to_kink(double h, std::span<const double> y_attempted) {
  if (!watches_kinks() || form_ || y_attempted.empty()) return 0;
  const auto complete = [&](double there) { return point_.complete(there, y_attempted); };
  // One that lies at the begin of the step is behind it: a step to it would lead nowhere, and would
  // show the model in the middle of a leap.
  constexpr double at_begin = 1e-9;
  const double way = kinks_->foresee(stepper_->t() + h, complete);
  return way > at_begin * std::abs(h) ? way : 0;
}

/// Steps of a fixed size are as they were asked for, and so are those that are all equal for what
/// they keep.
double Simulation::limit_by_sources(double t) {
  const MethodInfo& method = stepper_->method();
  if (method.keeps_step || method.step_choice == StepChoice::fixed) return infinity;
  return std::min(sources_ ? sources_->limit(t) : infinity, delays_.limit_by_past(t));
}

/// Where events follow each other in ever shorter times, the error that the tolerance allows may be
/// as large as all that happens between them, and so may rounding beside what a long step goes
/// through. Methods with a memory, which begin with a low order, go on as fine as the last two
/// events lie; others no further than twice as far. Then steps grow.
double Simulation::limit_after_event(double t) const {
  constexpr double forgotten_after = 100;
  const StepChoice choice = stepper_->method().step_choice;
  if (choice == StepChoice::fixed || start_.event_chart != nullptr) return infinity;
  // Events that chatter are as near to each other as rounding; steps are not.
  const double distance = std::max(event_distance_, 0.1 * accumulation_.moment(t));
  const double elapsed = t - last_event_;
  if (choice != StepChoice::by_error)
    return elapsed > distance ? infinity : std::max(0.125 * distance, 0.5 * elapsed);
  // Where no state jumps, events that are near to each other are undecided comparisons, as of
  // friction at rest, and steps go over them.
  if (model_.flat().reinits.empty() || elapsed > forgotten_after * distance) return infinity;
  return 2 * std::max(distance, elapsed);
}

/// Blocks that give other variables need not be solved for functions of states.
bool Simulation::states_tell(const compile::WatchedFunctions& functions, ToldByStates& told) const {
  const compile::CompiledChart& chart = point_.chart();
  if (std::exchange(told.chart, &chart) != &chart) {
    std::vector<char> is_state(model_.n_variables(), 0);
    for (const std::uint32_t v : chart.states) is_state[v] = 1;
    told.is_so =
        std::ranges::all_of(functions.variables, [&](std::uint32_t v) { return is_state[v] != 0; });
  }
  return told.is_so && !form_;
}

bool Simulation::enter_in(const AcceptedStep& step, double t) {
  if (t == step.t)
    std::copy(step.y.begin(), step.y.end(), interpolated_.begin());
  else if (!step.interpolate(t, interpolated_))
    return false;
  point_.enter(t, interpolated_.data());
  return true;
}

}  // namespace alembert::integrate
