// SPDX-License-Identifier: Apache-2.0
// The back end as a whole: large tapes in parts, threads, memory protection, the switch, the check
// of itself.
#include "alembert/compile/native/native.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>

#include "alembert/compile/native/compile.hpp"
#include "alembert/compile/native/function.hpp"
#include "alembert/compile/native/layout.hpp"
#include "alembert/compile/native/self_check.hpp"
#include "random_tape.hpp"

namespace alembert::compile::native {
namespace {

using test::first_difference;
using test::random_tape;

class Native : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!available()) GTEST_SKIP() << "no native code on this host";
  }
  std::mt19937_64 random_{99};
};

Tape large_tape(std::uint32_t n, std::mt19937_64& random) {
  return random_tape({.n_operations = n,
                      .n_inputs = 300,
                      .n_parameters = 40,
                      .n_outputs = n / 20,
                      .reach = 90,
                      .elementary = false},
                     random);
}

std::vector<std::uint8_t> code_of(const Tape& tape, const LayoutOptions& options,
                                  std::uint32_t threads) {
  const Layout layout = make_layout(tape, options);
  const Addressing addressing(layout, 0);
  const FunctionCode function = emit_function(tape, layout, addressing, {}, nullptr, threads);
  const auto bytes = function.assembler->bytes();
  return {bytes.begin(), bytes.end()};
}

TEST_F(Native, LargeTapesAreCutAndAgree) {
  const Tape tape = large_tape(120000, random_);
  ASSERT_GT(make_layout(tape, {}).chunks.size(), 3u);
  for (const std::uint32_t lanes : {1u, 4u}) {
    const Kernel kernel = make_kernel(tape, {.lanes = lanes, .threads = 3});
    EXPECT_EQ(first_difference(tape, kernel, 2, random_), "");
  }
}

TEST_F(Native, CallsAndRegionsWorkAcrossCuts) {
  const Tape tape = random_tape({.n_operations = 60000,
                                 .n_inputs = 50,
                                 .n_parameters = 9,
                                 .n_outputs = 4000,
                                 .reach = 60,
                                 .calls = true,
                                 .regions = true},
                                random_);
  ASSERT_GT(make_layout(tape, {}).chunks.size(), 1u);
  for (const std::uint32_t lanes : {1u, 4u})
    EXPECT_EQ(first_difference(tape, make_kernel(tape, {.lanes = lanes}), 1, random_), "");
}

TEST_F(Native, CodeDoesNotDependOnTheNumberOfThreads) {
  const Tape tape = large_tape(100000, random_);
  const std::vector<std::uint8_t> one = code_of(tape, {.lanes = 4}, 1);
  EXPECT_EQ(one, code_of(tape, {.lanes = 4}, 2));
  EXPECT_EQ(one, code_of(tape, {.lanes = 4}, 5));
}

TEST_F(Native, ManyCutsInASmallTapeAgree) {
  // Nearly every value crosses a cut, and slots are given up and taken again.
  for (int k = 0; k < 40; ++k) {
    const Tape tape = random_tape({.n_operations = 400,
                                   .n_outputs = 40,
                                   .reach = 100,
                                   .calls = k % 2 == 0,
                                   .regions = k % 2 == 0},
                                  random_);
    const CutOptions cuts{.chunk_size = 7, .threshold = 10};
    ASSERT_GT(make_layout(tape, {.cuts = cuts}).chunks.size(), 20u);
    for (const std::uint32_t lanes : {1u, 4u})
      ASSERT_EQ(
          first_difference(tape, compile(tape, {.lanes = lanes, .interleaved_groups = 1}, cuts), 2,
                           random_),
          "");
  }
}

TEST_F(Native, MillionOperationsCompileInLinearTime) {
  const auto cost = [&](std::uint32_t n) {
    const Tape tape = large_tape(n, random_);
    double best = 1e9;
    for (int k = 0; k < 3; ++k) {
      const auto start = std::chrono::steady_clock::now();
      EXPECT_TRUE(static_cast<bool>(make_kernel(tape, {.threads = 1})));
      best = std::min(
          best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best / static_cast<double>(operation_count(tape));
  };
  const double small = cost(50000), large = cost(1000000);
  // Near 2 on a quiet machine, for caches; a quadratic step would show as 20.
  EXPECT_LT(large, 12.0 * small);
}

TEST_F(Native, NoPageIsWritableAndExecutable) {
  std::vector<Kernel> kernels;
  for (int k = 0; k < 20; ++k)
    kernels.push_back(make_kernel(random_tape({}, random_), {.lanes = k % 2 == 0 ? 1u : 4u}));
  std::ifstream maps("/proc/self/maps");
  std::size_t n_executable = 0;
  for (std::string line; std::getline(maps, line);) {
    const std::string rights = line.substr(line.find(' ') + 1, 4);
    EXPECT_FALSE(rights[1] == 'w' && rights[2] == 'x') << line;
    // Mappings without a file: ours.
    if (rights[2] == 'x' && line.find('/') == std::string::npos &&
        line.find('[') == std::string::npos)
      ++n_executable;
  }
  EXPECT_GE(n_executable, 1u);
}

TEST_F(Native, CanBeSwitchedOff) {
  const Tape tape = random_tape({}, random_);
  ASSERT_EQ(setenv("ALEMBERT_NATIVE", "off", 1), 0);
  EXPECT_FALSE(available());
  EXPECT_EQ(widest_lanes(), 0u);
  EXPECT_FALSE(static_cast<bool>(make_kernel(tape)));
  ASSERT_EQ(unsetenv("ALEMBERT_NATIVE"), 0);
  EXPECT_TRUE(available());
  EXPECT_TRUE(static_cast<bool>(make_kernel(tape)));
}

TEST_F(Native, SelfCheckPassesForTheWidthThatIsTested) { EXPECT_TRUE(lanes_agree_with_scalar(4)); }

TEST_F(Native, CodeForEightLanesCanBeEmittedAnywhere) {
  // Running it needs the host; that every instruction has an encoding does not.
  const Tape tape = random_tape(
      {.n_operations = 3000, .n_outputs = 300, .reach = 300, .elementary = false}, random_);
  EXPECT_GT(code_of(tape, {.lanes = 8, .copies = 2}, 1).size(), 3000u);
}

TEST_F(Native, KernelsOutliveTheirTapes) {
  Kernel kernel;
  std::vector<double> x = {0.5, 0.25, 2.0, 1.0, -1.0}, p = {1.0, 2.0, 3.0, 4.0}, expected;
  {
    const Tape tape = random_tape(
        {.n_operations = 200, .n_outputs = 30, .calls = true, .regions = true}, random_);
    kernel = make_kernel(tape);
    expected = test::reference(tape, x, p);
  }
  std::vector<double> outputs(expected.size());
  AlignedDoubles workspace(kernel.shape().workspace_size);
  kernel(x.data(), p.data(), outputs.data(), workspace.data());
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_TRUE(test::same_bits(expected[k], outputs[k])) << k;
}

}  // namespace
}  // namespace alembert::compile::native
