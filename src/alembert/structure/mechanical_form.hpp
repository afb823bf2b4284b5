// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Constrained mechanics recognised in equations as they were written: M(q, t) q''
// = f(q, q', t) - B(q, t) lambda with constraints g(q, t) = 0. In: a simplified system. Out: its
// parts as expressions of the positions q and their first derivatives, or Error S013 that says what
// is different. Velocities that have a name (v = der(q)) and quantities given by a formula are put
// in. Whether B lambda is the force of the constraints, B = (dg/dq)^T S, is a question of numbers
// and left to the user of this.
#pragma once

#include <span>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::structure {

using graph::Index;
using symbolic::ExprId;

struct MechanicalForm {
  /// An unknown that is neither position nor multiplier.
  struct Definition {
    Index unknown;
    ExprId value;  ///< of positions, their derivatives, multipliers and time
  };

  std::vector<Index> positions;    // unknowns of the flat system
  std::vector<Index> multipliers;  // unknowns of the flat system
  std::vector<Definition> definitions;
  std::vector<ExprId> constraints;  // g, [m]
  std::vector<ExprId> mass;         // M, [n][n]; rows up to their sign
  std::vector<ExprId> force;        // f, [n]
  std::vector<ExprId> reaction;     // B, [n][m]
  bool constant_mass = true;        ///< M depends on parameters alone
  bool forces_know_velocities = false;
};

/// residuals: of the equations of `flat`.
MechanicalForm mechanical_form(const flat::FlatSystem& flat, std::span<const ExprId> residuals);

}  // namespace alembert::structure
