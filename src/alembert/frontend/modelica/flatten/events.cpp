// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/events.hpp"

#include <fmt/format.h>

#include <iterator>

#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/symbolic/print.hpp"
#include "alembert/symbolic/simplify.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::modelica {

using symbolic::Op;
using symbolic::SymbolKind;

ExprId Events::initial() {
  ExprId& symbol = state_.system.initial_symbol;
  if (!symbol.valid()) symbol = state_.pool.discrete("initial()");
  return symbol;
}

std::string Events::unique_name(std::string_view prefix, std::initializer_list<ExprId> arguments) {
  std::string name(prefix);
  const char* separator = "(";
  for (const ExprId argument : arguments) {
    if (!argument.valid()) continue;
    name += separator + symbolic::to_short_text(state_.pool, argument, 60);
    separator = ", ";
  }
  name += separator[0] == '(' ? "()" : ")";
  std::string candidate = name;
  for (int i = 2; state_.pool.find_symbol(candidate).valid(); ++i)
    candidate = fmt::format("{} {}", name, i);
  return candidate;
}

void Events::require_constant(ExprId expression, const char* what, Place place) const {
  const symbolic::Reach reach(state_.pool, expression);
  for (const ExprId node : reach.nodes()) {
    if (!state_.pool.is_symbol(node)) continue;
    if (state_.pool.symbol_of(node).kind == SymbolKind::parameter) continue;
    fail(place, "M310",
         fmt::format("{} must not change during a run, but it depends on '{}'. Use numbers and "
                     "parameters.",
                     what, state_.pool.symbol_text(node)));
  }
}

ExprId Events::sample(ExprId start, ExprId interval, Place place) {
  ExprId& symbol = samples_[{start, interval}];
  if (symbol.valid()) return symbol;
  require_constant(start, "the start of sample", place);
  require_constant(interval, "the interval of sample", place);
  symbol = state_.pool.discrete(unique_name("sample", {start, interval}));
  state_.system.samples.push_back(
      {.symbol = symbol, .start = start, .interval = interval, .origin = state_.origin(place)});
  return symbol;
}

ExprId Events::delay(ExprId value, ExprId delay, ExprId longest, Place place) {
  ExprId& symbol = delays_[{value, delay, longest}];
  if (symbol.valid()) return symbol;
  if (longest.valid())
    require_constant(longest, "the longest time of delay", place);
  else
    require_constant(delay, "the time of delay without a longest one", place);
  symbol = state_.pool.discrete(unique_name("delay", {value, delay}));
  state_.system.delays.push_back({.symbol = symbol,
                                  .value = value,
                                  .delay = delay,
                                  .longest = longest,
                                  .origin = state_.origin(place)});
  return symbol;
}

std::array<ExprId, 2> Events::transport(const TransportCall& call, Place place) {
  // In a pipe of its own: equal ones hold the same.
  std::vector<ExprId> key{call.inputs[0], call.inputs[1], call.position, call.forward};
  key.insert(key.end(), call.points.begin(), call.points.end());
  key.insert(key.end(), call.values.begin(), call.values.end());
  std::array<ExprId, 2>& outputs = transports_[key];
  if (outputs[0].valid()) return outputs;
  for (const ExprId point : call.points)
    require_constant(point, "an initial point of spatialDistribution", place);
  for (const ExprId value : call.values)
    require_constant(value, "an initial value of spatialDistribution", place);
  const std::initializer_list<ExprId> named{call.inputs[0], call.inputs[1], call.position};
  for (const std::size_t end : {0, 1})
    outputs[end] = state_.pool.discrete(unique_name(
        end == 0 ? "out0 of spatialDistribution" : "out1 of spatialDistribution", named));
  state_.system.transports.push_back({.outputs = outputs,
                                      .inputs = call.inputs,
                                      .position = call.position,
                                      .forward = call.forward,
                                      .points = call.points,
                                      .values = call.values,
                                      .origin = state_.origin(place)});
  return outputs;
}

ExprId Events::clocked_call(const ClockedCall& call, Place place) {
  using Kind = ClockedCall::Kind;
  constexpr const char* names[] = {"sample",      "hold",        "subSample",
                                   "superSample", "shiftSample", "backSample",
                                   "noClock",     "interval",    "firstTick"};
  static_assert(std::size(names) == static_cast<std::size_t>(Kind::first_tick) + 1);
  const ExprId symbol = state_.pool.discrete(
      unique_name(names[static_cast<std::size_t>(call.kind)], {call.argument}));
  state_.clocks.operators.push_back({symbol, call, state_.origin(place)});
  return symbol;
}

ExprId Events::clock(const ClockDefinition& definition, Place place) {
  if (definition.start_interval.valid())
    require_constant(definition.start_interval, "the first interval of a clock", place);
  const ExprId symbol = state_.pool.discrete(
      unique_name("Clock", {definition.interval, definition.condition, definition.clock}));
  state_.clocks.definitions.push_back({symbol, definition, place, state_.origin(place)});
  return symbol;
}

/// b of the condition `b <> 0` with a Boolean variable b; none for all others.
ExprId Events::watched_symbol(ExprId condition) const {
  const symbolic::ExprPool& pool = state_.pool;
  if (pool.op(condition) != Op::not_equal) return {};
  const ExprId a = pool.children(condition)[0];
  const ExprId b = pool.children(condition)[1];
  const ExprId symbol = pool.is_symbol(a) ? a : b;
  const ExprId other = symbol == a ? b : a;
  if (!pool.is_symbol(symbol) || !pool.is_zero(other)) return {};
  return symbol;
}

ExprId Events::auxiliary(ExprId condition, Place place) {
  ExprId& symbol = auxiliaries_[condition];
  if (symbol.valid()) return symbol;
  symbol = state_.pool.discrete(unique_name("when", {condition}));
  flat::FlatSystem& system = state_.system;
  Origin origin = state_.origin(place);
  origin.derived_from = "a condition of when";
  system.discrete_variables.push_back(
      {.symbol = symbol, .type = flat::ValueType::boolean, .origin = origin});
  system.discrete_equations.push_back({.left = symbol,
                                       .right = state_.evaluator.number_of_condition(condition),
                                       .origin = state_.origin(place)});
  return symbol;
}

ExprId Events::edge(ExprId condition, Place place) {
  symbolic::ExprPool& pool = state_.pool;
  if (pool.op(condition) == Op::truth) return pool.truth(false);
  ExprId watched = watched_symbol(condition);
  if (watched.valid() && watched == state_.system.initial_symbol) return condition;
  const bool is_variable = watched.valid() &&
                           pool.symbol_of(watched).kind == SymbolKind::discrete &&
                           !pool.symbol_of(watched).previous_of.valid();
  // Nobody keeps what ticks of clocks and the end of the run were before.
  bool is_signal = watched.valid() && watched == pool.find_symbol("terminal()");
  for (const flat::SampleClock& clock : state_.system.samples) is_signal |= clock.symbol == watched;
  if (!is_variable || is_signal) watched = auxiliary(condition, place);
  const ExprId zero = pool.integer(0);
  const ExprId parts[] = {pool.apply(Op::equal, initial(), zero),
                          pool.apply(Op::not_equal, watched, zero),
                          pool.apply(Op::equal, pool.previous_symbol(watched), zero)};
  return pool.apply(Op::logical_and, parts);
}

}  // namespace alembert::modelica
