// SPDX-License-Identifier: Apache-2.0
// Equations that are calls: assert, terminate, reinit.
#include <fmt/format.h>

#include <algorithm>

#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/flatten/equations.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::modelica {

using symbolic::Op;
using symbolic::SymbolKind;

namespace {

/// Argument number `index`, or by name; null if it is not given.
const Expression* argument(const Expression& call, std::size_t index, std::string_view name) {
  if (index < call.operands.size()) return call.operands[index];
  for (const NamedArgument& named : call.named)
    if (named.name == name) return named.value;
  return nullptr;
}

const Expression& required(const Expression& call, std::size_t index, std::string_view name) {
  const Expression* found = argument(call, index, name);
  if (found == nullptr)
    fail(call.place, "M315",
         fmt::format("'{}' lacks its argument '{}'.", call.reference->place.text(), name));
  return *found;
}

Text message_of(Evaluator& evaluator, const Expression& message, const EvaluationScope& scope) {
  Value value = evaluator.evaluate(message, scope);
  if (value.kind != ValueKind::string || value.texts.size() != 1)
    fail(message.place, "M315",
         fmt::format("a message must be a String, and this is {}.", type_text(value)));
  return std::move(value.texts[0]);
}

}  // namespace

void Equations::call(const Equation& equation, const EvaluationScope& scope) {
  const Expression& call = *equation.left;
  const auto parts = call.reference->parts;
  const Name name = parts.size() == 1 ? parts[0].name : Name();
  if (name == "assert") {
    assertion(call, scope);
  } else if (name == "terminate") {
    termination(call, scope);
  } else if (name == "reinit") {
    reinit(call, scope);
  } else {
    state_.evaluator.evaluate(call, scope);  // for its mistakes; it determines nothing
  }
}

void Equations::assertion(const Expression& call, const EvaluationScope& scope) {
  Evaluator& evaluator = state_.evaluator;
  const Value value = evaluator.evaluate(required(call, 0, "condition"), scope);
  if (value.kind != ValueKind::boolean || !value.is_scalar())
    fail(call.place, "M313",
         fmt::format("a condition must be Boolean, and this is {}.", type_text(value)));
  const ExprId condition = value.scalar();
  if (state_.pool.op(condition) == Op::truth && state_.pool.truth_of(condition)) return;
  bool is_warning = false;
  if (const Expression* level = argument(call, 2, "level")) {
    const Value kind = evaluator.constant(*level, scope);  // AssertionLevel: warning is the first
    is_warning = state_.pool.is_one(kind.scalar());
  }
  add_assertion(
      guard_.valid() ? state_.pool.apply(Op::logical_or, not_(guard_), condition) : condition,
      message_of(evaluator, required(call, 1, "message"), scope), is_warning, call.place);
}

namespace {

bool has_previous(const symbolic::ExprPool& pool, ExprId expression) {
  const std::vector<ExprId> symbols = symbolic::free_symbols(pool, expression);
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](ExprId symbol) { return pool.symbol_of(symbol).previous_of.valid(); });
}

}  // namespace

void Equations::add_assertion(ExprId condition, const Text& message, bool is_warning, Place place) {
  const bool is_known = state_.pool.op(condition) == Op::truth;
  if (is_known && state_.pool.truth_of(condition)) return;
  if (is_known && !is_warning && message.is_constant())
    fail(place, "M316",
         fmt::format("in {}: {}",
                     state_.current && !state_.current->full_name().empty()
                         ? "'" + state_.current->full_name() + "'"
                         : std::string("the model"),
                     message.text));
  std::vector<ExprId> values = message.values;
  if (!in_initial_ && has_previous(state_.pool, condition))
    for (ExprId& value : values) value = kept_where_it_fails(condition, value, place);
  state_.system.assertions.push_back({.condition = kept_from_events(condition, place),
                                      .message = message.text,
                                      .values = std::move(values),
                                      .is_warning = is_warning,
                                      .origin = state_.origin(place)});
}

/// What is asserted in a when-clause, or at the start, is seen only in the instant of its event,
/// and assertions are looked at after it: that one did not hold is kept.
ExprId Equations::kept_from_events(ExprId condition, Place place) {
  symbolic::ExprPool& pool = state_.pool;
  const ExprId zero = pool.integer(0);
  if (!in_initial_ && !has_previous(pool, condition)) return condition;
  const ExprId failed = pool.discrete(events_.unique_name("assert", {condition}));
  const ExprId before = pool.previous_symbol(failed);
  ExprId value;
  if (in_initial_) {
    // What the start has in the end counts, not what was tried on the way.
    const ExprId fails_now =
        pool.apply(Op::no_event, state_.evaluator.number_of_condition(not_(condition)));
    value =
        pool.if_then_else(pool.apply(Op::not_equal, events_.initial(), zero), fails_now, before);
  } else {
    // As it is in that instant: what it compares makes no events of its own.
    value =
        pool.apply(Op::no_event,
                   state_.evaluator.number_of_condition(pool.apply(
                       Op::logical_or, pool.apply(Op::not_equal, before, zero), not_(condition))));
  }
  add_hidden(failed, flat::ValueType::boolean, value, place);
  return pool.apply(Op::equal, failed, zero);
}

