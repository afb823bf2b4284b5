// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/scalars.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "alembert/base/message_text.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/text_call.hpp"

namespace alembert::modelica {

using symbolic::Op;

bool Scalars::is_known(ExprId id) const {
  const Op op = pool_->op(id);
  return op == Op::number || op == Op::truth;
}

std::optional<double> Scalars::number(ExprId id) const {
  const Op op = pool_->op(id);
  if (op == Op::number) return pool_->number_of(id).value();
  if (op == Op::truth) return pool_->truth_of(id) ? 1.0 : 0.0;
  return std::nullopt;
}

std::optional<bool> Scalars::truth(ExprId condition) const {
  if (pool_->op(condition) != Op::truth) return std::nullopt;
  return pool_->truth_of(condition);
}

ExprId Scalars::apply(Op op, std::span<const ExprId> arguments) {
  const ExprId result = pool_->apply(op, arguments);
  if (pool_->is_number(result)) return result;
  if (!std::all_of(arguments.begin(), arguments.end(), [&](ExprId id) { return is_known(id); }))
    return result;
  const double value = symbolic::evaluate_constant(*pool_, result);
  return std::isfinite(value) ? pool_->real(value) : result;
}

ExprId Scalars::apply(Op op, ExprId a) { return apply(op, std::array{a}); }

ExprId Scalars::apply(Op op, ExprId a, ExprId b) { return apply(op, std::array{a, b}); }

ExprId Scalars::power(ExprId base, ExprId exponent) {
  const ExprId result = pool_->pow(base, exponent);
  if (pool_->is_number(result) || !pool_->is_number(base) || !pool_->is_number(exponent))
    return result;
  const double value = std::pow(*number(base), *number(exponent));
  return std::isfinite(value) ? pool_->real(value) : result;
}

ExprId Scalars::sqrt(ExprId a) { return power(a, pool_->number(symbolic::Number::rational(1, 2))); }

ExprId Scalars::compare(Operator op, ExprId a, ExprId b) {
  switch (op) {
    case Operator::less: return pool_->apply(Op::less, a, b);
    case Operator::less_equal: return pool_->apply(Op::less_equal, a, b);
    case Operator::greater: return pool_->apply(Op::less, b, a);
    case Operator::greater_equal: return pool_->apply(Op::less_equal, b, a);
    case Operator::equal: return pool_->apply(Op::equal, a, b);
    default: return pool_->apply(Op::not_equal, a, b);
  }
}

ExprId Scalars::equivalent(ExprId a, ExprId b) {
  if (const auto known = truth(a)) return *known ? b : negation(b);
  if (const auto known = truth(b)) return *known ? a : negation(a);
  if (a == b) return pool_->truth(true);
  return either(both(a, b), both(negation(a), negation(b)));
}

ExprId Scalars::choice(ExprId condition, ExprId a, ExprId b) {
  return pool_->if_then_else(condition, a, b);
}

ExprId Scalars::condition_of_boolean(ExprId symbol) {
  if (const auto known = number(symbol)) return pool_->truth(*known != 0);
  boolean_symbols_.insert(symbol);
  return pool_->apply(Op::not_equal, symbol, pool_->integer(0));
}

ExprId Scalars::number_of_condition(ExprId condition) {
  if (const auto known = truth(condition)) return pool_->integer(*known ? 1 : 0);
  if (pool_->op(condition) == Op::not_equal) {
    for (const ExprId side : pool_->children(condition))
      if (boolean_symbols_.contains(side)) return side;
  }
  return pool_->if_then_else(condition, pool_->integer(1), pool_->integer(0));
}

ExprId Scalars::number_of_text(const Text& text) {
  const std::string whole = mark_text(1, symbolic::how_text);
  if (text.values.size() == 1 && text.text == whole) return text.values.front();
  std::vector<ExprId> values = text.values;
  for (ExprId& value : values)
    if (pool_->is_condition(value)) value = number_of_condition(value);
  return symbolic::text_call(*pool_, text.text, values);
}

Text Scalars::text_of(ExprId number) const {
  if (const auto text = symbolic::called_text(*pool_, number)) {
    const auto values = pool_->children(number);
    return {*text, {values.begin(), values.end()}};
  }
  return {mark_text(1, symbolic::how_text), {number}};
}

}  // namespace alembert::modelica
