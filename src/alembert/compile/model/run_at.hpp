// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model, for its own files. A kernel of a model at one point.
#pragma once

#include <algorithm>
#include <vector>

#include "alembert/compile/kernel.hpp"

namespace alembert::compile {

/// Its outputs, of inputs [time, variables...].
inline std::vector<double> run_at(const Kernel& kernel, double time, const double* variables,
                                  const double* constants) {
  std::vector<double> inputs(kernel.shape().n_inputs);
  inputs[0] = time;
  std::copy_n(variables, inputs.size() - 1, inputs.begin() + 1);
  std::vector<double> outputs(kernel.shape().n_outputs);
  AlignedDoubles workspace(kernel.shape().workspace_size);
  kernel(inputs.data(), constants, outputs.data(), workspace.data());
  return outputs;
}

}  // namespace alembert::compile
