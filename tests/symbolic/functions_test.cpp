// SPDX-License-Identifier: Apache-2.0
// Functions of several outputs, and derivatives by difference quotients.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/parse.hpp"
#include "alembert/symbolic/print.hpp"
#include "symbolic/message.hpp"

namespace alembert::symbolic {
namespace {

using testing::message;

class Functions : public ::testing::Test {
 protected:
  std::vector<FunctionId> polar(bool numeric_partials) {
    return pool.define_functions(
        "polar", 2, 2,
        [](std::span<const double> a, std::span<double> values) {
          values[0] = a[0] * std::cos(a[1]);
          values[1] = a[0] * std::sin(a[1]);
        },
        numeric_partials);
  }
  double at(const Expr& e, double r, double phi) {
    return evaluate(pool, e.id(), {{x.id(), r}, {y.id(), phi}});
  }

  ExprPool pool;
  const Expr x = unknown(pool, "x");
  const Expr y = unknown(pool, "y");
  const std::vector<Expr> both = {x, y};
};

TEST_F(Functions, outputs_have_values_and_names) {
  const auto f = polar(false);
  ASSERT_EQ(f.size(), 2u);
  EXPECT_EQ(at(call(pool, f[0], both), 2, 0.5), 2 * std::cos(0.5));
  EXPECT_EQ(at(call(pool, f[1], both), 2, 0.5), 2 * std::sin(0.5));
  EXPECT_EQ(pool.find_function("polar"), f[0]);
  const Expr second = call(pool, f[1], both) + call(pool, f[0], both);
  EXPECT_TRUE(same(parse(pool, to_text(pool, second.id())), second)) << to_text(pool, second.id());
}

TEST_F(Functions, given_partials_may_be_outputs_of_one_function) {
  const auto slopes = pool.define_functions(
      "slopes", 2, 2, [](std::span<const double> a, std::span<double> values) {
        values[0] = std::cos(a[1]);
        values[1] = -a[0] * std::sin(a[1]);
      });
  const auto f =
      pool.define_functions({.name = "f",
                             .arity = 2,
                             .n_outputs = 1,
                             .outputs = [](const double* a, double* values,
                                           const void*) { values[0] = a[0] * std::cos(a[1]); },
                             .context = nullptr,
                             .partials = {{slopes[0], slopes[1]}}});
  const Expr value = call(pool, f[0], both);
  EXPECT_TRUE(same(differentiate(value, x), call(pool, slopes[0], both)));
  EXPECT_TRUE(same(differentiate(value, y), call(pool, slopes[1], both)));
}

TEST_F(Functions, difference_quotients_agree_with_exact_derivatives) {
  const auto f = polar(true);
  const Expr second = call(pool, f[1], both);
  for (const double r : {0.0, 1e-9, 2.0, -3e5}) {
    for (const double phi : {0.0, 0.5, 40.0}) {
      const double scale = std::fabs(r) + 1;
      EXPECT_NEAR(at(differentiate(second, x), r, phi), std::sin(phi), 1e-9 * scale);
      EXPECT_NEAR(at(differentiate(second, y), r, phi), r * std::cos(phi), 1e-7 * scale);
    }
  }
  // Differences of differences still carry a few digits.
  const Expr mixed = differentiate(differentiate(second, y), x);
  EXPECT_NEAR(at(mixed, 2, 0.5), std::cos(0.5), 1e-5);
  const Expr twice = differentiate(differentiate(second, y), y);
  EXPECT_NEAR(at(twice, 2, 0.5), -2 * std::sin(0.5), 1e-5);
  EXPECT_TRUE(same(parse(pool, to_text(pool, mixed.id())), mixed)) << to_text(pool, mixed.id());
}

TEST_F(Functions, difference_quotients_stay_inside_the_domain) {
  const FunctionId f = pool.define_function(
      "f", 1, [](std::span<const double> a) { return a[0] < 0 ? NAN : 3 * a[0] + 1; }, {}, true);
  const Expr slope = differentiate(call(pool, f, std::vector<Expr>{x}), x);
  EXPECT_NEAR(at(slope, 0, 0), 3, 1e-9);
  EXPECT_NEAR(at(slope, 5, 0), 3, 1e-9);
}

TEST_F(Functions, mistakes_are_named) {
  const auto none = [](std::span<const double>, std::span<double>) {};
  EXPECT_EQ(message([&] { pool.define_functions("f", 1, 0, none); }),
            "E003: function 'f' has no outputs, so there is nothing to call it for. Give it one.");
  pool.define_functions("f", 1, 2, none);
  EXPECT_EQ(message([&] { pool.define_functions("f", 1, 2, none); }),
            "N003: a function named 'f' is already defined");
  EXPECT_EQ(message([&] {
              pool.define_functions({.name = "g",
                                     .arity = 1,
                                     .n_outputs = 2,
                                     .outputs = [](const double*, double*, const void*) {},
                                     .context = nullptr,
                                     .partials = {{FunctionId::none()}}});
            }),
            "E003: function 'g' has 2 outputs but derivatives were given for 1; give them for each "
            "output");
  EXPECT_EQ(message([&] {
              differentiate(call(pool, pool.find_function("f.2"), std::vector<Expr>{x}), x);
            }),
            "E005: function 'f.2' has to be differentiated by argument 1, but no derivative "
            "function was given for it. Give one when the function is defined.");
}

}  // namespace
}  // namespace alembert::symbolic
