// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/chart.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/flat/state_priority.hpp"
#include "alembert/structure/elimination.hpp"
#include "alembert/structure/one_by_one.hpp"

namespace alembert::structure {

namespace {

/// Dummies as good as this are kept even where others are better, in mechanisms of more constraints
/// than this: a change costs a compilation, and each then serves more of a long chain.
constexpr double good_quality = 0.2;
constexpr std::size_t few_constraints = 8;

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

/// As many starts are fixed as there are states: they say what the author takes for states. One of
/// them alone may just be where the others are to be found from.
bool fixes_all_states(const flat::FlatSystem& flat, const StructuralPlan& plan) {
  const auto n_fixed =
      std::ranges::count(flat.unknowns, true, &flat::Unknown::fixed) +
      std::ranges::count(flat.derivative_starts, true, &flat::DerivativeStart::fixed);
  return plan.degrees_of_freedom > 0 &&
         n_fixed >= static_cast<std::ptrdiff_t>(plan.degrees_of_freedom);
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

  /// As fixes_all_states, which is counted once.
  bool by_fixed(const flat::FlatSystem& flat) {
    if (!by_fixed_) by_fixed_ = fixes_all_states(flat, plan_);
    return *by_fixed_;
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
  std::optional<bool> by_fixed_;
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
  const bool by_fixed = transversal.by_fixed(flat);
  const bool complete = choose_levels(
      plan, part,
      [&](std::span<const Index> rows, std::vector<Index> candidates) {
        const auto less_wanted = [&](Index a, Index b) {
          const flat::Unknown &one = flat.unknowns[a], &other = flat.unknowns[b];
          if (one.state_priority != other.state_priority)
            return one.state_priority < other.state_priority;
          if (plan.highest_order[a] != plan.highest_order[b])
            return plan.highest_order[a] > plan.highest_order[b];
          return by_fixed && one.fixed < other.fixed;
        };
        // Few models have either.
        if (!std::is_sorted(candidates.begin(), candidates.end(), less_wanted))
          std::stable_sort(candidates.begin(), candidates.end(), less_wanted);
        return transversal.choose(rows, candidates);
      },
      chart);
  ensure(complete, "a level has as many dummies as differentiated equations");
}

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

void settle_choices(const flat::FlatSystem& flat, std::span<const symbolic::ExprId> jacobian,
                    StructuralPlan& plan) {
  ensure(jacobian.size() == plan.selection_incidence.items.size(), "an expression for each entry");
  if (plan.selection_parts.empty()) return;
  const Chart chart = static_chart(flat, plan);
  OneByOne one_by_one(flat, plan, chart, jacobian);
  const auto n_states = [&](const SelectionPart& part) {
    Index n = 0;
    for (const Index j : part.unknowns) n += plan.highest_order[j] - chart.n_dummies[j];
    return n;
  };
  for (SelectionPart& part : plan.selection_parts) {
    const bool wanted = std::ranges::any_of(part.unknowns, [&](Index j) {
      return flat.unknowns[j].state_priority > 0 && chart.n_dummies[j] < plan.highest_order[j];
    });
    Index deepest = 0;
    for (const Index r : part.rows)
      deepest = std::max(deepest, plan.differentiations[plan.selection_rows[r]]);
    part.settled = wanted;
    for (Index level = 1; level <= deepest && part.settled; ++level)
      part.settled = one_by_one.can_be_found(part, level);
    part.settled |= n_states(part) == 0;
  }
}

namespace {

/// How much rather an unknown shall be a dummy: what is preferred as a state becomes one where it
/// is clearly the better one, what shall always or never be a state is obeyed as far as numbers
/// allow.
double wish(double state_priority) {
  constexpr double strong = 10;
  return std::exp2(std::abs(state_priority) < flat::demanded_priority
                       ? -std::clamp(state_priority, -1.0, 1.0)
                       : std::copysign(strong, -state_priority));
}

/// The dummies of one part with the largest pivots, added to `chart`; how good they are, 0 and
/// those of structure where it is singular.
double choose_by_numbers(const flat::FlatSystem& flat, const StructuralPlan& plan,
                         const SelectionPart& part, std::span<const double> column_weights,
                         Elimination& elimination, GreedyTransversal& transversal, Chart& chart) {
  double quality = 1.0;
  if (part.settled) {
    choose_by_structure(flat, plan, part, transversal, chart);
    return quality;
  }
  const bool regular = choose_levels(
      plan, part,
      [&](std::span<const Index> rows, std::span<const Index> candidates) {
        // Where all are dummies there is nothing to choose, and no choice to be judged.
        if (candidates.size() == rows.size())
          return std::vector<Index>(candidates.begin(), candidates.end());
        // The preference for high orders decides no more than ties, which rounding would decide
        // else.
        std::vector<double> weights;
        for (const Index j : candidates)
          weights.push_back(wish(flat.unknowns[j].state_priority) *
                            (1 + 1e-6 * plan.highest_order[j]) *
                            (column_weights.empty() ? 1.0 : column_weights[j]));
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
  if (part.settled) return;
  // Positions and velocities have the same matrix where all constraints are differentiated twice.
  std::vector<Index> rows_before;
  std::vector<Index> columns_before;
  Elimination::Pivots pivots;
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
    if (rows != rows_before || columns != columns_before) {
      const std::vector<double> weights(columns.size(), 1.0);
      pivots = elimination.run(rows, columns, weights);
      rows_before = rows;
      columns_before = std::move(columns);
    }
    use(pivots);
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
  Elimination elimination(plan.selection_incidence, static_cast<Index>(plan.highest_order.size()),
                          entries.values, entries.row_sizes);
  for (const SelectionPart& part : plan.selection_parts)
    choice.quality =
        std::min(choice.quality, choose_by_numbers(flat, plan, part, entries.column_weights,
                                                   elimination, transversal, choice.chart));
  return choice;
}

ChartImprovement improve_chart(const flat::FlatSystem& flat, const StructuralPlan& plan,
                               const Chart& current, SelectionEntries entries, double ratio) {
  ensure(current.n_dummies.size() == plan.highest_order.size(), "a chart belongs to its plan");
  ChartImprovement result{current, {}, 1.0};
  GreedyTransversal transversal(plan);
  Elimination elimination(plan.selection_incidence, static_cast<Index>(plan.highest_order.size()),
                          entries.values, entries.row_sizes);
  for (Index p = 0; p < plan.selection_parts.size(); ++p) {
    const SelectionPart& part = plan.selection_parts[p];
    double quality = part_quality(plan, part, current, elimination);
    const double enough = part.rows.size() <= few_constraints ? ratio : good_quality;
    if (quality < std::min(ratio, enough)) {
      for (const Index j : part.unknowns) result.chart.n_dummies[j] = 0;
      const double best = choose_by_numbers(flat, plan, part, entries.column_weights, elimination,
                                            transversal, result.chart);
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

std::vector<double> row_lengths(const StructuralPlan& plan, SelectionEntries entries) {
  std::vector<double> lengths;
  lengths.reserve(plan.selection_rows.size());
  for (Index r = 0; r < plan.selection_rows.size(); ++r)
    lengths.push_back(Elimination::length_of(entries.values.subspan(
        plan.selection_incidence.begin[r], plan.selection_incidence[r].size())));
  return lengths;
}

double chart_quality(const StructuralPlan& plan, const Chart& chart, SelectionEntries entries) {
  ensure(chart.n_dummies.size() == plan.highest_order.size(), "a chart belongs to its plan");
  Elimination elimination(plan.selection_incidence, static_cast<Index>(plan.highest_order.size()),
                          entries.values, entries.row_sizes);
  double quality = 1.0;
  for (const SelectionPart& part : plan.selection_parts)
    quality = std::min(quality, part_quality(plan, part, chart, elimination));
  return quality;
}

std::vector<double> chart_log_determinants(const StructuralPlan& plan, const Chart& chart,
                                           SelectionEntries entries) {
  ensure(chart.n_dummies.size() == plan.highest_order.size(), "a chart belongs to its plan");
  Elimination elimination(plan.selection_incidence, static_cast<Index>(plan.highest_order.size()),
                          entries.values, entries.row_sizes);
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
