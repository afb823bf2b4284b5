// SPDX-License-Identifier: Apache-2.0
// Runs a tape once by the interpreter. In: a tape, its inputs and parameters. Out: its outputs.
#pragma once

#include <span>
#include <vector>

#include "alembert/compile/interpret/interpreter.hpp"

namespace alembert::compile::testing {

inline std::vector<double> run_tape(const Tape& tape, std::span<const double> inputs,
                                    std::span<const double> parameters = {}) {
  const Kernel kernel = interpret::make_kernel(tape);
  AlignedDoubles workspace(kernel.shape().workspace_size);
  std::vector<double> outputs(tape.outputs.size());
  kernel(inputs.data(), parameters.data(), outputs.data(), workspace.data());
  return outputs;
}

}  // namespace alembert::compile::testing
