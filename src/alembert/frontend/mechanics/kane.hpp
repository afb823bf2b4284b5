// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. Kane's method: bodies, loads and generalised speeds to equations of
// motion (docs/theory/kane.md).
//   fk(q', q, u, t) = Mk q' + gk = 0        kinematical equations
//   fn(u, q, t)     = Mn ur + gn = 0        constraints of speeds; ur the dependent ones
//   d fn/dt         = Mnd ur' + gnd = 0
//   Fr + Fr*        = Md us' + gd = 0       for the independent speeds us
// In: a KaneSystem. Out: KaneEquations, whose size is linear in that of the velocities: nothing is
// expanded, and generalised forces come from one reverse sweep over all velocities at once. The
// matrices above are made on demand, to be looked at and evaluated; a model gets the equations
// themselves, and its linear blocks are solved by numbers.
// Kane and Levinson, Dynamics: Theory and Applications (1985).
#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "alembert/frontend/builder/model.hpp"
#include "alembert/frontend/mechanics/body.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/matrix.hpp"

namespace alembert::mechanics {

using builder::Model;
using symbolic::Matrix;

/// What Kane's method starts from. Everything may hold other unknowns and parameters of the model.
struct KaneSystem {
  Frame inertial;
  std::vector<Expr> q;           // coordinates: unknowns of the model
  std::vector<Expr> u;           // speeds: unknowns of the model
  std::vector<Expr> kinematics;  // [n_q]: fk, linear in der(q); each vanishes
  std::vector<Body> bodies;
  Loads loads = {};
  std::vector<Expr> holonomic = {};     // of q and t; each vanishes
  std::vector<Expr> nonholonomic = {};  // of q, der(q), u, t, linear in speeds; each vanishes
  std::vector<Expr> dependent = {};     // speeds; empty: chosen by the numbers at the start
  /// Speeds that are zero all the time, in velocities where a reaction shall be found: each gives
  /// one more equation, for a force that is an unknown of the model.
  std::vector<Expr> auxiliary = {};
};

/// What it finds, before it becomes equations of a model or matrices.
struct KaneEquations {
  std::vector<Expr> q;
  std::vector<Expr> u;
  std::vector<Expr> independent;  // us, in the order of u
  std::vector<Expr> dependent;    // ur, in the order of u
  std::vector<Expr> kinematics;   // fk, as given
  std::vector<Expr> q_dot;        // [n_q]: of q, u, t
  std::vector<Expr> forces;       // [n_u]: Fr + Fr*, of q, u, der(u), t, as if all were independent
  std::vector<Expr> auxiliary;    // [n_auxiliary]: Fr + Fr* along auxiliary speeds
  std::vector<Expr> holonomic;    // as given
  /// [m]: what must vanish of speeds: derivatives of the holonomic ones, then the nonholonomic.
  std::vector<Expr> speed_constraints;
  Matrix constraint_jacobian;  // [m x n_u]: their derivatives by u
  symbolic::Values point;      ///< where choices were made: start values and parameters
};

/// Error K006: a body without mass, or with an inertia that no body can have; K020: coordinates and
/// speeds that do not fit; K021: a constraint that is not linear in the speeds; K022: constraints
/// that depend on each other or contradict each other; K023: dependent speeds that the constraints
/// do not give; K024: a speed along which nothing has inertia.
KaneEquations derive_kane(const Model& model, const KaneSystem& system,
                          std::source_location at = std::source_location::current());

enum class ConstraintForm {
  /// Multipliers mu1, mu2, ... solved along with the accelerations by numbers. Which speeds depend
  /// on which is left to the run and may change while it goes on.
  multipliers,
  /// Kane's own: one equation for each independent speed, the dependent ones fixed.
  projected,
};

/// Adds kinematical equations, constraints and the equations of motion to the model that q and u
/// belong to. Returns the multipliers, if any.
std::vector<Expr> add_kane(Model& model, const KaneEquations& equations,
                           ConstraintForm form = ConstraintForm::multipliers,
                           std::source_location at = std::source_location::current());

/// The matrices of the header of this file, as symbolic expressions. They can be printed
/// (`to_text`), looked into (`find_dynamicsymbols`) and evaluated (`evaluate_matrix`).
struct KaneMatrices {
  Matrix Mk, gk;    // [n_q x n_q], [n_q x 1]
  Matrix Mn, gn;    // [m x m], [m x 1]
  Matrix Mnd, gnd;  // the same for accelerations
  Matrix Md, gd;    // [p x p], [p x 1]; functions of q, us, t alone
  Matrix An, bn;    // [m x p], [m x 1]: ur = An us + bn
};

/// Dependent speeds and accelerations are eliminated by formulas; for systems to look at, not for
/// runs: a model with many constraints is solved by numbers.
KaneMatrices kane_matrices(const KaneEquations& equations);

/// Md us' + gd before anything is taken apart: one for each independent speed.
std::vector<Expr> projected_forces(const KaneEquations& equations);

/// Unknowns and their derivatives that appear, by name: "q1", "der(q1)".
std::vector<std::string> find_dynamicsymbols(const std::vector<Expr>& expressions);
std::vector<std::string> find_dynamicsymbols(const Matrix& matrix);
std::vector<std::string> find_dynamicsymbols(const Vector& vector);

/// Coordinates that appear in none of the matrices Mk, gk, Md, gd.
std::vector<std::string> ignorable_coordinates(const KaneEquations& equations,
                                               const KaneMatrices& matrices);

/// One line a row: "[a, b]", or a LaTeX array.
std::string to_text(const Matrix& matrix, symbolic::Notation notation = symbolic::Notation::plain);

}  // namespace alembert::mechanics
