// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Expressions by their kind.
#include <algorithm>

#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/operators.hpp"
#include "alembert/frontend/modelica/syntax/mistakes.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/node_walk.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::modelica {

Evaluation::Evaluation(symbolic::ExprPool& pool, ModelHooks& hooks)
    : scalars(pool), hooks(&hooks) {}

const Value* Locals::find(Name name) const {
  for (const Locals* table = this; table != nullptr; table = table->outer)
    for (auto local = table->variables.rbegin(); local != table->variables.rend(); ++local)
      if (local->name == name) return &local->value;
  return nullptr;
}

Value Evaluation::real_number(double value) {
  return scalar_value(ValueKind::real, pool().real(value));
}

Value Evaluation::integer_number(std::int64_t value) {
  return scalar_value(ValueKind::integer, pool().integer(value));
}

Value Evaluation::truth_value(bool value) {
  return scalar_value(ValueKind::boolean, pool().truth(value));
}

Value Evaluation::evaluate(const Expression& expression, const EvaluationScope& scope) {
  switch (expression.kind) {
    case ExpressionKind::real: return real_number(expression.real);
    case ExpressionKind::integer: return integer_number(expression.integer);
    case ExpressionKind::string: return string_value(std::string(expression.text));
    case ExpressionKind::boolean: return truth_value(expression.boolean);
    case ExpressionKind::reference: return reference(*expression.reference, scope);
    case ExpressionKind::unary: return unary_expression(expression, scope);
    case ExpressionKind::binary: return binary_expression(expression, scope);
    case ExpressionKind::if_expression: return if_expression(expression, scope);
    case ExpressionKind::call: return call(expression, scope);
    case ExpressionKind::partial_application: return partial_application(expression, scope);
    case ExpressionKind::reduction: return reduction(expression, scope);
    case ExpressionKind::array_comprehension: return comprehension(expression, scope);
    case ExpressionKind::array: {
      std::vector<Value> elements;
      for (const Expression* operand : expression.operands)
        elements.push_back(evaluate(*operand, scope));
      return array_of(std::move(elements), expression.place);
    }
    case ExpressionKind::matrix: return matrix_expression(expression, scope);
    case ExpressionKind::range: return range_expression(expression, scope);
    case ExpressionKind::tuple: {
      Value result;
      result.kind = ValueKind::tuple;
      for (const Expression* operand : expression.operands)
        result.fields.push_back(operand ? evaluate(*operand, scope) : Value{});
      return result;
    }
    case ExpressionKind::end:
      if (end_values.empty())
        fail(expression.place, "M202", "'end' stands for a size and is for subscripts only.");
      return integer_number(end_values.back());
    case ExpressionKind::subscripted:
      return subscripted(evaluate(*expression.operands[0], scope), expression.operands.subspan(1),
                         scope, "this value", expression.place);
    case ExpressionKind::member: {
      const Value value = evaluate(*expression.operands[0], scope);
      return member_path(value, expression.reference->parts, 0, scope);
    }
    case ExpressionKind::matrix_row:
    case ExpressionKind::colon: break;
  }
  fail(expression.place, "M202", "this is not a value.");
}

Value Evaluation::evaluate_raw(const Expression& expression, const EvaluationScope& scope) {
  const ForNow raw(raw_references, true);
  return evaluate(expression, scope);
}

bool Evaluation::is_known(const Value& value) const {
  return std::all_of(value.scalars.begin(), value.scalars.end(),
                     [&](ExprId id) { return id.valid() && scalars.is_known(id); }) &&
         std::all_of(value.texts.begin(), value.texts.end(),
                     [](const Text& text) { return text.is_constant(); }) &&
         std::all_of(value.fields.begin(), value.fields.end(),
                     [&](const Value& field) { return is_known(field); });
}

