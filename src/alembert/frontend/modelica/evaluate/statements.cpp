// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Statements executed on expressions. Where a condition is
// known one branch runs; where not, all of them run, each on the state before, and what they leave
// behind is merged by choices. `return` and `break` under such a condition go on as conditions:
// what follows runs as well and counts only where they were not met.
#include <algorithm>
#include <bit>

#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/operators.hpp"

namespace alembert::modelica {

namespace {

constexpr std::uint64_t max_steps = 20'000'000;
/// So many elements of an array, at most, are chosen from by conditions in one assignment.
constexpr std::size_t max_undecided = 20000;

/// All of them, the first one last, as a search takes them.
void gather_expressions(List<const Statement*> statements, std::vector<const Expression*>& found) {
  for (std::size_t i = statements.size(); i-- > 0;) {
    const Statement& statement = *statements[i];
    for (std::size_t k = statement.branches.size(); k-- > 0;) {
      gather_expressions(statement.branches[k].body, found);
      if (statement.branches[k].condition != nullptr)
        found.push_back(statement.branches[k].condition);
    }
    for (const Iterator& inner : statement.iterators)
      if (inner.range != nullptr) found.push_back(inner.range);
    if (statement.value != nullptr) found.push_back(statement.value);
    for (const Expression* target : statement.targets)
      if (target != nullptr) found.push_back(target);
    if (statement.target != nullptr) found.push_back(statement.target);
  }
}

}  // namespace

void Evaluation::count_step(Place place) {
  if (++steps_ > max_steps)
    fail(place, "M210",
         "more than " + std::to_string(max_steps) +
             " statements were executed before the run: is there a loop without end?");
}

ExecutionState Evaluation::saved(const Execution& execution) const {
  return {execution.locals.variables, execution.assigned, execution.returned, execution.broken};
}

void Evaluation::restore(Execution& execution, ExecutionState state) const {
  execution.locals.variables = std::move(state.variables);
  execution.assigned = std::move(state.assigned);
  execution.returned = state.returned;
  execution.broken = state.broken;
}

Value Evaluation::merged(ExprId condition, const Value& a, const Value& b, Place place) {
  if (a.kind != b.kind || a.dims != b.dims || a.fields.size() != b.fields.size())
    throw NeedsNumbers{place, "the type or size of a variable depends on a condition"};
  if (a.object != b.object || a.function != b.function)
    throw NeedsNumbers{place, "an object depends on a condition"};
  Value result = a;
  for (std::size_t i = 0; i < a.scalars.size(); ++i) {
    if (!a.scalars[i].valid())
      result.scalars[i] = b.scalars[i];
    else if (b.scalars[i].valid())
      result.scalars[i] = scalars.choice(condition, a.scalars[i], b.scalars[i]);
  }
  for (std::size_t i = 0; i < a.texts.size(); ++i)
    result.texts[i] = chosen_text(scalars, condition, a.texts[i], b.texts[i]);
  for (std::size_t f = 0; f < a.fields.size(); ++f)
    result.fields[f] = merged(condition, a.fields[f], b.fields[f], place);
  return result;
}

void Evaluation::merge(ExprId condition, const ExecutionState& if_true, Execution& otherwise,
                       Place place) {
  for (std::size_t i = 0; i < otherwise.locals.variables.size(); ++i)
    otherwise.locals.variables[i].value =
        merged(condition, if_true.variables[i].value, otherwise.locals.variables[i].value, place);
  for (const auto& [symbol, value] : if_true.assigned) {
    const auto found = otherwise.assigned.find(symbol);
    const ExprId other =
        found != otherwise.assigned.end()
            ? found->second
            : start_of_algorithm(symbol,
                                 pool().is_condition(value) ? ValueKind::boolean : ValueKind::real);
    otherwise.assigned[symbol] = scalars.choice(condition, value, other);
  }
  for (auto& [symbol, value] : otherwise.assigned) {
    if (if_true.assigned.contains(symbol)) continue;
    const ExprId before = start_of_algorithm(
        symbol, pool().is_condition(value) ? ValueKind::boolean : ValueKind::real);
    value = scalars.choice(condition, before, value);
  }
  otherwise.returned = scalars.choice(condition, if_true.returned, otherwise.returned);
  otherwise.broken = scalars.choice(condition, if_true.broken, otherwise.broken);
}

/// What a variable of a model is at the start of the algorithm that assigns it.
ExprId Evaluation::start_of_algorithm(ExprId symbol, ValueKind kind) {
  const auto as_kind = [&](ExprId number) {
    return kind == ValueKind::boolean ? scalars.condition_of_boolean(number) : number;
  };
  if (pool().symbol_of(symbol).kind == symbolic::SymbolKind::discrete)
    return as_kind(pool().previous_symbol(symbol));
  const auto owner = variable_symbols_.find(symbol);
  if (owner == variable_symbols_.end()) return as_kind(pool().integer(0));
  Instance& variable = *owner->second.parameter;
  const Binding* start = variable.attribute("start");
  if (start == nullptr) return as_kind(pool().integer(0));
  const Value value = binding_value(*start);
  return value.scalars[value.is_scalar() ? 0 : owner->second.position];
}

void Evaluation::run(List<const Statement*> statements, Execution& execution,
                     const EvaluationScope& scope) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const ExprId stopped = scalars.either(execution.returned, execution.broken);
    const auto known = scalars.truth(stopped);
    if (known && *known) return;
    if (!known) {
      const ExecutionState before = saved(execution);
      const ExprId path = execution.path;
      execution.returned = pool().truth(false);
      execution.broken = pool().truth(false);
      execution.path = scalars.both(path, scalars.negation(stopped));
      const ForNow rest(undecided_depth, undecided_depth + 1);
      run(statements.subspan(i), execution, scope);
      execution.path = path;
      merge(stopped, before, execution, statements[i]->place);
      return;
    }
    run_statement(*statements[i], execution, scope);
  }
}

