// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/ticks.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace alembert::visual {
namespace {

std::vector<std::string> labels(const Ticks& ticks) {
  std::vector<std::string> result;
  for (const Tick& tick : ticks.ticks)
    if (!tick.label.empty())
      result.push_back(tick.exponent.empty() ? tick.label : tick.label + "^" + tick.exponent);
  return result;
}

using Labels = std::vector<std::string>;

// A step of 2 would leave the zero alone, which tells nothing about a scale.
TEST(Ticks, one_number_is_too_few) {
  const Ticks ticks = linear_ticks({-1.65, 1.65}, 2);
  ASSERT_EQ(ticks.ticks.size(), 3u);
  EXPECT_EQ(ticks.step, 1);
}

TEST(LinearTicks, AreRoundAndNoMoreExactThanTheyNeedToBe) {
  EXPECT_EQ(labels(linear_ticks({0, 10}, 6)), (Labels{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labels(linear_ticks({-1.06, 1.06}, 5)), (Labels{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
  EXPECT_EQ(labels(linear_ticks({0.1, 0.3}, 3)), (Labels{"0.1", "0.2", "0.3"}));
  EXPECT_EQ(labels(linear_ticks({-0.3, 0.3}, 3)), (Labels{"−0.2", "0.0", "0.2"}));
}

TEST(LinearTicks, AreTwoAtLeastWhereRoundStepsWouldLeaveOne) {
  EXPECT_EQ(labels(linear_ticks({-4.9, 4.9}, 4)), (Labels{"−4", "0", "4"}));
  EXPECT_EQ(labels(linear_ticks({0.1, 1.9}, 2)), (Labels{"0.8", "1.6"}));
}

TEST(LinearTicks, ShareAPowerOfTenWhereNumbersWouldBeLong) {
  const Ticks small = linear_ticks({0, 3.2e-6}, 4);
  EXPECT_EQ(small.exponent, -6);
  EXPECT_EQ(labels(small), (Labels{"0", "1", "2", "3"}));
  const Ticks large = linear_ticks({0, 250000}, 4);
  EXPECT_EQ(large.exponent, 3);
  EXPECT_EQ(labels(large), (Labels{"0", "100", "200"}));
  EXPECT_EQ(linear_ticks({0, 9999}, 4).exponent, 0);
}

RC_GTEST_PROP(LinearTicks, AreFewDistinctAndInside, ()) {
  const double low = *rc::gen::inRange(-1000000, 1000000) / 1000.0;
  const double span = std::pow(10, *rc::gen::inRange(-9, 9)) * *rc::gen::inRange(1, 100);
  const int max_count = *rc::gen::inRange(2, 15);
  const Ticks ticks = linear_ticks({low, low + span}, max_count);
  RC_ASSERT(static_cast<int>(ticks.ticks.size()) <= std::max(max_count, 3));
  std::set<std::string> distinct;
  const double slack = 1e-8 * span + 4 * std::numeric_limits<double>::epsilon() * std::abs(low);
  for (const Tick& tick : ticks.ticks) {
    RC_ASSERT(tick.at >= low - slack && tick.at <= low + span + slack);
    distinct.insert(tick.label);
  }
  RC_ASSERT(distinct.size() == ticks.ticks.size());
}

TEST(LogarithmicTicks, AreAtPowersOfTen) {
  EXPECT_EQ(labels(logarithmic_ticks({1e-3, 1e2}, 6)),
            (Labels{"10^−3", "10^−2", "10^−1", "1", "10", "10^2"}));
  // Too many decades for their labels: every second or third, at round exponents.
  EXPECT_EQ(labels(logarithmic_ticks({2e-15, 3}, 6)),
            (Labels{"10^−12", "10^−9", "10^−6", "10^−3", "1"}));
  EXPECT_EQ(labels(logarithmic_ticks({2, 6}, 6)), (Labels{"2", "3", "4", "5", "6"}));
}

TEST(LinearTicks, far_from_zero_they_count_from_the_roundest_number) {
  const Ticks ticks = linear_ticks({1234566999.98, 1234567000.02}, 5);
  EXPECT_EQ(ticks.origin, 1234567000);
  EXPECT_EQ(labels(ticks), (Labels{"−0.02", "−0.01", "0.00", "0.01", "0.02"}));
  EXPECT_EQ(ticks.exponent, 0);
  const Ticks below = linear_ticks({-101325.4, -101324.6}, 4);
  EXPECT_EQ(below.origin, -101325);
  const Ticks late = linear_ticks({1e6, 1e6 + 0.4}, 4);
  EXPECT_EQ(late.origin, 1e6);
  EXPECT_EQ(labels(late).front(), "0.0");
  EXPECT_EQ(linear_ticks({100, 101}, 5).origin, 0);
}

}  // namespace
}  // namespace alembert::visual
