// SPDX-License-Identifier: Apache-2.0
// What is in a pipe, told step by step: against what entered, at the place where it is now.
#include "alembert/integrate/transport_profile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "alembert/integrate/archive.hpp"

namespace alembert::integrate {
namespace {

using Nodes = TransportProfile::Nodes;

Nodes nodes(const std::function<double(double)>& f, double from, double to) {
  Nodes result;
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = f(from + (to - from) * static_cast<double>(i) / 4);
  return result;
}

/// Through a step in which position and inputs are functions of time.
void move(TransportProfile& pipe, const std::function<double(double)>& x,
          const std::function<double(double)>& in0, const std::function<double(double)>& in1,
          double from, double to) {
  pipe.move(nodes(x, from, to), {nodes(in0, from, to), nodes(in1, from, to)}, x(from));
}

TransportProfile filled(double position, std::vector<double> points, std::vector<double> values) {
  TransportProfile pipe;
  pipe.begin(position, points, values, 1e-6);
  return pipe;
}

TEST(TransportProfile, WhatIsThereAtTheStartLeavesFirst) {
  const TransportProfile pipe = filled(2, {0, 0.5, 1}, {1, 3, 2});
  EXPECT_DOUBLE_EQ(pipe.leaving(1, 2, 9), 2);
  EXPECT_DOUBLE_EQ(pipe.leaving(1, 2.25, 9), 2.5);
  EXPECT_DOUBLE_EQ(pipe.leaving(0, 2, 9), 1);
  EXPECT_DOUBLE_EQ(pipe.leaving(0, 1.75, 9), 2);
  EXPECT_DOUBLE_EQ(pipe.slope(1, 2.25, 1), 2);
  EXPECT_DOUBLE_EQ(pipe.slope(0, 1.75, 1), -4);
}

// Quartics of time are kept exactly, also where the velocity vanishes at an end of the step.
TEST(TransportProfile, WhatEnteredLeavesAtTheOtherEnd) {
  TransportProfile pipe = filled(0, {0, 1}, {0, 0});
  const auto x = [](double t) { return t * t * (3 - 2 * t); };
  const auto in0 = [](double t) { return 1 + t * t * t; };
  move(pipe, x, in0, in0, 0, 0.5);
  move(pipe, x, in0, in0, 0.5, 1);
  EXPECT_DOUBLE_EQ(pipe.position(), 1);
  pipe.pass_fronts(0);  // what was there at the start was 0
  for (const double t : {0.0, 0.1, 0.3, 0.5, 0.7, 0.99})
    EXPECT_NEAR(pipe.leaving(1, 1 + x(t), 9), in0(t), 1e-12) << t;
  for (const double t : {0.2, 0.6, 0.8})
    EXPECT_NEAR(pipe.slope(1, 1 + x(t), 1), 3 * t * t / (6 * t * (1 - t)), 1e-9) << t;
}

// A step that turns carries what entered first out again.
TEST(TransportProfile, AStepMayTurn) {
  TransportProfile pipe = filled(0, {0, 1}, {5, 5});
  const auto x = [](double t) { return 0.4 * t * (1 - t); };  // 0.1 at the most
  const auto in0 = [](double t) { return 1 + t; };
  const auto in1 = [](double t) { return 10 + t; };
  move(pipe, x, in0, in1, 0, 0.8);
  EXPECT_NEAR(pipe.position(), 0.064, 1e-15);
  EXPECT_NEAR(pipe.leaving(0, x(0.8), 9), in0(0.2), 1e-12);
  EXPECT_NEAR(pipe.leaving(0, x(0.9), 9), in0(0.1), 1e-12);
  // At end 1 entered what was offered from the turn on, behind what was there.
  EXPECT_NEAR(pipe.next_front(1), 0.1, 1e-12);
  EXPECT_NEAR(pipe.leaving(1, x(0.7), 9), in1(0.7), 1e-12);
}

TEST(TransportProfile, JumpsWaitForTheirEvent) {
  TransportProfile pipe = filled(0, {0, 0.25, 0.25, 1}, {1, 1, 4, 4});
  EXPECT_DOUBLE_EQ(pipe.next_front(1), 0.75);
  EXPECT_DOUBLE_EQ(pipe.next_front(0), -0.25);
  EXPECT_EQ(pipe.leaving(1, 0.8, 9), 4);  // a step that will be cut
  const auto x = [](double t) { return t; };
  const auto one = [](double) { return 1.0; };
  move(pipe, x, one, one, 0, 0.75);
  EXPECT_EQ(pipe.leaving(1, 0.75, 9), 4);
  pipe.pass_fronts(0);
  EXPECT_EQ(pipe.leaving(1, 0.75, 9), 1);
  EXPECT_GT(pipe.next_front(1), 1e5);
}

// From step to step positions are off by a little, also back and forth: nothing turns for that, and
// no jumps come about. A flow that comes to rest and turns turns once.
TEST(TransportProfile, NoiseOfPositionsIsNoTurn) {
  constexpr double tolerance = 1e-8, step = 0.01;
  TransportProfile pipe;
  pipe.begin(0, std::vector<double>{0, 1}, std::vector<double>{1, 1}, tolerance);
  const auto exact = [](double t) { return 0.5 * std::sin(t); };  // turns at pi/2
  const auto in0 = [](double t) { return 1 + t; };
  const auto in1 = [](double t) { return 10 + t; };
  for (int k = 0; k < 300; ++k) {
    const double off = (k % 3 - 1) * 3 * tolerance;
    const auto noisy = [&](double t) { return exact(t) + off; };
    move(pipe, noisy, in0, in1, k * step, (k + 1) * step);
    if (k * step < 1.5) {
      EXPECT_GT(pipe.next_front(1), 1e5) << k;
    }
  }
  // At 3, what is at 1 entered since the turn; it lies above what was there at the start.
  EXPECT_NEAR(pipe.next_front(1), 0.5, 1e-6);
  EXPECT_NEAR(pipe.next_front(0), -0.5, 1e-6);  // the same jump: there is no other
  EXPECT_NEAR(pipe.leaving(0, exact(3), 0), in0(3.14159265358979 - 3), 1e-5);
}

TEST(TransportProfile, WithinAStepWhatPassesThePipeIsBetween) {
  const TransportProfile pipe = filled(0, {0, 1}, {1, 1});
  EXPECT_DOUBLE_EQ(pipe.leaving(1, 1, 3), 1);
  EXPECT_DOUBLE_EQ(pipe.leaving(1, 2, 3), 2);
  EXPECT_DOUBLE_EQ(pipe.leaving(0, -2, 3), 2);
}

TEST(TransportProfile, IsKeptByCheckpoints) {
  TransportProfile pipe = filled(0, {0, 0.5, 0.5, 1}, {1, 2, 3, 4});
  const auto in = [](double t) { return 1 + t; };
  move(
      pipe, [](double t) { return 0.3 * t; }, in, in, 0, 1);
  Archive written;
  pipe.exchange(written);
  TransportProfile read;
  const std::string bytes = written.bytes();
  Archive archive(bytes);
  read.exchange(archive);
  EXPECT_TRUE(archive.at_end());
  for (const double x : {0.3, 0.4, 0.6}) EXPECT_EQ(read.leaving(1, x, 0), pipe.leaving(1, x, 0));
  EXPECT_EQ(read.next_front(1), pipe.next_front(1));
}

}  // namespace
}  // namespace alembert::integrate
