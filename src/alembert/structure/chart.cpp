// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::structure {

namespace {

std::vector<Index> rows_of_level(const StructuralPlan& plan, const SelectionPart& part,
                                 Index level) {
  std::vector<Index> rows;
  for (const Index r : part.rows)
    if (plan.differentiations[plan.selection_rows[r]] >= level) rows.push_back(r);
  return rows;
}

/// Calls choose(rows, candidates) for each level of differentiation, the deepest rows staying
/// longest; a chosen unknown is a candidate of the next level while its chain goes on. Adds the
/// dummies to `chart` if every level had as many as rows; says whether it had.
template <class Choose>
bool choose_levels(const StructuralPlan& plan, const SelectionPart& part, Choose choose,
                   Chart& chart) {
  std::vector<std::vector<Index>> levels;
  std::vector<Index> candidates = part.unknowns;
  for (Index level = 1;; ++level) {
    const std::vector<Index> rows = rows_of_level(plan, part, level);
    if (rows.empty()) break;
    levels.push_back(choose(rows, candidates));
    if (levels.back().size() != rows.size()) return false;
    candidates.clear();
    for (const Index j : levels.back())
      if (plan.highest_order[j] > level) candidates.push_back(j);
  }
  for (const std::vector<Index>& chosen : levels)
    for (const Index j : chosen) ++chart.n_dummies[j];
  return true;
}

/// Takes columns one after the other, each if the rows can still be matched to all that were taken.
/// Sets that can be matched are the independent sets of a transversal matroid, so that this greedy
/// choice is the best one (Edmonds and Fulkerson, 1965). Reused, so that a part costs its own size.
class GreedyTransversal {
 public:
  explicit GreedyTransversal(const StructuralPlan& plan)
      : plan_(plan), local_(plan.highest_order.size(), none) {}

  /// candidates: most wanted first. Returns at most as many as there are rows.
  std::vector<Index> choose(std::span<const Index> rows, std::span<const Index> candidates) {
    const auto n_rows = static_cast<Index>(rows.size());
    for (Index k = 0; k < candidates.size(); ++k) local_[candidates[k]] = k;
    graph::IndexLists columns_of_rows;
    for (const Index r : rows) {
      for (const Index j : plan_.selection_incidence[r])
        if (local_[j] != none) columns_of_rows.items.push_back(local_[j]);
      columns_of_rows.end_list();
    }
    for (const Index j : candidates) local_[j] = none;
    const graph::BipartiteGraph graph(static_cast<Index>(candidates.size()),
                                      std::move(columns_of_rows));

    row_to_column_.assign(n_rows, none);
    column_to_row_.assign(candidates.size(), none);
    reached_from_.assign(n_rows, none);
    visit_.assign(n_rows, 0);
    std::vector<Index> chosen;
    for (Index k = 0; k < candidates.size() && chosen.size() < n_rows; ++k)
      if (augment(graph, k)) chosen.push_back(candidates[k]);
    return chosen;
  }

 private:
  static constexpr Index never_again = none;  // in visit_

  /// Breadth first from a column to a free row. Rows that a search met in vain lead to no free row
  /// later either, so all failures together cost the graph once.
  bool augment(const graph::BipartiteGraph& graph, Index column) {
    queue_.assign(1, column);
    met_.clear();
    const Index epoch = column + 1;
    for (std::size_t next = 0; next < queue_.size(); ++next)
      for (const Index r : graph.equations_of(queue_[next])) {
        if (visit_[r] == epoch || visit_[r] == never_again) continue;
        visit_[r] = epoch;
        met_.push_back(r);
        reached_from_[r] = queue_[next];
        if (row_to_column_[r] == none) {
          assign_back_from(r);
          return true;
        }
        queue_.push_back(row_to_column_[r]);
      }
    for (const Index r : met_) visit_[r] = never_again;
    return false;
  }

  void assign_back_from(Index row) {
    while (row != none) {
      const Index column = reached_from_[row];
      const Index previous = column_to_row_[column];
      row_to_column_[row] = column;
      column_to_row_[column] = row;
      row = previous;
    }
  }

