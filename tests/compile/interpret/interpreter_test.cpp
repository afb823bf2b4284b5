// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/interpret/interpreter.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "alembert/compile/elementary.hpp"
#include "compile/random_tape.hpp"
#include "compile/reference_kernel.hpp"

namespace alembert::compile::interpret {
namespace {

using testing::Random;
using testing::same_bits;
using Vector = std::vector<double>;

// Numbers for n_groups groups, laid out as the kernel wants them, and what it makes of them.
struct Run {
  Vector inputs, parameters, outputs;
};

Run run(const Kernel& kernel, Random& random, std::size_t n_groups, double special_share) {
  const Kernel::Shape& shape = kernel.shape();
  const std::size_t n_parameters =
      shape.n_parameters * (shape.parameters_per_lane ? n_groups * shape.lanes : 1);
  Run run = {
      testing::random_numbers(random, n_groups * shape.n_inputs * shape.lanes, special_share),
      testing::random_numbers(random, n_parameters, special_share),
      Vector(n_groups * shape.n_outputs * shape.lanes, 777.0)};
  AlignedDoubles workspace(shape.workspace_size);
  for (std::size_t i = 0; i < workspace.size(); ++i)
    workspace[i] = NAN;  // nothing may be expected there
  kernel(run.inputs.data(), run.parameters.data(), run.outputs.data(), workspace.data(), n_groups);
  return run;
}

// Every lane of the run, evaluated by the oracle.
void expect_same_bits(const Tape& tape, const Kernel& kernel, const Run& run,
                      std::size_t n_groups) {
  const Kernel reference = testing::make_reference_kernel(tape);
  const Kernel::Shape& shape = kernel.shape();
  Vector inputs(shape.n_inputs), parameters(shape.n_parameters), outputs(shape.n_outputs);
  for (std::size_t group = 0; group < n_groups; ++group) {
    for (std::size_t lane = 0; lane < shape.lanes; ++lane) {
      for (std::size_t k = 0; k < inputs.size(); ++k)
        inputs[k] = run.inputs[(group * shape.n_inputs + k) * shape.lanes + lane];
      for (std::size_t k = 0; k < parameters.size(); ++k) {
        parameters[k] = shape.parameters_per_lane
                            ? run.parameters[(group * shape.n_parameters + k) * shape.lanes + lane]
                            : run.parameters[k];
      }
      reference(inputs.data(), parameters.data(), outputs.data(), nullptr);
      for (std::size_t k = 0; k < outputs.size(); ++k) {
        const double found = run.outputs[(group * shape.n_outputs + k) * shape.lanes + lane];
        ASSERT_TRUE(same_bits(found, outputs[k]))
            << "lane " << lane << " of " << shape.lanes << ", output " << k << ": " << found
            << " instead of " << outputs[k] << '\n'
            << to_text(tape);
      }
    }
  }
}

TEST(interpreter, scalar_runs_of_random_tapes_match_the_definition) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const Tape tape = testing::random_tape(
        random, {.n_operations = 10 + testing::below(random, 150), .calls = true, .regions = true});
    for (bool per_lane : {false, true}) {
      const Kernel kernel = make_kernel(
          tape, {.lanes = 1, .parameters_per_lane = per_lane, .portable = seed % 5 == 0});
      const std::size_t n_groups = 1 + testing::below(random, 3);
      expect_same_bits(tape, kernel, run(kernel, random, n_groups, 0.05), n_groups);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(interpreter, lanes_of_random_tapes_match_the_definition) {
  constexpr std::uint32_t lane_counts[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 64, 65, 68, 130};
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    const Tape tape =
        testing::random_tape(random, {.n_operations = 10 + testing::below(random, 100),
                                      .calls = seed % 2 == 0,
                                      .regions = seed % 3 == 0});
    const Kernel kernel = make_kernel(tape, {.lanes = lane_counts[seed % std::size(lane_counts)],
                                             .parameters_per_lane = testing::below(random, 2) == 0,
                                             .portable = seed % 5 == 0});
    const std::size_t n_groups = 1 + testing::below(random, 3);
    expect_same_bits(tape, kernel, run(kernel, random, n_groups, seed % 4 * 0.05), n_groups);
    if (HasFatalFailure()) return;
  }
}

// Every operation on every combination of awkward numbers, in scalar form and in lanes.
TEST(interpreter, every_operation_on_special_numbers) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Vector special = {0.0,
                          -0.0,
                          1.0,
                          -1.0,
                          0.5,
                          -2.5,
                          3.0,
                          infinity,
                          -infinity,
                          NAN,
                          0x1p-1074,
                          -0x1p-1022,
                          1.7976931348623157e308,
                          -1e300,
                          0x1.fffffffffffffp-1};
  for (int i = static_cast<int>(TapeOp::add); i < static_cast<int>(TapeOp::call); ++i) {
    const auto op = static_cast<TapeOp>(i);
    Tape tape;
    tape.n_inputs = 3;
    for (std::uint32_t k = 0; k < 3; ++k) tape.code.push_back({TapeOp::input, k});
    ValueId operands[] = {0, 1, 2};
    for (std::uint32_t k = 0; k < 3; ++k) {
      if (k >= static_cast<std::uint32_t>(n_value_operands(op)) || !takes_condition(op, k))
        continue;
      tape.code.push_back({TapeOp::less, k, 2 - k});
      operands[k] = static_cast<ValueId>(tape.code.size() - 1);
    }
    tape.code.push_back({op, operands[0], operands[1], operands[2]});
    if (is_condition(op))
      tape.code.push_back({TapeOp::number, static_cast<ValueId>(tape.code.size() - 1)});
    tape.outputs = {static_cast<ValueId>(tape.code.size() - 1)};
    validate(tape);

    const std::size_t n = special.size();
    const std::size_t n_cases = n * n * n;
    const auto value = [&](std::size_t at, int k) {
      return special[k == 0 ? at % n : (k == 1 ? at / n % n : at / n / n)];
    };
    const Kernel scalar = make_kernel(tape);
    const Kernel lanes = make_kernel(tape, {.lanes = static_cast<std::uint32_t>(n_cases)});
    const Kernel reference = testing::make_reference_kernel(tape);
    Vector scalar_inputs(3 * n_cases), lane_inputs(3 * n_cases), of_scalar(n_cases),
        of_lanes(n_cases);
    for (std::size_t at = 0; at < n_cases; ++at)
      for (int k = 0; k < 3; ++k)
        scalar_inputs[3 * at + k] = lane_inputs[k * n_cases + at] = value(at, k);
    AlignedDoubles workspace(std::max(scalar.shape().workspace_size, lanes.shape().workspace_size));
    scalar(scalar_inputs.data(), nullptr, of_scalar.data(), workspace.data(), n_cases);
    lanes(lane_inputs.data(), nullptr, of_lanes.data(), workspace.data());
    for (std::size_t at = 0; at < n_cases; ++at) {
      double expected = 0;
      reference(&scalar_inputs[3 * at], nullptr, &expected, nullptr);
      ASSERT_TRUE(same_bits(of_scalar[at], expected))
          << name(op) << ' ' << value(at, 0) << ' ' << value(at, 1) << ' ' << value(at, 2) << ": "
          << of_scalar[at] << " instead of " << expected;
      ASSERT_TRUE(same_bits(of_lanes[at], expected)) << name(op) << " in lanes";
    }
  }
}

TEST(interpreter, outputs_may_be_leaves_and_may_repeat) {
  TapeBuilder builder(2, 1);
  const ValueId x = builder.input(1);
  for (ValueId output : {x, x, builder.parameter(0), builder.constant(2.5), builder.input(0)})
    builder.output(output);
  const Tape tape = std::move(builder).finish();
  for (std::uint32_t lanes : {1u, 3u, 8u}) {
    Random random(lanes);
    const Kernel kernel = make_kernel(tape, {.lanes = lanes});
    expect_same_bits(tape, kernel, run(kernel, random, 2, 0.0), 2);
  }
}

TEST(interpreter, a_tape_without_inputs_or_operations_runs) {
  TapeBuilder builder(0, 0);
  builder.output(builder.constant(4.0));
  const Tape tape = std::move(builder).finish();
  for (std::uint32_t lanes : {1u, 3u, 4u}) {
    const Kernel kernel = make_kernel(tape, {.lanes = lanes});
    Vector outputs(lanes);
    AlignedDoubles workspace(kernel.shape().workspace_size);
    kernel(nullptr, nullptr, outputs.data(), workspace.data());
    EXPECT_EQ(outputs, Vector(lanes, 4.0));
  }
}

TEST(interpreter, slots_are_reused) {
  // A chain has one value alive at a time, however long it is.
  TapeBuilder builder(1, 0);
  ValueId value = builder.input(0);
  for (int k = 0; k < 1000; ++k)
    value =
        builder.apply(k % 2 == 0 ? TapeOp::sqrt : TapeOp::abs, builder.apply(TapeOp::neg, value));
  builder.output(value);
  const Kernel kernel = make_kernel(std::move(builder).finish(), {.lanes = 64});
  EXPECT_LE(kernel.shape().workspace_size, 4u * 64u);
}

TEST(interpreter, threads_may_share_a_kernel) {
  Random random(5);
  const Tape tape = testing::random_tape(random, {.calls = true, .regions = true});
  const Kernel kernel = make_kernel(tape, {.lanes = 8});
  std::vector<Vector> outputs(4);
  std::vector<std::thread> threads;
  for (Vector& own : outputs) {
    threads.emplace_back([&kernel, &own] {
      Random same_for_all(9);
      own = run(kernel, same_for_all, 200, 0.0).outputs;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Vector& own : outputs)
    for (std::size_t k = 0; k < own.size(); ++k) ASSERT_TRUE(same_bits(own[k], outputs[0][k]));
}

}  // namespace
}  // namespace alembert::compile::interpret
