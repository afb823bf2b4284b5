// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/delay_derivative.hpp"

#include <string>

#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::structure {

using graph::Index;
using symbolic::ExprId;

namespace {

std::string name_of(const symbolic::ExprPool& pool, ExprId delayed, Index order) {
  return pool.symbol_text(delayed) + std::string(order, '\'');
}

}  // namespace

ExprId find_delay_derivative(const symbolic::ExprPool& pool, ExprId delayed, Index order) {
  return pool.find_symbol(name_of(pool, delayed, order));
}

ExprId time_derivative(symbolic::ExprPool& pool, ExprId expression,
                       std::span<const ExprId> delayed) {
  std::vector<ExprId> terms{symbolic::time_derivative(pool, expression)};
  for (const ExprId quantity : delayed)
    for (Index order = 0; order < most_delay_derivatives; ++order) {
      const ExprId symbol = order == 0 ? quantity : find_delay_derivative(pool, quantity, order);
      if (!symbol.valid() || !symbolic::depends_on(pool, expression, symbol)) continue;
      terms.push_back(pool.mul(symbolic::differentiate(pool, expression, symbol),
                               pool.discrete(name_of(pool, quantity, order + 1))));
    }
  return pool.add(terms);
}

}  // namespace alembert::structure
