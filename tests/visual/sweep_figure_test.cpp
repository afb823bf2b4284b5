// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/sweep_figure.hpp"

#include <gtest/gtest.h>

namespace alembert::visual {
namespace {

const FanChart three_cases = {
    .name = "h [m]", .times = {0, 1}, .values = {1, 2, 3, 4, 5, 6}};  // [3 cases][2 times]

TEST(SweepFigure, a_few_cases_are_lines_with_labels) {
  const Panel panel = lines_panel(three_cases, {"k = 1", "k = 2", "k = 3"});
  EXPECT_EQ(panel.x_label, "time [s]");
  EXPECT_EQ(panel.y_label, "h [m]");
  ASSERT_EQ(panel.lines.size(), 3u);
  EXPECT_EQ(panel.lines[1].label, "k = 2");
  EXPECT_EQ(panel.lines[1].y, (std::vector<double>{3, 4}));
  EXPECT_FALSE(panel.lines[0].colour == panel.lines[2].colour);
}

TEST(SweepFigure, many_cases_are_a_fan_around_their_median) {
  const Panel panel = fan_panel(three_cases);
  EXPECT_EQ(panel.x_label, "time [s]");
  EXPECT_EQ(panel.bands.size(), 2u);
  EXPECT_EQ(panel.lines.front().y, (std::vector<double>{3, 4}));
}

}  // namespace
}  // namespace alembert::visual
