// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/trajectory.hpp"

#include <gtest/gtest.h>

#include "alembert/base/error.hpp"

namespace alembert::result {
namespace {

using Values = std::vector<double>;

Trajectory pendulum() {
  Trajectory trajectory({"arm.x", "arm.y", "der(arm.x)"});
  trajectory.append(0, Values{1, 0, 0});
  trajectory.append(1, Values{0, -1, 4});
  trajectory.append(1, Values{0, -1, -4});  // the other side of an event
  return trajectory;
}

TEST(Trajectory, GivesRowsColumnsAndValues) {
  const Trajectory trajectory = pendulum();
  EXPECT_EQ(trajectory.n_rows(), 3u);
  EXPECT_EQ(trajectory.times(), (Values{0, 1, 1}));
  EXPECT_EQ(trajectory.column("der(arm.x)"), (Values{0, 4, -4}));
  EXPECT_EQ(trajectory.column("time"), (Values{0, 1, 1}));
  EXPECT_EQ(trajectory.value(2, 1), -1);
  EXPECT_EQ(trajectory.find("arm.y"), 1u);
  EXPECT_EQ(trajectory.find("arm"), std::nullopt);
}

TEST(Trajectory, SuggestsTheNearestNames) {
  try {
    pendulum().column("am.x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "R004");
    EXPECT_EQ(error.diagnostics().front().text,
              "the result has no variable 'am.x' among its 3. Did you mean 'arm.x'?");
  }
}

TEST(Trajectory, AWrongShapeIsOurMistake) {
  EXPECT_THROW(Trajectory({"x", "x"}), InternalError);
  Trajectory trajectory({"x"});
  EXPECT_THROW(trajectory.append(0, Values{1, 2}), InternalError);
}

}  // namespace
}  // namespace alembert::result
