// SPDX-License-Identifier: Apache-2.0
// What happens between two legs.
#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/compile/model/mode_variant.hpp"
#include "alembert/integrate/dense_history.hpp"
#include "alembert/integrate/simulation.hpp"
#include "alembert/integrate/start_changes.hpp"

namespace alembert::integrate {

bool Simulation::start_events() {
  const AtEvent at_event(*this);
  if (model_.hybrid().has_events() && !react(false)) return false;
  follow_structure();
  if (!complete_right_limit()) return false;
  note_unused_starts();
  if (options_.dense != nullptr) options_.dense->add(point_);
  if (options_.save_at.empty() || options_.save_at.front() <= point_.time()) rows_.write();
  if (start_.report.termination) {
    result_.outcome = Outcome::terminated;
    result_.message = *start_.report.termination;
    return false;
  }
  const bool with_ticks = time_events_.tick(point_.time());
  if (!with_ticks && clocks_.next() > point_.time() && !clocks_.has_events()) return checked();
  ++result_.n_time_events;
  return handle_event(with_ticks);
}

void Simulation::note_unused_starts() {
  const std::vector<std::string>& names = model_.variable_names();
  for (const auto& [name, wanted] : options_.starts) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) continue;  // discrete
    const double value = point_.outputs()[static_cast<std::size_t>(found - names.begin())];
    std::string note =
        warn_of_unused_start(name, value, wanted, rounded_text(wanted) + " that was given");
    if (!note.empty()) notes_.push_back(std::move(note));
  }
}

bool Simulation::state_event() {
  const double t = point_.time();
  event_distance_ = t - std::exchange(last_event_, t);
  std::vector<std::uint32_t> changed;
  const bool leaves_surface = std::exchange(leaves_surface_, false);
  if (leaves_surface) {
    changed = ignored_modes_;
    note_event({t, {}});
  } else if (std::exchange(ends_holding_, false)) {
    note_event({t, {}});
    if (accumulation_.add(t) == AccumulationWatch::Verdict::none)
      return handle_event(time_events_.tick(t));
    result_.outcome = Outcome::accumulation;
    reason_ =
        "what the present modes leave undetermined becomes determined and undetermined again in "
        "ever shorter times. Give it an equation in all modes, such as that of a small leak.";
    return false;
  } else {
    changed = mode_change_.changed();
    note_event({t, changed});
    note_met(changed);
    events_.know_sizes(mode_change_.sizes());
  }
  if (point_.slides()) end_sliding();
  const std::vector<std::uint32_t> slid_along = slid_along_;
  const AccumulationWatch::Verdict verdict = accumulation_.add(t);
  if (verdict == AccumulationWatch::Verdict::none ||
      (!leaves_surface && mode_change_.was_rounding()))
    return handle_event(time_events_.tick(t));
  event_solver_.begin();
  const auto solve = [this] { return event_solver_.solve(); };
  if (verdict == AccumulationWatch::Verdict::chatter &&
      events_.leave(changed, moment_ahead(), solve))
    return handle_event(time_events_.tick(t));
  if (options_.chattering == Chattering::slide && slide_from_here(changed)) {
    const bool explains = !std::ranges::equal(slid_along, ties_, {}, {}, &Tie::crossing);
    if (explains) accumulation_.forget();
    if (explains || verdict == AccumulationWatch::Verdict::chatter) {
      if (!explains) look_away_while_sliding();
      if (point_.complete()) rows_.write();
      return true;
    }
  }
  if (verdict == AccumulationWatch::Verdict::chatter) {
    look_away_until_ = t + accumulation_.moment(t);
    return handle_event(time_events_.tick(t));
  }
  result_.outcome = Outcome::accumulation;
  reason_ = "the events of " + model_.describe_modes(changed) +
            " follow each other in ever shorter times. ";
  if (accumulation_.is_zeno()) {
    reason_ +=
        "Infinitely many of them would come within a finite time (Zeno). Let the model come to "
        "rest: add a Boolean variable that ends the motion once what is left after an event is "
        "small (docs/theory/events.md shows it for a bouncing ball).";
    return false;
  }
  reason_ += "Give the model another way to go on from here, such as a state of rest";
  reason_ += options_.chattering == Chattering::slide
                 ? cannot_slide_
                       ? "; a sliding motion was not looked for, because this method, or "
                         "these constraints between states, do not allow it. Try --method auto, or "
                         "coordinates without constraints, such as angles."
                       : "; a sliding motion was looked for, and there is none."
                 : ", or let it slide along the comparison: --chattering slide "
                   "(SimulateOptions::chattering).";
  return false;
}

