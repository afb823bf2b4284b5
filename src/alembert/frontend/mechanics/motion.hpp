// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. Derivatives along a motion, and generalised forces, for many
// expressions at once: each is one sweep over the graph. Shared by Kane's and Lagrange's methods.
#pragma once

#include <span>
#include <vector>

#include "alembert/frontend/mechanics/body.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::mechanics {

using symbolic::ExprId;
using symbolic::ExprPool;

std::vector<ExprId> ids_in(ExprPool& pool, std::span<const Expr> expressions);
std::vector<Expr> expressions_in(ExprPool& pool, std::span<const ExprId> ids);

/// d/dt where `rates` gives the derivatives of some symbols in other terms (q by speeds); time goes
/// with 1, other unknowns with the next of their chain.
std::vector<ExprId> along_motion(ExprPool& pool, std::span<const ExprId> expressions,
                                 const symbolic::Replacements& rates);

/// Pairs of velocity and force components; their power is the sum of products.
struct PowerTerms {
  std::vector<ExprId> velocities;
  std::vector<ExprId> forces;

  void add(ExprPool& pool, const Components& velocity, const Components& force);
  /// Forces and torques; generalised forces along speeds are not among these.
  void add(ExprPool& pool, const Loads& loads, const Frame& inertial);
  /// The derivatives of the power by speeds, forces held constant: generalised forces. One sweep.
  std::vector<ExprId> generalised_forces(ExprPool& pool, std::span<const ExprId> speeds) const;
};

}  // namespace alembert::mechanics
