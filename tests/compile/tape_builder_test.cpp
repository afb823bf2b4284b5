// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "alembert/base/error.hpp"
#include "alembert/compile/elementary.hpp"
#include "alembert/compile/tape.hpp"
#include "compile/random_tape.hpp"
#include "compile/reference_kernel.hpp"

namespace alembert::compile {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class tape_builder : public ::testing::Test {
 protected:
  TapeBuilder builder{3, 2};
  ValueId x = builder.input(0);
  ValueId y = builder.input(1);
  ValueId z = builder.input(2);

  ValueId apply(TapeOp op, ValueId a, ValueId b = 0, ValueId c = 0) {
    return builder.apply(op, a, b, c);
  }
  ValueId number(double value) { return builder.constant(value); }
};

TEST_F(tape_builder, shares_equal_operations) {
  EXPECT_EQ(apply(TapeOp::sub, x, y), apply(TapeOp::sub, x, y));
  EXPECT_NE(apply(TapeOp::sub, x, y), apply(TapeOp::sub, y, x));
  EXPECT_EQ(apply(TapeOp::add, x, y), apply(TapeOp::add, y, x));
  EXPECT_EQ(apply(TapeOp::fnma, x, y, z), apply(TapeOp::fnma, y, x, z));
  EXPECT_EQ(apply(TapeOp::equal, x, y), apply(TapeOp::equal, y, x));
  EXPECT_NE(apply(TapeOp::min, x, y), apply(TapeOp::min, y, x));  // they differ for NaN
  EXPECT_NE(number(0.0), number(-0.0));
  EXPECT_EQ(number(nan), number(nan));
}

TEST_F(tape_builder, ignores_operands_that_an_operation_does_not_use) {
  EXPECT_EQ(apply(TapeOp::sin, x, y, z), apply(TapeOp::sin, x));
}

TEST_F(tape_builder, folds_constants_by_the_tapes_arithmetic) {
  const double third = 1.0 / 3.0;
  const ValueId folded = apply(TapeOp::fms, number(third), number(3.0), number(1.0));
  ASSERT_NE(builder.constant_value(folded), nullptr);
  EXPECT_EQ(*builder.constant_value(folded), -0x1p-54);  // rounded once; twice would give 0
  const ValueId sine = apply(TapeOp::sin, number(0.5));
  EXPECT_EQ(*builder.constant_value(sine), evaluate(TapeOp::sin, 0.5, 0, 0));
  EXPECT_EQ(builder.constant_value(x), nullptr);
}

TEST_F(tape_builder, drops_operations_that_change_no_bit) {
  EXPECT_EQ(apply(TapeOp::mul, x, number(1.0)), x);
  EXPECT_EQ(apply(TapeOp::mul, number(1.0), x), x);
  EXPECT_EQ(apply(TapeOp::div, x, number(1.0)), x);
  EXPECT_EQ(apply(TapeOp::sub, x, number(0.0)), x);
  EXPECT_EQ(apply(TapeOp::add, x, number(-0.0)), x);
  EXPECT_EQ(apply(TapeOp::neg, apply(TapeOp::neg, x)), x);
  EXPECT_EQ(apply(TapeOp::abs, apply(TapeOp::neg, x)), apply(TapeOp::abs, x));
  EXPECT_EQ(apply(TapeOp::add, x, apply(TapeOp::neg, y)), apply(TapeOp::sub, x, y));
  EXPECT_EQ(apply(TapeOp::add, apply(TapeOp::neg, y), x), apply(TapeOp::sub, x, y));
  EXPECT_EQ(apply(TapeOp::sub, x, apply(TapeOp::neg, y)), apply(TapeOp::add, x, y));
  EXPECT_EQ(apply(TapeOp::div, x, number(-8.0)), apply(TapeOp::mul, x, number(-0.125)));
  EXPECT_EQ(apply(TapeOp::fma, apply(TapeOp::neg, x), y, z), apply(TapeOp::fnma, x, y, z));
  EXPECT_EQ(apply(TapeOp::fnms, apply(TapeOp::neg, x), y, apply(TapeOp::neg, z)),
            apply(TapeOp::fma, x, y, z));
}

TEST_F(tape_builder, keeps_operations_that_may_change_a_bit) {
  EXPECT_NE(apply(TapeOp::add, x, number(0.0)), x);   // -0 + 0 = +0
  EXPECT_NE(apply(TapeOp::sub, x, number(-0.0)), x);  // -0 - -0 = +0
  EXPECT_EQ(builder.constant_value(apply(TapeOp::mul, x, number(0.0))), nullptr);
  EXPECT_EQ(builder.constant_value(apply(TapeOp::sub, x, x)), nullptr);  // NaN for infinity
  EXPECT_NE(apply(TapeOp::equal, x, x), apply(TapeOp::equal, y, y));     // false for NaN
  EXPECT_NE(apply(TapeOp::div, x, number(3.0)), apply(TapeOp::mul, x, number(1.0 / 3.0)));
  EXPECT_NE(apply(TapeOp::div, x, number(0x1p-1023)), apply(TapeOp::mul, x, number(0x1p1023)));
  EXPECT_NE(apply(TapeOp::neg, apply(TapeOp::sub, x, y)), apply(TapeOp::sub, y, x));
}

TEST_F(tape_builder, decides_constant_conditions) {
  const ValueId yes = apply(TapeOp::less, number(1.0), number(2.0));
  const ValueId no = apply(TapeOp::less, number(nan), number(2.0));
  const ValueId open = apply(TapeOp::less, x, y);
  EXPECT_EQ(apply(TapeOp::select, yes, x, y), x);
  EXPECT_EQ(apply(TapeOp::select, no, x, y), y);
  EXPECT_EQ(apply(TapeOp::select, open, x, x), x);
  EXPECT_EQ(apply(TapeOp::logical_and, open, yes), open);
  EXPECT_EQ(apply(TapeOp::logical_and, open, no), no);
  EXPECT_EQ(apply(TapeOp::logical_or, open, yes), yes);
  EXPECT_EQ(apply(TapeOp::logical_or, no, open), open);
  EXPECT_EQ(apply(TapeOp::logical_or, open, open), open);
  EXPECT_EQ(apply(TapeOp::logical_not, yes), no);
  EXPECT_EQ(apply(TapeOp::logical_not, apply(TapeOp::logical_not, open)), open);
  EXPECT_EQ(apply(TapeOp::logical_not, apply(TapeOp::equal, x, y)), apply(TapeOp::not_equal, x, y));
  EXPECT_EQ(apply(TapeOp::select, apply(TapeOp::logical_not, open), x, y),
            apply(TapeOp::select, open, y, x));
  EXPECT_EQ(*builder.constant_value(apply(TapeOp::number, yes)), 1.0);
  EXPECT_EQ(*builder.constant_value(apply(TapeOp::number, no)), 0.0);
}

TEST_F(tape_builder, refuses_operands_of_the_wrong_kind) {
  const ValueId condition = apply(TapeOp::less, x, y);
  EXPECT_THROW(apply(TapeOp::add, x, condition), InternalError);
  EXPECT_THROW(apply(TapeOp::select, x, x, y), InternalError);
  EXPECT_THROW(apply(TapeOp::add, x, 1000), InternalError);
  EXPECT_THROW(builder.input(3), InternalError);
  EXPECT_THROW(builder.parameter(2), InternalError);
}

TEST_F(tape_builder, shares_calls_with_equal_function_and_arguments) {
  const ForeignFunction f = {"f", &testing::detail::one_argument, nullptr};
  const ForeignFunction g = {"g", &testing::detail::one_argument, nullptr};
  const ValueId first = builder.call(f, std::vector{x});
  EXPECT_EQ(builder.call(f, std::vector{x}), first);
  EXPECT_NE(builder.call(f, std::vector{y}), first);
  EXPECT_NE(builder.call(g, std::vector{x}), first);
  builder.output(builder.call(g, std::vector{x}));
  const Tape tape = std::move(builder).finish();
  validate(tape);
  ASSERT_EQ(tape.functions.size(), 1u);
  EXPECT_EQ(tape.functions[0].name, "g");
  EXPECT_EQ(tape.calls.size(), 1u);
}

TEST_F(tape_builder, finish_drops_what_no_output_needs_and_keeps_the_order) {
  apply(TapeOp::sin, number(7.0));
  const ValueId sum = apply(TapeOp::add, y, number(5.0));
  apply(TapeOp::mul, sum, sum);
  builder.output(apply(TapeOp::sub, sum, x));
  builder.output(sum);
  const Tape tape = std::move(builder).finish();
  EXPECT_EQ(to_text(tape),
            "v0 = input 0\n"
            "v1 = input 1\n"
            "v2 = constant 5\n"
            "v3 = add v1 v2\n"
            "v4 = sub v3 v0\n"
            "output 0 = v4\n"
            "output 1 = v3\n");
  EXPECT_EQ(tape.n_inputs, 3u);
}

// Second route: the tape as written, and the tape as the builder makes it again.
TEST(tape_builder_property, rebuilt_tapes_give_the_same_bits) {
  std::size_t n_finite = 0, n_compared = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    testing::Random random(seed);
    const Tape tape = testing::random_tape(random, {.calls = true, .regions = seed % 4 == 0});
    const Tape again = rebuilt(tape);
    const Kernel before = testing::make_reference_kernel(tape);
    const Kernel after = testing::make_reference_kernel(again);
    for (int trial = 0; trial < 3; ++trial) {
      const auto inputs = testing::random_numbers(random, tape.n_inputs, 0.1 * trial);
      const auto parameters = testing::random_numbers(random, tape.n_parameters, 0.1 * trial);
      std::vector<double> expected(tape.outputs.size()), found(tape.outputs.size());
      before(inputs.data(), parameters.data(), expected.data(), nullptr);
      after(inputs.data(), parameters.data(), found.data(), nullptr);
      for (std::size_t k = 0; k < expected.size(); ++k) {
        ASSERT_TRUE(testing::same_bits(expected[k], found[k]))
            << "seed " << seed << ", output " << k << ": " << expected[k] << " became " << found[k]
            << '\n'
            << to_text(tape) << "rebuilt:\n"
            << to_text(again);
        n_finite += std::isfinite(expected[k]);
        ++n_compared;
      }
    }
  }
  EXPECT_GT(n_finite, n_compared / 2);  // otherwise the comparison would say little
}

TEST(tape_builder_property, a_long_chain_needs_no_recursion) {
  TapeBuilder builder(1, 0);
  ValueId sum = builder.input(0);
  for (int i = 0; i < 300'000; ++i)
    sum = builder.apply(TapeOp::add, sum, builder.constant(i + 0.5));
  builder.output(sum);
  const Tape tape = std::move(builder).finish();
  EXPECT_EQ(operation_count(tape), 300'000u);
  EXPECT_NO_THROW(validate(tape));
}

}  // namespace
}  // namespace alembert::compile
