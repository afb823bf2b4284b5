// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/flatten/connections.hpp"
#include "alembert/frontend/modelica/flatten/loops.hpp"
#include "alembert/frontend/modelica/syntax/mistakes.hpp"

namespace alembert::modelica {

using symbolic::Op;
using symbolic::SymbolKind;

namespace {

/// A quantity that varies between events and on which the value depends outside of conditions.
ExprId shown_all_the_time(const symbolic::ExprPool& pool, ExprId text) {
  std::vector<ExprId> open = {text};
  std::unordered_set<ExprId> seen;
  while (!open.empty()) {
    const ExprId id = open.back();
    open.pop_back();
    if (!seen.insert(id).second || pool.is_condition(id)) continue;
    if (pool.is_symbol(id)) {
      const auto& symbol = pool.symbol_of(id);
      const bool varies = symbol.kind == SymbolKind::unknown || symbol.kind == SymbolKind::time;
      if (varies && !symbol.previous_of.valid()) return id;
    }
    const Op op = pool.op(id);
    if (op == Op::floor || op == Op::ceil || op == Op::integer_part || op == Op::sign ||
        op == Op::div)
      continue;  // these change in steps
    for (const ExprId child : pool.children(id)) open.push_back(child);
  }
  return {};
}

}  // namespace

std::vector<ScalarEquation> Equations::of_section(const ScopedEquations& section) {
  guard_ = {};  // a mistake in another section may have left it
  in_when_ = in_clocked_when_ = false;
  std::vector<ScalarEquation> equations;
  Mistakes mistakes;
  for (const Equation* equation : section.item->equations) {
    mistakes.attempt([&] { read_one(*equation, {.scope = section.scope}, equations); });
    if (mistakes.empty()) continue;
    guard_ = {};
    in_when_ = in_clocked_when_ = false;
  }
  mistakes.report();
  return equations;
}

void Equations::read(List<const Equation*> equations, const EvaluationScope& scope,
                     std::vector<ScalarEquation>& out) {
  for (const Equation* equation : equations) read_one(*equation, scope, out);
}

void Equations::read_one(const Equation& equation, const EvaluationScope& scope,
                         std::vector<ScalarEquation>& out) {
  switch (equation.kind) {
    case EquationKind::equality: equality(equation, scope, out); return;
    case EquationKind::if_equation: if_equation(equation, scope, out); return;
    case EquationKind::for_equation: for_equation(equation, 0, scope, out); return;
    case EquationKind::when_equation: when_equation(equation, scope, out); return;
    case EquationKind::call:
      if (!is_connection_call(equation)) call(equation, scope);
      return;
    case EquationKind::connect: return;
  }
}

// ---- equalities ---------------------------------------------------------------------------------

void Equations::equality(const Equation& equation, const EvaluationScope& scope,
                         std::vector<ScalarEquation>& out) {
  Evaluator& evaluator = state_.evaluator;
  if (equation.left->kind != ExpressionKind::tuple) {
    Value left, right;
    Mistakes unknown;
    unknown.attempt_names([&] { left = evaluator.evaluate(*equation.left, scope); });
    unknown.attempt_names([&] { right = evaluator.evaluate(*equation.right, scope); });
    unknown.report();
    equate(left, right, equation.place, out);
    return;
  }
  const Value right = evaluator.evaluate(*equation.right, scope);
  const auto& targets = equation.left->operands;
  const std::size_t n_values = right.kind == ValueKind::tuple ? right.fields.size() : 1;
  if (targets.size() > n_values)
    fail(equation.place, "M312",
         fmt::format("{} values are wanted on the left, but the right side gives {}.",
                     targets.size(), n_values));
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] == nullptr) continue;
    const Value& value = right.kind == ValueKind::tuple ? right.fields[i] : right;
    if (std::ranges::any_of(value.scalars, [](flat::ExprId id) { return !id.valid(); }))
      fail(targets[i]->place, "M213",
           fmt::format("the call gives its output {} no value for these arguments.", i + 1));
    equate(evaluator.evaluate(*targets[i], scope), value, equation.place, out);
  }
}

