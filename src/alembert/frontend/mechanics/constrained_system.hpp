// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. Masses, forces and constraints to a linear system for accelerations:
//   dq/dt = v,   M(q) dv/dt + h = J^T lambda,   phi(q, t) = 0,   J = d phi / d q
//   [ M  J^T ] [  dv/dt  ]   [ -h                                              ]
//   [ J   0  ] [ -lambda ] = [ -(dJ/dt v) - 2 omega d phi/dt - omega^2 phi     ]
// In: coordinates, speeds, M, h, phi and Baumgarte's omega. Out: J, the bias dJ/dt v and the whole
// system as plain symbolic matrices (for batch kernels, for printing), or equations of a model,
// where the linear system is solved by numbers. omega pulls the solution back to the constraints,
// which are met on the level of accelerations only; 0 leaves them alone.
// Baumgarte, Computer Methods in Applied Mechanics and Engineering 1 (1972).
#pragma once

#include <source_location>
#include <vector>

#include "alembert/frontend/builder/model.hpp"
#include "alembert/symbolic/matrix.hpp"

namespace alembert::mechanics {

using builder::Model;
using symbolic::Expr;
using symbolic::Matrix;

/// Masses, forces and constraints.
struct ConstrainedMotion {
  std::vector<Expr> q;    // [n]: unknowns
  std::vector<Expr> v;    // [n]: unknowns, the derivatives of q
  Matrix mass;            // [n x n]: M(q); Matrix::diagonal for masses
  std::vector<Expr> h;    // [n]: of q, v, t; on the left: weight along an upward axis is +m g
  std::vector<Expr> phi;  // [m]: of q and t; each vanishes
  Expr omega = 0;
};

/// The linear system for accelerations and multipliers, as symbolic matrices.
struct KktSystem {
  Matrix jacobian;            // [m x n]: J
  std::vector<Expr> phi_dot;  // [m]: J v + d phi/dt at fixed q
  std::vector<Expr> bias;     // [m]: the part of the second derivative of phi without dv/dt
  Matrix matrix;              // [(n + m) x (n + m)]
  std::vector<Expr> right;    // [n + m]
};

/// Error K010 for sizes that do not fit, coordinates or speeds that are no unknowns, a constraint
/// of speeds or of no coordinate at all, and a coordinate without mass.
KktSystem assemble_kkt(const ConstrainedMotion& motion);

/// Adds dq/dt = v and the linear system to the model, with unknowns lambda1, lambda2, ... for
/// the multipliers, which are returned. Error K011 where the constraints depend on each other at
/// the start values; they are named.
std::vector<Expr> add_constrained_motion(Model& model, const ConstrainedMotion& motion,
                                         std::source_location at = std::source_location::current());

}  // namespace alembert::mechanics
