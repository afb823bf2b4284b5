// SPDX-License-Identifier: Apache-2.0
// The plainest way to run a tape: one value an instruction, `evaluate` for each. The oracle for
// back ends.
#pragma once

#include <memory>
#include <vector>

#include "alembert/compile/elementary.hpp"
#include "alembert/compile/kernel.hpp"
#include "alembert/compile/region_solver.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile::testing {

Kernel make_reference_kernel(const Tape& tape);

namespace detail {

inline void run_reference(const void* self, const double* inputs, const double* parameters,
                          double* outputs, double*, std::size_t) {
  const Tape& tape = *static_cast<const Tape*>(self);
  std::vector<double> value(tape.code.size());
  std::vector<std::vector<double>> results(tape.code.size());
  const auto gather = [&value](const std::vector<ValueId>& ids) {
    std::vector<double> numbers;
    for (ValueId id : ids) numbers.push_back(value[id]);
    return numbers;
  };
  for (std::size_t id = 0; id < tape.code.size(); ++id) {
    const auto& [op, a, b, c] = tape.code[id];
    const int n = n_value_operands(op);
    switch (op) {
      case TapeOp::input: value[id] = inputs[a]; break;
      case TapeOp::parameter: value[id] = parameters[a]; break;
      case TapeOp::constant: value[id] = tape.constants[a]; break;
      case TapeOp::call: {
        const ForeignFunction& function = tape.functions[tape.calls[a].function];
        value[id] =
            function.function(gather(tape.calls[a].arguments).data(), function.context.get());
        break;
      }
      case TapeOp::call_many: {
        const ForeignFunction& function = tape.functions[tape.calls[a].function];
        results[id].resize(function.n_outputs);
        function.outputs(gather(tape.calls[a].arguments).data(), results[id].data(),
                         function.context.get());
        break;
      }
      case TapeOp::solve: {
        const SolveRegion& region = tape.regions[a];
        const Kernel body = make_reference_kernel(region.body);
        const auto lifted = lift_exponentials(region, make_reference_kernel);
        AlignedDoubles work(region_workspace(region, body, lifted.get()));
        results[id].resize(region.n_unknowns);
        solve_region(region, body, gather(region.captured).data(), gather(region.guesses).data(),
                     parameters, results[id].data(), work.data(), lifted.get());
        break;
      }
      case TapeOp::result: value[id] = results[a][b]; break;
      default: value[id] = evaluate(op, value[a], n > 1 ? value[b] : 0, n > 2 ? value[c] : 0);
    }
  }
  for (std::size_t k = 0; k < tape.outputs.size(); ++k) outputs[k] = value[tape.outputs[k]];
}

}  // namespace detail

inline Kernel make_reference_kernel(const Tape& tape) {
  const Kernel::Shape shape = {.n_inputs = tape.n_inputs,
                               .n_parameters = tape.n_parameters,
                               .n_outputs = static_cast<std::uint32_t>(tape.outputs.size())};
  return Kernel(shape, &detail::run_reference, std::make_shared<const Tape>(tape));
}

}  // namespace alembert::compile::testing
