// SPDX-License-Identifier: Apache-2.0
// when-equations: each variable they assign gets one equation,
//   v = if edge(w1) then e1 elseif edge(w2) then e2 else pre(v).
#include <fmt/format.h>

#include <utility>

#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/flatten/equations.hpp"
#include "alembert/frontend/modelica/flatten/loops.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::modelica {

using symbolic::Op;
using symbolic::SymbolKind;

void Equations::Assigned::set(ExprId symbol, ExprId value, Place place) {
  const auto [entry, is_new] = index.try_emplace(symbol, values.size());
  if (!is_new) {
    values[entry->second].second = value;
    return;
  }
  values.push_back({symbol, value});
  places.push_back(place);
}

ExprId Equations::Assigned::find(ExprId symbol) const {
  const auto found = index.find(symbol);
  return found == index.end() ? ExprId{} : values[found->second].second;
}

void Equations::when_equation(const Equation& equation, const EvaluationScope& scope,
                              std::vector<ScalarEquation>& out) {
  if (guard_.valid())
    fail(equation.place, "M318",
         "a when-equation cannot stand in another one, nor in an if-equation whose condition "
         "changes. Join the conditions with 'and'.");
  if (const auto clock = clock_of_when(equation, scope)) {
    clocked_when(equation, *clock, scope, out);
    return;
  }
  symbolic::ExprPool& pool = state_.pool;
  std::vector<ExprId> edges;
  std::vector<Assigned> assigned;
  ExprId none_before;
  in_when_ = true;
  when_ = equation.place;
  for (const EquationBranch& branch : equation.branches) {
    edges.push_back(when_condition(*branch.condition, scope));
    guard_ = guarded_by(none_before, edges.back());
    assigned.emplace_back();
    read_when(branch.body, scope, assigned.back());
    none_before = guarded_by(none_before, not_(edges.back()));
  }
  guard_ = {};
  in_when_ = false;
  Assigned all;  // who is assigned at all, in order
  for (const Assigned& part : assigned)
    for (std::size_t i = 0; i < part.values.size(); ++i)
      all.set(part.values[i].first, {}, part.places[i]);
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    const ExprId symbol = all.values[i].first;
    const ExprId before = pool.previous_symbol(symbol);
    ExprId value = before;
    for (std::size_t k = edges.size(); k-- > 0;) {
      const ExprId given = assigned[k].find(symbol);
      value = pool.if_then_else(edges[k], given.valid() ? given : before, value);
    }
    out.push_back({.left = symbol, .right = value, .discrete = true, .place = all.places[i]});
  }
}

/// The symbol of the clock, where the condition is one.
std::optional<ExprId> Equations::clock_of_when(const Equation& equation,
                                               const EvaluationScope& scope) {
  const Expression& condition = *equation.branches[0].condition;
  const bool may_be =
      condition.kind == ExpressionKind::call || condition.kind == ExpressionKind::reference;
  if (!may_be) return std::nullopt;
  const Value value = state_.evaluator.evaluate(condition, scope);
  if (value.kind != ValueKind::clock) return std::nullopt;
  if (!value.is_scalar())
    fail(condition.place, "M313", "a when-equation has one clock, and these are several.");
  if (equation.branches.size() > 1)
    fail(equation.place, "M318",
         "a when-equation with a clock has no elsewhen. Use if-equations inside.");
  return value.scalar();
}

/// Equations of any form, all of one clock.
void Equations::clocked_when(const Equation& equation, ExprId clock, const EvaluationScope& scope,
                             std::vector<ScalarEquation>& out) {
  const std::size_t first = out.size();
  in_clocked_when_ = true;
  read(equation.branches[0].body, scope, out);
  in_clocked_when_ = false;
  for (ScalarEquation& performed : std::exchange(performed_at_ticks_, {}))
    out.push_back(std::move(performed));
  for (std::size_t i = first; i < out.size(); ++i) out[i].clock = clock;
}

ExprId Equations::when_condition(const Expression& condition, const EvaluationScope& scope) {
  const Value value = state_.evaluator.evaluate(condition, scope);
  if (value.kind != ValueKind::boolean || value.dims.size() > 1)
    fail(condition.place, "M313",
         fmt::format("the condition of a when-equation must be a Boolean or a vector of them, and "
                     "this is {}.",
                     type_text(value)));
  ExprId any = state_.pool.truth(false);
  for (const ExprId scalar : value.scalars)
    any = state_.pool.apply(Op::logical_or, any, events_.edge(scalar, condition.place));
  return any;
}

void Equations::read_when(List<const Equation*> body, const EvaluationScope& scope,
                          Assigned& assigned) {
  for (const Equation* equation : body) {
    switch (equation->kind) {
      case EquationKind::equality: when_equality(*equation, scope, assigned); break;
      case EquationKind::if_equation: when_if(*equation, scope, assigned); break;
      case EquationKind::for_equation: when_for(*equation, 0, scope, assigned); break;
      case EquationKind::call: call(*equation, scope); break;
      case EquationKind::when_equation:
        fail(equation->place, "M318",
             "when-equations cannot be nested. Join the conditions with 'and', or use elsewhen.");
      case EquationKind::connect:
        fail(equation->place, "M305",
             "connect cannot stand in a when-equation: what is connected does not change during a "
             "run. Move it out.");
    }
  }
}

