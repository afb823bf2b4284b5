// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/builder. A flat system as a part of a model: the way in for components of other
// front ends.
#include "alembert/flat/clocked_part.hpp"
#include "alembert/flat/delayed.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/frontend/builder/model.hpp"
#include "alembert/symbolic/transplant.hpp"

namespace alembert::builder {

using symbolic::ExprId;

namespace {

Origin within(const std::string& path, Origin origin) {
  origin.path = origin.path.empty() || path.empty() ? path + origin.path : path + "." + origin.path;
  return origin;
}

/// What happens at events, and what looks back in time.
void append_events(const flat::FlatSystem& added, symbolic::Transplant& moved,
                   flat::FlatSystem& system) {
  for (flat::Reinit reinit : added.reinits) {
    reinit.condition = moved(reinit.condition);
    reinit.unknown = moved(reinit.unknown);
    reinit.value = moved(reinit.value);
    system.reinits.push_back(std::move(reinit));
  }
  for (flat::Assertion assertion : added.assertions) {
    assertion.condition = moved(assertion.condition);
    for (ExprId& value : assertion.values) value = moved(value);
    system.assertions.push_back(std::move(assertion));
  }
  for (flat::Termination termination : added.terminations) {
    termination.condition = moved(termination.condition);
    for (ExprId& value : termination.values) value = moved(value);
    system.terminations.push_back(std::move(termination));
  }
  for (flat::SampleClock clock : added.samples) {
    clock.symbol = moved(clock.symbol);
    clock.start = moved(clock.start);
    clock.interval = moved(clock.interval);
    system.samples.push_back(std::move(clock));
  }
  for (flat::Delay delay : added.delays) {
    delay.symbol = moved(delay.symbol);
    delay.value = moved(delay.value);
    delay.delay = moved(delay.delay);
    delay.longest = moved(delay.longest);
    system.delays.push_back(std::move(delay));
  }
  for (flat::Transport transport : added.transports) {
    for (ExprId& output : transport.outputs) output = moved(output);
    for (ExprId* place : flat::places_in_run(transport)) *place = moved(*place);
    for (ExprId& point : transport.points) point = moved(point);
    for (ExprId& value : transport.values) value = moved(value);
    system.transports.push_back(std::move(transport));
  }
}

/// Clocks and clocked equations of a part behind those that are there.
void append_clocked(const flat::ClockedPart& added, symbolic::Transplant& moved,
                    flat::ClockedPart& part) {
  const auto first_base = static_cast<std::uint32_t>(part.bases.size());
  const auto first_clock = static_cast<std::uint32_t>(part.clocks.size());
  for (flat::BaseClock base : added.bases) {
    base.interval = moved(base.interval);
    base.count = moved(base.count);
    base.start_interval = moved(base.start_interval);
    part.bases.push_back(std::move(base));
  }
  for (flat::Clock clock : added.clocks) {
    clock.base += first_base;
    clock.interval = moved(clock.interval);
    clock.first_tick = moved(clock.first_tick);
    part.clocks.push_back(std::move(clock));
  }
  for (const flat::ClockedVariable& variable : added.variables)
    part.variables.push_back({moved(variable.symbol), variable.clock + first_clock,
                              moved(variable.derivative_of), variable.state_priority});
  const auto append_equations = [&](const std::vector<flat::ClockedEquation>& from,
                                    std::vector<flat::ClockedEquation>& to) {
    for (flat::ClockedEquation equation : from) {
      equation.left = moved(equation.left);
      equation.right = moved(equation.right);
      equation.clock += first_clock;
      to.push_back(std::move(equation));
    }
  };
  append_equations(added.equations, part.equations);
  append_equations(added.initial_equations, part.initial_equations);
  for (const flat::ClockedSample& sample : added.samples)
    part.samples.push_back({moved(sample.symbol), moved(sample.value), sample.origin});
}

}  // namespace

void Model::include(const std::string& path, const flat::FlatSystem& system) {
  const std::string prefix = path.empty() ? "" : path + ".";
  symbolic::Transplant moved(*system.pool, pool(), prefix);
  if (system.initial_symbol.valid()) {
    at_start();
    moved.set(system.initial_symbol, system_.initial_symbol);
  }
  const auto name_of = [&](ExprId symbol) { return prefix + system.pool->symbol_of(symbol).name; };

  for (flat::Unknown unknown : system.unknowns) {
    unknown.origin = within(path, unknown.origin);
    const ExprId symbol = declare_symbol(name_of(unknown.symbol), Kind::unknown, unknown.origin);
    unknown.symbol = symbol;
    unknown.start = moved(unknown.start);
    start_index_.emplace(symbol, system_.unknowns.size());
    system_.unknowns.push_back(std::move(unknown));
  }
  for (flat::Parameter parameter : system.parameters) {
    parameter.origin = within(path, parameter.origin);
    parameter.symbol = declare_symbol(name_of(parameter.symbol), Kind::parameter, parameter.origin);
    parameter.value = moved(parameter.value);
    system_.parameters.push_back(std::move(parameter));
  }
  for (flat::DiscreteVariable variable : system.discrete_variables) {
    variable.origin = within(path, variable.origin);
    variable.symbol = declare_symbol(name_of(variable.symbol), Kind::discrete, variable.origin);
    variable.start = moved(variable.start);
    system_.discrete_variables.push_back(std::move(variable));
  }
  const auto add_equations = [&](const std::vector<flat::FlatEquation>& from,
                                 std::vector<flat::FlatEquation>& to) {
    for (const flat::FlatEquation& equation : from)
      to.push_back({moved(equation.left), moved(equation.right), within(path, equation.origin)});
  };
  add_equations(system.equations, system_.equations);
  add_equations(system.initial_equations, system_.initial_equations);
  add_equations(system.discrete_equations, system_.discrete_equations);
  for (flat::DerivativeStart start : system.derivative_starts) {
    start.symbol = moved(start.symbol);
    start.value = moved(start.value);
    start_index_.emplace(start.symbol, system_.derivative_starts.size());
    system_.derivative_starts.push_back(std::move(start));
  }
  append_events(system, moved, system_);
  if (system.clocked != nullptr) {
    auto part = std::make_shared<flat::ClockedPart>(
        system_.clocked != nullptr ? *system_.clocked : flat::ClockedPart());
    append_clocked(*system.clocked, moved, *part);
    system_.clocked = std::move(part);
  }
  for (flat::Observed observed : system.observed) {
    observed.origin = within(path, observed.origin);
    observed.name = prefix + observed.name;
    observed.value = moved(observed.value);
    declare(observed.name, Kind::observed, observed.origin);
    system_.observed.push_back(std::move(observed));
  }
}

Expr Model::value_of(const std::string& parameter) const {
  const auto found = declarations_.find(parameter);
  if (found == declarations_.end() || found->second.kind != Kind::parameter ||
      !system_.parameters[found->second.index].value.valid())
    throw Error("F021", "there is no parameter " + flat::in_quotes(parameter) + " with a value.");
  return {pool(), system_.parameters[found->second.index].value};
}

Connector Model::connector_of_symbols(const std::string& owner, std::string_view name,
                                      const ConnectorKind& kind,
                                      const std::vector<std::string>& quantities,
                                      std::source_location at) {
  const std::string prefix = owner.empty() ? "" : owner + ".";
  Network::ConnectorEntry entry{.name = prefix + std::string(name),
                                .owner = owner,
                                .kind = kind,
                                .symbols = {},
                                .origin = Origin::here(at)};
  ensure(quantities.size() == kind.potentials.size() + kind.flows.size() + kind.domain.size(),
         "a connector has a quantity for each name of its kind");
  for (const std::string& quantity : quantities) {
    const ExprId symbol = pool().find_symbol(prefix + quantity);
    if (!symbol.valid())
      throw Error("F021",
                  "connector " + flat::in_quotes(entry.name) + " has no quantity " +
                      flat::in_quotes(prefix + quantity) + ".",
                  entry.origin);
    entry.symbols.push_back(symbol);
  }
  return {*this, network_.add(std::move(entry))};
}

}  // namespace alembert::builder
