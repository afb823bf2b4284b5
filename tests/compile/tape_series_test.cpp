// SPDX-License-Identifier: Apache-2.0
// Taylor coefficients along tapes, by a second route: the coefficients of f(x(t)) determine its
// values near t = 0, which are computed directly.
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/compile/interpret/interpreter.hpp"
#include "alembert/compile/lower.hpp"
#include "alembert/compile/tape_series.hpp"
#include "alembert/symbolic/parse.hpp"
#include "compile/run_tape.hpp"

namespace alembert::compile {
namespace {

using testing::run_tape;

constexpr std::uint32_t n_orders = 18;

/// f of (x, y, time) as text, x(t) = 0.3 + 0.5 t - 0.2 t^2 and y(t) = 0.7 - 0.4 t + 0.1 t^3.
struct Along {
  explicit Along(const std::string& text) {
    symbolic::ExprPool pool;
    const symbolic::ExprId x = pool.unknown("x"), y = pool.unknown("y"), p = pool.parameter("p");
    const symbolic::ExprId f = symbolic::parse_id(pool, text);
    const symbolic::ExprId inputs[] = {pool.time(), x, y};
    direct = lower(pool, inputs, {&p, 1}, {&f, 1});
    TapeBuilder builder(1, 1);
    TapeSeries series(direct, builder);
    const double coefficients[3][4] = {{0, 1, 0, 0}, {0.3, 0.5, -0.2, 0}, {0.7, -0.4, 0, 0.1}};
    for (std::uint32_t i = 0; i < 3; ++i)
      for (std::uint32_t k = 0; k < 4; ++k)
        series.set_input(i, k,
                         coefficients[i][k] == 0 ? no_value : builder.constant(coefficients[i][k]));
    for (std::uint32_t k = 0; k < n_orders; ++k)
      for (ValueId v = 0; v < direct.code.size(); ++v) series.compute(v, k);
    for (std::uint32_t k = 0; k < n_orders; ++k) {
      const ValueId value = series.at(direct.outputs[0], k);
      builder.output(value == no_value ? builder.constant(0.0) : value);
    }
    const double nothing = 0, parameter = 1.5;
    c = run_tape(std::move(builder).finish(), {&nothing, 1}, {&parameter, 1});
  }

  double summed(double t) const {
    double value = 0;
    for (std::size_t k = c.size(); k-- > 0;) value = value * t + c[k];
    return value;
  }

  double exact(double t) const {
    const double at[] = {t, 0.3 + 0.5 * t - 0.2 * t * t, 0.7 - 0.4 * t + 0.1 * t * t * t};
    const double parameter = 1.5;
    return run_tape(direct, at, {&parameter, 1})[0];
  }

  Tape direct;
  std::vector<double> c;
};

TEST(TapeSeries, EveryOperationHasItsRecurrence) {
  for (const char* text : {"x + y - time",
                           "x*y",
                           "x*y - p*x*time",
                           "x^2",
                           "x^7*y",
                           "x/y",
                           "1/(1 + x^2)",
                           "sqrt(x + y)",
                           "(x + y)^1.7",
                           "(x + y)^p",
                           "y^x",
                           "sin(x + 2*y)",
                           "cos(x*y)",
                           "tan(x)",
                           "asin(x)",
                           "acos(x*y)",
                           "atan(3*x)",
                           "sinh(x)",
                           "cosh(y)",
                           "tanh(x + y)",
                           "asinh(x)",
                           "acosh(2 + x)",
                           "atanh(x)",
                           "exp(x*y)",
                           "log(x + y)",
                           "log10(x + y)",
                           "atan2(x, y)",
                           "atan2(sin(x), -y)",
                           "exp(sin(x)*cos(y))/(1 + x*y)^3",
                           "p*2 + sin(p)"}) {
    const Along f(text);
    for (const double t : {-0.02, 0.0, 0.03})
      EXPECT_NEAR(f.summed(t), f.exact(t), 1e-14 * std::max(1.0, std::abs(f.exact(t)))) << text;
  }
}

TEST(TapeSeries, ZerosTakeNoOperations) {
  symbolic::ExprPool pool;
  const symbolic::ExprId x = pool.unknown("x"), p = pool.parameter("p");
  const symbolic::ExprId f = symbolic::parse_id(pool, "p*x + sin(p)");
  const Tape tape = lower(pool, {&x, 1}, {&p, 1}, {&f, 1});
  TapeBuilder builder(1, 1);
  TapeSeries series(tape, builder);
  series.set_input(0, 0, builder.input(0));
  for (std::uint32_t k = 0; k < 5; ++k)
    for (ValueId v = 0; v < tape.code.size(); ++v) series.compute(v, k);
  for (std::uint32_t k = 1; k < 5; ++k) EXPECT_EQ(series.at(tape.outputs[0], k), no_value);
}

TEST(TapeSeries, SaysWhatHasNoSeries) {
  symbolic::ExprPool pool;
  const symbolic::ExprId x = pool.unknown("x"), p = pool.parameter("p");
  const auto table = pool.define_function(
      "table", 1, [](std::span<const double> a) { return a[0]; }, {}, true);
  const symbolic::ExprId varying = pool.call(table, {&x, 1}), fixed = pool.call(table, {&p, 1});
  const auto obstacle = TapeSeries::obstacle(lower(pool, {&x, 1}, {&p, 1}, {&varying, 1}));
  ASSERT_TRUE(obstacle);
  EXPECT_EQ(obstacle->function, "table");
  EXPECT_FALSE(TapeSeries::obstacle(lower(pool, {&x, 1}, {&p, 1}, {&fixed, 1})));
}

}  // namespace
}  // namespace alembert::compile
