// SPDX-License-Identifier: Apache-2.0
// Every operation on special values, each alone in a tape, against `evaluate`: operands from
// registers and memory, operands that repeat, operands that live on. Scalar and lanes.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "alembert/compile/elementary.hpp"
#include "alembert/compile/native/native.hpp"
#include "random_tape.hpp"

namespace alembert::compile::native {
namespace {

using test::same_bits;

const std::vector<double>& special_values() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  constexpr double huge = std::numeric_limits<double>::max();
  static const std::vector<double> values = {0.0,
                                             -0.0,
                                             1.0,
                                             -1.0,
                                             0.5,
                                             -2.5,
                                             1e-310,
                                             -tiny,
                                             1e300,
                                             huge,
                                             -huge,
                                             inf,
                                             -inf,
                                             nan,
                                             3.0000000000000004,
                                             -7.25,
                                             1e16,
                                             0.1,
                                             4503599627370497.5};
  return values;
}

enum class Shape { from_memory, from_registers, operands_live_on, all_the_same };

/// One operation in a surrounding that decides where its operands are. A condition comes out as a
/// number.
Tape tape_with(TapeOp op, Shape shape) {
  TapeBuilder builder(3, 0);
  std::array<ValueId, 3> x;
  for (std::uint32_t k = 0; k < 3; ++k) {
    x[k] = builder.input(k);
    // x + -0 is x, also for zeros: a value of the same bits, in a register.
    if (shape == Shape::from_registers || shape == Shape::operands_live_on)
      x[k] = builder.apply(TapeOp::fma, x[k], builder.constant(1.0), builder.constant(-0.0));
  }
  if (shape == Shape::all_the_same) x[1] = x[2] = x[0];
  const bool of_conditions = op >= TapeOp::logical_and && op <= TapeOp::number;
  if (of_conditions || op == TapeOp::select)
    x[0] = builder.apply(TapeOp::less, x[0], builder.constant(1.0));
  if (of_conditions) x[1] = builder.apply(TapeOp::equal, x[1], x[2]);
  ValueId made = builder.apply(op, x[0], x[1], x[2]);
  if (is_condition(op)) made = builder.apply(TapeOp::number, made);
  builder.output(made);
  if (shape == Shape::operands_live_on && !of_conditions && op != TapeOp::select)
    for (const ValueId value : x) builder.output(builder.apply(TapeOp::add, value, value));
  return std::move(builder).finish();
}

class Operations : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  void SetUp() override {
    if (!available() || GetParam() > widest_lanes()) GTEST_SKIP() << "host lacks the width";
  }
};

TEST_P(Operations, SpecialValuesGiveTheBitsOfEvaluate) {
  const std::uint32_t lanes = GetParam();
  const std::vector<double>& values = special_values();
  const std::size_t n = values.size(), n_cases = (n * n * n + lanes - 1) / lanes * lanes;
  std::vector<double> inputs(n_cases * 3);
  const auto number = [&](std::size_t i, std::size_t k) {
    return values[k == 0 ? i % n : k == 1 ? i / n % n : i / (n * n) % n];
  };
  for (std::size_t i = 0; i < n_cases; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      inputs[(i / lanes * 3 + k) * lanes + i % lanes] = number(i, k);

  for (int code = static_cast<int>(TapeOp::add); code <= static_cast<int>(TapeOp::select); ++code) {
    const auto op = static_cast<TapeOp>(code);
    for (const Shape shape : {Shape::from_memory, Shape::from_registers, Shape::operands_live_on,
                              Shape::all_the_same}) {
      const Tape tape = tape_with(op, shape);
      const Kernel kernel = make_kernel(tape, {.lanes = lanes});
      ASSERT_TRUE(static_cast<bool>(kernel));
      std::vector<double> outputs(n_cases * tape.outputs.size());
      AlignedDoubles workspace(kernel.shape().workspace_size);
      kernel(inputs.data(), nullptr, outputs.data(), workspace.data(), n_cases / lanes);
      // The third operand matters to few; the others need no more than n * n cases.
      const std::size_t n_checked = n_value_operands(op) > 2 ? n_cases : n * n;
      for (std::size_t i = 0; i < n_checked; ++i) {
        const double x[3] = {number(i, 0), number(i, 1), number(i, 2)};
        const std::vector<double> expected = test::reference(tape, x, {});
        for (std::size_t k = 0; k < expected.size(); ++k)
          ASSERT_TRUE(same_bits(expected[k],
                                outputs[(i / lanes * expected.size() + k) * lanes + i % lanes]))
              << name(op) << "(" << x[0] << ", " << x[1] << ", " << x[2] << ") lanes " << lanes
              << " shape " << static_cast<int>(shape) << " output " << k;
      }
    }
  }
}

TEST_P(Operations, LeavesAndRepeatedValuesCanBeOutputs) {
  TapeBuilder builder(2, 2);
  const ValueId sum = builder.apply(TapeOp::add, builder.input(0), builder.input(1));
  for (const ValueId value :
       {builder.input(1), builder.parameter(1), builder.constant(2.5), sum, sum, builder.input(1)})
    builder.output(value);
  const Tape tape = std::move(builder).finish();
  std::mt19937_64 random(5);
  EXPECT_EQ(test::first_difference(tape, make_kernel(tape, {.lanes = GetParam()}), 5, random), "");
}

INSTANTIATE_TEST_SUITE_P(Widths, Operations, ::testing::Values(1u, 4u, 8u));

}  // namespace
}  // namespace alembert::compile::native