/// A when changes variables of its own model: those of a part have their equations there
/// (specification, 4.4.4).
void Equations::require_own_target(const Expression& target, const EvaluationScope& scope) {
  if (target.kind == ExpressionKind::tuple) {
    for (const Expression* part : target.operands)
      if (part != nullptr) require_own_target(*part, scope);
    return;
  }
  if (target.kind != ExpressionKind::reference || target.reference->parts.size() < 2) return;
  const auto parts = target.reference->parts;
  const Denotation first = state_.tree.try_lookup(*scope.scope, *target.reference);
  if (first.kind != DenotationKind::component) return;
  const Restriction kind = first.instance->restriction();
  const Component* declared = first.instance->component();
  if ((kind != Restriction::model && kind != Restriction::block) ||
      (declared != nullptr && declared->prefix.outer))
    return;
  fail(
      target.place, "M319",
      fmt::format("'{}' belongs to the component '{}', and a when-equation changes variables of "
                  "its own model only. Write the 'when' there, or change a variable of this model.",
                  target.place.text(), parts[0].name.text()));
}

namespace {

/// Where `wanted` is read as it is now, not inside of pre, edge and the like.
void places_of_present_value(const Expression& expression, std::string_view wanted,
                             std::vector<Place>& places) {
  if (expression.kind == ExpressionKind::reference) {
    if (expression.place.text() == wanted) places.push_back(expression.place);
    return;
  }
  if (expression.kind == ExpressionKind::call && expression.reference != nullptr &&
      expression.reference->parts.size() == 1) {
    const Name called = expression.reference->parts.front().name;
    if (called == "pre" || called == "edge" || called == "change" || called == "previous") return;
  }
  for (const Expression* operand : expression.operands)
    if (operand != nullptr) places_of_present_value(*operand, wanted, places);
  for (const NamedArgument& argument : expression.named)
    if (argument.value != nullptr) places_of_present_value(*argument.value, wanted, places);
}

/// "n = pre(n) + 1" of n = n + 1; empty where the variable is not written there by its name.
std::string with_pre(const Equation& equation) {
  const std::string variable(equation.left->place.text());
  std::vector<Place> places;
  places_of_present_value(*equation.right, variable, places);
  if (places.empty()) return {};
  std::string text(equation.right->place.text());
  for (std::size_t i = places.size(); i-- > 0;)
    text.replace(places[i].offset - equation.right->place.offset, places[i].length,
                 "pre(" + variable + ")");
  return variable + " = " + text;
}

}  // namespace

/// With n = n + 1 the new value would be larger than itself; what is meant is the value before.
void Equations::require_not_from_itself(const Equation& equation, const ScalarEquation& scalar) {
  if (!symbolic::depends_on(state_.pool, scalar.right, scalar.left)) return;
  const std::string cure = with_pre(equation);
  const std::string variable = state_.pool.symbol_text(scalar.left);
  fail(equation.place, "M319",
       fmt::format(
           "this equation computes the new value of '{}' from that new value itself. {}", variable,
           cure.empty() ? fmt::format("The value before the event is pre({}).", variable)
                        : fmt::format("With the value before the event, write '{}'.", cure)));
}

void Equations::when_equality(const Equation& equation, const EvaluationScope& scope,
                              Assigned& assigned) {
  std::vector<ScalarEquation> equations;
  equality(equation, scope, equations);
  require_own_target(*equation.left, scope);
  const symbolic::ExprPool& pool = state_.pool;
  for (const ScalarEquation& scalar : equations) {
    const bool is_variable = pool.is_symbol(scalar.left) &&
                             pool.symbol_of(scalar.left).kind == SymbolKind::discrete &&
                             !pool.symbol_of(scalar.left).previous_of.valid();
    if (!is_variable)
      fail(equation.place, "M319",
           "an equation in a when-equation must have the form 'variable = expression', so that it "
           "is clear which variable it changes.");
    require_not_from_itself(equation, scalar);
    assigned.set(scalar.left, scalar.right, scalar.place);
  }
}

void Equations::when_if(const Equation& equation, const EvaluationScope& scope,
                        Assigned& assigned) {
  const ExprId outer_guard = guard_;
  ExprId reached = guard_;
  std::vector<ExprId> conditions;
  std::vector<Assigned> parts;
  for (const EquationBranch& branch : equation.branches) {
    Condition condition{.is_known = true, .holds = true};
    if (branch.condition != nullptr) condition = condition_of(*branch.condition, scope);
    if (condition.is_known && !condition.holds) continue;
    conditions.push_back(condition.is_known ? state_.pool.truth(true) : condition.expression);
    guard_ = guarded_by(reached, conditions.back());
    parts.push_back(assigned);
    read_when(branch.body, scope, parts.back());
    guard_ = outer_guard;
    if (condition.is_known) break;
    reached = guarded_by(reached, not_(condition.expression));
  }
  Assigned all;
  for (const Assigned& part : parts)
    for (std::size_t i = 0; i < part.values.size(); ++i)
      all.set(part.values[i].first, {}, part.places[i]);
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    const ExprId symbol = all.values[i].first;
    const ExprId known = assigned.find(symbol);
    const ExprId before = known.valid() ? known : state_.pool.previous_symbol(symbol);
    ExprId value = before;
    for (std::size_t k = parts.size(); k-- > 0;) {
      const ExprId given = parts[k].find(symbol);
      value = state_.pool.if_then_else(conditions[k], given.valid() ? given : before, value);
    }
    assigned.set(symbol, value, all.places[i]);
  }
}

void Equations::when_for(const Equation& equation, std::size_t iterator,
                         const EvaluationScope& scope, Assigned& assigned) {
  if (iterator == equation.iterators.size()) {
    read_when(equation.branches[0].body, scope, assigned);
    return;
  }
  const Iterator& loop = equation.iterators[iterator];
  Locals locals{.variables = {{.name = loop.name, .value = {}}}, .outer = scope.locals};
  for (Value& value : loop_values(state_, equation, loop, scope)) {
    locals.variables[0].value = std::move(value);
    when_for(equation, iterator + 1, {.scope = scope.scope, .locals = &locals}, assigned);
  }
}

}  // namespace alembert::modelica
