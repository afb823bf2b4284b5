// SPDX-License-Identifier: Apache-2.0
#include "frontend/modelica/instance/small_evaluator.hpp"

#include <stdexcept>

namespace alembert::modelica::testing {

std::int64_t SmallEvaluator::integer(const Expression& expression, Scope& scope) {
  return number(expression, scope);
}

bool SmallEvaluator::boolean(const Expression& expression, Scope& scope) {
  return number(expression, scope) != 0;
}

std::int64_t SmallEvaluator::bound(const Binding& binding) {
  if (!binding) throw std::runtime_error("no value");
  const Expression* at = binding.expression;
  for (const Step& step : binding.steps) {
    if (!step.member.empty()) throw std::runtime_error("member of a value");
    if (at->kind != ExpressionKind::array) throw std::runtime_error("no array literal");
    at = at->operands[static_cast<std::size_t>(step.index - 1)];
  }
  return number(*at, *binding.scope);
}

std::int64_t SmallEvaluator::reference(const Expression& expression, Scope& scope) {
  const auto& parts = expression.reference->parts;
  const Denotation found = tree_.lookup(scope, *expression.reference);
  if (found.kind == DenotationKind::literal) return found.literal;
  if (found.kind != DenotationKind::component) throw std::runtime_error("no component");
  Instance* at = found.instance;
  for (std::size_t i = found.parts_used;; ++i) {
    if (at->is_array()) {
      const auto subscripts = parts[i - 1].subscripts;
      if (subscripts.size() != 1) throw std::runtime_error("subscripts");
      at = &at->entry(static_cast<std::size_t>(number(*subscripts[0], scope) - 1));
    }
    if (i == parts.size()) break;
    Instance* member = at->component_member(parts[i].name);
    if (!member) tree_.no_member(*at, parts[i].name, parts[i].place);
    at = member;
  }
  if (at->has_dimensions()) {
    const auto subscripts = parts.back().subscripts;
    if (subscripts.size() != 1) throw std::runtime_error("subscripts");
    Binding binding = at->binding();
    binding.steps.push_back({.member = {}, .index = number(*subscripts[0], scope)});
    return bound(binding);
  }
  return bound(at->binding());
}

std::int64_t SmallEvaluator::size_call(const Expression& expression, Scope& scope) {
  const Expression& array = *expression.operands[0];
  const std::size_t dimension = static_cast<std::size_t>(number(*expression.operands[1], scope));
  if (array.kind == ExpressionKind::reference) {
    const Denotation found = tree_.lookup(scope, *array.reference);
    if (found.kind == DenotationKind::component &&
        found.parts_used == array.reference->parts.size()) {
      return found.instance->dimension(dimension - 1);
    }
  }
  return sizes({.expression = &array, .scope = &scope})[dimension - 1];
}

std::int64_t SmallEvaluator::number(const Expression& e, Scope& scope) {
  const auto operand = [&](std::size_t i) { return number(*e.operands[i], scope); };
  switch (e.kind) {
    case ExpressionKind::integer: return e.integer;
    case ExpressionKind::boolean: return e.boolean ? 1 : 0;
    case ExpressionKind::reference: return reference(e, scope);
    case ExpressionKind::unary:
      return e.op == Operator::logical_not ? !operand(0)
                                           : (e.op == Operator::minus ? -operand(0) : operand(0));
    case ExpressionKind::if_expression:
      for (std::size_t i = 0; i + 1 < e.operands.size(); i += 2) {
        if (operand(i)) return operand(i + 1);
      }
      return operand(e.operands.size() - 1);
    case ExpressionKind::call:
      if (e.reference->parts.size() == 1 && e.reference->parts[0].name == "size") {
        return size_call(e, scope);
      }
      break;
    case ExpressionKind::binary:
      switch (e.op) {
        case Operator::plus: return operand(0) + operand(1);
        case Operator::minus: return operand(0) - operand(1);
        case Operator::times: return operand(0) * operand(1);
        case Operator::less: return operand(0) < operand(1);
        case Operator::less_equal: return operand(0) <= operand(1);
        case Operator::greater: return operand(0) > operand(1);
        case Operator::greater_equal: return operand(0) >= operand(1);
        case Operator::equal: return operand(0) == operand(1);
        case Operator::not_equal: return operand(0) != operand(1);
        case Operator::logical_and: return operand(0) && operand(1);
        case Operator::logical_or: return operand(0) || operand(1);
        default: break;
      }
      break;
    default: break;
  }
  throw std::runtime_error("'" + std::string(e.place.text()) +
                           "' is beyond the evaluator of the tests");
}

std::vector<std::int64_t> SmallEvaluator::sizes(const Binding& binding) {
  const Expression* at = binding.expression;
  std::vector<std::int64_t> result;
  if (at->kind == ExpressionKind::reference) {
    const Denotation found = tree_.lookup(*binding.scope, *at->reference);
    if (found.kind == DenotationKind::component &&
        found.parts_used == at->reference->parts.size()) {
      const auto dimensions = found.instance->dimensions();
      result.assign(dimensions.begin(), dimensions.end());
    }
  } else if (at->kind == ExpressionKind::matrix) {
    result = {static_cast<std::int64_t>(at->operands.size()),
              static_cast<std::int64_t>(at->operands[0]->operands.size())};
  } else {
    while (at->kind == ExpressionKind::array) {
      result.push_back(static_cast<std::int64_t>(at->operands.size()));
      if (at->operands.empty()) break;
      at = at->operands[0];
    }
  }
  if (result.size() < binding.steps.size()) throw std::runtime_error("sizes");
  result.erase(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(binding.steps.size()));
  return result;
}

std::string text_of(const Binding& binding) {
  if (!binding) return "-";
  std::string text(binding.expression->place.text());
  for (const Step& step : binding.steps) {
    text +=
        step.member.empty() ? "[" + std::to_string(step.index) + "]" : "." + step.member.string();
  }
  return text;
}

}  // namespace alembert::modelica::testing
