// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Charts: which derivatives are dummies, so that the rest are states. In: a
// StructuralPlan, and numbers of the selection problem where there are any. Out: a Chart. Dummy
// derivatives after Mattsson and Soderlind (SIAM J. Sci. Comput. 14(3), 1993): of the highest
// derivatives in differentiated equations, as many become algebraic unknowns as there are such
// equations, level by level. No choice need be good everywhere: `best_chart` chooses by the point.
#pragma once

#include <span>
#include <vector>

#include "alembert/structure/plan.hpp"

namespace alembert::structure {

/// How many of each unknown's highest derivatives are dummies. Its states are the orders below
/// highest_order - n_dummies.
struct Chart {
  std::vector<Index> n_dummies;  // [n unknowns]

  friend auto operator<=>(const Chart&, const Chart&) = default;
};

/// A chart by structure and state priorities alone: of all that structure allows, the one whose
/// dummies have the lowest priorities; where these are equal, the highest orders, then the first by
/// name.
Chart static_chart(const flat::FlatSystem& flat, const StructuralPlan& plan);

/// Marks the parts whose dummies, if priorities are asked alone, follow from each other one by one,
/// each with a number as its coefficient: v = f(states) in some order. No point is singular then,
/// whatever the units; numbers are not asked for such a part, and its states never change. Only
/// where a state is wanted, since else the static chart is no better than others. And the parts
/// without states, such as what is driven by time alone: every chart is the same there.
/// jacobian: in the order of plan.selection_incidence.items.
void settle_choices(const flat::FlatSystem& flat, std::span<const symbolic::ExprId> jacobian,
                    StructuralPlan& plan);

struct ChartChoice {
  Chart chart;
  /// Smallest pivot of the rows, each scaled to length 1: 1 is best, 0 singular or not finite.
  double quality = 0;
};

/// Numbers of the selection problem at a point, in the order of plan.selection_incidence.items:
/// d (highest version of the equation) / d (highest derivative of the unknown).
struct SelectionEntries {
  std::span<const double> values;
  /// [n selection rows], or none: a row that is shorter is divided by this rather than by its
  /// length, so that one that vanishes at some point counts as singular there.
  std::span<const double> row_sizes = {};
  /// [n unknowns], or none: beside their priorities, how much rather unknowns shall be dummies.
  std::span<const double> column_weights = {};
};
/// Lengths of the rows at a point.
std::vector<double> row_lengths(const StructuralPlan& plan, SelectionEntries entries);

/// The chart with the largest pivots at a point; the static one, with quality 0, for a part of the
/// problem that is singular there.
ChartChoice best_chart(const flat::FlatSystem& flat, const StructuralPlan& plan,
                       SelectionEntries entries);
/// The chart in use with other dummies for those mechanisms alone that would be much the better for
/// it.
struct ChartImprovement {
  struct Change {
    Index part;  // of plan.selection_parts
    double quality_before;
    double quality_after;
  };

  Chart chart;
  std::vector<Change> changes;  // none: the chart is as it was
  double quality = 1.0;         // of the chart, after the changes
};
/// A mechanism changes where its quality is less than `ratio` of the best one at the point.
ChartImprovement improve_chart(const flat::FlatSystem& flat, const StructuralPlan& plan,
                               const Chart& current, SelectionEntries entries, double ratio);
/// The quality of a given chart at that point.
double chart_quality(const StructuralPlan& plan, const Chart& chart, SelectionEntries entries);
/// log |determinant| of what the dummies are found from, rows scaled to length 1, for each part and
/// level; -inf where singular. Smooth in the entries, unlike the smallest pivot, which jumps when
/// pivots come in another order.
std::vector<double> chart_log_determinants(const StructuralPlan& plan, const Chart& chart,
                                           SelectionEntries entries);

/// The same from a dense matrix, [n selection rows * n unknowns], row by row.
ChartChoice best_chart(const flat::FlatSystem& flat, const StructuralPlan& plan,
                       std::span<const double> jacobian);
double chart_quality(const StructuralPlan& plan, const Chart& chart,
                     std::span<const double> jacobian);

}  // namespace alembert::structure
