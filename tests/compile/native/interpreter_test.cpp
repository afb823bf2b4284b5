// SPDX-License-Identifier: Apache-2.0
// Second route: native code and the interpreter give the same bits, outputs of whole batches
// compared at once.
#include <gtest/gtest.h>

#include "alembert/compile/interpret/interpreter.hpp"
#include "alembert/compile/native/native.hpp"
#include "random_tape.hpp"

namespace alembert::compile::native {
namespace {

std::vector<double> run(const Kernel& kernel, const std::vector<double>& inputs,
                        const std::vector<double>& parameters, std::size_t n_groups) {
  std::vector<double> outputs(kernel.shape().n_outputs * kernel.shape().lanes * n_groups);
  AlignedDoubles workspace(kernel.shape().workspace_size);
  kernel(inputs.data(), parameters.data(), outputs.data(), workspace.data(), n_groups);
  return outputs;
}

TEST(NativeAndInterpreter, GiveTheSameBits) {
  if (!available()) GTEST_SKIP() << "no native code on this host";
  std::mt19937_64 random(31);
  for (int k = 0; k < 1500; ++k) {
    const std::uint32_t lanes = k % 2 == 0 ? 1 : 4;
    const bool own_parameters = k % 3 == 0;
    const std::size_t n_groups = 1 + random() % 7;
    const Tape tape = test::random_tape(
        {.n_operations = k % 50 == 0 ? 3000u : 1 + static_cast<std::uint32_t>(random() % 300),
         .n_inputs = 1 + static_cast<std::uint32_t>(random() % 40),
         .n_parameters = 1 + static_cast<std::uint32_t>(random() % 20),
         .n_outputs = 1 + static_cast<std::uint32_t>(random() % 60),
         .reach = 4 + static_cast<std::uint32_t>(random() % 200),
         .elementary = k % 4 != 0,
         .conditions = k % 5 != 0,
         .calls = k % 7 == 0,
         .regions = k % 7 == 0},
        random);
    const std::vector<double> inputs =
        test::random_numbers(tape.n_inputs * lanes * n_groups, random);
    const std::vector<double> parameters =
        test::random_numbers(tape.n_parameters * (own_parameters ? lanes * n_groups : 1), random);
    const std::vector<double> expected =
        run(interpret::make_kernel(tape, {.lanes = lanes, .parameters_per_lane = own_parameters}),
            inputs, parameters, n_groups);
    const std::vector<double> found =
        run(make_kernel(tape, {.lanes = lanes, .parameters_per_lane = own_parameters}), inputs,
            parameters, n_groups);
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_TRUE(test::same_bits(expected[i], found[i]))
          << "tape " << k << " number " << i << ": " << found[i] << " instead of " << expected[i];
  }
}

}  // namespace
}  // namespace alembert::compile::native
