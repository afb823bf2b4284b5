// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. {e for i in 1:n, j in 1:m} and sum(e for i in ...).
#include <algorithm>

#include "alembert/frontend/modelica/evaluate/arrays.hpp"
#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/operators.hpp"

namespace alembert::modelica {

Value Evaluation::iteration_range(const Iterator& iterator, const Expression& body,
                                  const EvaluationScope& scope) {
  if (iterator.range == nullptr) return deduced_range(iterator, {&body}, scope);
  const ForNow guard(constants_only, true);
  Value value = evaluate(*iterator.range, scope);
  if (value.dims.size() != 1)
    fail(iterator.range->place, "M202",
         "an iterator runs over a vector, but this is " + type_text(value) + ".");
  return value;
}

/// All values of the dimension in which the iterator is used as a subscript: those of a type,
/// where one was declared as the dimension, else 1 to its size.
Value Evaluation::deduced_range(const Iterator& iterator, std::vector<const Expression*> open,
                                const EvaluationScope& scope) {
  while (!open.empty()) {
    const Expression& expression = *open.back();
    open.pop_back();
    for (const Expression* operand : expression.operands)
      if (operand != nullptr) open.push_back(operand);
    for (const NamedArgument& argument : expression.named) open.push_back(argument.value);
    if (expression.kind != ExpressionKind::reference) continue;
    const auto& parts = expression.reference->parts;
    for (std::size_t k = 0; k < parts.size(); ++k)
      for (std::size_t s = 0; s < parts[k].subscripts.size(); ++s) {
        const Expression& subscript = *parts[k].subscripts[s];
        open.push_back(&subscript);
        if (subscript.kind != ExpressionKind::reference || subscript.reference->parts.size() != 1 ||
            !(subscript.reference->parts[0].name == iterator.name))
          continue;
        ReferencePart last = parts[k];
        last.subscripts = {};
        std::vector<ReferencePart> without(parts.begin(),
                                           parts.begin() + static_cast<std::ptrdiff_t>(k));
        without.push_back(last);
        ComponentReference whole = *expression.reference;
        whole.parts = without;
        const EvaluationScope unremembered{scope.scope, scope.locals};
        const auto dims = dims_of_reference(whole, unremembered);
        if (s >= dims.size()) continue;
        if (Instance* type = type_of_dimension(whole, s, unremembered)) return range_of_type(*type);
        return range(scalars, integer_number(1), nullptr, integer_number(dims[s]), iterator.place);
      }
  }
  fail(iterator.place, "M209",
       "the range of '" + iterator.name.string() + "' does not follow from how it is used.");
}

Instance* Evaluation::type_of_dimension(const ComponentReference& reference, std::size_t dimension,
                                        const EvaluationScope& scope) {
  InstanceTree& tree = scope.scope->instance().tree();
  const Denotation denotation = tree.try_lookup(*scope.scope, reference);
  if (denotation.kind != DenotationKind::component) return nullptr;
  Instance* component = denotation.instance;
  for (std::size_t k = denotation.parts_used; k < reference.parts.size() && component; ++k)
    component = component->prototype().component_member(reference.parts[k].name);
  return component == nullptr ? nullptr : component->index_type(dimension);
}

Dims Evaluation::dims_of_reference(const ComponentReference& reference,
                                   const EvaluationScope& scope) {
  if (scope.locals != nullptr && !reference.absolute)
    if (const Value* local = scope.locals->find(reference.parts.front().name))
      return member_path(*local, reference.parts, 1, scope).dims;
  const Denotation denotation = scope.scope->instance().tree().lookup(*scope.scope, reference);
  if (denotation.kind != DenotationKind::component) return {};
  return component_path(*denotation.instance, reference.parts, denotation.parts_used - 1, scope)
      .dims;
}

namespace {

constexpr double max_values = 5'000'000;

[[noreturn]] void refuse_so_many(Place place) {
  fail(place, "M210",
       "the iterators run over more values than are supported here. Write it as a formula, or in "
       "parts.");
}

}  // namespace

void Evaluation::iterate(const Expression& expression, std::size_t iterator,
                         const EvaluationScope& scope, std::vector<Value>& values, Dims& dims) {
  const Expression& body = *expression.operands[0];
  if (iterator == expression.iterators.size()) {
    values.push_back(evaluate(body, scope));
    count_step(expression.place);
    // What was made so far, so that arrays inside of arrays end in time.
    if (values.size() > max_elements / std::max<std::size_t>(1, values.back().count()))
      refuse_so_many(expression.place);
    return;
  }
  const Iterator& loop = expression.iterators[iterator];
  const Value range = iteration_range(loop, body, scope);
  if (dims.size() == iterator) dims.push_back(range.dims[0]);
  double n_values = 1;
  for (const std::int64_t size : dims) n_values *= static_cast<double>(size);
  if (n_values > max_values) refuse_so_many(expression.place);
  Locals locals;
  locals.outer = scope.locals;
  locals.variables.push_back({loop.name, {}});
  for (std::int64_t i = 0; i < range.dims[0]; ++i) {
    const std::int64_t index[] = {i};
    locals.variables[0].value = element(range, index);
    iterate(expression, iterator + 1, {scope.scope, &locals}, values, dims);
  }
}

Value Evaluation::comprehension(const Expression& expression, const EvaluationScope& scope) {
  // {e for i in a, j in b} is {{e for i in a} for j in b}: the last iterator is outermost.
  Value result;
  if (expression.iterators.size() == 1) {
    Dims dims;
    std::vector<Value> values;
    iterate(expression, 0, scope, values, dims);
    return array_of(std::move(values), expression.place);
  }
  const Iterator& outer = expression.iterators.back();
  Expression inner = expression;
  inner.iterators = expression.iterators.first(expression.iterators.size() - 1);
  const Value range = iteration_range(outer, *expression.operands[0], scope);
  Locals locals;
  locals.outer = scope.locals;
  locals.variables.push_back({outer.name, {}});
  std::vector<Value> rows;
  for (std::int64_t i = 0; i < range.dims[0]; ++i) {
    const std::int64_t index[] = {i};
    locals.variables[0].value = element(range, index);
    rows.push_back(comprehension(inner, {scope.scope, &locals}));
  }
  return array_of(std::move(rows), expression.place);
}

Value Evaluation::reduction(const Expression& expression, const EvaluationScope& scope) {
  const auto& parts = expression.reference->parts;
  const std::string name = parts.back().name.string();
  if (name == "array") return comprehension(expression, scope);
  std::vector<Value> values;
  Dims dims;
  iterate(expression, 0, scope, values, dims);
  if (name == "sum" || name == "product") {
    if (values.empty()) return integer_number(name == "sum" ? 0 : 1);
    if (name == "sum" && values.front().has_scalars()) return sum_of(values, expression.place);
    Value result = values.front();
    const Operator op = name == "sum" ? Operator::plus : Operator::times;
    for (std::size_t i = 1; i < values.size(); ++i) {
      if (result.kind == ValueKind::record)
        if (auto combined = overloaded_binary(op, result, values[i], expression.place)) {
          result = std::move(*combined);
          continue;
        }
      result = binary(scalars, op, result, values[i], expression.place);
    }
    return result;
  }
  if (name == "min" || name == "max") {
    std::vector<Value> all = {array_of(std::move(values), expression.place)};
    return name == "min" ? minimum(all, expression.place) : maximum(all, expression.place);
  }
  // Any function of one vector may stand here in this form.
  std::vector<Argument> all = {
      {Name(), array_of(std::move(values), expression.place), expression.place}};
  const Denotation denotation = lookup(*expression.reference, scope);
  if (denotation.kind == DenotationKind::class_)
    return call_function(*denotation.instance, std::move(all), expression.place);
  fail(expression.place, "M202", "'" + name + "' cannot be used with iterators.");
}

/// All at once: a sum that grows term by term would cost the square of their number.
Value Evaluation::sum_of(std::span<const Value> values, Place place) {
  Value result = values.front();
  for (const Value& value : values) {
    if (!value.is_numeric() || value.dims != result.dims)
      fail(place, "M203",
           "the terms of a sum must be numbers of one size, but there are " + type_text(result) +
               " and " + type_text(value) + ".");
    if (value.kind == ValueKind::real) result.kind = ValueKind::real;
  }
  std::vector<ExprId> terms(values.size());
  for (std::size_t i = 0; i < result.scalars.size(); ++i) {
    for (std::size_t k = 0; k < values.size(); ++k) terms[k] = values[k].scalars[i];
    result.scalars[i] = pool().add(terms);
  }
  return result;
}

Value Evaluation::sum_of_records(const Value& array, Place place) {
  if (array.dims.size() != 1 || array.dims[0] == 0)
    fail(place, "M203",
         "'sum' needs a vector with elements, but this is " + type_text(array) + ".");
  const std::int64_t first[] = {0};
  Value result = element(array, first);
  for (std::int64_t i = 1; i < array.dims[0]; ++i) {
    const std::int64_t index[] = {i};
    auto next = overloaded_binary(Operator::plus, result, element(array, index), place);
    if (!next) fail(place, "M202", "records of type " + type_text(result) + " cannot be added.");
    result = std::move(*next);
  }
  return result;
}

}  // namespace alembert::modelica
