// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. The two halves of a RATTLE step as kernels. In: constraints, their
// gradients and forces as expressions of positions, for masses that are constant and diagonal. Out:
// straight-line code, in which the system for the multipliers is eliminated along its diagonal,
// zeros left out: the matrix is G M^-1 G', or near to it.
#pragma once

#include <span>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/model/backend.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::compile {

struct RattleRequest {
  symbolic::ExprPool& pool;
  std::span<const symbolic::ExprId> positions, rates;  // [n] symbols
  std::span<const symbolic::ExprId> constants;         // symbols of the kernels' parameter array
  std::span<const symbolic::ExprId> constraints;       // g, [m]
  const symbolic::SparseExprMatrix& gradients;         // G, by row
  std::span<const symbolic::ExprId> forces;            // [n]
};

struct RattleKernels {
  /// A pass of Newton's iteration for the multipliers of positions. Inputs: [t at the end, h, q,
  /// 1/masses, v, G at the start]; outputs: [v, q + h v, how far that moved at most].
  Kernel onto;
  /// The second half: a kick by forces, then velocities along the constraints. Inputs: [t, h/2, q,
  /// 1/masses, v, factors of the forces (1/masses but for signs of rows), sizes of constraints];
  /// outputs: [v, G, M^-1 f, sizes, the least of pivots beside them], where the size of a
  /// constraint is its diagonal entry, or what is left of the one before.
  Kernel along;

  explicit operator bool() const { return static_cast<bool>(onto); }
};

/// None where the code would be too long.
RattleKernels make_rattle_kernels(const RattleRequest& request, double memory, Backend backend);

}  // namespace alembert::compile
