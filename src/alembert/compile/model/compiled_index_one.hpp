// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. The index-1 form of a model (structure/index_one.hpp), compiled. In: the
// form. Out: a chart whose states are all coordinates, and kernels of the invariants that its
// states obey. The kernels read [time, variables...] as those of every chart do.
#pragma once

#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/model/compiled_chart.hpp"
#include "alembert/compile/tape_derivative.hpp"
#include "alembert/structure/index_one.hpp"

namespace alembert::compile {

struct CompiledIndexOne {
  CompiledChart chart;
  std::vector<structure::Index> invariants;  // equations of the structure, lowest versions first
  Kernel residuals;                          // outputs: [n_invariants]
  ColumnSparsity sparsity;                   // columns: [n_states]; rows: [n_invariants]
  Kernel jacobian;                           // outputs: its entries; empty where there is none
};

/// Stabilised index 2 (Gear, Gupta and Leimkuhler 1985): z = [states, block unknowns, mu]. The
/// states obey y' = (what the chains say) + H' mu, with H the gradient of the invariants that have
/// a mu; the equations of the blocks and all invariants are algebraic rows, in which the highest
/// versions of constraints do not occur. Unknowns that equations of their blocks give one after the
/// other, such as the accelerations of m a = F, are no part of z: the matrix is as small as one
/// would write it by hand.
struct CompiledIndexTwo {
  std::vector<std::uint32_t> variables;  // [n_states + n_block_unknowns]: of the model
  std::uint32_t n_states = 0;
  std::vector<std::uint32_t> multiplied;  // of CompiledIndexOne::invariants, one a mu
  /// Inputs: [time, z without mu]; outputs: [size()], derivatives of the states without H' mu, then
  /// the algebraic rows.
  Kernel right_side;
  ColumnSparsity sparsity;  // columns: z without mu
  Kernel jacobian;          // outputs: its entries

  std::uint32_t size() const {
    return static_cast<std::uint32_t>(variables.size() + multiplied.size());
  }
};

}  // namespace alembert::compile