void Evaluation::run_statement(const Statement& statement, Execution& execution,
                               const EvaluationScope& scope) {
  count_step(statement.place);
  switch (statement.kind) {
    case StatementKind::assignment:
      assign_target(*statement.target, evaluate(*statement.value, scope), execution, scope,
                    statement.place);
      return;
    case StatementKind::tuple_assignment: {
      Value outputs = statement.value->kind == ExpressionKind::call
                          ? call_outputs(*statement.value, scope)
                          : evaluate(*statement.value, scope);
      if (outputs.kind != ValueKind::tuple) {
        Value tuple;
        tuple.kind = ValueKind::tuple;
        tuple.fields.push_back(std::move(outputs));
        outputs = std::move(tuple);
      }
      if (statement.targets.size() > outputs.fields.size())
        fail(statement.place, "M204",
             "there are " + std::to_string(statement.targets.size()) + " variables for " +
                 std::to_string(outputs.fields.size()) + " outputs.");
      for (std::size_t i = 0; i < statement.targets.size(); ++i) {
        if (statement.targets[i] == nullptr) continue;
        if (std::ranges::any_of(outputs.fields[i].scalars, [](ExprId id) { return !id.valid(); }))
          fail(statement.targets[i]->place, "M213",
               "the call gives its output " + std::to_string(i + 1) +
                   " no value for these arguments.");
        assign_target(*statement.targets[i], std::move(outputs.fields[i]), execution, scope,
                      statement.place);
      }
      return;
    }
    case StatementKind::call: run_call(statement, execution, scope); return;
    case StatementKind::if_statement: run_if(statement, execution, scope); return;
    case StatementKind::for_statement: run_for(statement, 0, execution, scope); return;
    case StatementKind::while_statement: run_while(statement, execution, scope); return;
    case StatementKind::when_statement: run_when(statement, execution, scope); return;
    case StatementKind::break_statement: execution.broken = pool().truth(true); return;
    case StatementKind::return_statement: execution.returned = pool().truth(true); return;
  }
}

