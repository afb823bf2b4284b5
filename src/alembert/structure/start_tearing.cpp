// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/start_tearing.hpp"

#include <algorithm>
#include <numeric>

#include "alembert/structure/homotopy.hpp"
#include "alembert/structure/start_following.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

/// A divisor that does not come to be zero on the way: neither what is searched for, nor the share
/// of simplified equations.
bool is_constant(const symbolic::ExprPool& pool, const InitialPlan& plan, ExprId share,
                 ExprId divisor) {
  const symbolic::Reach reach(pool, divisor);
  return std::ranges::none_of(reach.nodes(), [&](ExprId node) {
    return pool.is_symbol(node) &&
           (pool.symbol_of(node).kind != symbolic::SymbolKind::parameter || node == share ||
            std::ranges::find(plan.columns, node) != plan.columns.end());
  });
}

}  // namespace

StartTearing tear_start(symbolic::ExprPool& pool, const InitialPlan& plan,
                        std::span<const Index> rows, std::span<const Index> columns) {
  StartFollowing following(pool, plan, rows, columns);
  const ExprId share = homotopy_symbol(pool);
  const auto constant = [&](ExprId divisor) { return is_constant(pool, plan, share, divisor); };
  std::vector<Index> order(columns.size());
  std::iota(order.begin(), order.end(), Index{0});
  // Of equal worth, what occurs in many rows lets most others follow.
  std::ranges::stable_sort(order, std::greater<>(), [&](Index c) {
    return std::pair(plan.guess_worth[columns[c]], following.n_rows_with(c));
  });
  StartTearing result;
  following.follow(constant);
  for (const Index c : order) {
    if (following.is_known(c)) continue;
    result.tears.push_back(c);
    following.set_known(c);
    following.follow(constant);
  }
  std::ranges::sort(result.tears);
  std::vector<char> used(rows.size(), 0);
  for (const StartFollowing::Step& step : following.steps()) {
    result.assignments.push_back({step.column, step.row, step.value});
    used[step.row] = 1;
  }
  for (Index r = 0; r < rows.size(); ++r)
    if (!used[r]) result.residuals.push_back(r);
  return result;
}

}  // namespace alembert::structure