  const StructuralPlan& plan_;
  std::vector<Index> local_;  // [n unknowns]: place among the candidates; none between calls
  std::vector<Index> row_to_column_;
  std::vector<Index> column_to_row_;
  std::vector<Index> reached_from_;
  std::vector<Index> visit_;
  std::vector<Index> queue_;
  std::vector<Index> met_;
};

void choose_by_structure(const flat::FlatSystem& flat, const StructuralPlan& plan,
                         const SelectionPart& part, GreedyTransversal& transversal, Chart& chart) {
  const bool complete = choose_levels(
      plan, part,
      [&](std::span<const Index> rows, std::vector<Index> candidates) {
        std::stable_sort(candidates.begin(), candidates.end(), [&](Index a, Index b) {
          return flat.unknowns[a].state_priority < flat.unknowns[b].state_priority;
        });
        return transversal.choose(rows, candidates);
      },
      chart);
  ensure(complete, "a level has as many dummies as differentiated equations");
}

/// Elimination with row and column pivots over rows scaled to length 1. Rows stay sparse, and a
/// heap knows the largest entry, so that a chain of mechanisms costs about its length.
class Elimination {
 public:
  explicit Elimination(const StructuralPlan& plan, SelectionEntries entries)
      : plan_(plan), entries_(entries), local_(plan.highest_order.size(), none) {
    ensure(entries.values.size() == plan.selection_incidence.items.size(),
           "a number for each entry of the selection problem");
  }

  struct Pivots {
    std::vector<Index> columns;  // chosen unknowns; fewer than rows where singular
    double smallest = 1.0;       // 0 where singular
    double log_product = 0.0;    // -inf where singular; the same in whatever order pivots come
  };

  /// `weights` favour columns: the largest weighted entry is the next pivot.
  Pivots run(std::span<const Index> rows, std::span<const Index> columns,
             std::span<const double> weights) {
    Pivots pivots;
    weights_ = weights;
    if (!load(rows, columns)) return singular(std::move(pivots));
    while (pivots.columns.size() < rows.size()) {
      const Candidate pivot = largest();
      if (pivot.size == 0) return singular(std::move(pivots));
      const double size = std::abs(*find(pivot.row, pivot.column));
      pivots.columns.push_back(columns[pivot.column]);
      pivots.smallest = std::min(pivots.smallest, size);
      pivots.log_product += std::log(size);
      eliminate(pivot.row, pivot.column);
    }
    return pivots;
  }

 private:
  static Pivots singular(Pivots pivots) {
    pivots.smallest = 0;
    pivots.log_product = -std::numeric_limits<double>::infinity();
    return pivots;
  }

  struct Entry {
    Index column;
    double value;
  };
  /// An entry as it once was; the largest comes first, then the first by row and column.
  struct Candidate {
    double size = 0;
    Index row = none;
    Index column = none;

    bool operator<(const Candidate& other) const {
      if (size != other.size) return size < other.size;
      return std::pair(row, column) > std::pair(other.row, other.column);
    }
  };

  /// False if an entry is not finite.
  bool load(std::span<const Index> rows, std::span<const Index> columns) {
    rows_.assign(rows.size(), {});
    row_done_.assign(rows.size(), 0);
    users_.assign(columns.size(), {});
    heap_ = {};
    bool finite = true;
    for (Index k = 0; k < columns.size(); ++k) local_[columns[k]] = k;
    for (Index i = 0; i < rows.size(); ++i) {
      const auto unknowns = plan_.selection_incidence[rows[i]];
      const double* values = entries_.values.data() + plan_.selection_incidence.begin[rows[i]];
      double length = 0;
      for (std::size_t k = 0; k < unknowns.size(); ++k) length = std::hypot(length, values[k]);
      if (!std::isfinite(length)) finite = false;
      if (length == 0) continue;
      for (std::size_t k = 0; k < unknowns.size(); ++k)
        if (local_[unknowns[k]] != none && values[k] != 0)
          rows_[i].push_back({local_[unknowns[k]], values[k] / length});
      std::sort(rows_[i].begin(), rows_[i].end(),
                [](const Entry& a, const Entry& b) { return a.column < b.column; });
      for (const Entry& entry : rows_[i]) {
        users_[entry.column].push_back(i);
        offer(i, entry);
      }
    }
    for (const Index j : columns) local_[j] = none;
    return finite;
  }

  void offer(Index row, const Entry& entry) {
    heap_.push({std::abs(entry.value) * weights_[entry.column], row, entry.column});
  }

  const double* find(Index row, Index column) const {
    const auto at =
        std::lower_bound(rows_[row].begin(), rows_[row].end(), column,
                         [](const Entry& entry, Index wanted) { return entry.column < wanted; });
    return at != rows_[row].end() && at->column == column ? &at->value : nullptr;
  }