void Evaluation::run_if(const Statement& statement, Execution& execution,
                        const EvaluationScope& scope) {
  std::vector<std::pair<ExprId, List<const Statement*>>> undecided;
  List<const Statement*> otherwise;
  for (const StatementBranch& branch : statement.branches) {
    if (branch.condition == nullptr) {
      otherwise = branch.body;
      break;
    }
    const ExprId holds = decided(condition(*branch.condition, scope));
    const auto known = scalars.truth(holds);
    if (known && !*known) continue;
    if (known) {
      otherwise = branch.body;
      break;
    }
    undecided.emplace_back(holds, branch.body);
  }
  run_branches(std::move(undecided), otherwise, execution, scope, statement.place);
}

void Evaluation::run_branches(std::vector<std::pair<ExprId, List<const Statement*>>> branches,
                              List<const Statement*> otherwise, Execution& execution,
                              const EvaluationScope& scope, Place place) {
  const ExprId path = execution.path;
  std::optional<ForNow<int>> undecided;
  if (!branches.empty()) undecided.emplace(undecided_depth, undecided_depth + 1);
  std::vector<ExecutionState> results;
  for (const auto& [holds, body] : branches) {
    const ExecutionState before = saved(execution);
    const ExprId path_here = execution.path;
    execution.path = scalars.both(path_here, holds);
    run(body, execution, scope);
    results.push_back(saved(execution));
    restore(execution, before);
    execution.path = scalars.both(path_here, scalars.negation(holds));
  }
  run(otherwise, execution, scope);
  for (std::size_t i = branches.size(); i-- > 0;)
    merge(branches[i].first, results[i], execution, place);
  execution.path = path;
}

void Evaluation::run_for(const Statement& statement, std::size_t iterator, Execution& execution,
                         const EvaluationScope& scope) {
  if (iterator == statement.iterators.size()) {
    run(statement.branches[0].body, execution, scope);
    return;
  }
  const Iterator& loop = statement.iterators[iterator];
  Value range;
  try {
    const ForNow guard(constants_only, true);
    if (loop.range == nullptr) {
      std::vector<const Expression*> body;
      gather_expressions(statement.branches[0].body, body);
      range = deduced_range(loop, std::move(body), scope);
    } else {
      range = evaluate(*loop.range, scope);
    }
  } catch (const Error& error) {
    if (error.code() != "M201" || execution.function == nullptr) throw;
    if (iterator == 0 && run_undecided_range(statement, execution, scope)) return;
    throw NeedsNumbers{loop.place, "the range of a loop is not known"};
  }
  if (range.dims.size() != 1)
    fail(loop.range->place, "M202",
         "a loop runs over a vector, but this is " + type_text(range) + ".");
  Locals locals;
  locals.outer = scope.locals;
  locals.variables.push_back({loop.name, {}});
  const ExecutionState before = saved(execution);
  for (std::int64_t i = 0; i < range.dims[0]; ++i) {
    const std::int64_t index[] = {i};
    locals.variables[0].value = element(range, index);
    run_for(statement, iterator + 1, execution, {scope.scope, &locals});
    const auto broken = scalars.truth(execution.broken);
    const auto returned = scalars.truth(execution.returned);
    if ((broken && *broken) || (returned && *returned)) break;
    if (broken && returned) continue;
    ExecutionState so_far = saved(execution);
    restore(execution, before);
    if (run_interrupted_range(statement, range, execution, scope)) return;
    restore(execution, std::move(so_far));
    run_remaining(statement, range, i + 1, execution, scope, locals);
    break;
  }
  if (iterator == 0) execution.broken = pool().truth(false);
}

