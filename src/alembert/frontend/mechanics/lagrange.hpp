// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. Lagrange's equations of the second kind, and of the first where there
// are constraints:
//   d/dt dL/dq' - dL/dq + dD/dq' = Q + J^T lambda,   phi(q, t) = 0,   a(q) q' + b = 0
// In: the Lagrangian, a dissipation function, forces and constraints, all of q, der(q) and t. Out:
// one equation for each coordinate, of second order, and the constraints, in the model that the
// coordinates belong to. Gradients are one reverse sweep; nothing is expanded.
#pragma once

#include <source_location>
#include <vector>

#include "alembert/frontend/builder/model.hpp"
#include "alembert/frontend/mechanics/body.hpp"
#include "alembert/symbolic/matrix.hpp"

namespace alembert::mechanics {

using builder::Model;

/// What Lagrange's equations start from: expressions of q, der(q) and time.
struct LagrangeSystem {
  Expr lagrangian;
  std::vector<Expr> q;
  std::vector<Expr> forces = {};     // [n_q], or empty: generalised forces that no potential gives
  Loads loads = {};                  ///< the same as forces at points and torques on frames
  std::vector<Frame> inertial = {};  ///< one: in which velocities of the loads are seen
  Expr dissipation = 0;              ///< Rayleigh's function of der(q)
  std::vector<Expr> holonomic = {};  // of q and t; each vanishes
  std::vector<Expr> nonholonomic = {};  // linear in der(q); each vanishes
};

/// What they are, before they become equations of a model.
struct LagrangeEquations {
  std::vector<Expr> q;
  std::vector<Expr> residuals;    // [n_q]: left side minus forces, without multipliers
  std::vector<Expr> constraints;  // [m]: holonomic, then nonholonomic
  symbolic::Matrix jacobian;      // [m x n_q]: of the constraints, by q or der(q)
};

/// Error K021 for a constraint that is not linear in der(q), K025 for coordinates that are no
/// unknowns or given twice, counts that do not fit, and accelerations in the Lagrangian.
LagrangeEquations derive_lagrange(const LagrangeSystem& system,
                                  std::source_location at = std::source_location::current());

/// Adds the equations; returns the multipliers lambda1, lambda2, ...
std::vector<Expr> add_lagrange(Model& model, const LagrangeEquations& equations,
                               std::source_location at = std::source_location::current());

/// M(q) of the kinetic energy: second derivatives of L by der(q).
symbolic::Matrix mass_matrix(const LagrangeSystem& system);

}  // namespace alembert::mechanics
