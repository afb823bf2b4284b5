// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Clocks, and the operators of clocked equations. Each scalar
// of a result is a symbol of its own; what it means is decided when all equations are there.
#include <utility>

#include <algorithm>

#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/operators.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::modelica {

Value Evaluation::clock(const CallSite& site) {
  const auto& named = site.expression.named;
  ClockDefinition definition;
  if (site.n_arguments() == 0 && named.empty())
    return scalar_value(ValueKind::clock, hooks->clock(definition, site.place()));
  const Expression* first =
      site.n_arguments() > 0 ? site.expression.operands[0] : named.front().value;
  const Value given = evaluate(*first, site.scope);
  const auto second = [&](std::string_view name) {
    if (const Expression* argument = site.argument(1, name)) return argument;
    return named.size() > 1 && site.n_arguments() == 0 ? named[1].value : nullptr;
  };
  const auto varies = [&](const Value& interval) {
    return std::ranges::any_of(symbolic::free_symbols(pool(), interval.scalar()),
                               [&](ExprId id) { return !parameter_symbols_.contains(id); });
  };
  if (!given.is_scalar())
    fail(first->place, "M202", "a clock is made of scalars, but this is " + type_text(given) + ".");
  switch (given.kind) {
    case ValueKind::clock: {
      definition.clock = given.scalar();
      if (const Expression* method = second("solverMethod")) {
        const Value text = constant(*method, site.scope);
        if (text.kind != ValueKind::string || text.texts.empty())
          fail(method->place, "M202", "the solver method of a clock must be a String.");
        definition.solver_method = text.texts.front().text;
      }
      break;
    }
    case ValueKind::boolean: {
      definition.condition = given.scalar();
      definition.start_interval = pool().integer(0);
      if (const Expression* start = second("startInterval"))
        definition.start_interval = as_real(evaluate(*start, site.scope)).scalar();
      break;
    }
    case ValueKind::integer: {
      const std::int64_t resolution = count_argument(site, 1, "resolution", 1, 1);
      if (varies(given)) {
        definition.interval = pool().div(given.scalar(), pool().integer(resolution));
        break;
      }
      const auto counter = scalars.number(constant(*first, site.scope).scalar());
      if (!counter || *counter < 1)
        fail(first->place, "M202", "the interval of a clock must be positive.");
      definition.interval = pool().number(
          symbolic::Number::rational(static_cast<std::int64_t>(*counter), resolution));
      break;
    }
    case ValueKind::real:
      definition.interval = given.scalar();
      definition.by_previous = true;
      break;
    default:
      fail(first->place, "M202",
           "a clock is made of an interval, a condition or another clock, but this is " +
               type_text(given) + ".");
  }
  return scalar_value(ValueKind::clock, hooks->clock(definition, site.place()));
}

std::int64_t Evaluation::count_argument(const CallSite& site, std::size_t k, std::string_view name,
                                        std::int64_t otherwise, std::int64_t least) {
  const Expression* argument = site.argument(k, name);
  if (argument == nullptr) return otherwise;
  const Value value = constant(*argument, site.scope);
  const auto number = value.kind == ValueKind::integer && value.is_scalar()
                          ? scalars.number(value.scalar())
                          : std::nullopt;
  if (!number || *number < static_cast<double>(least))
    fail(argument->place, "M202",
         "'" + std::string(name) + "' must be an Integer of at least " + std::to_string(least) +
             ".");
  return static_cast<std::int64_t>(*number);
}

/// The operator on each scalar.
Value Evaluation::converted_clocks(const CallSite& site, Value value, const ClockedCall& call) {
  const bool is_value =
      value.has_scalars() || value.kind == ValueKind::record || value.kind == ValueKind::string;
  if (!is_value && value.kind != ValueKind::clock)
    fail(site.place(), "M202",
         "'" + site.function_name() + "' is for quantities that vary, but this is " +
             type_text(value) + ".");
  for (ExprId& id : value.scalars) {
    ClockedCall one = call;
    one.type = value.kind;
    one.argument = pool().is_condition(id) ? scalars.number_of_condition(id) : id;
    const ExprId symbol = hooks->clocked_call(one, site.place());
    id = value.kind == ValueKind::boolean ? scalars.condition_of_boolean(symbol) : symbol;
  }
  for (Text& text : value.texts) {
    if (text.is_constant()) continue;
    ClockedCall one = call;
    one.type = value.kind;
    one.argument = scalars.number_of_text(text);
    text = scalars.text_of(hooks->clocked_call(one, site.place()));
  }
  for (Value& field : value.fields) field = converted_clocks(site, std::move(field), call);
  return value;
}

