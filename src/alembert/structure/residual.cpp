// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/residual.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/solve.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using symbolic::ExprId;

namespace {

/// False if it is plain that no derivative is met twice: in a short expression where nothing that
/// could lead to one is shared. Marks on nodes, which a search of any expression needs, are all
/// over the memory.
bool may_meet_derivatives_twice(const symbolic::ExprPool& pool, ExprId root) {
  std::array<ExprId, 32> met{root};  // what has parts, and derivatives
  std::size_t n_met = 1;
  for (std::size_t k = 0; k < n_met; ++k)
    for (const ExprId child : pool.children(met[k])) {
      if (pool.children(child).empty() &&
          !(pool.is_symbol(child) && pool.symbol_of(child).order > 0))
        continue;
      if (n_met == met.size()) return true;
      if (std::find(met.begin(), met.begin() + n_met, child) != met.begin() + n_met) return true;
      met[n_met++] = child;
    }
  return false;
}

/// Derivatives at which two paths from the root meet; no other can cancel.
std::vector<ExprId> derivatives_met_twice(const symbolic::ExprPool& pool, ExprId root) {
  if (!may_meet_derivatives_twice(pool, root)) return {};
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
