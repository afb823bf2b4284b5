// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Symbols again: the plan applied. In: a FlatSystem, its plan and a chart. Out:
// ReducedSystem, an ordinary differential equation whose right-hand side is a list of blocks in
// solve order, each assigned, linear or nonlinear. `differentiate` is done once a model,
// `apply_plan` once a chart.
#pragma once

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

struct Block {
  enum class Kind { assign, linear, nonlinear };

  Kind kind = Kind::assign;
  std::vector<Index> unknowns;   // variables of the structure
  std::vector<Index> equations;  // equations of the structure, as many
  ExprId solution;               // assign only: unknowns[0] = solution
};

struct ReducedSystem {
  Chart chart;
  std::vector<Index> states;       // variables of the structure
  std::vector<Index> derivatives;  // their derivatives: states themselves, or unknowns of blocks
  std::vector<Block> blocks;       // in solve order: a block needs states and earlier blocks only
};

ReducedSystem apply_plan(const flat::FlatSystem& flat, const StructuralPlan& plan,
                         const DifferentiatedSystem& differentiated, const Chart& chart);

}  // namespace alembert::structure
