// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. A system y' = f(t, y) as a tape, from which whole steps are made. In: masses,
// forces and constraints as a symmetric linear system for the accelerations (whole models:
// model_tape.hpp). Out: OdeTape. Linear systems become straight-line code by elimination in an
// order that the structure fixes (linear_elimination.hpp); a margin tells lane by lane where that
// was not safe, and a second tape with pivots by size serves there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "alembert/compile/tape.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {
class Expr;
class Matrix;
}  // namespace alembert::symbolic

namespace alembert::ensemble {

struct OdeTape {
  compile::Tape tape;  // inputs [t, y..., memory...]; outputs [y'..., memory..., margin if any]
  std::uint32_t n_states = 0;
  bool has_margin = false;  ///< the last output: positive where the elimination was safe
  /// [n_states]: for a position the place of its velocity, n_states for every other state; empty
  /// where nothing is known.
  std::vector<std::uint32_t> velocity_of = {};
  std::vector<std::string> names = {};  // [n_states]
  /// What inner iterations found last, from where they go on: a system that has several solutions
  /// stays on its own. Here: where they begin.
  std::vector<double> memory = {};
  std::vector<std::string> memory_names = {};  // [memory]
  /// Inputs [t, y...], outputs [y..., margin if there is one]: the nearest point that keeps all
  /// constraints. Without outputs there is nothing to keep.
  compile::Tape projection = {};

  std::uint32_t n_memory() const { return static_cast<std::uint32_t>(memory.size()); }
  bool is_projected() const { return !projection.outputs.empty(); }
};

/// The place of each position's velocity, as OdeTape::velocity_of.
std::vector<std::uint32_t> velocities_in(const compile::Tape& tape, std::uint32_t n_states);

/// [M J^T; J 0] [dv/dt; -lambda] = right, with any coefficients of q, v, t and parameters.
struct ConstrainedSystem {
  symbolic::ExprPool& pool;
  std::vector<symbolic::ExprId> q;           // [n]: symbols
  std::vector<symbolic::ExprId> v;           // [n]: symbols
  std::vector<symbolic::ExprId> parameters;  // symbols, in the order of the kernel's
  std::vector<symbolic::ExprId> matrix;      // [(n + m) * (n + m)], row by row
  std::vector<symbolic::ExprId> right;       // [n + m]
};

/// From expressions, as mechanics::assemble_kkt gives them.
ConstrainedSystem constrained_system(symbolic::ExprPool& pool, const std::vector<symbolic::Expr>& q,
                                     const std::vector<symbolic::Expr>& v,
                                     const std::vector<symbolic::Expr>& parameters,
                                     const symbolic::Matrix& matrix,
                                     const std::vector<symbolic::Expr>& right);

enum class Pivots {
  by_structure,  ///< straight-line, with a margin
  by_size,       ///< a dense elimination with partial pivoting, lane by lane
};

/// States [q, v]. Error B002 where the structure is singular.
OdeTape ode_tape(const ConstrainedSystem& system, Pivots pivots);

}  // namespace alembert::ensemble
