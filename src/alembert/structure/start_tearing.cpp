// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/start_tearing.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "alembert/graph/bipartite_graph.hpp"
#include "alembert/structure/homotopy.hpp"
#include "alembert/symbolic/solve.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

class StartTearer {
 public:
  StartTearer(symbolic::ExprPool& pool, const InitialPlan& plan, std::span<const Index> rows,
              std::span<const Index> columns)
      : pool_(pool),
        plan_(plan),
        rows_(rows),
        columns_(columns),
        graph_(static_cast<Index>(columns.size()), incidence()),
        known_(columns.size(), 0),
        used_(rows.size(), 0) {
    for (Index r = 0; r < graph_.n_equations(); ++r) {
      n_open_.push_back(static_cast<Index>(graph_.unknowns_of(r).size()));
      if (n_open_.back() == 1) ready_.push_back(r);
    }
  }

  StartTearing run() {
    std::vector<Index> order(columns_.size());
    std::iota(order.begin(), order.end(), Index{0});
    // Of equal worth, what occurs in many rows lets most others follow.
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
      const double worth_a = plan_.guess_worth[columns_[a]];
      const double worth_b = plan_.guess_worth[columns_[b]];
      if (worth_a != worth_b) return worth_a > worth_b;
      return graph_.equations_of(a).size() > graph_.equations_of(b).size();
    });
    follow();
    for (const Index c : order) {
      if (known_[c]) continue;
      result_.tears.push_back(c);
      set_known(c);
      follow();
    }
    std::sort(result_.tears.begin(), result_.tears.end());
    for (Index r = 0; r < graph_.n_equations(); ++r)
      if (!used_[r]) result_.residuals.push_back(r);
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

  /// A divisor that does not come to be zero on the way: neither what is searched for, nor the
  /// share of simplified equations.
  bool constant(ExprId divisor) const {
    const ExprId share = homotopy_symbol(pool_);
    const symbolic::Reach reach(pool_, divisor);
    return std::none_of(reach.nodes().begin(), reach.nodes().end(), [&](ExprId node) {
      return pool_.is_symbol(node) &&
             (pool_.symbol_of(node).kind != symbolic::SymbolKind::parameter || node == share ||
              std::find(plan_.columns.begin(), plan_.columns.end(), node) != plan_.columns.end());
    });
  }

  void follow() {
    for (std::size_t next = 0; next < ready_.size(); ++next) {
      const Index r = ready_[next];
      if (n_open_[r] != 1 || used_[r]) continue;
      const auto unknowns = graph_.unknowns_of(r);
      const Index c =
          *std::find_if(unknowns.begin(), unknowns.end(), [&](Index u) { return !known_[u]; });
      const auto solution = symbolic::solve_for(pool_, plan_.rows[rows_[r]].residual,
                                                pool_.integer(0), plan_.columns[columns_[c]]);
      if (!solution || !std::all_of(solution->divisors.begin(), solution->divisors.end(),
                                    [&](ExprId divisor) { return constant(divisor); }))
        continue;
      result_.assignments.push_back({c, r, solution->value});
      used_[r] = 1;
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
  std::vector<char> used_;     // [n rows]: it gives a column
  std::vector<Index> n_open_;  // [n rows]: columns that are not known yet
  std::vector<Index> ready_;   // rows with one column left
  StartTearing result_;
};

}  // namespace

StartTearing tear_start(symbolic::ExprPool& pool, const InitialPlan& plan,
                        std::span<const Index> rows, std::span<const Index> columns) {
  return StartTearer(pool, plan, rows, columns).run();
}

}  // namespace alembert::structure
