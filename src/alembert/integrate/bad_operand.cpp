// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/bad_operand.hpp"

#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/node_walk.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::integrate {

using symbolic::ExprId;
using symbolic::Op;

namespace {

/// What is wrong with the operand, at its value; empty where nothing is.
std::string complaint(const symbolic::ExprPool& pool, ExprId node, double operand) {
  switch (pool.op(node)) {
    case Op::pow: {
      const ExprId exponent = pool.children(node)[1];
      if (!pool.is_number(exponent)) return {};
      const double power = pool.number_of(exponent).value();
      if (operand == 0 && power < 0) return "it divides by ";
      return operand < 0 && power != std::round(power) ? "it takes a root of " : "";
    }
    case Op::log:
    case Op::log10: return operand <= 0 ? "it takes the logarithm of " : "";
    case Op::asin:
    case Op::acos: return std::abs(operand) > 1 ? "it takes the arc sine or cosine of " : "";
    default: return {};
  }
}

}  // namespace

std::string bad_operand(const symbolic::ExprPool& pool, ExprId expression,
                        const symbolic::Values& values) {
  constexpr std::size_t most_operations = 2000;  // each part is evaluated by itself
  if (symbolic::operation_count(pool, expression) > most_operations) return {};
  for (const ExprId symbol : symbolic::free_symbols(pool, expression))
    if (!values.contains(symbol)) return {};
  std::string found;
  symbolic::NodeWalks(pool).walk(expression, [&](ExprId node) {
    const auto children = pool.children(node);
    if (children.empty()) return symbolic::Walk::down;
    const double operand = symbolic::evaluate(pool, children[0], values);
    if (!std::isfinite(operand)) return symbolic::Walk::down;
    const std::string what = complaint(pool, node, operand);
    if (what.empty()) return symbolic::Walk::down;
    found =
        what + "'" + symbolic::to_text(pool, children[0]) + "', which is " + rounded_text(operand);
    return symbolic::Walk::end;
  });
  return found;
}

std::string vanishing_factor(symbolic::ExprPool& pool, ExprId residual, ExprId unknown,
                             const symbolic::Values& values) {
  const ExprId factor = symbolic::differentiate(pool, residual, unknown);
  const std::vector<ExprId> symbols = symbolic::free_symbols(pool, factor);
  for (const ExprId symbol : symbols)
    if (symbol == unknown || !values.contains(symbol)) return {};
  if (symbols.empty() || symbolic::evaluate(pool, factor, values) != 0) return {};
  return "it divides by '" + symbolic::to_text(pool, factor) + "', which is 0";
}

}  // namespace alembert::integrate