/// What a message shows of before the event, as it was when the condition did not hold.
ExprId Equations::kept_where_it_fails(ExprId condition, ExprId value, Place place) {
  symbolic::ExprPool& pool = state_.pool;
  if (pool.is_condition(value) || !has_previous(pool, value)) return value;
  const ExprId kept = pool.discrete(events_.unique_name("assert", {value}));
  add_hidden(
      kept, flat::ValueType::real,
      pool.if_then_else(condition, pool.previous_symbol(kept), pool.apply(Op::no_event, value)),
      place);
  return kept;
}

void Equations::declare_hidden(ExprId symbol, flat::ValueType type, Place place) {
  Origin origin = state_.origin(place);
  origin.derived_from = "a condition of when";
  state_.system.discrete_variables.push_back({.symbol = symbol, .type = type, .origin = origin});
}

void Equations::add_hidden(ExprId symbol, flat::ValueType type, ExprId value, Place place) {
  declare_hidden(symbol, type, place);
  state_.system.discrete_equations.push_back(
      {.left = symbol, .right = value, .origin = state_.origin(place)});
}

void Equations::add_performed(ExprId call, Place place) {
  const ExprId symbol = state_.pool.discrete(events_.unique_name("call", {call}));
  if (!in_clocked_when_) {
    add_hidden(symbol, flat::ValueType::boolean, call, place);
    return;
  }
  declare_hidden(symbol, flat::ValueType::boolean, place);
  performed_at_ticks_.push_back({.left = symbol, .right = call, .discrete = true, .place = place});
}

void Equations::termination(const Expression& call, const EvaluationScope& scope) {
  add_termination(guard_.valid() ? guard_ : state_.pool.truth(true),
                  message_of(state_.evaluator, required(call, 0, "message"), scope), call.place);
}

void Equations::add_termination(ExprId condition, const Text& message, Place place) {
  state_.system.terminations.push_back({.condition = condition,
                                        .message = message.text,
                                        .values = message.values,
                                        .origin = state_.origin(place)});
}

void Equations::reinit(const Expression& call, const EvaluationScope& scope) {
  if (in_clocked_when_)
    fail(call.place, "M317",
         "reinit changes a state at an event, and this when-equation has a clock, whose ticks "
         "change "
         "clocked variables only. Give it a condition: 'when sample(start, interval) then' ticks, "
         "too.");
  if (!in_when_)
    fail(call.place, "M317",
         "reinit changes a state at an event, so it must stand in a when-equation. Write 'when "
         "condition then reinit(...); end when'.");
  Evaluator& evaluator = state_.evaluator;
  const Value target = evaluator.evaluate(required(call, 0, "x"), scope);
  const Value value = evaluator.fitted(evaluator.evaluate(required(call, 1, "expr"), scope), target,
                                       "reinit", call.place);
  const std::vector<ExprId> symbols = evaluator.numeric_scalars(target);
  const std::vector<ExprId> values = evaluator.numeric_scalars(value);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const auto [first, is_new] = reinit_in_.try_emplace(symbols[i], when_);
    if (!is_new && (first->second.source != when_.source || first->second.offset != when_.offset)) {
      Diagnostic warning = diagnostic_at(
          call.place, "M317",
          "'" + state_.pool.symbol_text(symbols[i]) +
              "' is changed by reinit in two when-equations; where both hold at once, one of the "
              "values is lost. Join them: 'when ... then ... elsewhen ... then'.");
      warning.notes.push_back({"the other one", state_.origin(first->second)});
      state_.tree.warn(std::move(warning));
    }
    add_reinit(guard_, symbols[i], values[i], call.place);
  }
}

void Equations::add_reinit(ExprId condition, ExprId unknown, ExprId value, Place place) {
  const bool is_unknown =
      state_.pool.is_symbol(unknown) && state_.pool.symbol_of(unknown).kind == SymbolKind::unknown;
  if (!is_unknown)
    fail(place, "M317",
         "reinit wants the name of a Real variable that changes continuously as its first "
         "argument.");
  state_.system.reinits.push_back(
      {.condition = condition, .unknown = unknown, .value = value, .origin = state_.origin(place)});
  if (!state_.system.initial_symbol.valid()) return;
  // Modelica 3.6, 8.6: what is active at the start says there what an initial equation would.
  symbolic::ExprPool& pool = state_.pool;
  const ExprId at_start =
      symbolic::substitute(pool, condition, {{state_.system.initial_symbol, pool.integer(1)}});
  if (at_start == pool.truth(false)) return;
  if (at_start != pool.truth(true))
    fail(place, "M317",
         "reinit in a when-equation that is active at the start cannot depend on another "
         "condition. Write an initial equation for what holds at the start.");
  state_.system.initial_equations.push_back(
      {.left = unknown, .right = value, .origin = state_.origin(place)});
}

}  // namespace alembert::modelica
