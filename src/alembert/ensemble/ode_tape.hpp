// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. A system y' = f(t, y) as a tape, from which whole steps are made. In: a compiled
// model, or masses, forces and constraints as a symmetric linear system for the accelerations. Out:
// OdeTape. Linear systems become straight-line code by elimination in an order that the structure
// fixes (linear_elimination.hpp); a margin tells lane by lane where that was not safe, and a second
// tape with pivots by size serves there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::ensemble {

struct OdeTape {
  compile::Tape tape;  // inputs [t, y...]; outputs [y'..., margin if there is one]
  std::uint32_t n_states = 0;
  bool has_margin = false;  ///< the last output: positive where the elimination was safe
  /// [n_states]: for a position the place of its velocity, n_states for every other state; empty
  /// where nothing is known.
  std::vector<std::uint32_t> velocity_of = {};
  std::vector<std::string> names = {};  // [n_states]
};

/// The states of the chart that structure and priorities choose. Error B001 for a model that needs
/// a run of its own: events, delays, states that change, blocks solved by iteration.
OdeTape ode_tape(const compile::CompiledModel& model);

/// [M J^T; J 0] [dv/dt; -lambda] = right, with any coefficients of q, v, t and parameters.
struct ConstrainedSystem {
  symbolic::ExprPool& pool;
  std::vector<symbolic::ExprId> q;           // [n]: symbols
  std::vector<symbolic::ExprId> v;           // [n]: symbols
  std::vector<symbolic::ExprId> parameters;  // symbols, in the order of the kernel's
  std::vector<symbolic::ExprId> matrix;      // [(n + m) * (n + m)], row by row
  std::vector<symbolic::ExprId> right;       // [n + m]
};

enum class Pivots {
  by_structure,  ///< straight-line, with a margin
  by_size,       ///< a dense elimination with partial pivoting, lane by lane
};

/// States [q, v]. Error B002 where the structure is singular.
OdeTape ode_tape(const ConstrainedSystem& system, Pivots pivots);

/// Puts the operations of `part` behind those of `builder` and returns its outputs. inputs:
/// [part.n_inputs], parameters: [part.n_parameters]; where part has regions, the parameters must be
/// those of the whole tape in their order.
std::vector<compile::ValueId> append(compile::TapeBuilder& builder, const compile::Tape& part,
                                     std::span<const compile::ValueId> inputs,
                                     std::span<const compile::ValueId> parameters);

}  // namespace alembert::ensemble
