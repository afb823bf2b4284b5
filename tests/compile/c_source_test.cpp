// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/c_source.hpp"

#include <gtest/gtest.h>

#include "alembert/base/error.hpp"
#include "alembert/compile/elementary.hpp"
#include "compile/c_library.hpp"
#include "compile/random_tape.hpp"
#include "compile/reference_kernel.hpp"

namespace alembert::compile {
namespace {

using testing::have_compiler;
using testing::Library;
using testing::Random;
using Vector = std::vector<double>;
using CFunction = void (*)(const double*, const double*, double*);

void expect_same_bits(const Tape& tape, CFunction function, Random& random, int n_trials) {
  ASSERT_NE(function, nullptr);
  const Kernel reference = testing::make_reference_kernel(tape);
  for (int trial = 0; trial < n_trials; ++trial) {
    const Vector inputs = testing::random_numbers(random, tape.n_inputs, 0.05 * trial);
    const Vector parameters = testing::random_numbers(random, tape.n_parameters, 0.05 * trial);
    Vector expected(tape.outputs.size()), found(tape.outputs.size(), 777.0);
    reference(inputs.data(), parameters.data(), expected.data(), nullptr);
    function(inputs.data(), parameters.data(), found.data());
    for (std::size_t k = 0; k < expected.size(); ++k)
      ASSERT_TRUE(testing::same_bits(found[k], expected[k]))
          << "output " << k << ": " << found[k] << " instead of " << expected[k] << '\n'
          << to_text(tape);
  }
}

// The random tapes' user functions, for the tape `name`.
std::string user_functions(const std::string& name) {
  return "double " + name + "_weighted_sum(const double *x) { return x[0] * 1.25 - x[1]; }\n" +
         "double " + name + "_one_argument(const double *x) { return 0.5 * x[0] + 1.0; }\n" +
         "void " + name + "_two_outputs(const double *x, double *y) {\n" +
         "  y[0] = x[0] + 0.75 * x[1];\n  y[1] = x[0] - 0.25 * x[1];\n}\n";
}

TEST(c_source, random_tapes_without_elementary_functions_give_the_same_bits) {
  if (!have_compiler()) GTEST_SKIP() << "no C compiler";
  std::vector<Tape> tapes;
  std::string source;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const bool large = seed % 20 == 0;
    tapes.push_back(testing::random_tape(seed, {.n_operations = large ? 2000u : 80u,
                                                .n_outputs = large ? 200u : 12u,
                                                .elementary = false,
                                                .calls = seed % 2 == 0}));
    const std::string name = "tape" + std::to_string(seed);
    source += to_c_source(tapes.back(), name) + user_functions(name);
  }
  ASSERT_NE(source.find("_part_1("), std::string::npos);  // the large ones are cut
  const Library library(source);
  ASSERT_TRUE(library.loaded());
  for (std::uint64_t seed = 0; seed < tapes.size(); ++seed) {
    Random random(seed);
    expect_same_bits(tapes[seed], library.function<CFunction>("tape" + std::to_string(seed)),
                     random, 4);
    if (HasFatalFailure()) return;
  }
}

// u_i^3 + 2 u_i + u_{i+1} / 4 = x_i (newton), or u_i + u_{i+1} / 4 = x_i (linear).
SolveRegion algebraic_region(std::uint32_t n, bool newton) {
  SolveRegion region;
  region.kind = newton ? SolveRegion::Kind::newton : SolveRegion::Kind::linear;
  region.n_unknowns = n;
  TapeBuilder body(2 * n, 1);
  std::vector<ValueId> nonzeros;
  for (std::uint32_t i = 0; i < n; ++i) {
    const ValueId u = body.input(i), next = body.input((i + 1) % n);
    ValueId r = u, slope = body.constant(1.0);
    if (newton) {
      const ValueId square = body.apply(TapeOp::mul, u, u);
      r = body.apply(TapeOp::fma, square, u, body.apply(TapeOp::mul, body.constant(2.0), u));
      slope = body.apply(TapeOp::fma, body.constant(3.0), square, body.constant(2.0));
    }
    r = body.apply(TapeOp::fma, body.constant(0.25), next, r);
    r = body.apply(TapeOp::sub, r, body.apply(TapeOp::mul, body.parameter(0), body.input(n + i)));
    body.output(r);
    region.jacobian_rows.insert(region.jacobian_rows.end(), {i, i});
    region.jacobian_columns.insert(region.jacobian_columns.end(), {i, (i + 1) % n});
    nonzeros.insert(nonzeros.end(), {slope, body.constant(0.25)});
  }
  for (ValueId value : nonzeros) body.output(value);
  region.body = std::move(body).finish();
  return region;
}

Tape tape_with_regions(std::uint32_t n, bool linear, bool newton) {
  TapeBuilder builder(n, 1);
  std::vector<ValueId> values;
  for (std::uint32_t i = 0; i < n; ++i) values.push_back(builder.input(i));
  for (bool with_newton : {false, true}) {
    if (with_newton ? !newton : !linear) continue;
    SolveRegion region = algebraic_region(n, with_newton);
    region.captured = values;
    if (with_newton) region.guesses = values;
    values = builder.solve(std::move(region));
  }
  for (ValueId value : values) builder.output(value);
  return std::move(builder).finish();
}

TEST(c_source, regions_give_the_same_bits) {
  if (!have_compiler()) GTEST_SKIP() << "no C compiler";
  std::vector<Tape> tapes;
  std::string source;
  for (std::uint32_t n = 2; n <= 5; n += 3) {
    for (int kinds = 1; kinds <= 3; ++kinds) {
      const Tape tape = tape_with_regions(n, (kinds & 1) != 0, (kinds & 2) != 0);
      source += to_c_source(tape, "regions" + std::to_string(tapes.size()));
      tapes.push_back(tape);
    }
  }
  const Library library(source);
  ASSERT_TRUE(library.loaded());
  for (std::size_t k = 0; k < tapes.size(); ++k) {
    Random random(k);
    expect_same_bits(tapes[k], library.function<CFunction>("regions" + std::to_string(k)), random,
                     20);
    if (HasFatalFailure()) return;
  }
}

// u^2 = x from u = 0, where the slope vanishes: both leave the guess, and in the same direction.
TEST(c_source, guesses_at_which_slopes_vanish_are_left_alike) {
  if (!have_compiler()) GTEST_SKIP() << "no C compiler";
  SolveRegion region;
  region.kind = SolveRegion::Kind::newton;
  region.n_unknowns = 1;
  TapeBuilder body(2, 0);
  const ValueId u = body.input(0);
  body.output(body.apply(TapeOp::sub, body.apply(TapeOp::mul, u, u), body.input(1)));
  body.output(body.apply(TapeOp::mul, body.constant(2.0), u));
  region.jacobian_rows = region.jacobian_columns = {0};
  region.body = std::move(body).finish();
  TapeBuilder builder(1, 0);
  region.captured = {builder.input(0)};
  region.guesses = {builder.constant(0.0)};
  builder.output(builder.solve(std::move(region)).front());
  const Tape tape = std::move(builder).finish();
  const Library library(to_c_source(tape, "root"));
  ASSERT_TRUE(library.loaded());
  const double four = 4;
  double root = 0;
  library.function<CFunction>("root")(&four, nullptr, &root);
  EXPECT_EQ(root, 2);
  Random random(1);
  expect_same_bits(tape, library.function<CFunction>("root"), random, 20);
}

TEST(c_source, elementary_functions_agree_within_three_ulp) {
  if (!have_compiler()) GTEST_SKIP() << "no C compiler";
  TapeBuilder builder(2, 0);
  const ValueId x = builder.input(0), y = builder.input(1);
  for (int i = static_cast<int>(TapeOp::sin); i <= static_cast<int>(TapeOp::pow); ++i)
    builder.output(builder.apply(static_cast<TapeOp>(i), x, y));
  const Tape tape = std::move(builder).finish();
  const Library library(to_c_source(tape, "elementary"));
  ASSERT_TRUE(library.loaded());
  const Kernel reference = testing::make_reference_kernel(tape);
  Random random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector inputs = {testing::uniform(random, -5, 5), testing::uniform(random, -5, 5)};
    Vector expected(tape.outputs.size()), found(tape.outputs.size());
    reference(inputs.data(), nullptr, expected.data(), nullptr);
    library.function<CFunction>("elementary")(inputs.data(), nullptr, found.data());
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (std::isnan(expected[k]) && std::isnan(found[k])) continue;
      EXPECT_NEAR(found[k], expected[k], 3 * 0x1p-52 * std::fabs(expected[k])) << k;
    }
  }
}

