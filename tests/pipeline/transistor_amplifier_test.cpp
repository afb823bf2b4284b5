// SPDX-License-Identifier: Apache-2.0
// The transistor amplifier of the IVP test set as published: its structure promises 8 states, but
// the capacitors' rows are dependent. Digits: IVP test set, transamp.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {
namespace {

TEST(TransistorAmplifier, RunsAsPublished) {
  Model m("TransistorAmplifier");
  const double start[] = {0, 3, 3, 6, 3, 3, 6, 0};
  std::vector<Expr> y{0};
  for (int i = 1; i <= 8; ++i)
    y.push_back(m.unknown("y" + std::to_string(i), {.start = start[i - 1]}));
  const double ub = 6, uf = 0.026, alpha = 0.99, beta = 1e-6, r0 = 1000, r = 9000;
  const auto c = [](int k) { return k * 1e-6; };
  const auto g = [&](const Expr& z) { return beta * (exp(z / uf) - 1); };
  const Expr source = 0.1 * sin(200 * std::numbers::pi * m.time());
  m += c(1) * (der(y[2]) - der(y[1])) + source / r0 - y[1] / r0 == 0;
  m += c(1) * (der(y[1]) - der(y[2])) + ub / r - 2 * y[2] / r - (1 - alpha) * g(y[2] - y[3]) == 0;
  m += -c(2) * der(y[3]) + g(y[2] - y[3]) - y[3] / r == 0;
  m += c(3) * (der(y[5]) - der(y[4])) + ub / r - y[4] / r - alpha * g(y[2] - y[3]) == 0;
  m += c(3) * (der(y[4]) - der(y[5])) + ub / r - 2 * y[5] / r - (1 - alpha) * g(y[5] - y[6]) == 0;
  m += -c(4) * der(y[6]) + g(y[5] - y[6]) - y[6] / r == 0;
  m += c(5) * (der(y[8]) - der(y[7])) + ub / r - y[7] / r - alpha * g(y[5] - y[6]) == 0;
  m += c(5) * (der(y[7]) - der(y[8])) - y[8] / r == 0;

  const compile::CompiledModel model(m.flatten());
  EXPECT_EQ(model.plan().degrees_of_freedom, 5u);
  EXPECT_EQ(model.plan().structural_index, 1u);
  const auto run = integrate::simulate(
      model, {.stop = 0.2, .tolerance = 1e-9, .intervals = 10, .method = "rodas5p"});
  ASSERT_EQ(run.outcome, integrate::Outcome::done) << run.message;
  const double digits[] = {-0.005562145012262275, 3.006522471903043, 2.849958788608129,
                           2.926422536206242,     2.704617865010555, 2.761837778393144,
                           4.770927631616772,     1.236995868091548};
  for (int i = 1; i <= 8; ++i)
    EXPECT_NEAR(run.trajectory.column("y" + std::to_string(i)).back(), digits[i - 1], 1e-5) << i;
}

}  // namespace
}  // namespace alembert
