// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/guess_plan.hpp"

#include <algorithm>
#include <numeric>

#include "alembert/structure/start_following.hpp"

namespace alembert::structure {

std::vector<StartAssignment> plan_guesses(symbolic::ExprPool& pool, const InitialPlan& plan,
                                          std::span<const Index> rows,
                                          std::span<const Index> columns) {
  StartFollowing following(pool, plan, rows, columns);
  const auto worth = [&](Index c) { return plan.guess_worth[columns[c]]; };
  const auto never = [](ExprId) { return false; };
  std::vector<Index> order(columns.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::greater<>(), worth);
  for (const Index c : order)
    if (worth(c) >= meant_guess) following.set_known(c);
  following.follow(never);
  for (const Index c : order) {
    if (following.is_known(c)) continue;
    following.set_known(c);
    following.follow(never);
  }
  std::vector<StartAssignment> guesses;
  for (const StartFollowing::Step& step : following.steps())
    guesses.push_back({columns[step.column], step.value});
  return guesses;
}

}  // namespace alembert::structure
