// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/settle_semi_linear.hpp"

#include <unordered_set>
#include <vector>

namespace alembert::modelica {

using flat::ExprId;
using flat::FlatEquation;
using symbolic::Op;

namespace {

/// Those that an equation of their own sets to zero, as the flow of a port without connections is.
std::unordered_set<ExprId> zero_symbols(const flat::FlatSystem& system) {
  const symbolic::ExprPool& pool = *system.pool;
  std::unordered_set<ExprId> zeros;  // looked up, never iterated
  for (const FlatEquation& equation : system.equations) {
    if (pool.is_zero(equation.right) && pool.is_symbol(equation.left)) zeros.insert(equation.left);
    if (pool.is_zero(equation.left) && pool.is_symbol(equation.right)) zeros.insert(equation.right);
  }
  return zeros;
}

}  // namespace

void settle_semi_linear(flat::FlatSystem& system) {
  const symbolic::ExprPool& pool = *system.pool;
  const auto is_semi_linear = [&](ExprId id) { return pool.op(id) == Op::semi_linear; };
  std::vector<FlatEquation*> candidates;
  for (FlatEquation& equation : system.equations)
    if (is_semi_linear(equation.left) != is_semi_linear(equation.right))
      candidates.push_back(&equation);
  if (candidates.empty()) return;
  const std::unordered_set<ExprId> zeros = zero_symbols(system);
  const auto is_zero = [&](ExprId id) { return pool.is_zero(id) || zeros.contains(id); };
  for (FlatEquation* equation : candidates) {
    const bool on_left = is_semi_linear(equation->left);
    const auto arguments = pool.children(on_left ? equation->left : equation->right);
    if (!is_zero(on_left ? equation->right : equation->left) || !is_zero(arguments[0])) continue;
    const ExprId first = arguments[1];
    const ExprId second = arguments[2];
    equation->left = first;
    equation->right = second;
  }
}

}  // namespace alembert::modelica
