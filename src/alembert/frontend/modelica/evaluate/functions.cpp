// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Functions and algorithm sections as wholes: their variables,
// their bodies, what they give back.
#include <algorithm>

#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"

namespace alembert::modelica {

const Locals* Evaluation::locals_of(const Scope& scope, const Locals& locals) const {
  for (const Locals* table = &locals; table != nullptr; table = table->outer)
    if (table->function == &scope.instance()) return table;
  return nullptr;
}

/// The default of an input, a field or a variable of a function; its names are those of the
/// function or record that it was written in.
Value Evaluation::default_value(const Binding& binding, const Locals& locals) {
  const Locals* inside = locals_of(*binding.scope, locals);
  if (inside == nullptr) return binding_value(binding);
  Value value = evaluate(*binding.expression, {binding.scope, inside});
  for (const Step& step : binding.steps) {
    const std::int64_t index[] = {step.index - 1};
    const Value* field = step.member.empty() ? nullptr : value.field(step.member);
    if (step.member.empty() ? value.dims.empty() : field == nullptr)
      fail(binding.expression->place, "M202", "the value does not fit what it is for.");
    value = field != nullptr ? Value(*field) : element(value, index);
  }
  return value;
}

/// A variable of a function before anything is assigned: its fields have their defaults.
Value Evaluation::blank_local(Instance& component, const Dims& dims, const Locals& locals,
                              Place place) {
  if (component.is_simple() || component.restriction() == Restriction::function)
    return blank(component, dims);
  Instance& type = component.prototype();
  Value value;
  value.kind = ValueKind::record;
  value.record = record_type(type);
  Locals fields;
  fields.function = &type;
  fields.outer = &locals;
  for (Instance* child : type.children()) {
    Value part;
    if (child->binding()) {
      part = as_declared(default_value(child->binding(), fields), *child, fields,
                         "'" + child->name().string() + "'", place);
    } else {
      part = blank_local(*child, declared_dims(*child, nullptr, fields, place), fields, place);
    }
    fields.variables.push_back({child->name(), part});
    value.fields.push_back(std::move(part));
  }
  return dims.empty() ? value : filled(value, dims, place);
}

void Evaluation::declare_local(Instance& component, Execution& execution, Place place) {
  const Locals& locals = execution.locals;
  Value value;
  const auto blank = [&] {
    return blank_local(component, declared_dims(component, nullptr, locals, place), locals, place);
  };
  if (component.binding()) {
    try {
      value =
          as_declared(default_value(component.binding(), locals), component, locals,
                      "'" + component.name().string() + "'", component.binding().expression->place);
    } catch (const Error& error) {
      if (error.code() != "M213") throw;
      // Made of a variable that has no value yet, it has none itself, which is told to who reads
      // it.
      value = blank();
    }
  } else {
    value = blank();
  }
  execution.locals.variables.push_back({component.name(), std::move(value)});
}

namespace {

/// The first names of all references in an expression.
void gather_names(const Expression& root, std::vector<Name>& names) {
  std::vector<const Expression*> open = {&root};
  while (!open.empty()) {
    const Expression& expression = *open.back();
    open.pop_back();
    for (const Expression* operand : expression.operands)
      if (operand != nullptr) open.push_back(operand);
    for (const NamedArgument& named : expression.named) open.push_back(named.value);
    for (const Iterator& iterator : expression.iterators)
      if (iterator.range != nullptr) open.push_back(iterator.range);
    if (expression.reference == nullptr) continue;
    names.push_back(expression.reference->parts.front().name);
    for (const ReferencePart& part : expression.reference->parts)
      open.insert(open.end(), part.subscripts.begin(), part.subscripts.end());
  }
}

bool has_open_dimension(Instance& component) {
  const auto dimensions = component.declared_dimensions();
  return std::any_of(dimensions.begin(), dimensions.end(), [](const Dimension& dimension) {
    return dimension.expression->kind == ExpressionKind::colon;
  });
}

}  // namespace

void Evaluation::declare_in_order(Instance& component, std::vector<Instance*>& waiting,
                                  Execution& execution, Place place) {
  const auto here = std::find(waiting.begin(), waiting.end(), &component);
  if (here == waiting.end()) return;
  waiting.erase(here);
  std::vector<Name> names;
  if (component.binding()) gather_names(*component.binding().expression, names);
  for (const Dimension& dimension : component.declared_dimensions())
    gather_names(*dimension.expression, names);
  for (const Name name : names) {
    const auto needed = std::find_if(waiting.begin(), waiting.end(),
                                     [&](const Instance* other) { return other->name() == name; });
    if (needed != waiting.end()) declare_in_order(**needed, waiting, execution, place);
  }
  declare_local(component, execution, place);
}

Execution Evaluation::frame(Instance& function, std::vector<Value> inputs, Place place,
                            bool for_outputs) {
  const FunctionHead& parts = head(function);
  Execution execution;
  execution.function = &function;
  execution.locals.function = &function;
  execution.returned = pool().truth(false);
  execution.broken = pool().truth(false);
  execution.path = pool().truth(true);
  // Sizes may ask for inputs, even for the size of the input itself: A[:, size(A, 1)].
  for (std::size_t i = 0; i < inputs.size(); ++i)
    execution.locals.variables.push_back({parts.inputs[i]->name(), inputs[i]});
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Instance& input = *parts.inputs[i];
    execution.locals.variables[i].value = as_declared(
        std::move(inputs[i]), input, execution.locals,
        "argument '" + input.name().string() + "' of '" + function.full_name() + "'", place);
  }
  // Assertions that fail in what variables are bound to are those of this call.
  execution.locals.variables.push_back({failure_name(), no_failure()});
  const ForNow running(running_, &execution);
  std::vector<Instance*> waiting;
  for (Instance* child : function.children())
    if (child->causality() != Causality::input) waiting.push_back(child);
  for (Instance* child : std::vector(waiting)) {
    if (for_outputs && child->causality() != Causality::output) continue;
    try {
      declare_in_order(*child, waiting, execution, place);
    } catch (const NeedsNumbers&) {
      if (!for_outputs || has_open_dimension(*child)) throw;
      // Its size is declared, and its default is found in the run.
      Locals& locals = execution.locals;
      const Dims dims = declared_dims(*child, nullptr, locals, place);
      locals.variables.push_back({child->name(), blank_local(*child, dims, locals, place)});
    }
  }
  return execution;
}

