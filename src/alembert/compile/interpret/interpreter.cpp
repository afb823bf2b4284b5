// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/interpret/interpreter.hpp"

#include "alembert/compile/interpret/program.hpp"

namespace alembert::compile::interpret {

Kernel make_kernel(const Tape& tape, const InterpreterOptions& options) {
  auto program = std::make_shared<const Program>(tape, options);
  const Kernel::Shape shape = program->shape();
  const Kernel::Function one_lane = [](const void* self, const double* inputs,
                                       const double* parameters, double* outputs, double* workspace,
                                       std::size_t n_groups) {
    static_cast<const Program*>(self)->run_one_lane(inputs, parameters, outputs, workspace,
                                                    n_groups);
  };
  const Kernel::Function many_lanes = [](const void* self, const double* inputs,
                                         const double* parameters, double* outputs,
                                         double* workspace, std::size_t n_groups) {
    static_cast<const Program*>(self)->run_many_lanes(inputs, parameters, outputs, workspace,
                                                      n_groups);
  };
  const Kernel::Function function = program->is_scalar() ? one_lane : many_lanes;
  return Kernel(shape, function, std::move(program));
}

}  // namespace alembert::compile::interpret