void Equations::equate(const Value& left, const Value& right, Place place,
                       std::vector<ScalarEquation>& equations) {
  if (right.kind == ValueKind::tuple && left.kind != ValueKind::tuple && !right.fields.empty()) {
    equate(left, right.fields.front(), place, equations);  // further results are not asked for
    return;
  }
  const auto mismatch = [&] {
    fail(
        place, "M311",
        fmt::format("the two sides of this equation do not fit together: {} on the left, {} on the "
                    "right.",
                    type_text(left), type_text(right)));
  };
  if (left.kind == ValueKind::record || right.kind == ValueKind::record) {
    if (left.kind != right.kind || left.fields.size() != right.fields.size()) mismatch();
    for (std::size_t i = 0; i < left.fields.size(); ++i) {
      const Value* other = &right.fields[i];
      if (left.record && right.record && left.record != right.record)
        if (const Value* by_name = right.field(left.record->fields[i])) other = by_name;
      equate(left.fields[i], *other, place, equations);
    }
    return;
  }
  const bool are_texts = left.kind == ValueKind::string && right.kind == ValueKind::string;
  const bool are_clocks = left.kind == ValueKind::clock && right.kind == ValueKind::clock;
  if (!are_clocks && !are_texts && (!left.has_scalars() || !right.has_scalars())) mismatch();
  const bool left_boolean = left.kind == ValueKind::boolean;
  if (left_boolean != (right.kind == ValueKind::boolean)) mismatch();
  if (left.dims != right.dims) mismatch();
  const std::vector<ExprId> a = state_.evaluator.numeric_scalars(left);
  const std::vector<ExprId> b = state_.evaluator.numeric_scalars(right);
  const bool discrete = left.kind != ValueKind::real && right.kind != ValueKind::real;
  for (std::size_t i = 0; i < a.size(); ++i) {
    // Fields of records may be texts that are known on both sides.
    if (are_texts && left.texts[i].is_constant() && right.texts[i].is_constant()) continue;
    if (are_texts && !in_when_ && !in_clocked_when_ && !in_initial_)
      require_discrete_texts(a[i], b[i], place);
    equations.push_back({.left = a[i], .right = b[i], .discrete = discrete, .place = place});
  }
}

/// A String changes at events only, and so must what is shown in it.
void Equations::require_discrete_texts(ExprId left, ExprId right, Place place) {
  for (const ExprId side : {left, right})
    if (const ExprId shown = shown_all_the_time(state_.pool, side); shown.valid())
      fail(place, "M311",
           fmt::format("a String changes at events only, but this one would show '{}', which may "
                       "change at any time. Give it its value in a when-equation.",
                       state_.pool.symbol_text(shown)));
}

// ---- choices and loops --------------------------------------------------------------------------

ExprId Equations::not_(ExprId condition) { return state_.pool.apply(Op::logical_not, condition); }

ExprId Equations::guarded_by(ExprId guard, ExprId condition) {
  return guard.valid() ? state_.pool.apply(Op::logical_and, guard, condition) : condition;
}

Equations::Condition Equations::condition_of(const Expression& condition,
                                             const EvaluationScope& scope) {
  std::optional<Value> known = state_.evaluator.try_constant(condition, scope);
  const Value value = known ? std::move(*known) : state_.evaluator.evaluate(condition, scope);
  if (value.kind != ValueKind::boolean || !value.is_scalar())
    fail(condition.place, "M313",
         fmt::format("a condition must be Boolean, and this is {}.", type_text(value)));
  const ExprId scalar = value.scalar();
  if (state_.pool.op(scalar) == Op::truth)
    return {.is_known = true, .holds = state_.pool.truth_of(scalar), .expression = scalar};
  return {.expression = scalar};
}

void Equations::if_equation(const Equation& equation, const EvaluationScope& scope,
                            std::vector<ScalarEquation>& out) {
  std::vector<Branch> branches;
  const ExprId outer_guard = guard_;
  ExprId reached = guard_;  // no branch before was taken
  bool is_complete = false;
  for (const EquationBranch& branch : equation.branches) {
    Condition condition{.is_known = true, .holds = true};
    if (branch.condition != nullptr) condition = condition_of(*branch.condition, scope);
    if (condition.is_known && !condition.holds) continue;
    if (condition.is_known && branches.empty()) {
      read(branch.body, scope, out);
      return;
    }
    const ExprId chosen = condition.is_known ? ExprId{} : condition.expression;
    guard_ = chosen.valid() ? guarded_by(reached, chosen) : reached;
    branches.push_back({.condition = chosen, .equations = {}});
    read(branch.body, scope, branches.back().equations);
    guard_ = outer_guard;
    if (condition.is_known) {
      is_complete = true;
      break;
    }
    reached = guarded_by(reached, not_(condition.expression));
  }
  if (branches.empty()) return;
  if (!is_complete) branches.push_back({});
  merge(branches, equation, out);
}

