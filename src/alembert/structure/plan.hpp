// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Decisions, as integers: what is differentiated, and which derivatives are dummies (a chart).
// In: a FlatSystem. Out: StructuralPlan, and charts on it. Dummy derivatives after Mattsson and Soderlind (SIAM J.
// Sci. Comput. 14(3), 1993): of the highest derivatives in differentiated equations, as many become algebraic
// unknowns as there are such equations, level by level. A system may have several good choices, and none that is
// good everywhere: `best_chart` chooses by the numbers of the point where it is asked.
#pragma once

#include <span>
#include <vector>

#include "alembert/structure/structure.hpp"

namespace alembert::structure {

struct StructuralPlan {
  Structure structure;                     // after Pantelides
  std::vector<Index> differentiations;     // [n equations of the flat system]
  std::vector<Index> highest_order;        // [n unknowns]: of the chain, after differentiation
  /// The selection problem: rows are the equations differentiated at least once, in their highest version;
  /// columns the unknowns, in their highest derivative.
  std::vector<Index> selection_rows;       // flat equations
  graph::IndexLists selection_incidence;   // unknowns of each selection row
  Index structural_index = 0;
  Index degrees_of_freedom = 0;
};

StructuralPlan make_plan(const flat::FlatSystem& flat);

/// How many of each unknown's highest derivatives are dummies. Its states are the orders below
/// highest_order - n_dummies.
struct Chart {
  std::vector<Index> n_dummies;  // [n unknowns]

  friend auto operator<=>(const Chart&, const Chart&) = default;
};

/// A chart by structure and state priorities alone.
Chart static_chart(const flat::FlatSystem& flat, const StructuralPlan& plan);

struct ChartChoice {
  Chart chart;
  double quality = 0;  ///< smallest pivot of the rows, each scaled to length 1: 1 is best, 0 singular
};

/// The chart with the largest pivots at a point. jacobian: [n selection rows * n unknowns], row by row:
/// d (highest version of the equation) / d (highest derivative of the unknown) there.
ChartChoice best_chart(const flat::FlatSystem& flat, const StructuralPlan& plan,
                       std::span<const double> jacobian);

/// The quality of a given chart at that point.
double chart_quality(const StructuralPlan& plan, const Chart& chart, std::span<const double> jacobian);

}  // namespace alembert::structure
