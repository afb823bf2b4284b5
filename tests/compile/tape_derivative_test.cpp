// SPDX-License-Identifier: Apache-2.0
// Second route: difference quotients of the tape itself.
#include "alembert/compile/tape_derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "alembert/symbolic/function_body.hpp"
#include "compile/run_tape.hpp"

namespace alembert::compile {
namespace {

using testing::run_tape;

void expect_exact(const Tape& tape, std::vector<double> x, const std::vector<double>& p = {}) {
  std::vector<std::uint32_t> inputs(tape.n_inputs);
  std::iota(inputs.begin(), inputs.end(), 0u);
  const ColumnSparsity sparsity = tape_sparsity(tape, inputs);
  const std::optional<Tape> jacobian = tape_jacobian(tape, inputs, sparsity);
  ASSERT_TRUE(jacobian.has_value());
  validate(*jacobian);
  const std::vector<double> entries = run_tape(*jacobian, x, p);
  for (std::uint32_t j = 0; j < tape.n_inputs; ++j) {
    const double delta = 1e-6 * std::max(1.0, std::abs(x[j])), at = x[j];
    x[j] = at + delta;
    const std::vector<double> right = run_tape(tape, x, p);
    x[j] = at - delta;
    const std::vector<double> left = run_tape(tape, x, p);
    x[j] = at;
    std::vector<double> column(tape.outputs.size(), 0.0);
    for (auto e = sparsity.column_start[j]; e < sparsity.column_start[j + 1]; ++e)
      column[sparsity.row[e]] = entries[e];
    for (std::size_t i = 0; i < column.size(); ++i) {
      const double difference = (right[i] - left[i]) / (2 * delta);
      EXPECT_NEAR(column[i], difference, 1e-7 * std::max(1.0, std::abs(difference)))
          << "output " << i << ", input " << j;
    }
  }
}

TEST(TapeDerivative, KnowsEveryOperation) {
  for (int index = static_cast<int>(TapeOp::add); index <= static_cast<int>(TapeOp::pow); ++index) {
    const auto op = static_cast<TapeOp>(index);
    TapeBuilder builder(3, 0);
    builder.output(builder.apply(op, builder.input(0), builder.input(1), builder.input(2)));
    const double first = op == TapeOp::acosh ? 1.7 : 0.4;
    SCOPED_TRACE(name(op));
    expect_exact(std::move(builder).finish(), {first, 1.3, 0.7});
    TapeBuilder same(1, 0);  // one input in all places, and negative where it may be
    const ValueId x = same.input(0);
    same.output(same.apply(op, x, x, x));
    const bool positive = op == TapeOp::sqrt || op == TapeOp::log || op == TapeOp::log10 ||
                          op == TapeOp::pow || op == TapeOp::acosh;
    if (op != TapeOp::min && op != TapeOp::max)
      expect_exact(std::move(same).finish(), {positive ? 1.6 : -0.6});
  }
}

TEST(TapeDerivative, GoesThroughConditions) {
  TapeBuilder builder(2, 0);
  const ValueId x = builder.input(0), y = builder.input(1);
  builder.output(builder.apply(TapeOp::select, builder.apply(TapeOp::less, x, y),
                               builder.apply(TapeOp::mul, x, x), builder.constant(3)));
  const Tape tape = std::move(builder).finish();
  expect_exact(tape, {1, 2});
  expect_exact(tape, {2, 1});
}

// Both sides are computed; what has no value on the side that is not taken is not seen.
TEST(TapeDerivative, TheSideNotTakenMayHaveNoValue) {
  TapeBuilder builder(1, 0);
  const ValueId x = builder.input(0);
  builder.output(builder.apply(TapeOp::select, builder.apply(TapeOp::less, builder.constant(0), x),
                               builder.apply(TapeOp::sqrt, x), builder.apply(TapeOp::mul, x, x)));
  const Tape tape = std::move(builder).finish();
  expect_exact(tape, {4});
  expect_exact(tape, {-3});
}

// u0^2 + c0 u1 = 3, u1^3 + p0 sin(u0) = c1: a region that Newton's method solves, between other
// operations, its parameter included.
Tape with_newton_region() {
  TapeBuilder body(4, 1);
  const ValueId u0 = body.input(0), u1 = body.input(1), c0 = body.input(2), c1 = body.input(3);
  const ValueId p = body.parameter(0), three = body.constant(3);
  const ValueId square = body.apply(TapeOp::mul, u1, u1);
  body.output(body.apply(TapeOp::sub,
                         body.apply(TapeOp::fma, u0, u0, body.apply(TapeOp::mul, c0, u1)), three));
  body.output(body.apply(
      TapeOp::sub,
      body.apply(TapeOp::fma, square, u1, body.apply(TapeOp::mul, p, body.apply(TapeOp::sin, u0))),
      c1));
  body.output(body.apply(TapeOp::mul, body.constant(2), u0));
  body.output(c0);
  body.output(body.apply(TapeOp::mul, p, body.apply(TapeOp::cos, u0)));
  body.output(body.apply(TapeOp::mul, three, square));

  TapeBuilder builder(3, 1);
  SolveRegion region;
  region.kind = SolveRegion::Kind::newton;
  region.n_unknowns = 2;
  region.captured = {builder.apply(TapeOp::exp, builder.input(0)), no_value};
  region.captured[1] = builder.apply(TapeOp::add, builder.input(1), builder.constant(1));
  region.guesses = {builder.input(2), builder.constant(0.8)};
  region.jacobian_rows = {0, 0, 1, 1};
  region.jacobian_columns = {0, 1, 0, 1};
  region.body = std::move(body).finish();
  const std::vector<ValueId> u = builder.solve(std::move(region));
  builder.output(builder.apply(TapeOp::mul, u[0], builder.input(1)));
  builder.output(builder.apply(TapeOp::sin, u[1]));
  builder.output(builder.input(0));
  return std::move(builder).finish();
}

TEST(TapeDerivative, GoesThroughASolvedRegion) {
  const Tape tape = with_newton_region();
  expect_exact(tape, {0.3, 0.9, 1.1}, {0.7});
  const std::uint32_t inputs[] = {0, 1, 2};
  const ColumnSparsity sparsity = tape_sparsity(tape, inputs);
  // The guess counts for nothing; the last output is the first input.
  EXPECT_EQ(sparsity.column_start, (std::vector<std::uint32_t>{0, 3, 5, 5}));
}

TEST(TapeDerivative, KeepsAPatternSparse) {
  TapeBuilder builder(50, 0);
  for (std::uint32_t i = 0; i < 50; ++i) {
    const ValueId next = builder.input((i + 1) % 50);
    builder.output(builder.apply(TapeOp::fma, builder.input(i), builder.input(i), next));
  }
  const Tape tape = std::move(builder).finish();
  std::vector<double> x(50);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i));
  expect_exact(tape, x);
  std::vector<std::uint32_t> inputs(50);
  std::iota(inputs.begin(), inputs.end(), 0u);
  const ColumnSparsity sparsity = tape_sparsity(tape, inputs);
  EXPECT_EQ(sparsity.row.size(), 100u);
  EXPECT_LT(operation_count(*tape_jacobian(tape, inputs, sparsity)), 500u);
}