void Evaluation::require_known(const Value& value, Place place) {
  if (is_known(value)) return;
  std::vector<ExprId> all;
  append_scalars(value, all);
  for (const Text& text : value.texts)
    all.insert(all.end(), text.values.begin(), text.values.end());
  for (const ExprId id : all) {
    if (!id.valid() || scalars.is_known(id)) continue;
    const auto symbols = symbolic::free_symbols(pool(), id);
    if (symbols.empty())
      fail(place, "M207", "this has no finite value: it divides by zero, or the like.");
    // In the run, where the arguments of the function are numbers, it is known.
    if (!active_.empty())
      throw NeedsNumbers{place, "a size depends on '" + pool().symbol_text(symbols.front()) + "'"};
    fail(place, "M201",
         "this must be known before the run starts, but it depends on '" +
             pool().symbol_text(symbols.front()) + "'.");
  }
  fail(place, "M201", "this must be known before the run starts.");
}

Value Evaluation::constant(const Expression& expression, const EvaluationScope& scope) {
  const ForNow guard(constants_only, true);
  Value value = evaluate(expression, scope);
  require_known(value, expression.place);
  return value;
}

ExprId Evaluation::condition(const Expression& expression, const EvaluationScope& scope) {
  const Value value = evaluate(expression, scope);
  if (value.kind != ValueKind::boolean || !value.is_scalar())
    fail(expression.place, "M202",
         "a condition must be a Boolean, but this is " + type_text(value) + ".");
  return value.scalar();
}

ExprId Evaluation::decided(ExprId condition) {
  if (scalars.is_known(condition)) return condition;
  const auto is_open = [&](ExprId symbol) {
    const auto found = parameter_symbols_.find(symbol);
    if (found == parameter_symbols_.end()) return true;
    Instance& parameter = *found->second.parameter;
    return parameter.type() == TypeKind::real || !has_known_value(parameter);
  };
  if (symbolic::any_symbol(pool(), std::span(&condition, 1), is_open)) return condition;
  symbolic::Replacements numbers;
  for (const ExprId symbol : symbolic::free_symbols(pool(), condition)) {
    const ParameterSymbol& found = parameter_symbols_.at(symbol);
    const Value value = constant_of(*found.parameter, found.parameter->place());
    const ExprId scalar = value.scalars[found.position];
    numbers.emplace(
        symbol, value.kind == ValueKind::boolean ? scalars.number_of_condition(scalar) : scalar);
  }
  return symbolic::substitute(pool(), condition, numbers);
}

Value Evaluation::if_expression(const Expression& expression, const EvaluationScope& scope) {
  const auto& operands = expression.operands;
  std::vector<std::pair<ExprId, Value>> undecided;
  std::size_t last = operands.size() - 1;
  const ExprId outside = expression_path_.valid() ? expression_path_ : pool().truth(true);
  ExprId reached = outside;  // no branch before was taken
  for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
    const ExprId holds = decided(condition(*operands[i], scope));
    const auto known = scalars.truth(holds);
    if (known && !*known) continue;
    if (known) {
      last = i + 1;
      break;
    }
    const ForNow branch(undecided_depth, undecided_depth + 1);
    const ForNow path(expression_path_, scalars.both(reached, holds));
    undecided.emplace_back(holds, evaluate(*operands[i + 1], scope));
    reached = scalars.both(reached, scalars.negation(holds));
  }
  const ForNow path(expression_path_, undecided.empty() ? expression_path_ : reached);
  std::optional<ForNow<int>> branch;
  if (!undecided.empty()) branch.emplace(undecided_depth, undecided_depth + 1);
  Value result = evaluate(*operands[last], scope);
  for (auto other = undecided.rbegin(); other != undecided.rend(); ++other)
    result = choice(scalars, other->first, other->second, result, expression.place);
  return result;
}

