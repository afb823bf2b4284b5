// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/evaluator.hpp"

#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"

namespace alembert::modelica {

Evaluator::Evaluator(symbolic::ExprPool& pool, ModelHooks& hooks)
    : evaluation_(std::make_unique<Evaluation>(pool, hooks)) {}

Evaluator::~Evaluator() = default;

symbolic::ExprPool& Evaluator::pool() { return evaluation_->pool(); }

void Evaluator::keep_alive(std::shared_ptr<const void> owner) {
  evaluation_->keep_alive = std::move(owner);
}

namespace {

/// Outside of functions there is nobody who could wait for numbers.
template <class Function>
auto with_numbers(Function function) {
  try {
    return function();
  } catch (const NeedsNumbers& reason) {
    fail(reason.place, "M201", "this must be known before the run starts: " + reason.reason + ".");
  }
}

}  // namespace

Value Evaluator::evaluate(const Expression& expression, const EvaluationScope& scope) {
  return with_numbers([&] {
    return expression.kind == ExpressionKind::call ? evaluation_->call_outputs(expression, scope)
                                                   : evaluation_->evaluate(expression, scope);
  });
}

Value Evaluator::constant(const Expression& expression, const EvaluationScope& scope) {
  return with_numbers([&] { return evaluation_->constant(expression, scope); });
}

std::int64_t Evaluator::constant_integer(const Expression& expression,
                                         const EvaluationScope& scope) {
  const Value value = constant(expression, scope);
  const bool counts = value.kind == ValueKind::integer || value.kind == ValueKind::enumeration;
  // A type as a dimension stands for the number of its values.
  const bool is_type = value.dims.size() == 1 &&
                       (value.kind == ValueKind::enumeration || value.kind == ValueKind::boolean);
  if (is_type) return value.dims[0];
  if (!counts || !value.is_scalar())
    fail(expression.place, "M202",
         "an Integer is wanted here, but this is " + type_text(value) + ".");
  return static_cast<std::int64_t>(*evaluation_->scalars.number(value.scalar()));
}

bool Evaluator::constant_boolean(const Expression& expression, const EvaluationScope& scope) {
  const Value value = constant(expression, scope);
  if (value.kind != ValueKind::boolean || !value.is_scalar())
    fail(expression.place, "M202",
         "a Boolean is wanted here, but this is " + type_text(value) + ".");
  return *evaluation_->scalars.truth(value.scalar());
}

std::optional<Value> Evaluator::try_constant(const Expression& expression,
                                             const EvaluationScope& scope) {
  try {
    Value value = constant(expression, scope);
    return value;
  } catch (const Error& error) {
    if (error.code() == "M201") return std::nullopt;
    throw;
  }
}

Value Evaluator::value_of(Instance& component) {
  return with_numbers([&] { return evaluation_->value_of(component); });
}

std::optional<Value> Evaluator::binding_of(Instance& component) {
  return with_numbers([&] { return evaluation_->binding_of(component); });
}

Value Evaluator::binding_value(const Binding& binding) {
  return with_numbers([&] { return evaluation_->binding_value(binding); });
}

Value Evaluator::constant_binding_value(const Binding& binding) {
  return with_numbers([&] { return evaluation_->constant_binding_value(binding); });
}

Value Evaluator::constant_of(Instance& component, Place place) {
  return with_numbers([&] { return evaluation_->constant_of(component, place); });
}

bool Evaluator::is_evaluated(const Instance& parameter) const {
  return evaluation_->is_evaluated(parameter);
}

std::int64_t Evaluator::integer(const Expression& expression, Scope& scope) {
  return constant_integer(expression, {&scope, nullptr});
}

bool Evaluator::boolean(const Expression& expression, Scope& scope) {
  return constant_boolean(expression, {&scope, nullptr});
}

std::vector<std::int64_t> Evaluator::sizes(const Binding& binding) {
  return binding_value(binding).dims;
}

Value Evaluator::fitted(Value value, const Value& target, const std::string& what, Place place) {
  return evaluation_->fitted(std::move(value), target, what, place);
}

ExprId Evaluator::number_of_condition(ExprId condition) {
  return evaluation_->scalars.number_of_condition(condition);
}

std::vector<ExprId> Evaluator::numeric_scalars(const Value& value) {
  return evaluation_->numeric_scalars(value);
}

namespace {

std::vector<Value> entries(const Value& vector) {
  std::vector<Value> values;
  for (std::int64_t i = 0; i < vector.dims[0]; ++i) {
    const std::int64_t index[] = {i};
    values.push_back(element(vector, index));
  }
  return values;
}

}  // namespace

std::vector<Value> Evaluator::loop_values(const Iterator& iterator, const EvaluationScope& scope) {
  const Value range = constant(*iterator.range, scope);
  if (range.dims.size() != 1)
    fail(iterator.range->place, "M202",
         "a loop runs over a vector, but this is " + type_text(range) + ".");
  return entries(range);
}

std::vector<Value> Evaluator::values_of_type(Instance& type) {
  return entries(evaluation_->range_of_type(type));
}

std::vector<Subscript> Evaluator::subscripts(const ReferencePart& part,
                                             std::span<const std::int64_t> dims,
                                             const EvaluationScope& scope) {
  const auto chosen = with_numbers([&] {
    return evaluation_->subscripts(part.subscripts, dims, scope, "'" + part.name.string() + "'",
                                   nullptr);
  });
  std::vector<Subscript> result(dims.size());
  for (std::size_t k = 0; k < dims.size(); ++k) {
    if (k < chosen.size() && !chosen[k].all) {
      result[k] = {chosen[k].index, chosen[k].is_vector};
      continue;
    }
    result[k].is_slice = true;
    for (std::int64_t i = 0; i < dims[k]; ++i) result[k].positions.push_back(i);
  }
  return result;
}

Value Evaluator::call(Instance& function, std::vector<Value> arguments, Place place) {
  std::vector<Argument> given;
  for (Value& value : arguments) given.push_back({Name(), std::move(value), place});
  return with_numbers(
      [&] { return evaluation_->call_function(function, std::move(given), place); });
}

std::vector<Assignment> Evaluator::run_algorithm(List<const Statement*> statements,
                                                 const EvaluationScope& scope) {
  return with_numbers([&] { return evaluation_->run_algorithm(statements, scope); });
}

}  // namespace alembert::modelica
