// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What follows in a block of the initial system from columns that are known, by
// rows with one column left. In: rows and columns of the block; which columns are known is for the
// caller to choose, one after the other. Out: the columns that follow, each with its expression.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "alembert/graph/bipartite_graph.hpp"
#include "alembert/structure/initial_plan.hpp"

namespace alembert::structure {

class StartFollowing {
 public:
  StartFollowing(symbolic::ExprPool& pool, const InitialPlan& plan, std::span<const Index> rows,
                 std::span<const Index> columns);

  struct Step {
    Index column;  // places in the block
    Index row;
    ExprId value;  // of columns outside the block, of known ones, and of earlier steps
  };

  bool is_known(Index column) const { return known_[column] != 0; }
  void set_known(Index column);
  /// Whatever rows with one column left can be solved for, as far as all that is divided by may be.
  void follow(const std::function<bool(ExprId divisor)>& may_divide_by);

  const std::vector<Step>& steps() const { return steps_; }
  std::size_t n_rows_with(Index column) const { return graph_.equations_of(column).size(); }

 private:
  graph::IndexLists incidence() const;

  symbolic::ExprPool& pool_;
  const InitialPlan& plan_;
  std::span<const Index> rows_;
  std::span<const Index> columns_;
  graph::BipartiteGraph graph_;
  std::vector<char> known_;    // [n columns]
  std::vector<Index> n_open_;  // [n rows]: columns that are not known yet
  std::vector<Index> ready_;   // rows with one column left
  std::vector<Step> steps_;
};

}  // namespace alembert::structure
