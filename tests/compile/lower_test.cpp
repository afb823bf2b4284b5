// SPDX-License-Identifier: Apache-2.0
// Lowering: the tape's shape on small cases, and its values against those of the expression.
#include "alembert/compile/lower.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/print.hpp"
#include "compile/run_tape.hpp"
#include "symbolic/random_expression.hpp"

namespace alembert::compile {
namespace {

using symbolic::Expr;
using symbolic::ExprId;
using symbolic::ExprPool;
using testing::run_tape;

constexpr double eps = std::numeric_limits<double>::epsilon();

class Lower : public ::testing::Test {
 protected:
  /// Instructions that compute, one a line, without the leaves.
  std::string shape(const std::vector<Expr>& outputs) {
    std::vector<ExprId> ids;
    for (const Expr& output : outputs) ids.push_back(output.id_in(pool));
    const ExprId inputs[] = {x.id(), y.id(), z.id()};
    const ExprId parameters[] = {p.id()};
    const Tape tape = lower(pool, inputs, parameters, ids);
    validate(tape);
    std::string text;
    for (const Instruction& instruction : tape.code)
      if (instruction.op > TapeOp::constant) text += std::string(name(instruction.op)) + ' ';
    if (!text.empty()) text.pop_back();
    return text;
  }

  ExprPool pool;
  Expr x = symbolic::unknown(pool, "x");
  Expr y = symbolic::unknown(pool, "y");
  Expr z = symbolic::unknown(pool, "z");
  Expr p = symbolic::parameter(pool, "p");
};

TEST_F(Lower, sums_of_products_are_fused) {
  EXPECT_EQ(shape({x * y + z}), "fma");
  EXPECT_EQ(shape({z - x * y}), "fnma");
  EXPECT_EQ(shape({x * y - z}), "fms");
  EXPECT_EQ(shape({x * y + z * p}), "mul fma");
  EXPECT_EQ(shape({x * y - z * p}), "mul fnma");
  EXPECT_EQ(shape({-x * y - z * p}), "mul fma neg");
  EXPECT_EQ(shape({2 * x + 3}), "fma");
  EXPECT_EQ(shape({x + y + z}), "add add");
  EXPECT_EQ(shape({x - y}), "sub");
  EXPECT_EQ(shape({-x}), "neg");
  EXPECT_EQ(shape({2 * x * y + z}), "mul fma");
}

TEST_F(Lower, products_used_twice_are_computed_once) {
  EXPECT_EQ(shape({x * y + z, x * y}), "mul add");
  EXPECT_EQ(shape({x * y + z, x * y + p}), "mul add add");
  EXPECT_EQ(shape({2 * x * y, 3 * x * y}), "mul mul mul");
  EXPECT_EQ(shape({sin(x * y), x * y}), "mul sin");
}

TEST_F(Lower, polynomials) {
  EXPECT_EQ(shape({pow(x, 2) + 3 * x + 1}), "fma fma");
  EXPECT_EQ(shape({pow(x, 2) + pow(y, 2) - 1}), "fma fma");
  EXPECT_EQ(shape({pow(x, 3) + y}), "mul fma");
  EXPECT_EQ(shape({pow(x, 2) + y, pow(x, 2)}), "mul add");
  EXPECT_EQ(shape({pow(x, 2)}), "mul");
  EXPECT_EQ(shape({pow(x, 7)}), "mul mul mul mul");
  // x^2, x^4 and x^8 are squares; the other five take one multiplication each.
  std::vector<Expr> powers;
  for (int n = 2; n <= 8; ++n) powers.push_back(pow(x, n));
  EXPECT_EQ(shape(powers), "mul mul mul mul mul mul mul");
}

TEST_F(Lower, divisions) {
  EXPECT_EQ(shape({x / y}), "div");
  EXPECT_EQ(shape({1 / y}), "div");
  EXPECT_EQ(shape({x / (y * z)}), "mul div");
  EXPECT_EQ(shape({x / y, z / y}), "div mul mul");
  EXPECT_EQ(shape({x / pow(y, 2)}), "mul div");
  EXPECT_EQ(shape({sqrt(x)}), "sqrt");
  EXPECT_EQ(shape({1 / sqrt(x)}), "sqrt div");
  EXPECT_EQ(shape({y / sqrt(x)}), "sqrt div");
  EXPECT_EQ(shape({pow(x, symbolic::rational(pool, 3, 2))}), "sqrt mul");
  EXPECT_EQ(shape({pow(x, y)}), "pow");
  EXPECT_EQ(shape({pow(x, 33)}), "pow");
}

TEST_F(Lower, conditions_and_choices) {
  EXPECT_EQ(shape({if_(x < y, x, z)}), "less select");
  EXPECT_EQ(shape({if_(x < y && y < z, x, z)}), "less less and select");
  EXPECT_EQ(shape({no_event(x * y)}), "mul");
  EXPECT_EQ(shape({semi_linear(x, y, z)}), "less_equal select mul");
  const ExprId inputs[] = {x.id(), y.id()};
  const ExprId condition[] = {(x < y).id(), pool.truth(true), pool.truth(false)};
  const Tape tape = lower(pool, inputs, {}, condition);
  EXPECT_EQ(run_tape(tape, std::vector{1.0, 2.0}), (std::vector{1.0, 1.0, 0.0}));
}

TEST_F(Lower, symbols_without_a_value_are_named) {
  const ExprId inputs[] = {x.id()};
  const ExprId outputs[] = {(x + der(y)).id()};
  try {
    lower(pool, inputs, {}, outputs);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "C001");
    EXPECT_EQ(error.diagnostics().front().text,
              "nothing gives 'der(y)' a value: it is neither an input nor a parameter of this "
              "program");
  }
}

TEST_F(Lower, subexpressions_can_be_bound) {
  TapeBuilder builder(1, 0);
  Lowering lowering(pool, builder);
  lowering.bind((x * y).id(), builder.input(0));
  builder.output(lowering.lower((x * y + 1).id()));
  const Tape tape = std::move(builder).finish();
  EXPECT_EQ(run_tape(tape, std::vector{4.0})[0], 5.0);
}

TEST_F(Lower, in_several_calls) {
  TapeBuilder builder(2, 0);
  Lowering lowering(pool, builder);
  lowering.bind(x.id(), builder.input(0));
  const ValueId first = lowering.lower((1 / x + 2 / x).id());
  lowering.bind(y.id(), first);
  // The pool has grown since.
  const Expr later = sin(x * y) / x + x * y / (x + z * z);
  lowering.bind(z.id(), builder.input(1));
  builder.output(lowering.lower(later.id()));
  const Tape tape = std::move(builder).finish();
  const double a = 1.3;
  const double b = 3 / a;
  EXPECT_NEAR(run_tape(tape, std::vector{a, 0.4})[0], std::sin(a * b) / a + a * b / (a + 0.4 * 0.4),
              4 * eps);
}

TEST_F(Lower, user_functions_are_called) {
  const auto f =
      pool.define_function("f", 2, [](std::span<const double> a) { return a[0] - 2 * a[1]; });
  const ExprId inputs[] = {x.id(), y.id()};
  const ExprId output[] = {(symbolic::call(pool, f, std::vector<Expr>{x * y, x}) + 1).id()};
  EXPECT_EQ(run_tape(lower(pool, inputs, {}, output), std::vector{3.0, 5.0})[0], 10.0);
}

TEST_F(Lower, outputs_of_a_function_share_one_call) {
  int n_calls = 0;
  const auto f = pool.define_functions(
      "f", 2, 3, [&n_calls](std::span<const double> a, std::span<double> values) {
        ++n_calls;
        values[0] = a[0] + a[1];
        values[1] = a[0] * a[1];
        values[2] = a[0] - a[1];
      });
  const std::vector<Expr> arguments = {x * y, x};
  const ExprId inputs[] = {x.id(), y.id()};
  const ExprId outputs[] = {(symbolic::call(pool, f[2], arguments) + 1).id(),
                            symbolic::call(pool, f[0], arguments).id(),
                            symbolic::call(pool, f[1], std::vector<Expr>{x, y}).id()};
  const Tape tape = lower(pool, inputs, {}, outputs);
  validate(tape);
  EXPECT_EQ(run_tape(tape, std::vector{3.0, 5.0}), (std::vector{13.0, 18.0, 15.0}));
  EXPECT_EQ(n_calls, 2);
  EXPECT_NE(to_text(tape).find("call_many f(v"), std::string::npos) << to_text(tape);
}

TEST_F(Lower, long_sums_are_accurate) {
  std::vector<Expr> terms;
  std::vector<ExprId> inputs;
  std::vector<double> values;
  double exact = 0;  // multiples of 2^-20, so that this sum has no rounding
  for (int i = 0; i < 1000; ++i) {
    terms.push_back(symbolic::unknown(pool, "u" + std::to_string(i)));
    inputs.push_back(terms.back().id());
    values.push_back(std::ldexp((i * 7919) % 1000003 - 500000, -20));
    exact += i % 3 == 0 ? -values.back() : values.back();
    if (i % 3 == 0) terms.back() = -terms.back();
  }
  const ExprId output[] = {symbolic::sum(terms).id()};
  EXPECT_EQ(run_tape(lower(pool, inputs, {}, output), values)[0], exact);
}

/// Relative to the largest value on the way, as each operation may be rounded once more or less;
/// and what that does downstream is found by moving the inputs.
void expect_equal_values(const ExprPool& pool, std::span<const ExprId> symbols, ExprId output,
                         std::vector<double> at) {
  const ExprId outputs[] = {output};
  const Tape tape = lower(pool, symbols, {}, outputs);
  validate(tape);
  const auto expected = [&](double shift) {
    symbolic::Values values;
    for (std::size_t i = 0; i < symbols.size(); ++i)
      values[symbols[i]] = at[i] + ((i % 2 == 0) ? shift : -shift) * eps * (1 + std::abs(at[i]));
    return evaluate(pool, output, values);
  };
  const double wanted = expected(0);
  if (!std::isfinite(wanted)) return;
  double spread = 0;
  for (const double shift : {-64.0, -8.0, 8.0, 64.0})
    spread = std::max(spread, std::abs(expected(shift) - wanted));
  const double got = run_tape(tape, at)[0];
  RC_LOG() << to_text(pool, output) << "\nexpression " << wanted << ", tape " << got << '\n'
           << to_text(tape) << '\n';
  RC_ASSERT(std::abs(got - wanted) <= 100 * eps * (1 + std::abs(wanted)) + 20 * spread);
}

RC_GTEST_PROP(lower_property, tape_and_expression_agree, ()) {
  ExprPool pool;
  const auto choice = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>());
  const auto choices = *rc::gen::container<std::vector<std::uint32_t>>(choice);
  const symbolic::testing::RandomExpression random(pool, choices);
  const std::vector<ExprId> symbols = symbolic::testing::random_symbols(pool);
  std::vector<double> at;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    at.push_back(*rc::gen::inRange(-2000, 2001) / 1000.0 + 0.00012);
  expect_equal_values(pool, symbols, random.result(), at);
}

