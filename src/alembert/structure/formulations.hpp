// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Other shapes of a reduced system, for steppers that solve algebraic unknowns
// themselves. In: a ReducedSystem, which is the ordinary shape: its blocks are solved inside the
// right-hand side. Out: plain data over symbols.
//   mass-matrix     M y' = f(t, y): the tears are algebraic states, everything else is assigned
//   fully implicit  F(t, y, y') = 0: every unknown is in y, nothing is torn, the rows stay sparse
//   open slopes     r(t, y, y') = 0: y are the states; what gives slopes alone is not solved
#pragma once

#include <algorithm>
#include <vector>

#include "alembert/structure/reduced_system.hpp"

namespace alembert::structure {

/// y = [states, tears]; M = diag(1, ..., 1, 0, ..., 0).
struct MassMatrixForm {
  std::vector<Index> unknowns;          // y: variables of the structure
  Index n_differential = 0;             // the first of them
  std::vector<Assignment> assignments;  // in solve order, from time and y
  std::vector<ExprId> right_side;       // [n]: f, of time, y and what was assigned
  std::vector<double> mass;             // [n]: the diagonal of M
};

MassMatrixForm mass_matrix_form(const DifferentiatedSystem& differentiated,
                                const ReducedSystem& reduced);

/// F has the residuals first, then a row y'[link.of] - y[link.to] for each link: a state whose
/// derivative is a state itself.
struct ImplicitForm {
  struct Link {
    Index of;  // places in y
    Index to;
  };

  std::vector<Index> unknowns;     // y: variables of the structure
  std::vector<ExprId> rates;       // [n]: the symbol of y' in the residuals; none: not in them
  std::vector<char> differential;  // [n]: y' occurs, in a residual or a link
  std::vector<ExprId> residuals;
  graph::IndexLists incidence;  // of each residual: places in y whose value or rate it has
  std::vector<Link> links;

  Index size() const { return static_cast<Index>(unknowns.size()); }
};

ImplicitForm implicit_form(const StructuralPlan& plan, const DifferentiatedSystem& differentiated,
                           const ReducedSystem& reduced);

/// Blocks that are solved for slopes of states and nothing else stay open: their slopes are given,
/// and their equations are rows of r. The row of any other state is its slope less what the blocks
/// find for it.
struct OpenSlopeForm {
  std::vector<char> is_open;  // [n blocks]
  std::vector<Index>
      equation_of;  // [n_states]: of the structure; none where no equation is its row

  bool any() const { return std::ranges::find(is_open, char{1}) != is_open.end(); }
};

OpenSlopeForm open_slope_form(const ReducedSystem& reduced, Index n_variables);

}  // namespace alembert::structure
