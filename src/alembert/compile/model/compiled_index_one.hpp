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
/// versions of constraints do not occur.
struct CompiledIndexTwo {
  std::vector<std::uint32_t> variables;  // [n_states + n_block_unknowns]: of the model
  std::uint32_t n_states = 0;
  std::vector<std::uint32_t> derivative;  // [n_states]: place in z
  std::vector<std::uint32_t> multiplied;  // of CompiledIndexOne::invariants, one a mu
  Kernel algebraic;                       // inputs: [time, z without mu]; outputs: [n - n_states]
  ColumnSparsity sparsity;                // columns: z without mu
  Kernel jacobian;                        // outputs: its entries

  std::uint32_t size() const {
    return static_cast<std::uint32_t>(variables.size() + multiplied.size());
  }
};

}  // namespace alembert::compile
