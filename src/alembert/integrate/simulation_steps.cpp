// SPDX-License-Identifier: Apache-2.0
// What a stepper integrates, and what is looked at after each of its steps.
#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/compile/model/mode_variant.hpp"
#include "alembert/integrate/auto_stepper.hpp"
#include "alembert/integrate/dense_history.hpp"
#include "alembert/integrate/iteration_matrix.hpp"
#include "alembert/integrate/model_methods.hpp"
#include "alembert/integrate/simulation.hpp"

namespace alembert::integrate {

namespace {

/// Where a condition that holds at the end of a step begins to, to rounding.
template <class Holds>
double first_time(const AcceptedStep& step, Holds holds) {
  double before = step.t_old;
  double after = step.t;
  while (after - before > 4 * eps * std::max(std::abs(after), std::abs(before))) {
    const double middle = 0.5 * (before + after);
    if (middle <= before || middle >= after) break;
    (holds(middle) ? after : before) = middle;
  }
  return after;
}

/// How far states may be from the constraints inside of the integration, in units of the tolerance;
/// what is shown is always on them.
constexpr double drift_allowed = 0.01;
/// How often methods with short steps look at the constraints.
constexpr std::uint32_t steps_a_look = 32;
/// Of passages between steps of a fixed size, which are there for what they keep.
constexpr double passage_tolerance = 1e-10;

}  // namespace

void Simulation::use_coordinates(Formulation formulation) {
  form_.emplace(point_, options_, formulation, result_.baumgarte_omega);
  if (formulation == Formulation::baumgarte) result_.baumgarte_omega = form_->omega();
}

void Simulation::use_model_stepper(std::string_view method) {
  stepper_ = make_model_stepper(method, model_, point_.constants(), tolerance());
  y_.resize(stepper_->system().n);
  interpolated_.resize(stepper_->system().n);
}

void Simulation::make_chart_stepper() {
  std::string method = options_.method;
  if (method == suitable_fixed) {
    // The shape decides: accelerations that depend on positions alone keep their energy.
    const bool separable =
        !form_ && !charts_.dynamic() && second_order_structure(model_, point_.chart()).separable();
    method = separable ? "symplectic6" : "rk4";
  }
  const MethodInfo* info = find_method(method);
  if (info == nullptr) {
    std::string names(suitable_fixed);
    for (const auto methods : {all_methods(), model_methods()})
      for (const MethodInfo* known : methods) names += ", " + std::string(known->name);
    throw Error("I003", "there is no method named '" + options_.method + "'. The methods are " +
                            names + ".");
  }
  // Long steps of high order go over a singular configuration; short ones would end beside it,
  // where what is known of velocities is divided by the distance.
  if (in_passage_ && (info->step_choice != StepChoice::fixed || is_model_method(method)))
    method = "auto";
  OdeSystem system;
  if (IndexTwoSystem* index_two = form_ ? form_->index_two() : nullptr) {
    if (method == "auto") method = "radau5";
    if (method != "radau5" && method != "ida")
      throw Error("I014", "the formulation ggl is a system of index 2, which the method '" +
                              method + "' does not solve. Use radau5 or ida.");
    system = index_two->system();
  } else {
    system.n = point_.n_states();
    system.context = this;
    system.rhs = [](void* self, double t, const double* y, double* f) {
      return static_cast<Simulation*>(self)->point_.derivatives(t, y, f);
    };
    describe(*find_method(method), system);
    if (form_ && form_->formulation() == Formulation::projection)
      system.project = [](void* self, double t, double* y, double* error) {
        auto& simulation = *static_cast<Simulation*>(self);
        const std::size_t n = simulation.point_.n_states();
        return simulation.form_->settle_shown(t, {y, n}, {error, error == nullptr ? 0 : n});
      };
  }
  stepper_ = make_stepper(method, system);
  if (auto* stepper = dynamic_cast<AutoStepper*>(stepper_.get()))
    stepper->prepare_implicit_by([this](OdeSystem& complete) { add_jacobian(complete); });
  stepper_variant_ = point_.chart().variant;
  y_.resize(system.n);
  interpolated_.resize(system.n);
}

void Simulation::follow_structure() {
  note_held();
  if (form_ || start_.event_chart != nullptr || point_.chart().variant == stepper_variant_) return;
  const std::unique_ptr<Stepper> kept = std::move(stepper_);
  make_chart_stepper();
  const auto* before = dynamic_cast<const AutoStepper*>(kept.get());
  if (auto* now = dynamic_cast<AutoStepper*>(stepper_.get()); now != nullptr && before != nullptr)
    now->learn_from(*before, tolerance());
}

double Simulation::tolerance() const {
  if (!in_passage_ || !is_model_method(options_.method)) return options_.tolerance;
  return std::min(options_.tolerance, passage_tolerance);
}

void Simulation::gather(std::span<double> y) const {
  if (form_)
    form_->gather(y);
  else
    point_.copy_states(y);
}

void Simulation::describe(const MethodInfo& method, OdeSystem& system) {
  const bool steady = method.name == AutoStepper::info.name && nothing_interrupts();
  if (method.needs_velocities && charts_.dynamic())
    throw Error("I010",
                "the method '" + options_.method +
                    "' needs positions and velocities as states throughout, and here "
                    "states are chosen anew while the model runs. Use auto, or rattle for a "
                    "mechanism with constraints; with the formulation dummy, states are "
                    "chosen once and serve as long as they stay regular.");
  if ((method.needs_velocities || steady) && !charts_.dynamic()) {
    second_order_ = second_order_structure(model_, point_.chart());
    if (method.needs_separable && second_order_.complete && !second_order_.separable())
      throw Error("I010", "the method '" + options_.method +
                              "' is for accelerations that do not depend on velocities, and "
                              "here one does. Use newmark, or a method with error control.");
    system.velocity_of = second_order_.velocity_of.data();
    if (second_order_.separable()) system.is_momentum = second_order_.is_momentum.data();
  }
  // Where the method is chosen on the way, it asks for the Jacobian when it needs one.
  if (method.uses_jacobian && method.name != AutoStepper::info.name) add_jacobian(system);
  if (method.finds_slopes) add_residual(system);
}

void Simulation::add_residual(OdeSystem& system) {
  if (form_ || point_.slides() || model_.constants().n_delayed > 0 || system.jacobian == nullptr ||
      !point_.use_residual())
    return;
  system.residual = [](void* self, double t, const double* y, const double* slope, double* r) {
    return static_cast<Simulation*>(self)->point_.residual(t, y, slope, r);
  };
  system.residual_jacobian = [](void* self, double t, const double* y, const double* slope,
                                double factor, double* entries) {
    auto& simulation = *static_cast<Simulation*>(self);
    return simulation.point_.residual_jacobian(t, y, slope, factor, simulation.dense_jacobian_,
                                               entries);
  };
  if (!dense_jacobian_) system.residual_pattern = point_.residual_pattern();
}

void Simulation::add_jacobian(OdeSystem& system) {
  // Of a sliding motion differences must do.
  if (point_.slides() || !point_.use_jacobian()) return;
  // A pattern holds for one chart; where charts change, the Jacobian is dense.
  dense_jacobian_ = (charts_.dynamic() && !form_) || system.n <= largest_dense;
  if (!dense_jacobian_) system.jacobian_pattern = point_.jacobian_pattern();
  system.jacobian = [](void* self, double t, const double* y, double* dfdy, double* dfdt) {
    auto& simulation = *static_cast<Simulation*>(self);
    return simulation.point_.jacobian(t, y, simulation.dense_jacobian_, dfdy, dfdt);
  };
  system.jacobian_is_doubtful = model_.jacobian(point_.chart()).calls_functions;
}

bool Simulation::nothing_interrupts() const {
  return !form_ && !in_passage_ && !point_.slides() && !mode_change_.any() && !kinks_ &&
         !model_.hybrid().has_events() && model_.constants().n_delayed == 0;
}

std::optional<double> Simulation::find_mode_change(const AcceptedStep& step) {
  const std::span<const double> looks = stepper_->looks();
  const auto leaves = point_.slides() ? end_of_sliding(step) : end_of_holding(step);
  const auto changes = !mode_change_.any() ? std::nullopt
                       : looks.empty()     ? mode_change_.find(step)
                                           : mode_change_.find(step, looks);
  const bool first = leaves && !(changes && *changes <= *leaves);
  leaves_surface_ = first && point_.slides();
  ends_holding_ = first && !point_.slides();
  if (!leaves || (changes && *changes < *leaves)) return changes;
  return leaves;
}

std::optional<double> Simulation::end_of_holding(const AcceptedStep& step) {
  const compile::ModeVariant* const variant = point_.chart().variant;
  if (variant == nullptr || variant->held.empty()) return std::nullopt;
  const auto has_ended = [&](double t) {
    return complete_in(step, t) && broken_equation(point_) != nullptr;
  };
  if (!has_ended(step.t)) return std::nullopt;
  return first_time(step, has_ended);
}

/// A little later than where a share passes 0 or 1, so that it is clear to which side: beyond
/// these the motion is that of the side alone.
std::optional<double> Simulation::end_of_sliding(const AcceptedStep& step) {
  constexpr double beyond = 1e-6;  // what lies off a surface stays so when the share comes back
  const auto left = [&](double t) {
    if (t == step.t)
      std::copy(step.y.begin(), step.y.end(), interpolated_.begin());
    else if (!step.interpolate(t, interpolated_))
      return false;
    return std::ranges::any_of(point_.sliding_shares(t, interpolated_),
                               [](double share) { return share < -beyond || share > 1 + beyond; });
  };
  if (!left(step.t)) return std::nullopt;
  return first_time(step, left);
}

ObserverAction Simulation::observe(AcceptedStep& step) {
  last_step_ = step.t - step.t_old;
  follow_sizes(step.y);
  if (turned_at_fold(step) || jumped_at_fold(step) || ends_at_pole(step))
    return ObserverAction::stop;
  if (leaps_at_fold(step) || misses_kink(step) || misses_pulse(step) || leads_over_pole(step) ||
      carries_too_far(step))
    return ObserverAction::take_back;
  if ((mode_change_.any() || point_.slides() || point_.chart().variant != nullptr) &&
      step.t > look_away_until_)
    if (const auto t = find_mode_change(step))
      return !ends_holding_ && takes_back(step) ? ObserverAction::stop : end_at_event(step, *t);
  if (creeps_at_edge(step)) return ObserverAction::stop;
  if (assertions_.any())
    if (const auto t = first_violation(step)) {
      if (!write_rows(step, *t, false)) return end_of_values(step);
      if (options_.dense != nullptr) options_.dense->add(point_, step, *t);
      if (complete_in(step, *t)) rows_.write();
      checked();
      return ObserverAction::stop;
    }
  if (!write_rows(step, step.t, true) || !remember(step, step.t)) return end_of_values(step);
  if (!complete_at_end(step)) {
    no_values_at_ = step.t;
    return end_of_values(step);
  }
  if (options_.dense != nullptr) {
    options_.dense->add(point_, step, step.t);
    point_.enter(step.t, step.y.data());
  }
  tell_warnings(step);
  if (!checked()) return ObserverAction::stop;
  step.next_step_limit =
      std::min({delays_.next_step_limit(), pipes_.next_step_limit(), limit_after_event(step.t),
                limit_by_sources(step.t), poles_ ? poles_->next_step_limit() : infinity});
  if (watches_kinks()) step.retry_step = kinks_->way_on(step.t);
  if (const double way = way_to_break(step.t); way < infinity)
    step.retry_step = step.retry_step > 0 ? std::min(step.retry_step, way) : way;
  if (point_.chart().variant != nullptr) return keep_chart(step);
  if (fold_ahead()) return ObserverAction::stop;
  if (!model_.has_choice() && !in_passage_) return ObserverAction::go_on;
  looks_away_ = may_look_away();
  if (looks_away_) return keep_coordinates(step);
  if (in_passage_ || (start_.event_chart == nullptr && model_.choice_varies()))
    charts_.look(in_passage_);
  if (passed() || crawls()) return ObserverAction::stop;
  if (start_.event_chart != nullptr) return keep_method();
  return form_ ? keep_coordinates(step) : keep_chart(step);
}

/// Where a method knows slopes, and nobody else reads them, nothing is solved for them.
bool Simulation::complete_at_end(const AcceptedStep& step) {
  const bool knows_slopes = stepper_->system().residual != nullptr && !assertions_.any() &&
                            options_.dense == nullptr && !folds_ &&
                            point_.chart().variant == nullptr;
  return knows_slopes ? point_.complete_with_slopes(step.t, step.y)
                      : point_.complete(step.t, step.y);
}

/// An event that the derivatives at it speak against is one of the error of the step, as small as
/// that may be: a ball that has come nearly to rest and rises would be taken for falling. From
/// where it began with shorter steps there is none, or one that goes the right way.
bool Simulation::takes_back(const AcceptedStep& step) {
  constexpr double shorter = 0.125;
  if (point_.slides() || form_ || start_.event_chart != nullptr || delays_.any() || pipes_.any() ||
      stepper_->method().step_choice == StepChoice::fixed)
    return false;
  const double length = step.t - step.t_old;
  if (length < accumulation_.moment(step.t) || !mode_change_.contradicts_slopes(step)) return false;
  std::copy(step.y_old.begin(), step.y_old.end(), interpolated_.begin());
  if (!point_.complete(step.t_old, interpolated_)) return false;
  retry_step_ = shorter * length;
  return true;
}

ObserverAction Simulation::end_at_event(AcceptedStep& step, double t) {
  if (!write_rows(step, t, false) || !remember(step, t)) return end_of_values(step);
  found_event_ = true;
  if (point_.slides() || ends_holding_) {
    if (complete_in(step, t)) rows_.write();
  } else {
    if (!point_.complete(t, mode_change_.state())) {
      const double found = t;
      const std::vector<double> there(mode_change_.state().begin(), mode_change_.state().end());
      if (edge_event(step, branch_end(step, found))) return ObserverAction::stop;
      point_.complete(found, there);
    }
    rows_.write();
  }
  rows_.pass(t);
  if (options_.dense != nullptr) options_.dense->add(point_, step, t);
  return ObserverAction::stop;
}

double Simulation::improve_chart() {
  ChartControl::Improvement better = charts_.improve();
  for (ChartSwitch& change : better.switches) note_switch(std::move(change));
  chart_changed_ = !better.switches.empty();
  if (chart_changed_) set_tolerances();
  return better.quality;
}

ObserverAction Simulation::keep_chart(AcceptedStep& step) {
  const double quality = improve_chart();
  if (chart_changed_) point_.copy_states(step.y);
  const double in_chart = charts_.time_in_chart(step.t - step.t_old);
  step.next_step_limit = std::min(step.next_step_limit, in_chart);
  usual_quality_ = std::max(usual_quality_, quality);
  if (charts_.dynamic() && point_.chart().variant == nullptr && quality < passage_begins() &&
      in_chart < few_steps * last_step_) {
    passage_step_ = over_and_beyond * 2 * in_chart;  // which is half the way
    change_ = Change::into_passage;
  }
  if (change_ != Change::none || quality < singular_quality) return ObserverAction::stop;
  return chart_changed_ ? ObserverAction::state_changed : ObserverAction::go_on;
}

/// Methods with a memory take short steps, and many of them for what a look at the charts costs.
bool Simulation::may_look_away() {
  if (!form_ || in_passage_ || stepper_->method().step_choice != StepChoice::own) return false;
  if (form_->clearly_regular()) {
    n_steps_looked_ = 0;
    steps_to_look_ = 1;
    return true;
  }
  return ++n_steps_looked_ < steps_to_look_;
}

ObserverAction Simulation::keep_coordinates(AcceptedStep& step) {
  // Near a singular configuration a small residual may be a large error: nothing is negligible.
  const double negligible = in_passage_ ? 0 : drift_allowed * options_.tolerance;
  // Methods with a memory do it within their steps.
  const bool has_memory = stepper_->method().step_choice == StepChoice::own;
  const auto settled =
      has_memory ? ConstrainedForm::Settled{} : form_->settle_step(step.t, step.y, negligible);
  if (!settled.good) return ObserverAction::stop;
  if (settled.changed && !point_.complete(step.t, step.y)) return ObserverAction::stop;
  singular_in_ = infinity;
  if (!looks_away_ && singular_ahead()) {
    change_ = Change::into_passage;
    return ObserverAction::stop;
  }
  // Steps that end beside a singular configuration lead nowhere: rather before it, where series
  // begin. A projection may step over it.
  if (form_->formulation() != Formulation::projection && has_series())
    step.next_step_limit = std::min(step.next_step_limit, 0.5 * singular_in_);
  return settled.changed ? ObserverAction::state_changed : ObserverAction::go_on;
}

ObserverAction Simulation::keep_method() {
  if (in_passage_ || stepper_->method().step_choice != StepChoice::fixed)
    return ObserverAction::go_on;
  // What a passage has to compare with; now and then will do, where steps cost less than a look.
  if (n_steps_looked_++ % steps_a_look == 0) charts_.look(false);
  const double quality = stepper_->conditioning();
  const double before = std::exchange(best_quality_, quality);
  if (quality >= passage_quality || quality >= few_steps * (before - quality) || !has_series())
    return ObserverAction::go_on;
  change_ = Change::into_passage;
  return ObserverAction::stop;
}

bool Simulation::complete_in(const AcceptedStep& step, double t) {
  if (t == step.t) std::copy(step.y.begin(), step.y.end(), interpolated_.begin());
  const bool has_states = t == step.t || step.interpolate(t, interpolated_);
  if (has_states && (!form_ || form_->settle_shown(t, interpolated_)) &&
      point_.complete(t, interpolated_))
    return true;
  no_values_at_ = t;
  return false;
}

bool Simulation::complete_settled() {
  if (!form_ || leaves_coordinates_) return false;
  gather(y_);
  return form_->settle_shown(point_.time(), y_) && point_.complete(point_.time(), y_);
}

std::optional<double> Simulation::first_violation(const AcceptedStep& step) {
  if (!complete_in(step, step.t) || !assertions_.violated()) return std::nullopt;
  double before = step.t_old;
  double after = step.t;
  while (after - before > 2 * eps * std::max(std::abs(after), std::abs(before))) {
    const double middle = 0.5 * (before + after);
    if (middle <= before || middle >= after || !complete_in(step, middle)) break;
    (assertions_.violated() ? after : before) = middle;
  }
  return after;
}

/// Each with the time from which it is so, not with the end of the step.
void Simulation::tell_warnings(const AcceptedStep& step) {
  bool any = false;
  while (assertions_.warns()) {
    any = true;
    const double begin =
        first_time(step, [&](double t) { return complete_in(step, t) && assertions_.warns(); });
    const bool found = complete_in(step, begin) && assertions_.warns();
    if (!found) complete_in(step, step.t);
    assertions_.check();
    if (!found || !complete_in(step, step.t)) break;
  }
  if (any) point_.complete(step.t, step.y);
}

bool Simulation::remember(const AcceptedStep& step, double end) {
  const auto complete = [&](double t) { return complete_in(step, t); };
  return delays_.remember(step.t_old, end, complete) && pipes_.remember(step.t_old, end, complete);
}

bool Simulation::write_rows(AcceptedStep& step, double end, bool with_end) {
  for (double t = rows_.next_time(); t < end || (with_end && t == end); t = rows_.next_time()) {
    if (!complete_in(step, t)) return false;
    rows_.write();
    rows_.pass(t);
  }
  return true;
}

}  // namespace alembert::integrate
