// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/start_following.hpp"

#include <algorithm>
#include <unordered_map>

#include "alembert/symbolic/solve.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

StartFollowing::StartFollowing(symbolic::ExprPool& pool, const InitialPlan& plan,
                               std::span<const Index> rows, std::span<const Index> columns)
    : pool_(pool),
      plan_(plan),
      rows_(rows),
      columns_(columns),
      graph_(static_cast<Index>(columns.size()), incidence()),
      known_(columns.size(), 0) {
  for (Index r = 0; r < graph_.n_equations(); ++r) {
    n_open_.push_back(static_cast<Index>(graph_.unknowns_of(r).size()));
    if (n_open_.back() == 1) ready_.push_back(r);
  }
}

graph::IndexLists StartFollowing::incidence() const {
  std::unordered_map<ExprId, Index> local;  // looked up, never iterated
  for (Index c = 0; c < columns_.size(); ++c) local.emplace(plan_.columns[columns_[c]], c);
  graph::IndexLists lists;
  for (const Index r : rows_) {
    const symbolic::Reach reach(pool_, plan_.rows[r].residual);
    for (const ExprId node : reach.nodes())
      if (const auto found = local.find(node); found != local.end())
        lists.items.push_back(found->second);
    lists.end_list();
  }
  return lists;
}

void StartFollowing::set_known(Index column) {
  known_[column] = 1;
  for (const Index r : graph_.equations_of(column))
    if (--n_open_[r] == 1) ready_.push_back(r);
}

void StartFollowing::follow(const std::function<bool(ExprId divisor)>& may_divide_by) {
  for (std::size_t next = 0; next < ready_.size(); ++next) {
    const Index r = ready_[next];
    if (n_open_[r] != 1) continue;
    const auto unknowns = graph_.unknowns_of(r);
    const Index c =
        *std::find_if(unknowns.begin(), unknowns.end(), [&](Index u) { return !known_[u]; });
    const auto solution = symbolic::solve_for(pool_, plan_.rows[rows_[r]].residual,
                                              pool_.integer(0), plan_.columns[columns_[c]]);
    if (!solution || !std::ranges::all_of(solution->divisors, may_divide_by)) continue;
    steps_.push_back({c, r, solution->value});
    set_known(c);
  }
  ready_.clear();
}

}  // namespace alembert::structure
