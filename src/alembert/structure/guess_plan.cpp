// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/guess_plan.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "alembert/graph/bipartite_graph.hpp"
#include "alembert/symbolic/solve.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

class GuessPlanner {
 public:
  GuessPlanner(symbolic::ExprPool& pool, const InitialPlan& plan, std::span<const Index> rows,
               std::span<const Index> columns)
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

  std::vector<StartAssignment> run() {
    std::vector<Index> order(columns_.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
      return plan_.guess_worth[columns_[a]] > plan_.guess_worth[columns_[b]];
    });
    for (const Index c : order)
      if (plan_.guess_worth[columns_[c]] >= meant_guess) set_known(c);
    follow();
    for (const Index c : order) {
      if (known_[c]) continue;
      set_known(c);
      follow();
    }
    return std::move(result_);
  }

 private:
  graph::IndexLists incidence() const {
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

  void set_known(Index c) {
    known_[c] = 1;
    for (const Index r : graph_.equations_of(c))
      if (--n_open_[r] == 1) ready_.push_back(r);
  }

  /// Whatever equations with one unknown left can be solved for.
  void follow() {
    for (std::size_t next = 0; next < ready_.size(); ++next) {
      const Index r = ready_[next];
      if (n_open_[r] != 1) continue;
      const auto unknowns = graph_.unknowns_of(r);
      const Index c =
          *std::find_if(unknowns.begin(), unknowns.end(), [&](Index u) { return !known_[u]; });
      const auto solution = symbolic::solve_for(pool_, plan_.rows[rows_[r]].residual,
                                                pool_.integer(0), plan_.columns[columns_[c]]);
      if (!solution || !solution->divisors.empty()) continue;
      result_.push_back({columns_[c], solution->value});
      set_known(c);
    }
    ready_.clear();
  }

  symbolic::ExprPool& pool_;
  const InitialPlan& plan_;
  std::span<const Index> rows_;
  std::span<const Index> columns_;
  graph::BipartiteGraph graph_;
  std::vector<char> known_;    // [n columns]
  std::vector<Index> n_open_;  // [n rows]: columns that are not known yet
  std::vector<Index> ready_;   // rows with one column left
  std::vector<StartAssignment> result_;
};

}  // namespace

std::vector<StartAssignment> plan_guesses(symbolic::ExprPool& pool, const InitialPlan& plan,
                                          std::span<const Index> rows,
                                          std::span<const Index> columns) {
  return GuessPlanner(pool, plan, rows, columns).run();
}

}  // namespace alembert::structure
