// SPDX-License-Identifier: Apache-2.0
// How large states become that start at zero, against what the solutions are.
#include "alembert/integrate/foreseen_sizes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"

namespace alembert::integrate {
namespace {

constexpr double length = 10, tolerance = 1e-6;

/// Of the only state of the model x' = slope(x).
template <class Slope>
double size_of(Slope slope, double start = 0, std::optional<double> nominal = {}) {
  Model m("M");
  const Expr x = m.unknown("x", {.nominal = nominal});
  m += der(x) == slope(m, x);
  const compile::CompiledModel model(m.flatten());
  ModelPoint point(model, model.parameter_values());
  point.use(model.static_chart());
  point.variables()[point.chart().states[0]] = start;
  return foresee_sizes(point, length, tolerance).front();
}

TEST(ForeseenSizes, AStateThatMovesAtOnceIsAsLargeAsItsSlopeLeads) {
  EXPECT_NEAR(size_of([](Model&, const Expr&) { return Expr(-1e-9); }), length * 1e-9,
              1e-12 * length * 1e-9);
}

TEST(ForeseenSizes, NoneIsTakenForMoreThanOne) {
  EXPECT_EQ(size_of([](Model&, const Expr&) { return Expr(1e3); }), 1);
}

TEST(ForeseenSizes, OneThatTurnsAroundIsAsLargeAsItIsThere) {
  // A capacitor of 1 us that is charged to 1 uV. The search for it halves a range of 1e-18 to 1,
  // told by its logarithm, six times.
  const double voltage = 1e-6;
  const double size = size_of([&](Model&, const Expr& v) { return (voltage - v) / 1e-6; });
  EXPECT_GE(size, voltage);
  EXPECT_LE(size, voltage * std::pow(1e18, 1.0 / 64));
}

TEST(ForeseenSizes, OneThatRestsMovesByWhatDrivesIt) {
  Model m("M");
  const Expr x = m.unknown("x"), y = m.unknown("y");
  m += der(x) == 1e-9;
  m += der(y) == x;  // 1e-9 t^2 / 2
  const compile::CompiledModel model(m.flatten());
  ModelPoint point(model, model.parameter_values());
  point.use(model.static_chart());
  const std::vector<double> sizes = foresee_sizes(point, length, tolerance);
  ASSERT_EQ(point.state_names(), (std::vector<std::string>{"x", "y"}));
  const double last = 1e-9 * length * length / 2;
  EXPECT_GT(sizes[1], 0.1 * last);
  EXPECT_LT(sizes[1], 10 * last);
}

TEST(ForeseenSizes, ASlopeThatIsRoundingTellsNothing) {
  const auto rounding = [](Model& m, const Expr&) {
    const Expr a = m.parameter("a", 0.3);
    return sin(a) * sin(a) + cos(a) * cos(a) - 1;
  };
  EXPECT_EQ(size_of(rounding), 0);
}

TEST(ForeseenSizes, NominalValuesAndOtherStartsTellMore) {
  const auto slope = [](Model&, const Expr&) { return Expr(1e-9); };
  EXPECT_GT(size_of(slope), 0);
  EXPECT_EQ(size_of(slope, 0, 1e-8), 0);
  EXPECT_EQ(size_of(slope, 1e-9), 0);
}

}  // namespace
}  // namespace alembert::integrate
