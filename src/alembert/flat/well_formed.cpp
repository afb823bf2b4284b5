// SPDX-License-Identifier: Apache-2.0
// What front ends guarantee about a FlatSystem.
#include "alembert/flat/findings.hpp"

namespace alembert::flat {

using symbolic::ExprPool;
using symbolic::SymbolKind;

namespace {

void ensure_number(const ExprPool& pool, ExprId id) {
  ensure(id.valid() && !ExprPool::is_pending(id) && id.value < pool.size(),
         "a FlatSystem holds canonical ids of its own pool");
  ensure(!pool.is_condition(id), "a FlatSystem holds numbers, not conditions");
}

/// A condition, or a number that stands for one.
void ensure_expression(const ExprPool& pool, ExprId id) {
  ensure(id.valid() && !ExprPool::is_pending(id) && id.value < pool.size(),
         "a FlatSystem holds canonical ids of its own pool");
}

void ensure_symbol(const ExprPool& pool, ExprId id, SymbolKind kind, bool is_derivative) {
  ensure_number(pool, id);
  ensure(pool.is_symbol(id) && pool.symbol_of(id).kind == kind &&
             (pool.symbol_of(id).order > 0) == is_derivative,
         "a FlatSystem declares symbols of the right kind and order");
}

void ensure_events_well_formed(const FlatSystem& system) {
  const ExprPool& pool = *system.pool;
  for (const DiscreteVariable& variable : system.discrete_variables) {
    ensure_symbol(pool, variable.symbol, SymbolKind::discrete, false);
    if (variable.start.valid()) ensure_number(pool, variable.start);
  }
  for (const Reinit& reinit : system.reinits) {
    ensure_expression(pool, reinit.condition);
    ensure_number(pool, reinit.unknown);
    ensure(pool.is_symbol(reinit.unknown) &&
               pool.symbol_of(reinit.unknown).kind == SymbolKind::unknown,
           "what is reinitialised is an unknown");
    ensure_number(pool, reinit.value);
  }
  for (const Assertion& assertion : system.assertions) {
    ensure_expression(pool, assertion.condition);
    for (const ExprId value : assertion.values) ensure_number(pool, value);
  }
  for (const Termination& termination : system.terminations) {
    ensure_expression(pool, termination.condition);
    for (const ExprId value : termination.values) ensure_number(pool, value);
  }
  for (const SampleClock& clock : system.samples) {
    ensure_symbol(pool, clock.symbol, SymbolKind::discrete, false);
    ensure_number(pool, clock.start);
    ensure_number(pool, clock.interval);
  }
  for (const Delay& delay : system.delays) {
    ensure_symbol(pool, delay.symbol, SymbolKind::discrete, false);
    ensure_number(pool, delay.value);
    ensure_number(pool, delay.delay);
    if (delay.longest.valid()) ensure_number(pool, delay.longest);
  }
  for (const Transport& transport : system.transports) {
    for (const ExprId output : transport.outputs)
      ensure_symbol(pool, output, SymbolKind::discrete, false);
    for (const ExprId input : transport.inputs) ensure_number(pool, input);
    ensure_number(pool, transport.position);
    ensure_expression(pool, transport.forward);
    ensure(transport.points.size() == transport.values.size() && transport.points.size() > 1,
           "a transport has as many points as values");
    for (const ExprId point : transport.points) ensure_number(pool, point);
    for (const ExprId value : transport.values) ensure_number(pool, value);
  }
  if (system.initial_symbol.valid())
    ensure_symbol(pool, system.initial_symbol, SymbolKind::discrete, false);
}

}  // namespace

void ensure_well_formed(const FlatSystem& system) {
  ensure(system.pool != nullptr, "a FlatSystem has a pool");
  const ExprPool& pool = *system.pool;
  for (const Unknown& unknown : system.unknowns) {
    ensure_symbol(pool, unknown.symbol, SymbolKind::unknown, false);
    if (unknown.start.valid()) ensure_number(pool, unknown.start);
  }
  for (const Parameter& parameter : system.parameters) {
    ensure_symbol(pool, parameter.symbol, SymbolKind::parameter, false);
    if (parameter.value.valid()) ensure_number(pool, parameter.value);
  }
  for (const auto* equations :
       {&system.equations, &system.initial_equations, &system.discrete_equations}) {
    for (const FlatEquation& equation : *equations) {
      ensure_number(pool, equation.left);
      ensure_number(pool, equation.right);
    }
  }
  for (const DerivativeStart& start : system.derivative_starts) {
    ensure_symbol(pool, start.symbol, SymbolKind::unknown, true);
    ensure_number(pool, start.value);
  }
  for (const Observed& observed : system.observed) ensure_number(pool, observed.value);
  ensure_events_well_formed(system);
}

}  // namespace alembert::flat
