// SPDX-License-Identifier: Apache-2.0
// Second route: native code against `evaluate`, on random tapes that use every operation and run
// out of registers.
#include <gtest/gtest.h>

#include "alembert/compile/native/native.hpp"
#include "random_tape.hpp"

namespace alembert::compile::native {
namespace {

using test::first_difference;
using test::random_tape;
using test::RandomTapeOptions;

class RandomTape : public ::testing::TestWithParam<NativeOptions> {
 protected:
  void SetUp() override {
    if (!available() || GetParam().lanes > widest_lanes()) GTEST_SKIP() << "host lacks the width";
  }

  void check(const RandomTapeOptions& options, int n_tapes, std::size_t n_groups) {
    for (int k = 0; k < n_tapes; ++k) {
      const Tape tape = random_tape(options, random_);
      const Kernel kernel = make_kernel(tape, GetParam());
      ASSERT_TRUE(static_cast<bool>(kernel));
      const std::string difference = first_difference(tape, kernel, n_groups, random_);
      ASSERT_EQ(difference, "") << "tape " << k << "\n"
                                << (tape.code.size() < 60 ? to_text(tape) : "");
    }
  }

  std::mt19937_64 random_{20240607};
};

TEST_P(RandomTape, TinyTapesAgree) {
  for (std::uint32_t n = 1; n <= 12; ++n)
    check({.n_operations = n, .n_inputs = 2, .n_parameters = 1, .n_outputs = 2, .reach = 6}, 60, 3);
}

TEST_P(RandomTape, MediumTapesAgree) {
  check({.n_operations = 120, .n_outputs = 15, .reach = 10}, 300, 3);
  check({.n_operations = 200, .n_outputs = 40, .reach = 60}, 200, 5);
}

TEST_P(RandomTape, ArithmeticOnlyTapesAgree) {
  check(
      {.n_operations = 300, .n_outputs = 40, .reach = 30, .elementary = false, .conditions = false},
      200, 4);
}

TEST_P(RandomTape, ManyLiveValuesAgree) {
  check({.n_operations = 1500,
         .n_inputs = 40,
         .n_parameters = 30,
         .n_outputs = 200,
         .reach = 400,
         .elementary = false},
        30, 3);
  check({.n_operations = 5000, .n_inputs = 90, .n_parameters = 50, .n_outputs = 300, .reach = 900},
        5, 3);
}

TEST_P(RandomTape, CallsAndRegionsAgree) {
  check({.n_operations = 150, .n_outputs = 30, .reach = 25, .calls = true, .regions = true}, 150,
        3);
}

TEST_P(RandomTape, ZeroGroupsTouchNothing) {
  const Tape tape = random_tape({}, random_);
  EXPECT_EQ(first_difference(tape, make_kernel(tape, GetParam()), 0, random_), "");
}

std::string name_of(const ::testing::TestParamInfo<NativeOptions>& info) {
  const NativeOptions& options = info.param;
  return std::to_string(options.lanes) + "Lanes" +
         (options.parameters_per_lane ? "Own" : "Common") + "Parameters" +
         std::to_string(options.interleaved_groups) + "Interleaved";
}

INSTANTIATE_TEST_SUITE_P(
    Widths, RandomTape,
    ::testing::Values(
        NativeOptions{.lanes = 1}, NativeOptions{.lanes = 1, .parameters_per_lane = true},
        NativeOptions{.lanes = 4}, NativeOptions{.lanes = 4, .parameters_per_lane = true},
        NativeOptions{.lanes = 4, .interleaved_groups = 1},
        NativeOptions{.lanes = 4, .interleaved_groups = 2},
        NativeOptions{.lanes = 4, .parameters_per_lane = true, .interleaved_groups = 3},
        NativeOptions{.lanes = 8}, NativeOptions{.lanes = 8, .interleaved_groups = 2}),
    name_of);

}  // namespace
}  // namespace alembert::compile::native
