// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/residual.hpp"

#include <algorithm>
#include <vector>

#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/solve.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using symbolic::ExprId;

namespace {

/// Derivatives at which two paths from the root meet; no other can cancel.
std::vector<ExprId> derivatives_met_twice(const symbolic::ExprPool& pool, ExprId root) {
  const symbolic::Reach reach(pool, root);
  std::vector<char> n_paths(reach.size(), 0);  // 2 stands for more
  n_paths[reach.index_of(root)] = 1;
  std::vector<ExprId> met_twice;
  for (std::size_t i = reach.size(); i-- > 0;) {  // parents before children
    const ExprId node = reach.nodes()[i];
    if (n_paths[i] == 2 && pool.is_symbol(node) && pool.symbol_of(node).order > 0)
      met_twice.push_back(node);
    for (const ExprId child : pool.children(node)) {
      char& n = n_paths[reach.index_of(child)];
      n = static_cast<char>(std::min(2, n + n_paths[i]));
    }
  }
  return met_twice;
}

}  // namespace

ExprId residual(symbolic::ExprPool& pool, const flat::FlatEquation& equation) {
  return residual(pool, equation.left, equation.right);
}

ExprId residual(symbolic::ExprPool& pool, ExprId left, ExprId right) {
  const ExprId difference = pool.sub(left, right);
  const std::vector<ExprId> doubtful = derivatives_met_twice(pool, difference);
  if (doubtful.empty()) return difference;
  const auto linear = symbolic::linear_combination(pool, difference, doubtful);
  if (!linear) return difference;
  symbolic::Replacements absent;
  for (std::size_t k = 0; k < doubtful.size(); ++k)
    if (pool.is_zero(linear->slopes[k])) absent.emplace(doubtful[k], pool.number(0));
  return absent.empty() ? difference : symbolic::substitute(pool, difference, absent);
}

}  // namespace alembert::structure