/// The rounds after one that may have ended the loop.
void Evaluation::run_remaining(const Statement& statement, const Value& range, std::int64_t next,
                               Execution& execution, const EvaluationScope& scope, Locals& locals) {
  if (statement.iterators.size() > 1)
    throw NeedsNumbers{statement.place, "a nested loop ends at a point that is not known"};
  for (std::int64_t i = next; i < range.dims[0]; ++i) {
    const ExprId stopped = scalars.either(execution.returned, execution.broken);
    if (const auto known = scalars.truth(stopped); known && *known) return;
    const ExecutionState before = saved(execution);
    const ExprId path = execution.path;
    execution.returned = pool().truth(false);
    execution.broken = pool().truth(false);
    execution.path = scalars.both(path, scalars.negation(stopped));
    const std::int64_t index[] = {i};
    locals.variables[0].value = element(range, index);
    run(statement.branches[0].body, execution, {scope.scope, &locals});
    execution.path = path;
    merge(stopped, before, execution, statement.place);
  }
}

namespace {

/// Rounds before it is looked at whether a loop repeats itself: most end sooner.
constexpr std::uint64_t rounds_unwatched = 1000;

/// All that scalars do not tell of a value stays the same.
bool is_told_by_scalars(const Value& value) {
  return value.texts.empty() && value.object == nullptr && value.function == nullptr &&
         std::ranges::all_of(value.fields, is_told_by_scalars);
}

/// Tells of a loop whether all variables are what they were before, so that it never ends. Of the
/// states seen the last whose number is a power of two is kept (Brent's way to find a cycle).
class RepetitionWatch {
 public:
  bool repeats(const Execution& execution) {
    if (++round_ < rounds_unwatched) return false;
    now_.clear();
    for (const Local& local : execution.locals.variables) {
      if (!is_told_by_scalars(local.value)) return false;
      append_scalars(local.value, now_);
    }
    for (const auto& [symbol, value] : execution.assigned) now_.push_back(value);
    if (now_ == seen_) return true;
    if (std::has_single_bit(round_) || seen_.empty()) seen_ = now_;
    return false;
  }

 private:
  std::uint64_t round_ = 0;
  std::vector<ExprId> now_, seen_;
};

}  // namespace

void Evaluation::run_while(const Statement& statement, Execution& execution,
                           const EvaluationScope& scope) {
  const StatementBranch& branch = statement.branches[0];
  const ExecutionState before = saved(execution);
  const auto holds = [&] { return decided(condition(*branch.condition, scope)); };
  const auto run_round = [&] { run(branch.body, execution, scope); };
  RepetitionWatch watch;
  while (true) {
    count_step(statement.place);
    const auto goes_on = scalars.truth(holds());
    if (goes_on && !*goes_on) break;
    if (goes_on) run_round();
    const auto broken = scalars.truth(execution.broken);
    const auto returned = scalars.truth(execution.returned);
    if (!goes_on || !broken || !returned) {
      restore(execution, before);
      run_undecided_loop(statement, {holds, run_round}, execution);
      return;
    }
    if (*broken || *returned) break;
    if (watch.repeats(execution))
      fail(statement.place, "M210",
           "this loop does not end: after a round its variables are what they were before it. Let "
           "something that its condition depends on change.");
  }
  execution.broken = pool().truth(false);
}

void Evaluation::run_when(const Statement& statement, Execution& execution,
                          const EvaluationScope& scope) {
  if (execution.function != nullptr)
    fail(statement.place, "M202", "a function has no 'when': it knows no time.");
  std::vector<std::pair<ExprId, List<const Statement*>>> branches;
  for (const StatementBranch& branch : statement.branches) {
    const Value value = evaluate(*branch.condition, scope);
    if (value.kind != ValueKind::boolean || value.dims.size() > 1)
      fail(branch.condition->place, "M202",
           "the condition of 'when' must be a Boolean or a vector of them, but this is " +
               type_text(value) + ".");
    ExprId holds = pool().truth(false);
    for (const ExprId id : value.scalars)
      holds = scalars.either(holds, hooks->edge(id, branch.condition->place));
    branches.emplace_back(holds, branch.body);
  }
  const ForNow inside(when_depth_, when_depth_ + 1);
  run_branches(std::move(branches), {}, execution, scope, statement.place);
}

