// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. Constrained mechanics as kernels. In: structure::MechanicalForm. Out: what
// structure-preserving steppers evaluate, over inputs [time, q, q'] and the model's constants.
#pragma once

#include <span>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/model/backend.hpp"
#include "alembert/compile/model/rattle_kernels.hpp"
#include "alembert/compile/static_elimination.hpp"
#include "alembert/compile/tape.hpp"
#include "alembert/structure/mechanical_form.hpp"
#include "alembert/structure/plan.hpp"

namespace alembert::compile {

struct MechanicalModel {
  std::uint32_t n_positions = 0;
  std::uint32_t n_constraints = 0;
  bool constant_mass = true;
  bool forces_know_velocities = false;
  /// Places in the list of all variables that were kept (CompiledModel::direct_chart).
  std::vector<std::uint32_t> position, velocity, acceleration;  // [n_positions]
  std::vector<std::uint32_t> named_velocity;  // [n_positions]: v where v = der(q); else `velocity`
  std::vector<std::uint32_t> multiplier;      // [n_constraints]
  std::vector<std::uint32_t> defined;         // of `definitions`
  std::vector<MatrixEntry> jacobian;          // G = dg/dq: places that are not zero, row by row
  Kernel constraints;                         // outputs: g, its time derivative, the entries of G
  Kernel forces;                              // outputs: f + (dM/dt) q', [n]
  Kernel mass;                                // outputs: M, [n][n]; rows up to their sign
  Kernel reactions;                           // outputs: B, [n][m]
  /// Where masses are constant, forces do not depend on velocities and the code is not too long.
  RattleKernels rattle;
  /// What is left in it, a step later, of the size that a constraint had.
  static constexpr double size_memory = 0.999;
  Kernel definitions;  // outputs: other unknowns and derivatives that follow from q and q' alone
  /// The operations behind the kernels, for those who make larger kernels of them.
  struct Tapes {
    Tape constraints, forces, mass, reactions;
  } tapes;

  /// Error S013 where the model is of another form.
  MechanicalModel(const flat::FlatSystem& flat, std::span<const symbolic::ExprId> residuals,
                  const structure::StructuralPlan& plan,
                  std::span<const symbolic::ExprId> constants, Backend backend);
};

}  // namespace alembert::compile