  Candidate largest() {
    while (!heap_.empty()) {
      const Candidate top = heap_.top();
      heap_.pop();
      if (row_done_[top.row]) continue;
      const double* now = find(top.row, top.column);
      if (now && std::abs(*now) * weights_[top.column] == top.size) return top;
    }
    return {};
  }

  void eliminate(Index pivot_row, Index pivot_column) {
    row_done_[pivot_row] = 1;
    const double pivot = *find(pivot_row, pivot_column);
    for (const Index i : users_[pivot_column]) {
      const double* entry = row_done_[i] ? nullptr : find(i, pivot_column);
      if (entry != nullptr) subtract(i, pivot_row, *entry / pivot, pivot_column);
    }
  }

  /// row -= factor * pivot row, without the pivot's column.
  void subtract(Index row, Index pivot_row, double factor, Index pivot_column) {
    const std::vector<Entry>& a = rows_[row];
    const std::vector<Entry>& b = rows_[pivot_row];
    sum_.clear();
    std::size_t i = 0;
    std::size_t k = 0;
    while (i < a.size() || k < b.size()) {
      const Index column =
          std::min(i < a.size() ? a[i].column : none, k < b.size() ? b[k].column : none);
      const bool in_a = i < a.size() && a[i].column == column;
      const bool in_b = k < b.size() && b[k].column == column;
      const double old = in_a ? a[i++].value : 0.0;
      const double now = in_b ? old - factor * b[k++].value : old;
      if (column == pivot_column || now == 0) continue;
      sum_.push_back({column, now});
      if (!in_a) users_[column].push_back(row);
      if (in_b) offer(row, sum_.back());
    }
    rows_[row].swap(sum_);
  }

  const StructuralPlan& plan_;
  SelectionEntries entries_;
  std::vector<Index> local_;  // [n unknowns]: place among the columns; none between calls
  std::span<const double> weights_;
  std::vector<std::vector<Entry>> rows_;  // by column, ascending; a pivot's column is gone
  std::vector<char> row_done_;
  std::vector<std::vector<Index>> users_;  // [n columns]: rows that have had the column
  std::priority_queue<Candidate> heap_;
  std::vector<Entry> sum_;
};

std::vector<double> entries_of(const StructuralPlan& plan, std::span<const double> jacobian) {
  const std::size_t n_unknowns = plan.highest_order.size();
  ensure(jacobian.size() == plan.selection_rows.size() * n_unknowns,
         "a dense selection matrix has a column for each unknown");
  std::vector<double> entries;
  entries.reserve(plan.selection_incidence.items.size());
  for (Index r = 0; r < plan.selection_rows.size(); ++r)
    for (const Index j : plan.selection_incidence[r])
      entries.push_back(jacobian[r * n_unknowns + j]);
  return entries;
}

}  // namespace

Chart static_chart(const flat::FlatSystem& flat, const StructuralPlan& plan) {
  Chart chart{std::vector<Index>(plan.highest_order.size(), 0)};
  GreedyTransversal transversal(plan);
  for (const SelectionPart& part : plan.selection_parts)
    choose_by_structure(flat, plan, part, transversal, chart);
  return chart;
}

namespace {

/// The dummies of one part with the largest pivots, added to `chart`; how good they are, 0 and
/// those of structure where it is singular.
double choose_by_numbers(const flat::FlatSystem& flat, const StructuralPlan& plan,
                         const SelectionPart& part, Elimination& elimination,
                         GreedyTransversal& transversal, Chart& chart) {
  double quality = 1.0;
  const bool regular = choose_levels(
      plan, part,
      [&](std::span<const Index> rows, std::span<const Index> candidates) {
        // Where all are dummies there is nothing to choose, and no choice to be judged.
        if (candidates.size() == rows.size())
          return std::vector<Index>(candidates.begin(), candidates.end());
        // What the user wants as a state is a dummy only where it is clearly the better one; the
        // preference for high orders decides no more than ties, which rounding would decide else.
        std::vector<double> weights;
        for (const Index j : candidates)
          weights.push_back(std::exp2(-std::clamp(flat.unknowns[j].state_priority, -1.0, 1.0)) *
                            (1 + 1e-6 * plan.highest_order[j]));
        auto pivots = elimination.run(rows, candidates, weights);
        quality = std::min(quality, pivots.smallest);
        return std::move(pivots.columns);
      },
      chart);
  if (!regular) choose_by_structure(flat, plan, part, transversal, chart);
  return quality;
}

/// Calls use(pivots) for each level of the matrix that the dummies of a part make, as far as there
/// was a choice.
template <class Use>
void eliminate_dummies(const StructuralPlan& plan, const SelectionPart& part, const Chart& chart,
                       Elimination& elimination, Use use) {
  for (Index level = 1;; ++level) {
    const std::vector<Index> rows = rows_of_level(plan, part, level);
    if (rows.empty()) break;
    std::vector<Index> columns;
    std::size_t n_candidates = 0;
    for (const Index j : part.unknowns) {
      if (chart.n_dummies[j] + 1 >= level && plan.highest_order[j] >= level) ++n_candidates;
      if (chart.n_dummies[j] >= level) columns.push_back(j);
    }
    if (n_candidates == rows.size()) continue;
    const std::vector<double> weights(columns.size(), 1.0);
    use(elimination.run(rows, columns, weights));
  }
}

double part_quality(const StructuralPlan& plan, const SelectionPart& part, const Chart& chart,
                    Elimination& elimination) {
  double quality = 1.0;
  eliminate_dummies(plan, part, chart, elimination,
                    [&](const auto& pivots) { quality = std::min(quality, pivots.smallest); });
  return quality;
}

}  // namespace