/// Both give the same number or both none, for every operation there is.
RC_GTEST_PROP(lower_property, all_operations, ()) {
  ExprPool pool;
  const auto choice = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>());
  const auto choices = *rc::gen::container<std::vector<std::uint32_t>>(choice);
  const symbolic::testing::RandomExpression random(pool, choices, {.smooth_only = false});
  const std::vector<ExprId> symbols = symbolic::testing::random_symbols(pool);
  std::vector<ExprId> outputs = random.all();
  outputs.insert(outputs.end(), random.conditions().begin(), random.conditions().end());
  const Tape tape = lower(pool, symbols, {}, outputs);
  validate(tape);
  std::vector<double> at;
  symbolic::Values values;
  for (const ExprId symbol : symbols) {
    at.push_back(*rc::gen::inRange(-2000, 2001) / 1000.0 + 0.00012);
    values[symbol] = at.back();
  }
  const std::vector<double> got = run_tape(tape, at);
  const std::vector<double> wanted = evaluate(pool, outputs, values);
  // Up to the first expression that is large, not finite, or not quite the same in both, because
  // jumps and overflow carry small differences anywhere.
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!std::isfinite(wanted[i]) || std::abs(wanted[i]) > 1e6) break;
    RC_LOG() << to_text(pool, outputs[i]) << ": expression " << wanted[i] << ", tape " << got[i]
             << '\n';
    if (got[i] == wanted[i]) continue;
    RC_ASSERT(std::abs(got[i] - wanted[i]) <= 1e-9 * (1 + std::abs(wanted[i])));
    break;
  }
}

TEST(lower_scale, many_small_lowerings_from_one_large_pool) {
  // Blocks of a large model are lowered one by one; each must cost what it holds, not what the pool
  // holds.
  ExprPool pool;
  std::vector<ExprId> x;
  std::vector<ExprId> f;
  for (int i = 0; i < 20000; ++i) x.push_back(pool.unknown("x" + std::to_string(i)));
  for (int i = 0; i < 20000; ++i)
    f.push_back(pool.apply(symbolic::Op::sin, pool.mul(x[i], x[(i + 1) % 20000])));
  for (int i = 0; i < 20000; ++i) {
    const ExprId inputs[] = {x[i], x[(i + 1) % 20000]};
    const Tape tape = lower(pool, inputs, {}, std::span(&f[i], 1));
    ASSERT_EQ(tape.code.size(), 4u);
  }
}

}  // namespace
}  // namespace alembert::compile