/// What leaves a surface so slowly that the errors of steps take it back again makes events without
/// end beside others that are slid along. It is left on its side for ever longer.
void Simulation::look_away_while_sliding() {
  constexpr int most_doublings = 10;
  constexpr double at_once = 4;  // times as long as it was looked away for
  const double t = point_.time();
  const bool again = t - look_away_until_ <= at_once * away_;
  n_doublings_ = again ? std::min(n_doublings_ + 1, most_doublings) : 0;
  away_ = std::ldexp(accumulation_.moment(t), n_doublings_);
  look_away_until_ = t + away_;
}

std::string Simulation::name_of(const structure::HeldUnknown& held) const {
  const flat::FlatSystem& flat = point_.chart().variant->simplified.flat;
  return "'" + flat.pool->symbol_text(flat.unknowns[held.what.unknown].symbol) + "'";
}

void Simulation::note_held() {
  const compile::ModeVariant* const variant = point_.chart().variant;
  if (variant == nullptr) return;
  for (const structure::HeldUnknown& held : variant->held)
    tell_once(name_of(held) + " is held", "at time " + rounded_text(point_.time()) +
                                              " nothing determines " + name_of(held) +
                                              " in the modes that hold then, since " + held.text +
                                              " repeats other equations; it keeps its value");
}

void Simulation::tell_once(std::string about, std::string note) {
  constexpr std::size_t most_notes = 20;
  if (told_.size() == most_notes || std::ranges::find(told_, about) != told_.end()) return;
  told_.push_back(std::move(about));
  notes_.push_back(std::move(note));
}

void Simulation::note_event(EventRecord event) {
  if (result_.events.size() < most_event_records) result_.events.push_back(std::move(event));
}

void Simulation::note_switch(ChartSwitch change) {
  ++result_.n_switches;
  if (result_.switches.size() < most_event_records) result_.switches.push_back(std::move(change));
}

void Simulation::write_left_limit(double t, std::span<const double> y) {
  point_.complete(t, y);
  if (rows_.last_time() < t) rows_.write();  // else a time of output, or an event, was here already
  rows_.pass(t);
}

void Simulation::write_right_limit() {
  rows_.write();
  if (options_.dense != nullptr) options_.dense->add(point_);
}

bool Simulation::handle_event(bool with_ticks) {
  if (folds_) folds_->forget();
  const AtEvent at_event(*this);
  ConstraintJump constraint_jump(point_);
  events_.advance_previous();
  pipes_.pass_fronts();
  delays_.pass_jumps();
  clocks_.look();
  bool due = clocks_.tick_timed();
  do {
    if ((due && !ticked()) || !react(with_ticks)) return false;
    with_ticks = false;
    due = clocks_.tick_events();
  } while (due);
  if (!follow_jump(constraint_jump)) return false;
  follow_structure();  // before states are looked at: there may be others
  if (!form_) improve_chart();
  resume_sliding();
  if (!complete_right_limit()) return false;
  write_right_limit();
  delays_.note_arrivals();
  return checked();
}

bool Simulation::complete_right_limit() {
  if (complete_settled() || point_.complete()) return true;
  result_.outcome = Outcome::stopped;
  return false;
}