void Equations::merge(std::vector<Branch>& branches, const Equation& equation,
                      std::vector<ScalarEquation>& out) {
  const std::size_t n = branches.front().equations.size();
  for (const Branch& branch : branches) {
    if (branch.equations.size() == n) continue;
    const bool lacks_else = &branch == &branches.back() && branch.equations.empty();
    fail(equation.place, "M314",
         fmt::format("the branches of this if-equation have different numbers of scalar equations: "
                     "{} and {}. {}",
                     n, branch.equations.size(),
                     lacks_else
                         ? "Its condition changes during a run, so write an else with as many."
                         : "Its condition changes during a run, so write as many in each."));
  }
  symbolic::ExprPool& pool = state_.pool;
  // Equations with the same left side belong together, wherever they stand in their branch.
  std::vector<std::vector<char>> used(branches.size());
  for (std::size_t k = 0; k < branches.size(); ++k) used[k].assign(n, 0);
  const auto partner = [&](std::size_t k, const ScalarEquation& wanted) {
    for (std::size_t i = 0; i < n; ++i) {
      ScalarEquation& candidate = branches[k].equations[i];
      if (used[k][i] || candidate.discrete != wanted.discrete) continue;
      if (candidate.discrete && candidate.right == wanted.left)
        std::swap(candidate.left, candidate.right);
      if (candidate.left == wanted.left) return i;
    }
    return n;
  };
  const auto combine = [&](const std::vector<std::size_t>& chosen) {
    const ScalarEquation& first = branches.front().equations[chosen[0]];
    bool same_left = true;
    for (std::size_t k = 0; k < branches.size(); ++k)
      same_left = same_left && branches[k].equations[chosen[k]].left == first.left;
    if (!same_left && first.discrete)
      fail(equation.place, "M314",
           "the branches of this if-equation determine different Boolean or Integer variables. "
           "Write an equation for the same ones in each branch.");
    ExprId value;
    for (std::size_t k = branches.size(); k-- > 0;) {
      const ScalarEquation& part = branches[k].equations[chosen[k]];
      const ExprId side = same_left ? part.right : pool.sub(part.left, part.right);
      value = value.valid() ? pool.if_then_else(branches[k].condition, side, value) : side;
    }
    out.push_back({.left = same_left ? first.left : value,
                   .right = same_left ? value : pool.integer(0),
                   .discrete = first.discrete,
                   .place = first.place});
  };
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::size_t> chosen = {i};
    for (std::size_t k = 1; k < branches.size() && chosen.back() < n; ++k)
      chosen.push_back(partner(k, branches[0].equations[i]));
    if (chosen.back() == n) {
      rest.push_back(i);
      continue;
    }
    for (std::size_t k = 0; k < branches.size(); ++k) used[k][chosen[k]] = 1;
    combine(chosen);
  }
  for (const std::size_t i : rest) {
    std::vector<std::size_t> chosen = {i};
    for (std::size_t k = 1; k < branches.size(); ++k) {
      std::size_t next = 0;
      while (next < n && (used[k][next] || branches[k].equations[next].discrete !=
                                               branches[0].equations[i].discrete))
        ++next;
      if (next == n)
        fail(equation.place, "M314",
             "the branches of this if-equation determine different kinds of variables. Write "
             "equations for the same ones in each branch.");
      used[k][next] = 1;
      chosen.push_back(next);
    }
    used[0][i] = 1;
    combine(chosen);
  }
}

void Equations::for_equation(const Equation& equation, std::size_t iterator,
                             const EvaluationScope& scope, std::vector<ScalarEquation>& out) {
  if (iterator == equation.iterators.size()) {
    read(equation.branches[0].body, scope, out);
    return;
  }
  const Iterator& loop = equation.iterators[iterator];
  Locals locals{.variables = {{.name = loop.name, .value = {}}}, .outer = scope.locals};
  for (Value& value : loop_values(state_, equation, loop, scope)) {
    locals.variables[0].value = std::move(value);
    for_equation(equation, iterator + 1, {.scope = scope.scope, .locals = &locals}, out);
  }
}

}  // namespace alembert::modelica
