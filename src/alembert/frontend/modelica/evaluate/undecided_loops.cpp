// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Loops whose number of rounds is known in the run only. One
// round is executed on symbols that stand for what the loop changes; condition and round become a
// loop of the pool, and what the loop leaves behind are calls of it.
#include <algorithm>
#include <cmath>

#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/function_body.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::modelica {

namespace {

constexpr std::size_t most_cells = 400;

void gather_assigned(List<const Statement*> statements, std::vector<Name>& names) {
  const auto add = [&](const Expression* target) {
    if (target != nullptr && target->reference != nullptr)
      names.push_back(target->reference->parts.front().name);
  };
  for (const Statement* statement : statements) {
    add(statement->target);
    for (const Expression* target : statement->targets) add(target);
    for (const StatementBranch& branch : statement->branches) gather_assigned(branch.body, names);
  }
}

struct ScalarPlace {
  ExprId* id;
  bool is_boolean;
};

void gather_places(Value& value, std::vector<ScalarPlace>& places) {
  for (ExprId& id : value.scalars) places.push_back({&id, value.kind == ValueKind::boolean});
  for (Value& field : value.fields) gather_places(field, places);
}

/// All but the scalars.
bool has_same_shape(const Value& a, const Value& b) {
  if (a.kind != b.kind || a.dims != b.dims || a.texts != b.texts || a.object != b.object ||
      a.function != b.function || a.fields.size() != b.fields.size())
    return false;
  for (std::size_t i = 0; i < a.fields.size(); ++i)
    if (!has_same_shape(a.fields[i], b.fields[i])) return false;
  return true;
}

}  // namespace

void Evaluation::run_undecided_loop(const Statement& statement, const Round& round,
                                    Execution& execution, const EvaluationScope& scope) {
  // In an algorithm section its conditions would have to make events.
  if (execution.function == nullptr)
    throw NeedsNumbers{statement.place, "the condition of a loop is not known"};
  const std::string prefix = "loop " + std::to_string(++n_loops_) + " state ";
  std::vector<Name> names;
  gather_assigned(statement.branches[0].body, names);
  names.push_back(failure_name());
  const auto is_changed = [&](const Local& local) {
    return std::find(names.begin(), names.end(), local.name) != names.end();
  };
  // The scalars that the loop may change.
  const auto places = [&] {
    std::vector<ScalarPlace> result;
    for (Local& local : execution.locals.variables)
      if (is_changed(local)) gather_places(local.value, result);
    if (round.counter != nullptr) gather_places(*round.counter, result);
    return result;
  };
  std::vector<LoopCell> cells;
  for (const ScalarPlace& place : places()) {
    LoopCell& cell = cells.emplace_back();
    cell.is_boolean = place.is_boolean;
    cell.initial = place.id->valid()  ? *place.id
                   : place.is_boolean ? pool().truth(false)
                                      : pool().integer(0);
    cell.formal = pool().parameter(prefix + std::to_string(cells.size()));
  }
  if (cells.size() > most_cells)
    throw NeedsNumbers{statement.place, "a loop that ends at a point that is not known changes " +
                                            std::to_string(cells.size()) + " numbers"};
  const ExecutionState before = saved(execution);
  std::vector<bool> carried(cells.size(), true);
  ExprId condition;
  LoopCell stopped{.initial = pool().integer(0), .formal = pool().parameter(prefix + "stopped")};
  LoopCell returned{.initial = pool().integer(0), .formal = pool().parameter(prefix + "returned")};
  const auto as_value = [&](const LoopCell& cell, ExprId number) {
    return cell.is_boolean ? scalars.condition_of_boolean(number) : number;
  };
  // What a round leaves as it is is not carried, so that more is known in the next attempt.
  for (bool is_settled = false; !is_settled;) {
    restore(execution, before);
    auto at = places();
    for (std::size_t i = 0; i < cells.size(); ++i)
      *at[i].id = carried[i] ? as_value(cells[i], cells[i].formal) : cells[i].initial;
    execution.returned = execution.broken = pool().truth(false);
    const Undecided undecided(*this);
    condition = round.condition();
    round.body();
    at = places();
    for (std::size_t i = 0; i < before.variables.size(); ++i)
      if (!has_same_shape(before.variables[i].value, execution.locals.variables[i].value))
        throw NeedsNumbers{statement.place, "the size of a variable changes in a loop"};
    if (at.size() != cells.size())
      throw NeedsNumbers{statement.place, "the size of a variable changes in a loop"};
    is_settled = true;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!carried[i]) continue;
      cells[i].next = at[i].id->valid() ? *at[i].id : cells[i].initial;
      if (cells[i].next != as_value(cells[i], cells[i].formal)) continue;
      carried[i] = is_settled = false;
    }
  }
  stopped.next = scalars.number_of_condition(scalars.either(execution.broken, execution.returned));
  returned.next = scalars.number_of_condition(execution.returned);
  std::vector<LoopCell> all;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (carried[i]) all.push_back(cells[i]);
  const bool may_stop = !pool().is_zero(stopped.next);
  if (may_stop) {
    condition = scalars.both(condition,
                             scalars.compare(Operator::equal, stopped.formal, pool().integer(0)));
    all.push_back(stopped);
    all.push_back(returned);
  }
  if (all.empty()) throw NeedsNumbers{statement.place, "a loop changes nothing that it ends by"};
  define_loop(all, condition, statement.place);
  restore(execution, before);
  const auto at = places();
  std::size_t next = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    *at[i].id = carried[i] ? as_value(cells[i], all[next].final) : cells[i].initial;
    next += carried[i] ? 1 : 0;
  }
  execution.broken = pool().truth(false);
  if (may_stop) execution.returned = scalars.condition_of_boolean(all.back().final);
}

