// SPDX-License-Identifier: Apache-2.0
// The places where a user wrote an expression; parameters are looked at by examine_parameters.
#include "alembert/flat/findings.hpp"

namespace alembert::flat {

using symbolic::ExprPool;

namespace {

void add_event_places(const FlatSystem& system, std::vector<Place>& places) {
  const ExprPool& pool = *system.pool;
  for (const FlatEquation& equation : system.discrete_equations)
    places.push_back(
        {{equation.left, equation.right}, "discrete equation", &equation, {}, &equation.origin});
  for (const DiscreteVariable& variable : system.discrete_variables)
    if (variable.start.valid())
      places.push_back({{variable.start},
                        "the start value of",
                        nullptr,
                        pool.symbol_text(variable.symbol),
                        &variable.origin});
  for (const Reinit& reinit : system.reinits)
    places.push_back({{reinit.condition, reinit.unknown, reinit.value},
                      "reinit of",
                      nullptr,
                      pool.symbol_text(reinit.unknown),
                      &reinit.origin});
  for (const Assertion& assertion : system.assertions) {
    Place place{{assertion.condition}, "assertion", nullptr, assertion.message, &assertion.origin};
    place.roots.insert(place.roots.end(), assertion.values.begin(), assertion.values.end());
    places.push_back(std::move(place));
  }
  for (const Termination& end : system.terminations) {
    Place place{{end.condition}, "termination", nullptr, end.message, &end.origin};
    place.roots.insert(place.roots.end(), end.values.begin(), end.values.end());
    places.push_back(std::move(place));
  }
  for (const SampleClock& clock : system.samples)
    places.push_back({{clock.start, clock.interval},
                      "clock",
                      nullptr,
                      pool.symbol_text(clock.symbol),
                      &clock.origin});
  for (const Delay& delay : system.delays) {
    places.push_back({{delay.value, delay.delay},
                      "delayed value",
                      nullptr,
                      pool.symbol_text(delay.symbol),
                      &delay.origin});
    if (delay.longest.valid()) places.back().roots.push_back(delay.longest);
  }
  for (const Transport& transport : system.transports) {
    Place place{{transport.inputs[0], transport.inputs[1], transport.position, transport.forward},
                "what is carried by",
                nullptr,
                pool.symbol_text(transport.outputs[0]),
                &transport.origin};
    place.roots.insert(place.roots.end(), transport.points.begin(), transport.points.end());
    place.roots.insert(place.roots.end(), transport.values.begin(), transport.values.end());
    places.push_back(std::move(place));
  }
}

}  // namespace

std::vector<Place> places_of(const FlatSystem& system) {
  std::vector<Place> places;
  for (const FlatEquation& equation : system.equations)
    places.push_back(
        {{equation.left, equation.right}, "equation", &equation, {}, &equation.origin});
  for (const FlatEquation& equation : system.initial_equations)
    places.push_back(
        {{equation.left, equation.right}, "initial equation", &equation, {}, &equation.origin});
  for (const Observed& observed : system.observed)
    places.push_back(
        {{observed.value}, "observed quantity", nullptr, observed.name, &observed.origin});
  for (const Unknown& unknown : system.unknowns) {
    if (!unknown.start.valid()) continue;
    places.push_back({{unknown.start},
                      "the start value of",
                      nullptr,
                      system.pool->symbol_text(unknown.symbol),
                      &unknown.origin});
  }
  for (const DerivativeStart& start : system.derivative_starts) {
    places.push_back({{start.symbol, start.value},
                      "the start value of",
                      nullptr,
                      system.pool->symbol_text(start.symbol),
                      &start.origin});
  }
  add_event_places(system, places);
  return places;
}

}  // namespace alembert::flat
