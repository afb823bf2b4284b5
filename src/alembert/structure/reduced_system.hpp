// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Symbols again: the plan applied. In: a FlatSystem, its plan and a chart. Out:
// ReducedSystem, an ordinary differential equation whose right-hand side is a list of blocks in
// solve order, each assigned, linear or nonlinear, torn where that helps. `differentiate` is done
// once a model, `apply_plan` once a chart.
#pragma once

#include <span>
#include <vector>

#include "alembert/structure/chart.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::structure {

using symbolic::ExprId;

/// All versions of all equations, and the numbers that tell a good chart from a bad one.
struct DifferentiatedSystem {
  std::vector<ExprId> variables;  // [n variables of the structure]: symbols
  std::vector<ExprId>
      residuals;  // [n equations of the structure]: left - right, zero on a solution
  /// Entries of the selection problem (plan.hpp), row by row as plan.selection_incidence has them.
  std::vector<ExprId> selection_jacobian;
};

DifferentiatedSystem differentiate(const flat::FlatSystem& flat, const StructuralPlan& plan);
/// The same where the residuals [n equations of the flat system] are known already.
DifferentiatedSystem differentiate(const flat::FlatSystem& flat, const StructuralPlan& plan,
                                   std::span<const ExprId> residuals);

/// unknown = value, from an equation of the block.
struct Assignment {
  Index unknown;   // variable of the structure
  Index equation;  // of the structure; for a small linear block the pivot row's
  ExprId value;
};

/// assign: solved in closed form, by `assignments` alone. linear and nonlinear: the tears are found
/// by a matrix or an iteration such that `residuals` vanish when everything else in the block
/// follows by `assignments`; nothing but safe constants (coefficients.hpp) is divided by.
struct Block {
  enum class Kind { assign, linear, nonlinear };

  Kind kind = Kind::assign;
  std::vector<Index> tears;             // variables of the structure; none where assigned
  std::vector<Index> residuals;         // equations of the structure, as many as tears
  std::vector<Assignment> assignments;  // each needs tears and earlier ones only

  std::size_t size() const { return tears.size() + assignments.size(); }
  /// All unknowns: torn ones first, then as they are assigned.
  std::vector<Index> unknowns() const;
  /// As many equations: those of the tears first.
  std::vector<Index> equations() const;
};

struct ReducedSystem {
  Chart chart;
  std::vector<Index> states;       // variables of the structure
  std::vector<Index> derivatives;  // their derivatives: states themselves, or unknowns of blocks
  std::vector<Block> blocks;       // in solve order: a block needs states and earlier blocks only
};

ReducedSystem apply_plan(const flat::FlatSystem& flat, const StructuralPlan& plan,
                         const DifferentiatedSystem& differentiated, const Chart& chart);
/// The same from some of the equations, as many as the chart leaves unknowns.
ReducedSystem apply_plan(const flat::FlatSystem& flat, const StructuralPlan& plan,
                         const DifferentiatedSystem& differentiated, const Chart& chart,
                         std::span<const Index> equations);

}  // namespace alembert::structure
