// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Tearing of a block of the initial system. In: its rows and columns, and how
// much the start value of each column says. Out: few columns to iterate on, those whose guesses say
// most, the rows left for them, and the other columns one after the other. Far from a solution this
// is more than less work: a density that somebody guessed apart from its pressure and temperature
// may have no viscosity, where the one that follows from them has.
#pragma once

#include <span>
#include <vector>

#include "alembert/structure/initial_plan.hpp"

namespace alembert::structure {

struct StartTearing {
  struct Assignment {
    Index unknown;   // place in the columns of the block
    Index equation;  // place in its rows
    ExprId value;    // of columns outside the block, of tears, and of earlier assignments
  };

  std::vector<Index> tears;      // places in the columns of the block, ascending
  std::vector<Index> residuals;  // places in its rows, ascending, as many
  std::vector<Assignment> assignments;
};

StartTearing tear_start(symbolic::ExprPool& pool, const InitialPlan& plan,
                        std::span<const Index> rows, std::span<const Index> columns);

}  // namespace alembert::structure
