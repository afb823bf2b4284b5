// SPDX-License-Identifier: Apache-2.0
// Stage: structure. The system Jacobian of a plan, d f_i^(c_i) / d x_j^(d_j): the highest versions
// of the equations by the highest derivatives of the unknowns. In: residuals and the plan. Out: its
// blocks, and their entries as expressions. An entry equals d f_i / d x_j^(d_j - c_i) (Griewank),
// so nothing needs to be differentiated in time for it.
#pragma once

#include <span>
#include <vector>

#include "alembert/structure/null_combination.hpp"
#include "alembert/structure/plan.hpp"

namespace alembert::structure {

/// The symbol of the derivative of this order of an unknown, or of one of its derivatives.
ExprId derivative_symbol(symbolic::ExprPool& pool, ExprId symbol, Index order);

/// Equations and unknowns of the flat system, as many of both.
struct JacobianBlock {
  std::vector<Index> equations;
  std::vector<Index> unknowns;
};

/// The strong components of the system Jacobian that have from `least` to `most` equations, in
/// canonical order.
std::vector<JacobianBlock> jacobian_blocks(const StructuralPlan& plan, std::size_t least,
                                           std::size_t most);

/// What it refers to must outlive it.
class SystemJacobian {
 public:
  /// residuals: of the equations of `flat`.
  SystemJacobian(const flat::FlatSystem& flat, std::span<const ExprId> residuals,
                 const StructuralPlan& plan)
      : flat_(flat), residuals_(residuals), plan_(plan), pool_(*flat.pool) {}

  /// Of one equation by these unknowns, none of which has its highest derivative below the
  /// equation.
  std::vector<ExprId> row(Index equation, std::span<const Index> unknowns);
  ExprMatrix dense(const JacobianBlock& block);
  /// The same where entries are few: of each row those that are not zero.
  std::vector<std::vector<ExprEntry>> sparse(const JacobianBlock& block);

 private:
  const flat::FlatSystem& flat_;
  std::span<const ExprId> residuals_;
  const StructuralPlan& plan_;
  symbolic::ExprPool& pool_;
};

}  // namespace alembert::structure
