// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "alembert/base/error.hpp"
#include "alembert/structure/pantelides.hpp"

namespace alembert::structure {

StructuralPlan make_plan(const flat::FlatSystem& flat) {
  StructuralPlan plan;
  plan.structure = extract_structure(flat);
  require_structurally_regular(flat, plan.structure);
  pantelides(plan.structure);
  const Structure& s = plan.structure;

  plan.differentiations.assign(s.n_sources, 0);
  for (const Equation& equation : s.equations)
    plan.differentiations[equation.source] =
        std::max(plan.differentiations[equation.source], equation.order);
  plan.highest_order.assign(s.n_unknowns, 0);
  for (const Variable& variable : s.variables)
    plan.highest_order[variable.unknown] =
        std::max(plan.highest_order[variable.unknown], variable.order);

  std::vector<Index> top(s.n_sources, none);
  for (Index e = 0; e < s.equations.size(); ++e)
    if (s.equations[e].derivative == none) top[s.equations[e].source] = e;
  for (Index i = 0; i < s.n_sources; ++i) {
    if (plan.differentiations[i] == 0) continue;
    plan.selection_rows.push_back(i);
    for (const Index v : s.incidence[top[i]])
      if (s.is_highest(v) && s.variables[v].order > 0)
        plan.selection_incidence.items.push_back(s.variables[v].unknown);
    plan.selection_incidence.end_list();
  }

  const Index most = plan.differentiations.empty()
                         ? 0
                         : *std::max_element(plan.differentiations.begin(), plan.differentiations.end());
  const bool algebraic = std::find(plan.highest_order.begin(), plan.highest_order.end(), 0u) !=
                         plan.highest_order.end();
  plan.structural_index = most + (algebraic ? 1 : 0);
  plan.degrees_of_freedom =
      std::accumulate(plan.highest_order.begin(), plan.highest_order.end(), Index{0}) -
      std::accumulate(plan.differentiations.begin(), plan.differentiations.end(), Index{0});
  return plan;
}

namespace {

/// Calls choose(rows, candidates) for each level of differentiation, the deepest rows staying longest; a chosen
/// unknown is a candidate of the next level while its chain goes on. `choose` returns as many as there are rows.
template <class Choose>
Chart choose_levels(const StructuralPlan& plan, Choose choose) {
  Chart chart{std::vector<Index>(plan.highest_order.size(), 0)};
  std::vector<Index> candidates;
  for (Index j = 0; j < plan.highest_order.size(); ++j)
    if (plan.highest_order[j] > 0) candidates.push_back(j);
  for (Index level = 1;; ++level) {
    std::vector<Index> rows;  // positions in selection_rows
    for (Index r = 0; r < plan.selection_rows.size(); ++r)
      if (plan.differentiations[plan.selection_rows[r]] >= level) rows.push_back(r);
    if (rows.empty()) return chart;
    std::vector<Index> chosen = choose(rows, candidates);
    ensure(chosen.size() == rows.size(), "a level has as many dummies as differentiated equations");
    candidates.clear();
    for (const Index j : chosen) {
      ++chart.n_dummies[j];
      if (plan.highest_order[j] > level) candidates.push_back(j);
    }
  }
}

/// Dense elimination with row and column pivots over rows scaled to length 1.
class Elimination {
 public:
  Elimination(const StructuralPlan& plan, std::span<const double> jacobian,
              std::span<const Index> rows, std::span<const Index> columns)
      : n_rows_(rows.size()), n_columns_(columns.size()), a_(n_rows_ * n_columns_) {
    const std::size_t stride = plan.highest_order.size();
    for (std::size_t i = 0; i < n_rows_; ++i) {
      const double* row = jacobian.data() + rows[i] * stride;
      double length = 0;
      for (std::size_t j = 0; j < stride; ++j) length = std::hypot(length, row[j]);
      for (std::size_t j = 0; j < n_columns_; ++j)
        a_[i * n_columns_ + j] = length > 0 ? row[columns[j]] / length : 0.0;
    }
  }

  struct Pivots {
    std::vector<Index> columns;  // chosen, as positions
    double smallest = 1.0;
  };