TEST(c_source, one_operation_a_line_with_literals_that_c_reads_as_doubles) {
  TapeBuilder builder(2, 1);
  const ValueId x = builder.input(0);
  const ValueId sum = builder.apply(TapeOp::add, x, builder.constant(2.0));
  const ValueId condition = builder.apply(TapeOp::less, sum, builder.parameter(0));
  builder.output(builder.apply(TapeOp::select, condition, sum, builder.constant(-1e300)));
  builder.output(builder.constant(std::numeric_limits<double>::infinity()));
  const std::string source = to_c_source(std::move(builder).finish(), "f");
  EXPECT_NE(
      source.find("void f(const double *inputs, const double *parameters, double *outputs) {\n"
                  "  const double v2 = inputs[0] + 2.0;\n"
                  "  const int v4 = v2 < parameters[0];\n"
                  "  const double v6 = v4 ? v2 : (-1e+300);\n"
                  "  outputs[0] = v6;\n"
                  "  outputs[1] = HUGE_VAL;\n"
                  "}\n"),
      std::string::npos)
      << source;
}

TEST(c_source, user_functions_of_one_name_are_told_apart) {
  TapeBuilder builder(1, 0);
  const ValueId x = builder.input(0);
  const ForeignFunction first = {"heat flow", &testing::detail::weighted_sum,
                                 std::make_shared<const double>(1.0)};
  const ForeignFunction second = {"heat flow", &testing::detail::weighted_sum,
                                  std::make_shared<const double>(2.0)};
  builder.output(builder.call(first, std::vector{x, x}));
  builder.output(builder.call(second, std::vector{x, x}));
  const std::string source = to_c_source(std::move(builder).finish(), "model");
  EXPECT_NE(source.find("double model_heat_flow(const double *arguments);"), std::string::npos);
  EXPECT_NE(source.find("double model_heat_flow_2(const double *arguments);"), std::string::npos);
}

TEST(c_source, the_name_must_be_an_identifier) {
  TapeBuilder builder(0, 0);
  EXPECT_THROW(to_c_source(std::move(builder).finish(), "2nd"), InternalError);
}

}  // namespace
}  // namespace alembert::compile
