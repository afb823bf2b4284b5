// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/visible_path.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace alembert::visual {
namespace {

const Axes unit_axes = {.x = {{0, 100}, Scale::linear, 0, 100},
                        .y = {{0, 100}, Scale::linear, 0, 100}};

double distance_to_segment(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  const double t =
      length2 == 0 ? 0 : std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0);
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

double distance_to_path(Point p, const std::vector<Point>& path) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < path.size(); ++i)
    least = std::min(least, distance_to_segment(p, path[i == 0 ? 0 : i - 1], path[i]));
  return least;
}

// Simplification and rounding of the places, together.
constexpr double close_enough = 0.04 + 0.05;

RC_GTEST_PROP(VisiblePath, StaysAHairsBreadthFromAllPoints, ()) {
  // Random walks with long and short steps, reversals and stops.
  const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(-300, 300), rc::gen::inRange(-300, 300)));
  const double unit = *rc::gen::elementOf(std::vector<double>{0.0001, 0.001, 0.01});
  std::vector<double> x = {50}, y = {50};
  for (auto [dx, dy] : steps) {
    x.push_back(std::clamp(x.back() + unit * dx, 0.0, 100.0));
    y.push_back(std::clamp(y.back() + unit * dy, 0.0, 100.0));
  }
  const auto pieces = visible_path(unit_axes, x, y);
  RC_ASSERT(pieces.size() == 1u);
  for (std::size_t i = 0; i < x.size(); ++i)
    RC_ASSERT(distance_to_path({x[i], y[i]}, pieces[0]) < close_enough);
}

TEST(VisiblePath, KeepsFewPointsOfASmoothLineAndAllTurningPoints) {
  std::vector<double> x, y;
  for (int i = 0; i <= 100000; ++i) {
    x.push_back(i * 1e-3);
    y.push_back(50 + 40 * std::sin(i * 1e-4));
  }
  const auto smooth = visible_path(unit_axes, x, y);
  EXPECT_LT(smooth[0].size(), 400u);

  // There and back again: a straight piece must not swallow the far end.
  const auto spike = visible_path(unit_axes, {10, 90, 10}, {10, 10, 10});
  EXPECT_LT(distance_to_path({90, 10}, spike[0]), close_enough);
}

TEST(VisiblePath, BreaksWhereAValueIsMissing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto pieces = visible_path(unit_axes, {0, 10, 20, 30, 40}, {1, 2, nan, 3, 4});
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].size(), 2u);
  EXPECT_EQ(pieces[1].size(), 2u);
  EXPECT_TRUE(visible_path(unit_axes, {nan}, {1}).empty());
}

}  // namespace
}  // namespace alembert::visual