  /// `weight` favours columns: the largest weighted entry is the next pivot.
  Pivots run(std::span<const double> weight) {
    Pivots pivots;
    std::vector<char> column_done(n_columns_, 0);
    for (std::size_t step = 0; step < n_rows_; ++step) {
      std::size_t best_row = step;
      std::size_t best_column = n_columns_;
      double best = -1;
      for (std::size_t i = step; i < n_rows_; ++i)
        for (std::size_t j = 0; j < n_columns_; ++j) {
          const double size = column_done[j] ? -1 : std::abs(a_[i * n_columns_ + j]) * weight[j];
          if (size > best) best = size, best_row = i, best_column = j;
        }
      if (best_column == n_columns_) {
        pivots.smallest = 0;
        return pivots;
      }
      for (std::size_t j = 0; j < n_columns_; ++j)
        std::swap(a_[step * n_columns_ + j], a_[best_row * n_columns_ + j]);
      const double pivot = a_[step * n_columns_ + best_column];
      pivots.columns.push_back(static_cast<Index>(best_column));
      pivots.smallest = std::min(pivots.smallest, std::abs(pivot));
      column_done[best_column] = 1;
      if (pivot == 0) continue;
      for (std::size_t i = step + 1; i < n_rows_; ++i) {
        const double factor = a_[i * n_columns_ + best_column] / pivot;
        for (std::size_t j = 0; j < n_columns_; ++j)
          if (!column_done[j]) a_[i * n_columns_ + j] -= factor * a_[step * n_columns_ + j];
      }
    }
    return pivots;
  }

 private:
  std::size_t n_rows_;
  std::size_t n_columns_;
  std::vector<double> a_;
};

}  // namespace

Chart static_chart(const flat::FlatSystem& flat, const StructuralPlan& plan) {
  return choose_levels(plan, [&](std::span<const Index> rows, std::vector<Index> candidates) {
    // Least wanted as states first; greedy augmentation is optimal (a transversal matroid).
    std::stable_sort(candidates.begin(), candidates.end(), [&](Index a, Index b) {
      return flat.unknowns[a].state_priority < flat.unknowns[b].state_priority;
    });
    std::vector<Index> row_to_unknown(rows.size(), none);
    std::vector<Index> chosen;
    for (const Index j : candidates) {
      if (chosen.size() == rows.size()) break;
      // Breadth-first search for an augmenting path from column j to a free row.
      std::vector<Index> came_from(rows.size(), none);  // unknown through which the row was reached
      std::vector<Index> queue{j};
      Index free_row = none;
      for (std::size_t next = 0; next < queue.size() && free_row == none; ++next) {
        for (Index r = 0; r < rows.size() && free_row == none; ++r) {
          const auto row = plan.selection_incidence[rows[r]];
          if (came_from[r] != none || std::find(row.begin(), row.end(), queue[next]) == row.end())
            continue;
          came_from[r] = queue[next];
          if (row_to_unknown[r] == none)
            free_row = r;
          else
            queue.push_back(row_to_unknown[r]);
        }
      }
      if (free_row == none) continue;
      std::vector<Index> place(plan.highest_order.size(), none);
      for (Index r = 0; r < rows.size(); ++r)
        if (row_to_unknown[r] != none) place[row_to_unknown[r]] = r;
      for (Index r = free_row; r != none;) {
        const Index unknown = came_from[r];
        const Index previous = place[unknown];
        row_to_unknown[r] = unknown;
        r = previous;
      }
      chosen.push_back(j);
    }
    return chosen;
  });
}

ChartChoice best_chart(const flat::FlatSystem& flat, const StructuralPlan& plan,
                       std::span<const double> jacobian) {
  ChartChoice choice;
  choice.quality = 1.0;
  choice.chart =
      choose_levels(plan, [&](std::span<const Index> rows, const std::vector<Index>& candidates) {
        // An unknown that the user wants as a state is a dummy only where it is clearly the better one.
        std::vector<double> weight;
        for (const Index j : candidates)
          weight.push_back(std::exp2(-std::clamp(flat.unknowns[j].state_priority, -1.0, 1.0)));
        const auto pivots = Elimination(plan, jacobian, rows, candidates).run(weight);
        choice.quality = std::min(choice.quality, pivots.smallest);
        std::vector<Index> chosen;
        for (const Index position : pivots.columns) chosen.push_back(candidates[position]);
        return chosen;
      });
  return choice;
}

double chart_quality(const StructuralPlan& plan, const Chart& chart, std::span<const double> jacobian) {
  double quality = 1.0;
  for (Index level = 1;; ++level) {
    std::vector<Index> rows;
    for (Index r = 0; r < plan.selection_rows.size(); ++r)
      if (plan.differentiations[plan.selection_rows[r]] >= level) rows.push_back(r);
    if (rows.empty()) return quality;
    std::vector<Index> columns;
    for (Index j = 0; j < chart.n_dummies.size(); ++j)
      if (chart.n_dummies[j] >= level) columns.push_back(j);
    const std::vector<double> weight(columns.size(), 1.0);
    quality = std::min(quality, Elimination(plan, jacobian, rows, columns).run(weight).smallest);
  }
}

}  // namespace alembert::structure