bool Simulation::follow_jump(ConstraintJump& jump) {
  if (point_.time() <= options_.start) return true;  // what is given there are starts
  const ConstraintJump::End end = jump.follow(std::abs(options_.stop - options_.start));
  if (end == ConstraintJump::End::none) return true;
  const std::string what = "'" + model_.variable_names()[jump.variable()] + "' jumped from " +
                           rounded_text(jump.value_before());
  if (end == ConstraintJump::End::too_high) {
    result_.outcome = Outcome::event_failed;
    reason_ = what + " to " + rounded_text(point_.variables()[jump.variable()]) +
              " at an event, by an equation that the model has to differentiate twice: velocities "
              "would be infinite there. Let it change smoothly, as behind a filter or a ramp.";
    return false;
  }
  const bool computed = end == ConstraintJump::End::states;
  tell_once("'" + model_.variable_names()[jump.variable()] + (computed ? "' jumps" : "' stays"),
            "at time " + rounded_text(point_.time()) + " " + what +
                " by an equation that the model has to differentiate; " +
                (computed ? "states jumped with it, so that what the equations conserve was kept"
                          : "what that does to the states could not be computed, and they stay"));
  return end == ConstraintJump::End::no_solution || react(false);
}

void Simulation::terminal_event() {
  const std::uint32_t place = model_.constants().terminal;
  if (place == compile::ConstantLayout::nowhere) return;
  if (point_.slides()) end_sliding();
  const AtEvent at_event(*this);
  point_.constants()[place] = 1;
  events_.advance_previous();
  if (react(false)) {
    resume_sliding();
    if (point_.complete()) write_right_limit();
  }
  point_.constants()[place] = 0;
}

bool Simulation::ticked() {
  reason_ = clocks_.explain();
  if (!reason_.empty()) result_.outcome = Outcome::event_failed;
  return reason_.empty();
}

bool Simulation::react(bool with_ticks) {
  event_solver_.begin();
  const auto solve = [this] { return event_solver_.solve(); };
  if (!accept(events_.run(solve))) return false;
  if (with_ticks) {
    time_events_.silence();
    if (!accept(events_.run(solve))) return false;
  }
  const EventIteration::Result ahead = events_.look_ahead(moment_ahead(), solve);
  // Where the point lies on a surface that both sides lead back to, each side leads to the other.
  if (ahead.end == EventIteration::End::contradiction && options_.chattering == Chattering::slide &&
      !point_.slides() && slide_from_here(ahead.modes))
    return true;
  return accept(ahead);
}

double Simulation::moment() const {
  const double scale =
      std::max(std::abs(point_.time()), 1e-3 * std::abs(options_.stop - options_.start));
  return std::max(16 * eps * scale, 1e-11 * last_step_);
}

EventIteration::Moment Simulation::moment_ahead() const {
  return {moment(), time_events_.rounding(point_.time())};
}

bool Simulation::accept(const EventIteration::Result& result) {
  if (result.end != EventIteration::End::settled) {
    result_.outcome = Outcome::event_failed;
    reason_ = explain(model_, result);
    if (result.end == EventIteration::End::contradiction &&
        options_.chattering != Chattering::slide)
      reason_ +=
          " Where the motion stays on the boundary between them, as dry friction at rest does, let "
          "it slide: --chattering slide (SimulateOptions::chattering).";
    if (result.end == EventIteration::End::no_values && !event_solver_.failure().empty())
      reason_ += " At the last attempt " + event_solver_.failure() + ".";
    return false;
  }
  if (!result.terminated) return true;
  result_.outcome = Outcome::terminated;
  result_.message = result.termination;
  if (point_.complete()) write_right_limit();
  return false;
}

bool Simulation::checked() {
  auto failure = assertions_.check();
  if (!failure && delays_.any())
    if (std::string fault = delays_.fault(); !fault.empty()) failure = std::move(fault);
  if (!failure)
    if (const structure::HeldUnknown* broken = broken_equation(point_))
      failure = broken->text + " contradicts others at time " + rounded_text(point_.time()) +
                ". In the present modes it repeated them so far, and was left out, so that " +
                name_of(*broken) +
                " was not determined. Give that an equation in these modes too, such as that of a "
                "small leak.";
  if (!failure) return true;
  result_.outcome = Outcome::assertion_failed;
  reason_ = std::move(*failure);
  return false;
}

}  // namespace alembert::integrate
