// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Loops whose number of rounds is known in the run only. One
// round is executed on symbols that stand for what the loop changes; condition and round become a
// loop of the pool, and what the loop leaves behind are calls of it.
#include <algorithm>

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

/// A loop of the text while it becomes one of the pool.
class UndecidedLoop {
 public:
  UndecidedLoop(Evaluation& evaluation, const Statement& statement, const Evaluation::Round& round,
                Execution& execution)
      : evaluation_(evaluation),
        scalars_(evaluation.scalars),
        pool_(evaluation.pool()),
        place_(statement.place),
        round_(round),
        execution_(execution),
        before_(evaluation.saved(execution)) {
    gather_assigned(statement.branches[0].body, names_);
    names_.push_back(Evaluation::failure_name());
    const std::string prefix = "loop " + std::to_string(++evaluation.n_loops_) + " state ";
    for (const ScalarPlace& place : places()) {
      LoopCell& cell = cells_.emplace_back();
      cell.is_boolean = place.is_boolean;
      cell.initial = place.id->valid()  ? *place.id
                     : place.is_boolean ? pool_.truth(false)
                                        : pool_.integer(0);
      cell.formal = pool_.parameter(prefix + std::to_string(cells_.size()));
    }
    stopped_ = {.initial = pool_.integer(0), .formal = pool_.parameter(prefix + "stopped")};
    returned_ = {.initial = pool_.integer(0), .formal = pool_.parameter(prefix + "returned")};
  }

  void run() {
    if (cells_.size() > most_cells)
      throw NeedsNumbers{place_, "a loop that ends at a point that is not known changes " +
                                     std::to_string(cells_.size()) + " numbers"};
    // What a round leaves as it is is not carried, so that more is known in the next attempt.
    while (!try_round()) {
    }
    stopped_.next =
        scalars_.number_of_condition(scalars_.either(execution_.broken, execution_.returned));
    returned_.next = scalars_.number_of_condition(execution_.returned);
    std::vector<LoopCell> all;
    for (const LoopCell& cell : cells_)
      if (cell.is_carried) all.push_back(cell);
    const bool may_stop = !pool_.is_zero(stopped_.next);
    if (may_stop) {
      condition_ = scalars_.both(
          condition_, scalars_.compare(Operator::equal, stopped_.formal, pool_.integer(0)));
      all.push_back(stopped_);
      all.push_back(returned_);
    }
    if (all.empty()) throw NeedsNumbers{place_, "a loop changes nothing that it ends by"};
    evaluation_.define_loop(all, condition_, place_);
    evaluation_.restore(execution_, before_);
    const auto at = places();
    std::size_t next = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i)
      *at[i].id = cells_[i].is_carried ? as_value(cells_[i], all[next++].final) : cells_[i].initial;
    execution_.broken = pool_.truth(false);
    if (may_stop) execution_.returned = scalars_.condition_of_boolean(all.back().final);
  }

 private:
  /// The scalars that the loop may change.
  std::vector<ScalarPlace> places() {
    std::vector<ScalarPlace> result;
    for (Local& local : execution_.locals.variables)
      if (std::find(names_.begin(), names_.end(), local.name) != names_.end())
        gather_places(local.value, result);
    if (round_.counter != nullptr) gather_places(*round_.counter, result);
    return result;
  }

  ExprId as_value(const LoopCell& cell, ExprId number) {
    return cell.is_boolean ? scalars_.condition_of_boolean(number) : number;
  }

  /// One round on symbols; true if it changes all that is carried.
  bool try_round() {
    evaluation_.restore(execution_, before_);
    auto at = places();
    for (std::size_t i = 0; i < cells_.size(); ++i)
      *at[i].id = cells_[i].is_carried ? as_value(cells_[i], cells_[i].formal) : cells_[i].initial;
    execution_.returned = execution_.broken = pool_.truth(false);
    const ForNow undecided(evaluation_.undecided_depth, evaluation_.undecided_depth + 1);
    condition_ = round_.condition();
    round_.body();
    at = places();
    bool is_alike = at.size() == cells_.size();
    for (std::size_t i = 0; i < before_.variables.size() && is_alike; ++i)
      is_alike = has_same_shape(before_.variables[i].value, execution_.locals.variables[i].value);
    if (!is_alike) throw NeedsNumbers{place_, "the size of a variable changes in a loop"};
    bool changes_all = true;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      LoopCell& cell = cells_[i];
      if (!cell.is_carried) continue;
      cell.next = at[i].id->valid() ? *at[i].id : cell.initial;
      if (cell.next == as_value(cell, cell.formal)) cell.is_carried = changes_all = false;
    }
    return changes_all;
  }

  Evaluation& evaluation_;
  Scalars& scalars_;
  symbolic::ExprPool& pool_;
  Place place_;
  const Evaluation::Round& round_;
  Execution& execution_;
  const ExecutionState before_;
  std::vector<Name> names_;  // of what its statements assign
  std::vector<LoopCell> cells_;
  LoopCell stopped_, returned_;
  ExprId condition_;
};

void Evaluation::run_undecided_loop(const Statement& statement, const Round& round,
                                    Execution& execution) {
  // In an algorithm section its conditions would have to make events.
  if (execution.function == nullptr)
    throw NeedsNumbers{statement.place, "the condition of a loop is not known"};
  UndecidedLoop(*this, statement, round, execution).run();
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
  run_undecided_loop(statement, {holds, run_round, &counter}, execution);
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
