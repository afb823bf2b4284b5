// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Matrices of expressions that are regular at most points but singular wherever
// the equations of the model hold: (x - y) z = 0 beside exp(x) = exp(y) leaves z undetermined. In:
// a system, its plan and entries of its Jacobian. Out: rows that depend on each other at several
// points of the solution set near the start values, and the equations that make it so.
#pragma once

#include <optional>
#include <vector>

#include "alembert/structure/null_combination.hpp"
#include "alembert/structure/plan.hpp"

namespace alembert::structure {

class SolutionSet {
 public:
  /// Residuals and plan of the system; all must outlive it.
  SolutionSet(const flat::FlatSystem& flat, std::span<const ExprId> residuals,
              const StructuralPlan& plan);

  struct Dependence {
    std::vector<std::size_t> rows;     // none of them needless
    std::vector<std::size_t> columns;  // of which the rows say too little
    /// [n rows of the matrix]: u * matrix = 0, where it is whole numbers that are the same at all
    /// points; else empty.
    std::vector<std::int64_t> combination;
    std::vector<Index> because;  // equations of the flat system that hold at the points
  };

  /// Nothing where the rows are independent, or no equation binds what the entries are made of, or
  /// points on the set were not found, or the equations that bind them are too many.
  std::optional<Dependence> dependent_rows(const ExprMatrix& matrix);

 private:
  struct Version {
    Index source;
    Index order;
  };

  std::optional<std::vector<Version>> binding(std::span<const ExprId> entries);
  void list_equations();

  const flat::FlatSystem& flat_;
  std::span<const ExprId> residuals_;
  const StructuralPlan& plan_;
  graph::IndexLists determined_by_;       // of each variable: equations that are for it to solve
  std::vector<Index> variable_of_chain_;  // of each unknown: its variable of order 0
  std::optional<symbolic::Values> starts_;
  std::size_t n_solved_ = 0;  // equations, over all calls
};

}  // namespace alembert::structure