/// Replaces what no round changes by arguments of the loop, as large pieces as there are.
void Evaluation::define_loop(std::vector<LoopCell>& cells, ExprId condition, Place place) {
  std::vector<ExprId> roots = {condition};
  for (LoopCell& cell : cells) {
    if (cell.is_boolean) {
      cell.initial = scalars.number_of_condition(cell.initial);
      cell.next = scalars.number_of_condition(cell.next);
    }
    roots.push_back(cell.next);
  }
  std::unordered_set<ExprId> formals;
  for (const LoopCell& cell : cells) formals.insert(cell.formal);
  symbolic::Loop loop;
  std::vector<ExprId> arguments;
  for (const LoopCell& cell : cells) {
    loop.state.push_back(cell.formal);
    arguments.push_back(cell.initial);
  }
  symbolic::Replacements replacements;
  const auto make_argument = [&](ExprId id) {
    if (scalars.is_known(id) || replacements.contains(id)) return;
    const bool is_condition = pool().is_condition(id);
    loop.fixed.push_back(pool().parameter("loop " + std::to_string(n_loops_) + " fixed " +
                                          std::to_string(loop.fixed.size() + 1)));
    arguments.push_back(is_condition ? scalars.number_of_condition(id) : id);
    replacements.emplace(
        id, is_condition ? scalars.condition_of_boolean(loop.fixed.back()) : loop.fixed.back());
  };
  const symbolic::Reach reach(pool(), roots);
  std::vector<bool> varies(reach.size(), false);
  for (std::uint32_t i = 0; i < reach.size(); ++i) {
    const auto children = pool().children(reach.nodes()[i]);
    varies[i] = formals.contains(reach.nodes()[i]) ||
                std::any_of(children.begin(), children.end(),
                            [&](ExprId child) { return varies[reach.index_of(child)]; });
  }
  std::vector<ExprId> fixed;
  for (std::uint32_t i = 0; i < reach.size(); ++i)
    if (varies[i])
      for (const ExprId child : pool().children(reach.nodes()[i]))
        if (!varies[reach.index_of(child)]) fixed.push_back(child);
  for (const ExprId root : roots)
    if (!varies[reach.index_of(root)]) fixed.push_back(root);
  for (const ExprId id : fixed) make_argument(id);
  if (arguments.size() > most_cells)
    throw NeedsNumbers{place, "a loop that ends at a point that is not known has " +
                                  std::to_string(arguments.size()) + " numbers in it"};
  const auto replaced = symbolic::substitute(pool(), roots, replacements);
  loop.condition = replaced.front();
  loop.next.assign(replaced.begin() + 1, replaced.end());
  const auto functions = symbolic::define_loop(
      pool(), symbolic::free_function_name(pool(), "loop#" + std::to_string(n_loops_)), loop);
  for (std::size_t i = 0; i < cells.size(); ++i)
    cells[i].final = pool().call(functions[i], arguments);
}

void Evaluation::run_counted_loop(const Statement& statement, const Value& first, double step,
                                  ExprId last, Execution& execution, const EvaluationScope& scope) {
  Locals locals;
  locals.outer = scope.locals;
  locals.variables.push_back({statement.iterators[0].name, first});
  const EvaluationScope inside{scope.scope, &locals};
  Value& counter = locals.variables[0].value;
  const auto holds = [&] {
    return step > 0 ? scalars.compare(Operator::less_equal, counter.scalar(), last)
                    : scalars.compare(Operator::greater_equal, counter.scalar(), last);
  };
  const auto run_round = [&] {
    run(statement.branches[0].body, execution, inside);
    counter.scalars[0] = pool().add(counter.scalars[0], pool().real(step));
  };
  run_undecided_loop(statement, {holds, run_round, &counter}, execution, inside);
}

/// for i in first:step:last with ends that are not known; false for other ranges.
bool Evaluation::run_undecided_range(const Statement& statement, Execution& execution,
                                     const EvaluationScope& scope) {
  const Expression& range = *statement.iterators[0].range;
  if (statement.iterators.size() > 1 || range.kind != ExpressionKind::range) return false;
  const Value first = evaluate(*range.operands.front(), scope);
  const Value last = evaluate(*range.operands.back(), scope);
  const auto step = range.operands.size() == 2
                        ? std::optional(1.0)
                        : scalars.number(evaluate(*range.operands[1], scope).scalar());
  if (!step || *step == 0 || first.kind != ValueKind::integer || last.kind != ValueKind::integer ||
      !first.is_scalar() || !last.is_scalar())
    return false;
  run_counted_loop(statement, first, *step, last.scalar(), execution, scope);
  return true;
}

/// The same for a known range, part of whose rounds may not be run; false where it is short or no
/// range of whole numbers, and where conditions in it make events.
bool Evaluation::run_interrupted_range(const Statement& statement, const Value& range,
                                       Execution& execution, const EvaluationScope& scope) {
  constexpr std::int64_t short_range = 8;
  if (execution.function == nullptr || !quiet_) return false;
  if (statement.iterators.size() > 1 || range.dims[0] <= short_range ||
      range.kind != ValueKind::integer)
    return false;
  std::vector<double> numbers;
  for (const ExprId id : range.scalars) {
    const auto number = scalars.number(id);
    if (!number) return false;
    numbers.push_back(*number);
  }
  const double step = numbers[1] - numbers[0];
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (step == 0 || numbers[i] - numbers[i - 1] != step) return false;
  const std::int64_t begin[] = {0};
  run_counted_loop(statement, element(range, begin), step, range.scalars.back(), execution, scope);
  return true;
}

}  // namespace alembert::modelica