Value Evaluation::execute(Instance& function, std::vector<Value> inputs, Place place) {
  const ForNow path(expression_path_, {});  // of the call, not of what is called
  Execution execution = frame(function, std::move(inputs), place);
  const ForNow running(running_, &execution);
  if (function.external().item != nullptr) {
    call_external(function, execution, place);
  } else {
    for (const ScopedAlgorithm& section : function.algorithms())
      run(section.item->statements, execution, {section.scope, &execution.locals});
  }
  Value outputs = outputs_of(function, execution, place);
  last_failure_ = failure_of(execution);
  return outputs;
}

namespace {

/// Fields of a record may stay without a value as long as nobody reads them.
bool has_unassigned(const Value& value) {
  for (const ExprId id : value.scalars)
    if (!id.valid()) return true;
  return false;
}

}  // namespace

Value Evaluation::outputs_of(Instance& function, const Execution& execution, Place place) {
  const FunctionHead& parts = head(function);
  Value tuple;
  tuple.kind = ValueKind::tuple;
  // Where a call is executed with numbers, who takes an output is told that it has no value.
  const auto& variables = execution.locals.variables;
  const bool may_stay =
      !active_.empty() &&
      std::all_of(variables.begin(),
                  variables.begin() + static_cast<std::ptrdiff_t>(parts.inputs.size()),
                  [&](const auto& input) { return is_known(input.value); });
  for (Instance* output : parts.outputs) {
    const Value* value = execution.locals.find(output->name());
    if (has_unassigned(*value) && (!may_stay || output == parts.outputs.front()))
      fail(place, "M213",
           "'" + function.full_name() + "' gives its output '" + output->name().string() +
               "' no value for these arguments.",
           {{"the output is declared here", origin_of(output->place())}});
    tuple.fields.push_back(*value);
  }
  return tuple.fields.size() == 1 ? tuple.fields.front() : tuple;
}

std::vector<ExprId> Evaluation::scalars_without_subscripts(const ComponentReference& reference,
                                                           const EvaluationScope& scope) {
  const Denotation denotation = lookup(reference, scope);
  if (denotation.kind != DenotationKind::component) return {};
  std::vector<ReferencePart> parts(reference.parts.begin(), reference.parts.end());
  for (ReferencePart& part : parts) part.subscripts = {};
  return numeric_scalars(
      component_path(*denotation.instance, parts, denotation.parts_used - 1, scope));
}

void Evaluation::gather_targets(List<const Statement*> statements, Execution& execution,
                                const EvaluationScope& scope) {
  const auto add = [&](const Expression& target) {
    if (target.kind != ExpressionKind::reference) return;
    std::vector<ExprId> symbols;
    try {
      for (const ExprId id : numeric_scalars(evaluate(target, scope))) {
        if (!pool().is_symbol(id)) throw NeedsNumbers{target.place, ""};
        symbols.push_back(id);
      }
    } catch (const Error&) {  // subscripts of a loop: any element may be meant
      symbols = scalars_without_subscripts(*target.reference, scope);
    } catch (const NeedsNumbers&) {  // the same for subscripts of the run
      symbols = scalars_without_subscripts(*target.reference, scope);
    }
    execution.targets.insert(symbols.begin(), symbols.end());
  };
  for (const Statement* statement : statements) {
    if (statement->target != nullptr) add(*statement->target);
    for (const Expression* target : statement->targets)
      if (target != nullptr) add(*target);
    for (const StatementBranch& branch : statement->branches)
      gather_targets(branch.body, execution, scope);
  }
}

std::vector<Assignment> Evaluation::run_algorithm(List<const Statement*> statements,
                                                  const EvaluationScope& scope) {
  Execution execution;
  execution.returned = pool().truth(false);
  execution.broken = pool().truth(false);
  execution.path = pool().truth(true);
  {
    const ForNow gathering(is_gathering_, true);
    gather_targets(statements, execution, scope);
  }
  const ForNow active(algorithm, &execution);
  try {
    run(statements, execution, scope);
  } catch (const NeedsNumbers& reason) {
    fail(reason.place, "M209",
         "this algorithm cannot be turned into equations: " + reason.reason + ".");
  }
  std::vector<Assignment> result;
  for (const auto& [symbol, value] : execution.assigned)
    result.push_back(
        {symbol, pool().is_condition(value) ? scalars.number_of_condition(value) : value});
  return result;
}

}  // namespace alembert::modelica