void Evaluation::run_call(const Statement& statement, Execution& execution,
                          const EvaluationScope& scope) {
  const Expression& call = *statement.value;
  const ComponentReference& callee = *call.reference;
  const auto is = [&](std::string_view name) {
    return callee.parts.size() == 1 && callee.parts[0].name == name;
  };
  if (is("assert")) {
    check_assertion(call, execution, scope);
  } else if (is("terminate")) {
    if (execution.function != nullptr) return;
    const Value message = evaluate(*call.operands[0], scope);
    hooks->termination(execution.path, message.texts.front(), call.place);
  } else if (is("reinit")) {
    if (call.operands.size() != 2) fail(call.place, "M204", "'reinit' takes two arguments.");
    const Value unknown = evaluate_raw(*call.operands[0], scope);
    const Value value = evaluate(*call.operands[1], scope);
    for (std::size_t i = 0; i < unknown.scalars.size(); ++i)
      hooks->reinit(execution.path, unknown.scalars[i], value.scalars[i], call.place);
  } else {
    call_outputs(call, scope);
  }
}

void Evaluation::assign_target(const Expression& target, Value value, Execution& execution,
                               const EvaluationScope& scope, Place place) {
  if (target.kind != ExpressionKind::reference)
    fail(target.place, "M202", "only a variable can be assigned.");
  const ComponentReference& reference = *target.reference;
  if (execution.function != nullptr && !reference.absolute) {
    for (Local& local : execution.locals.variables)
      if (local.name == reference.parts.front().name) {
        assign_local(local, reference, std::move(value), scope, execution, place);
        return;
      }
    fail(target.place, "M208",
         "'" + reference.parts.front().name.string() + "' is not a variable of '" +
             execution.function->full_name() + "'.");
  }
  assign_component(target, std::move(value), execution, scope, place);
}

void Evaluation::assign_local(Local& local, const ComponentReference& target, Value value,
                              const EvaluationScope& scope, Execution& execution, Place place) {
  const std::string what = "'" + local.name.string() + "'";
  if (target.parts.size() > 1 || !target.parts.front().subscripts.empty()) {
    assign_path(local.value, target.parts, 0, std::move(value), what, scope, place);
    return;
  }
  Instance* component = execution.function->component_member(local.name);
  const auto declared = component->declared_dimensions();
  const bool is_open = std::any_of(declared.begin(), declared.end(), [](const Dimension& dim) {
    return dim.expression->kind == ExpressionKind::colon;
  });
  if (!component->is_simple() && value.kind == ValueKind::record) {
    local.value = as_record(std::move(value), *component, declared.size(), what, place);
  } else if (is_open && value.dims.size() == declared.size()) {
    Value shape = local.value;
    shape.dims = value.dims;
    local.value = fitted(std::move(value), shape, what, place);
  } else {
    local.value = fitted(std::move(value), local.value, what, place);
  }
}

void Evaluation::assign_path(Value& value, List<ReferencePart> parts, std::size_t k, Value part,
                             const std::string& what, const EvaluationScope& scope, Place place) {
  const bool is_last = k + 1 == parts.size();
  OpenSubscripts open;
  const auto chosen =
      subscripts(parts[k].subscripts, value.dims, scope, what, is_last ? &open : nullptr);
  if (!open.empty()) {
    assign_undecided(value, chosen, open, part, what, place);
    return;
  }
  if (is_last) {
    Value target = selected(value, chosen);
    // A vector of one element may stand for it: zeros(0) for nothing at all.
    part = target.kind == ValueKind::record ? std::move(part)
                                            : fitted(std::move(part), target, what, place);
    if (part.dims != target.dims || part.fields.size() != target.fields.size())
      fail(place, "M203",
           what + " is " + type_text(target) + ", but this is " + type_text(part) + ".");
    if (chosen.empty())
      value = std::move(part);
    else
      assign(value, chosen, part);
    return;
  }
  const Name name = parts[k + 1].name;
  if (value.field(name) == nullptr)
    fail(parts[k + 1].place, "M208", what + " has no '" + name.string() + "'.");
  const std::string inner = what + "." + name.string();
  if (chosen.empty()) {
    assign_path(*value.field(name), parts, k + 1, std::move(part), inner, scope, place);
    return;
  }
  Value entry = selected(value, chosen);
  assign_path(*entry.field(name), parts, k + 1, std::move(part), inner, scope, place);
  assign(value, chosen, entry);
}