Value Evaluation::clocked_sample(const CallSite& site) {
  ClockedCall call{.kind = ClockedCall::Kind::sample};
  if (site.n_arguments() == 2)
    call.clock = evaluate(*site.expression.operands[1], site.scope).scalar();
  return converted_clocks(site, evaluate(*site.expression.operands[0], site.scope), call);
}

Value Evaluation::hold(const CallSite& site) {
  site.require_count(1, 1);
  return converted_clocks(site, evaluate(*site.expression.operands[0], site.scope),
                          {.kind = ClockedCall::Kind::hold});
}

Value Evaluation::no_clock(const CallSite& site) {
  site.require_count(1, 1);
  return converted_clocks(site, evaluate(*site.expression.operands[0], site.scope),
                          {.kind = ClockedCall::Kind::no_clock});
}

Value Evaluation::sub_sample(const CallSite& site) {
  site.require_count(1, 2);
  return converted_clocks(
      site, evaluate(*site.expression.operands[0], site.scope),
      {.kind = ClockedCall::Kind::sub_sample, .factor = count_argument(site, 1, "factor", 0, 1)});
}

Value Evaluation::super_sample(const CallSite& site) {
  site.require_count(1, 2);
  return converted_clocks(
      site, evaluate(*site.expression.operands[0], site.scope),
      {.kind = ClockedCall::Kind::super_sample, .factor = count_argument(site, 1, "factor", 0, 1)});
}

Value Evaluation::shift_sample(const CallSite& site) {
  site.require_count(1, 3);
  return converted_clocks(site, evaluate(*site.expression.operands[0], site.scope),
                          {.kind = ClockedCall::Kind::shift_sample,
                           .shift = count_argument(site, 1, "shiftCounter", 0, 0),
                           .resolution = count_argument(site, 2, "resolution", 1, 1)});
}

Value Evaluation::back_sample(const CallSite& site) {
  site.require_count(1, 3);
  return converted_clocks(site, evaluate(*site.expression.operands[0], site.scope),
                          {.kind = ClockedCall::Kind::back_sample,
                           .shift = count_argument(site, 1, "backCounter", 0, 0),
                           .resolution = count_argument(site, 2, "resolution", 1, 1)});
}

void Evaluation::take_previous(Value& value, Place place) {
  for (ExprId& id : value.scalars) {
    const ExprId symbol = pool().is_condition(id) ? scalars.number_of_condition(id) : id;
    id = previous(id, place);
    if (pool().is_symbol(symbol) && !scalars.is_known(symbol)) hooks->note_previous(symbol, place);
  }
  for (Text& text : value.texts) {
    if (text.is_constant()) continue;
    hooks->note_previous(scalars.number_of_text(text), place);
    text = previous(text, place);
  }
  for (Value& field : value.fields) take_previous(field, place);
}

Value Evaluation::previous_value(const CallSite& site) {
  site.require_count(1, 1);
  Value value = raw_argument(site, 0);
  take_previous(value, site.place());
  return value;
}

/// Of the clock of the argument, or of the equation in which it stands.
Value Evaluation::of_ticks(const CallSite& site, ClockedCall call) {
  site.require_count(0, 1);
  if (site.n_arguments() == 1) {
    std::vector<ExprId> all;
    append_scalars(evaluate(*site.expression.operands[0], site.scope), all);
    if (all.empty())
      fail(site.place(), "M202",
           "'" + site.function_name() + "' needs a clocked quantity, and this has no values.");
    const ExprId id = all.front();
    call.argument = pool().is_condition(id) ? scalars.number_of_condition(id) : id;
  }
  return scalar_value(call.type, hooks->clocked_call(call, site.place()));
}

Value Evaluation::interval(const CallSite& site) {
  return of_ticks(site, {.kind = ClockedCall::Kind::interval, .type = ValueKind::real});
}

Value Evaluation::first_tick(const CallSite& site) {
  Value value = of_ticks(site, {.kind = ClockedCall::Kind::first_tick, .type = ValueKind::boolean});
  value.scalars[0] = scalars.condition_of_boolean(value.scalars[0]);
  return value;
}

}  // namespace alembert::modelica
