// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. One choice of states, compiled. In: a ReducedSystem. Out: kernels.
#pragma once

#include <memory>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/tape_derivative.hpp"
#include "alembert/structure/reduced_system.hpp"

namespace alembert::compile {

struct ModeVariant;

/// Inputs of all kernels: [time, variables...]; of a state the value counts, of any other variable
/// it is the guess from which an inner Newton iteration starts.
struct CompiledChart {
  structure::ReducedSystem reduced;
  std::vector<std::uint32_t> states;  // [n_states]: variables of the model
  Kernel derivatives;                 // outputs: [n_states]
  Kernel variables;                   // outputs: [n_variables, n_observed]
  Kernel modes;                       // outputs: [n_modes, n_crossings], as they would be now
  /// The equations it was made from, where they are not those of the model.
  std::shared_ptr<const structure::DifferentiatedSystem> differentiated = nullptr;
  /// The structure it belongs to, where that holds for some values of modes only
  /// (mode_variant.hpp).
  const ModeVariant* variant = nullptr;
};

/// How the derivatives of a chart's states depend on its states and on time, the last column.
struct ChartJacobian {
  ColumnSparsity sparsity;  // columns: [states..., time]; rows: [n_states]
  Kernel kernel;            // inputs as above; outputs: the entries. Empty where a user function
                            // has no derivative: differences must do.
  bool calls_functions = false;  // whose derivatives somebody wrote, or follow from an iteration
};

/// The chart as r(t, y, y') = 0, in which slopes that blocks would have to be solved for are given:
/// inputs as above, with slopes in the places of their variables.
struct ChartResidual {
  std::vector<std::uint32_t> open_states;  // [n_open]: states whose slopes are inputs
  std::vector<std::uint32_t> open_slopes;  // [n_open]: variables of the model
  std::vector<char> is_equation;           // [n_states]: the row is the output, else y' - output
  Kernel rows;                             // outputs: [n_states]
  ColumnSparsity sparsity;                 // of the outputs; columns: [states..., open slopes...]
  Kernel jacobian;                         // outputs: the entries
  Kernel variables;                        // outputs: [n_variables], with slopes as they are given
};

}  // namespace alembert::compile
