// SPDX-License-Identifier: Apache-2.0
// What happens between two legs.
#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/integrate/dense_history.hpp"
#include "alembert/integrate/simulation.hpp"

namespace alembert::integrate {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

}  // namespace

bool Simulation::start_events() {
  const AtEvent at_event(*this);
  if (model_.hybrid().has_events() && !react(false)) return false;
  if (options_.dense != nullptr) options_.dense->add(point_);
  if (options_.save_at.empty() || options_.save_at.front() <= point_.time()) rows_.write();
  if (!time_events_.tick(point_.time())) return checked();
  ++result_.n_time_events;
  return handle_event(true);
}

bool Simulation::state_event() {
  const double t = point_.time();
  note_event({t, mode_change_.changed()});
  const AccumulationWatch::Verdict verdict = accumulation_.add(t);
  if (verdict == AccumulationWatch::Verdict::chatter)
    look_away_until_ = t + accumulation_.moment(t);
  if (verdict == AccumulationWatch::Verdict::accumulation) {
    result_.outcome = Outcome::accumulation;
    reason_ = "the events of " + model_.describe_modes(mode_change_.changed()) +
              " follow each other in ever shorter times. Give the model another way to go on "
              "from here, such as a state of rest.";
    return false;
  }
  return handle_event(time_events_.tick(t));
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
  rows_.write();
  rows_.pass(t);
}

bool Simulation::handle_event(bool with_ticks) {
  const AtEvent at_event(*this);
  events_.advance_previous();
  if (!react(with_ticks)) return false;
  if (!form_) improve_chart();
  if (!complete_settled()) point_.complete();
  rows_.write();
  delays_.note_arrivals();
  return checked();
}

bool Simulation::react(bool with_ticks) {
  const auto solve = [this] { return point_.complete(); };
  if (!accept(events_.run(solve))) return false;
  if (with_ticks) {
    time_events_.silence();
    if (!accept(events_.run(solve))) return false;
  }
  const double scale =
      std::max(std::abs(point_.time()), 1e-3 * std::abs(options_.stop - options_.start));
  // Not less than what rounding in crossing functions may have put the event off by.
  return accept(events_.look_ahead(std::max(16 * eps * scale, 1e-11 * last_step_), solve));
}

bool Simulation::accept(const EventIteration::Result& result) {
  if (result.end != EventIteration::End::settled) {
    result_.outcome = Outcome::event_failed;
    reason_ = explain(model_, result);
    return false;
  }
  if (!result.terminated) return true;
  result_.outcome = Outcome::terminated;
  result_.message = model_.flat().terminations[result.termination].message;
  if (point_.complete()) rows_.write();
  return false;
}

bool Simulation::checked() {
  auto failure = assertions_.check();
  if (!failure) return true;
  result_.outcome = Outcome::assertion_failed;
  reason_ = std::move(*failure);
  return false;
}

}  // namespace alembert::integrate
