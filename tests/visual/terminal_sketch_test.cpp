// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/terminal_sketch.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace alembert::visual {
namespace {

TEST(TerminalSketch, a_diagonal_goes_from_corner_to_corner) {
  Panel panel;
  panel.lines.push_back({.x = {0, 1}, .y = {0, 1}, .label = "up"});
  const std::string text = terminal_sketch(panel, {.columns = 8, .rows = 4});
  // 16 x 16 dots: a dot in each, so two cells of eight rows and columns a row.
  EXPECT_EQ(text,
            "1 |⠀⠀⠀⠀⠀⠀⡠⠊\n"
            "  |⠀⠀⠀⠀⡠⠊⠀⠀\n"
            "  |⠀⠀⡠⠊⠀⠀⠀⠀\n"
            "0 |⡠⠊⠀⠀⠀⠀⠀⠀\n"
            "   0      1\n"
            "   up\n");
}

TEST(TerminalSketch, gaps_constants_and_nothing_at_all) {
  Panel panel;
  EXPECT_EQ(terminal_sketch(panel), "nothing to draw: no finite values\n");
  panel.lines.push_back({.x = {0, 1, 2, 3}, .y = {5, std::nan(""), std::nan(""), 5}});
  const std::string text = terminal_sketch(panel, {.columns = 8, .rows = 3});
  std::size_t n_blank = 0;
  for (std::size_t at = text.find("⠀"); at != std::string::npos; at = text.find("⠀", at + 1))
    ++n_blank;
  EXPECT_EQ(n_blank, 22u);  // of 24 cells, the two ends have a dot
  EXPECT_NE(text.find("5.5"), std::string::npos);
}

TEST(TerminalSketch, colours_only_where_asked_for) {
  Panel panel;
  panel.lines.push_back({.x = {0, 1}, .y = {0, 1}, .label = "a"});
  EXPECT_EQ(terminal_sketch(panel).find('\033'), std::string::npos);
  EXPECT_NE(terminal_sketch(panel, {.colour = true}).find("\033[34m"), std::string::npos);
}

}  // namespace
}  // namespace alembert::visual
