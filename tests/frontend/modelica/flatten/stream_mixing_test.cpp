// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/stream_mixing.hpp"

#include <gtest/gtest.h>

#include "alembert/symbolic/evaluate.hpp"

namespace alembert::modelica {
namespace {

using symbolic::ExprId;

struct Mixture : testing::Test {
  symbolic::ExprPool pool;
  ExprId h1 = pool.unknown("h1");
  ExprId h2 = pool.unknown("h2");
  ExprId m1 = pool.unknown("m1");
  ExprId m2 = pool.unknown("m2");

  double at(double first_rate, double second_rate) {
    const StreamSource sources[] = {{h1, m1}, {h2, m2}};
    const ExprId mixed = mix_streams(pool, sources);
    return symbolic::evaluate(pool, mixed,
                              {{h1, 100.0}, {h2, 300.0}, {m1, first_rate}, {m2, second_rate}});
  }
};

TEST_F(Mixture, OfOneSourceIsThatSource) {
  const StreamSource only[] = {{h1, m1}};
  EXPECT_EQ(mix_streams(pool, only), h1);
}

TEST_F(Mixture, IsWeightedByWhatFlows) {
  EXPECT_DOUBLE_EQ(at(1, 3), 250);
  EXPECT_DOUBLE_EQ(at(2, 0), 100);
}

TEST_F(Mixture, TakesNothingFromWhatOnlyReceives) { EXPECT_DOUBLE_EQ(at(-5, 2), 300); }

TEST_F(Mixture, IsTheMeanAtRest) {
  EXPECT_DOUBLE_EQ(at(0, 0), 200);
  EXPECT_DOUBLE_EQ(at(-1, -2), 200);
}

TEST_F(Mixture, PassesSmoothlyThroughRest) {
  for (double rate = 1e-12; rate < 1e-5; rate *= 3) {
    EXPECT_GE(at(rate, 0), 100);
    EXPECT_LE(at(rate, 0), 200);
  }
  EXPECT_NEAR(at(1e-7 * (1 - 1e-6), 0), at(1e-7 * (1 + 1e-6), 0), 1e-6);
}

}  // namespace
}  // namespace alembert::modelica