ChartChoice best_chart(const flat::FlatSystem& flat, const StructuralPlan& plan,
                       SelectionEntries entries) {
  ChartChoice choice{{std::vector<Index>(plan.highest_order.size(), 0)}, 1.0};
  GreedyTransversal transversal(plan);
  Elimination elimination(plan, entries);
  for (const SelectionPart& part : plan.selection_parts)
    choice.quality = std::min(choice.quality, choose_by_numbers(flat, plan, part, elimination,
                                                                transversal, choice.chart));
  return choice;
}

ChartImprovement improve_chart(const flat::FlatSystem& flat, const StructuralPlan& plan,
                               const Chart& current, SelectionEntries entries, double ratio) {
  ensure(current.n_dummies.size() == plan.highest_order.size(), "a chart belongs to its plan");
  ChartImprovement result{current, {}, 1.0};
  GreedyTransversal transversal(plan);
  Elimination elimination(plan, entries);
  for (Index p = 0; p < plan.selection_parts.size(); ++p) {
    const SelectionPart& part = plan.selection_parts[p];
    double quality = part_quality(plan, part, current, elimination);
    if (quality < ratio) {  // else nothing can be that much better: 1 is the best there is
      for (const Index j : part.unknowns) result.chart.n_dummies[j] = 0;
      const double best =
          choose_by_numbers(flat, plan, part, elimination, transversal, result.chart);
      bool other = false;
      for (const Index j : part.unknowns)
        other = other || result.chart.n_dummies[j] != current.n_dummies[j];
      if (other && quality < ratio * best) {
        result.changes.push_back({p, quality, best});
        quality = best;
      } else {
        for (const Index j : part.unknowns) result.chart.n_dummies[j] = current.n_dummies[j];
      }
    }
    result.quality = std::min(result.quality, quality);
  }
  return result;
}

double chart_quality(const StructuralPlan& plan, const Chart& chart, SelectionEntries entries) {
  ensure(chart.n_dummies.size() == plan.highest_order.size(), "a chart belongs to its plan");
  Elimination elimination(plan, entries);
  double quality = 1.0;
  for (const SelectionPart& part : plan.selection_parts)
    quality = std::min(quality, part_quality(plan, part, chart, elimination));
  return quality;
}

std::vector<double> chart_log_determinants(const StructuralPlan& plan, const Chart& chart,
                                           SelectionEntries entries) {
  ensure(chart.n_dummies.size() == plan.highest_order.size(), "a chart belongs to its plan");
  Elimination elimination(plan, entries);
  std::vector<double> logs;
  for (const SelectionPart& part : plan.selection_parts)
    eliminate_dummies(plan, part, chart, elimination,
                      [&](const auto& pivots) { logs.push_back(pivots.log_product); });
  return logs;
}

ChartChoice best_chart(const flat::FlatSystem& flat, const StructuralPlan& plan,
                       std::span<const double> jacobian) {
  return best_chart(flat, plan, SelectionEntries{entries_of(plan, jacobian)});
}

double chart_quality(const StructuralPlan& plan, const Chart& chart,
                     std::span<const double> jacobian) {
  return chart_quality(plan, chart, SelectionEntries{entries_of(plan, jacobian)});
}

}  // namespace alembert::structure