Value Evaluation::range_expression(const Expression& expression, const EvaluationScope& scope) {
  const ForNow guard(constants_only, true);
  const auto& operands = expression.operands;
  const Value first = evaluate(*operands.front(), scope);
  const Value last = evaluate(*operands.back(), scope);
  if (!active_.empty()) {
    require_known(first, expression.place);
    require_known(last, expression.place);
  }
  if (operands.size() == 2) return range(scalars, first, nullptr, last, expression.place);
  const Value step = evaluate(*operands[1], scope);
  if (!active_.empty()) require_known(step, expression.place);
  return range(scalars, first, &step, last, expression.place);
}

Value Evaluation::matrix_expression(const Expression& expression, const EvaluationScope& scope) {
  std::vector<std::vector<Value>> rows;
  for (const Expression* row : expression.operands) {
    rows.emplace_back();
    for (const Expression* entry : row->operands) rows.back().push_back(evaluate(*entry, scope));
  }
  return matrix_of(std::move(rows), expression.place);
}

Value Evaluation::unary_expression(const Expression& expression, const EvaluationScope& scope) {
  const Value a = evaluate(*expression.operands[0], scope);
  if (a.kind == ValueKind::record)
    if (auto value = overloaded_unary(expression.op, a, expression.place)) return std::move(*value);
  return unary(scalars, expression.op, a, expression.place);
}

Value Evaluation::binary_expression(const Expression& expression, const EvaluationScope& scope) {
  if (expression.op == Operator::logical_and || expression.op == Operator::logical_or)
    return logical_expression(expression, scope);
  Value a, b;
  Mistakes unknown;
  unknown.attempt_names([&] { a = evaluate(*expression.operands[0], scope); });
  unknown.attempt_names([&] { b = evaluate(*expression.operands[1], scope); });
  unknown.report();
  if (a.kind == ValueKind::record || b.kind == ValueKind::record)
    if (auto value = overloaded_binary(expression.op, a, b, expression.place))
      return std::move(*value);
  Value result = binary(scalars, expression.op, a, b, expression.place);
  note_real_equality(expression, a, b);
  return result.kind == ValueKind::boolean ? quiet_in_functions(std::move(result)) : result;
}

void Evaluation::note_real_equality(const Expression& expression, const Value& a, const Value& b) {
  if (expression.op != Operator::equal && expression.op != Operator::not_equal) return;
  if (!active_.empty() || constants_only) return;
  if (a.kind != ValueKind::real && b.kind != ValueKind::real) return;
  const auto varies = [&](const Value& value) {
    const std::vector<ExprId> symbols = symbolic::free_symbols(pool(), value.scalar());
    return std::any_of(symbols.begin(), symbols.end(), [&](ExprId symbol) {
      const symbolic::SymbolKind kind = pool().symbol_of(symbol).kind;
      return kind == symbolic::SymbolKind::unknown || kind == symbolic::SymbolKind::time;
    });
  };
  if (varies(a) || varies(b))
    hooks->note_real_equality(expression.op == Operator::equal, expression.place);
}

Value Evaluation::logical_expression(const Expression& expression, const EvaluationScope& scope) {
  Value a = evaluate(*expression.operands[0], scope);
  if (a.kind == ValueKind::boolean && a.is_scalar()) {
    a.scalars[0] = decided(a.scalars[0]);
    const auto known = scalars.truth(a.scalar());
    if (known && *known == (expression.op == Operator::logical_or)) return a;
  }
  // What the right side asserts counts where the left one does not decide.
  ExprId reached = expression_path_;
  if (a.kind == ValueKind::boolean && a.is_scalar()) {
    const bool is_and = expression.op == Operator::logical_and;
    const ExprId goes_on = is_and ? a.scalar() : scalars.negation(a.scalar());
    reached = reached.valid() ? scalars.both(reached, goes_on) : goes_on;
  }
  const ForNow path(expression_path_, reached);
  const Value b = evaluate(*expression.operands[1], scope);
  if (a.kind == ValueKind::record || b.kind == ValueKind::record)
    if (auto value = overloaded_binary(expression.op, a, b, expression.place))
      return std::move(*value);
  return binary(scalars, expression.op, a, b, expression.place);
}

}  // namespace alembert::modelica