TEST(TapeDerivative, GoesThroughUserFunctionsWhoseDerivativesAreKnown) {
  using Function = double (*)(const double*, const void*);
  const auto named = [](const char* name, Function function) {
    return std::make_shared<const ForeignFunction>(name, function);
  };
  // x^2 y
  ForeignFunction volume = {.name = "volume", .function = [](const double* x, const void*) {
                              return x[0] * x[0] * x[1];
                            }};
  volume.partials = {
      {named("by x", [](const double* x, const void*) { return 2 * x[0] * x[1]; }), 0},
      {named("by y", [](const double* x, const void*) { return x[0] * x[0]; }), 0}};
  // {x + y, x y}: the second output's derivatives are outputs of one function.
  ForeignFunction pair = {.name = "pair",
                          .outputs =
                              [](const double* x, double* values, const void*) {
                                values[0] = x[0] + x[1];
                                values[1] = x[0] * x[1];
                              },
                          .n_outputs = 2};
  const auto swapped = std::make_shared<const ForeignFunction>(
      ForeignFunction{.name = "swapped",
                      .outputs =
                          [](const double* x, double* values, const void*) {
                            values[0] = x[1];
                            values[1] = x[0];
                          },
                      .n_outputs = 2});
  pair.partials = {{}, {}, {swapped, 0}, {swapped, 1}};
  TapeBuilder builder(2, 0);
  const ValueId arguments[] = {builder.apply(TapeOp::sin, builder.input(0)), builder.input(1)};
  builder.output(builder.call(volume, arguments));
  builder.output(builder.call_output(pair, arguments, 1));
  expect_exact(std::move(builder).finish(), std::vector{0.7, 1.3});
}

TEST(TapeDerivative, GivesUpAtAUserFunctionThatMatters) {
  const ForeignFunction cube = {
      .name = "cube", .function = [](const double* x, const void*) { return x[0] * x[0] * x[0]; }};
  TapeBuilder builder(2, 0);
  const ValueId x = builder.input(0);
  builder.output(builder.call(cube, std::span(&x, 1)));
  builder.output(builder.input(1));
  const Tape tape = std::move(builder).finish();
  const std::uint32_t first[] = {0}, second[] = {1};
  EXPECT_FALSE(tape_jacobian(tape, first, tape_sparsity(tape, first)).has_value());
  EXPECT_TRUE(tape_jacobian(tape, second, tape_sparsity(tape, second)).has_value());
}

TEST(TapeDerivative, GoesThroughFunctionsThatKnowTheirDerivatives) {
  symbolic::ExprPool pool;
  using symbolic::ExprId;
  const ExprId u = pool.parameter("u"), v = pool.parameter("v");
  const ExprId formals[] = {u, v};
  const ExprId outputs[] = {pool.mul(u, pool.apply(symbolic::Op::sin, v)),
                            pool.add(pool.mul(u, u), v)};
  const auto body = symbolic::define_body(pool, "body", formals, outputs);
  TapeBuilder builder(2, 0);
  const symbolic::UserFunction& function = pool.function(body[0]);
  const ForeignFunction called = {.name = function.family,
                                  .context = function.context,
                                  .outputs = function.outputs,
                                  .n_outputs = function.n_outputs};
  const ValueId arguments[] = {builder.apply(TapeOp::mul, builder.input(0), builder.input(1)),
                               builder.input(1)};
  builder.output(builder.call_output(called, arguments, 0));
  builder.output(builder.call_output(called, arguments, 1));
  expect_exact(std::move(builder).finish(), {0.4, 1.3});
}

}  // namespace
}  // namespace alembert::compile