/// x[i] := part with an i of the run: every element that may be meant is chosen by a condition.
void Evaluation::assign_undecided(Value& value, std::vector<IndexChoice> chosen,
                                  const OpenSubscripts& open, const Value& part,
                                  const std::string& what, Place place) {
  Dims open_dims;
  for (const auto& [k, index] : open) open_dims.push_back(value.dims[k]);
  const std::size_t count = element_count(open_dims);
  if (count > max_undecided) throw NeedsNumbers{place, "a subscript of " + what + " is not known"};
  for (std::size_t n = 0; n < count; ++n) {
    const auto at = index_at(n, open_dims);
    ExprId meant = pool().truth(true);
    for (std::size_t i = 0; i < open.size(); ++i) {
      IndexChoice& one = chosen[open[i].first];
      one.all = false;
      one.index = {at[i]};
      meant = scalars.both(
          meant, scalars.compare(Operator::equal, open[i].second, pool().integer(at[i] + 1)));
    }
    const Value before = selected(value, chosen);
    const Value after = before.kind == ValueKind::record ? part : fitted(part, before, what, place);
    assign(value, chosen, merged(meant, after, before, place));
  }
}

void Evaluation::write_component(const Value& symbols, const Value& value, Execution& execution,
                                 const std::string& what, Place place) {
  const std::vector<ExprId> left = scalars_and_texts(symbols);
  const std::vector<ExprId> right = scalars_and_texts(value);
  for (std::size_t i = 0; i < left.size(); ++i) {
    const ExprId symbol =
        pool().is_condition(left[i]) ? scalars.number_of_condition(left[i]) : left[i];
    if (!pool().is_symbol(symbol))
      fail(place, "M202", what + " is a constant and cannot be assigned.");
    execution.assigned[symbol] = right[i];
  }
}

bool Evaluation::assign_undecided_component(const Expression& target, const Value& value,
                                            Execution& execution, const EvaluationScope& scope,
                                            Place place) {
  const auto& parts = target.reference->parts;
  if (parts.back().subscripts.empty()) return false;
  std::vector<ReferencePart> whole(parts.begin(), parts.end());
  whole.back().subscripts = {};
  const Denotation denotation = lookup(*target.reference, scope);
  if (denotation.kind != DenotationKind::component) return false;
  Value symbols;
  {
    const ForNow raw(raw_references, true);
    symbols = component_path(*denotation.instance, whole, denotation.parts_used - 1, scope);
  }
  OpenSubscripts open;
  const std::string what = "'" + std::string(target.place.text()) + "'";
  const auto chosen = subscripts(parts.back().subscripts, symbols.dims, scope, what, &open);
  if (open.empty()) return false;
  Value changed = as_assigned(symbols);
  assign_undecided(changed, chosen, open, value, what, place);
  write_component(symbols, changed, execution, what, target.place);
  return true;
}

void Evaluation::assign_component(const Expression& target, Value value, Execution& execution,
                                  const EvaluationScope& scope, Place place) {
  if (assign_undecided_component(target, value, execution, scope, place)) return;
  const Value symbols = evaluate_raw(target, scope);
  const std::string what = "'" + std::string(target.place.text()) + "'";
  value = fitted(std::move(value), symbols, what, place);
  write_component(symbols, value, execution, what, target.place);
}

}  // namespace alembert::modelica
