// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Figures of results: units, expressions, event marks, gaps, dark paper; and the
// layout of whole pictures against golden ones (tests/visual/golden). Glyphs depend on the fonts of
// a machine, so lines and areas are compared, within a few points. ALEMBERT_UPDATE_GOLDEN=1 writes
// them.
#include "alembert/visual/trajectory_figure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <regex>

#include "alembert/result/output_file.hpp"
#include "alembert/visual/write_figure.hpp"

namespace alembert::visual {
namespace {

/// A ball that bounces at t = 1 and t = 2, with a gap in one column.
result::Trajectory bouncing() {
  result::Trajectory t({"h", "v", "gap", "E"});
  const auto row = [&](double time, double since, double speed) {
    const double h = speed * since - since * since / 2;
    t.append(time,
             std::vector<double>{h, speed - since, time > 0.4 && time < 0.6 ? std::nan("") : time,
                                 100 * (h + (speed - since) * (speed - since) / 2)});
  };
  for (int leg = 0; leg < 3; ++leg)
    for (int i = 0; i <= 50; ++i) row(leg + 0.02 * i, 0.02 * i, 0.5);
  return t;
}

TEST(Plot, units_stand_at_the_axes) {
  PlotOptions options;
  options.units = {{"h", "m"}, {"v", "m/s"}, {"gap", "m"}};
  const auto t = bouncing();
  EXPECT_EQ(plot_panels(t, {{"h"}}, options).panels[0].y_label, "h [m]");
  const Panel two = plot_panels(t, {{"h", "gap"}}, options).panels[0];
  EXPECT_EQ(two.y_label, "[m]");  // once for both
  EXPECT_EQ(two.lines[0].label, "h");
  const Panel mixed = plot_panels(t, {{"h", "v"}}, options).panels[0];
  EXPECT_EQ(mixed.lines[1].label, "v [m/s]");
  EXPECT_EQ(plot_path(t, "h", "v", options).panels[0].x_label, "h [m]");
}

TEST(Plot, values_are_drawn_in_their_display_units) {
  PlotOptions options;
  options.units = {{"h", "m"}, {"v", "m/s"}};
  options.display_units = {{"h", "mm"}};
  const auto t = bouncing();
  const Panel one = plot_panels(t, {{"h"}}, options).panels[0];
  EXPECT_EQ(one.y_label, "h [mm]");
  EXPECT_DOUBLE_EQ(one.lines[0].y[10], 1000 * t.value(10, 0));
  // An expression is made of the numbers of the result.
  EXPECT_DOUBLE_EQ(plot_panels(t, {{"2*h"}}, options).panels[0].lines[0].y[10], 2 * t.value(10, 0));
  EXPECT_EQ(group_by_size(t, std::vector<std::string>{"h", "v"}, options).size(), 2u);
  EXPECT_EQ(group_by_size(t, std::vector<std::string>{"h", "v"}).size(), 1u);
}

TEST(Plot, expressions_and_constants_are_drawn) {
  PlotOptions options;
  options.constants = {{"g", 1.}};
  const Figure figure = plot(bouncing(), {"h", "E - E(0)", "h*g + v^2/2"}, options);
  std::size_t n_lines = 0;
  for (const Panel& panel : figure.panels)
    for (const Line& line : panel.lines) {
      ++n_lines;
      EXPECT_EQ(line.y.size(), bouncing().n_rows());  // every point that was asked for
    }
  EXPECT_EQ(n_lines, 3u);
}

TEST(Plot, what_nobody_named_are_variables_and_not_their_derivatives) {
  result::Trajectory t({"x", "der(x)", "g", "der(der(x))", "y"});
  for (int i = 0; i < 3; ++i)
    t.append(i, std::vector<double>{1.0 * i, 2.0 * i, 9.81, 3.0 * i, -1.0 * i});
  EXPECT_EQ(names_that_vary(t, 9), (std::vector<std::string>{"x", "y"}));  // g is constant
  EXPECT_EQ(names_that_vary(t, 1), (std::vector<std::string>{"x"}));
}

TEST(Plot, runs_lie_over_each_other) {
  const auto t = bouncing();
  const auto of = [&](const char* name) {
    return RunFigure{name, plot_panels(t, {{"h", "v"}, {"E"}})};
  };
  const Figure two = overlay({of("a.csv"), of("b.csv")});
  ASSERT_EQ(two.panels.size(), 2u);
  ASSERT_EQ(two.panels[0].lines.size(), 4u);
  const auto& lines = two.panels[0].lines;
  EXPECT_EQ(lines[0].label, "h (a.csv)");
  EXPECT_EQ(lines[3].label, "v (b.csv)");
  EXPECT_FALSE(lines[0].colour == lines[2].colour);  // one variable, two runs
  EXPECT_FALSE(lines[0].colour == lines[1].colour);
  EXPECT_EQ(lines[0].stroke, Stroke::solid);
  EXPECT_EQ(lines[2].stroke, Stroke::dashed);
  EXPECT_EQ(two.panels[1].lines[1].label, "b.csv");  // the variable stands at the axis
  EXPECT_EQ(two.panels[1].y_label, "E");
  EXPECT_EQ(two.panels[0].guides.size(), 2u);
  const Figure four = overlay({of("a"), of("b"), of("c"), of("d")});
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_FALSE(four.panels[1].lines[i].colour == four.panels[1].lines[k].colour);
}

TEST(Plot, events_are_marked_while_there_are_few) {
  const auto t = bouncing();
  EXPECT_EQ(event_times(t), (std::vector<double>{1, 2}));
  const Figure figure = plot_panels(t, {{"h"}, {"v"}});
  for (const Panel& panel : figure.panels) {
    ASSERT_EQ(panel.guides.size(), 2u);
    EXPECT_EQ(panel.guides[0].at, 1);
  }
  EXPECT_TRUE(plot(t, {"h"}, {.event_marks = false}).panels[0].guides.empty());
  result::Trajectory many({"x"});
  for (int i = 0; i < 200; ++i)
    for (int side = 0; side < 2; ++side) many.append(i, std::vector<double>{1. * side});
  EXPECT_TRUE(plot(many, {"x"}).panels[0].guides.empty());
}

TEST(Plot, dark_paper_changes_neutral_colours_only) {
  Figure figure = plot(bouncing(), {"h"});
  const std::string light = render_figure(figure, PictureFormat::svg);
  figure.dark = true;
  const std::string dark = render_figure(figure, PictureFormat::svg);
  EXPECT_NE(light, dark);
  EXPECT_NE(dark.find("rgb(10.588235%,12.156863%,14.509804%)"), dark.npos);  // paper
  EXPECT_EQ(dark.find("rgb(100%,100%,100%)"), dark.npos);
  for (const std::string& picture : {light, dark})
    EXPECT_NE(picture.find("rgb(0%,44.705882%,69.803922%)"), picture.npos);  // the line
}

/// Numbers of all paths that are no glyphs, path by path.
std::vector<std::vector<double>> lines_of(const std::string& svg) {
  const std::string drawn = svg.substr(svg.find("</defs>") == svg.npos ? 0 : svg.find("</defs>"));
  std::vector<std::vector<double>> lines;
  const std::regex path("<path[^>]* d=\"([^\"]*)\"|<rect ([^>]*)>");
  for (std::sregex_iterator match(drawn.begin(), drawn.end(), path), end; match != end; ++match) {
    std::vector<double> numbers;
    const std::string text = (*match)[1].str() + (*match)[2].str();
    const std::regex number("-?[0-9]+\\.?[0-9]*");
    for (std::sregex_iterator n(text.begin(), text.end(), number); n != end; ++n)
      numbers.push_back(std::stod(n->str()));
    lines.push_back(std::move(numbers));
  }
  return lines;
}

void expect_golden(const Figure& figure, const std::string& name) {
  const std::string path = std::string(ALEMBERT_SOURCE_ROOT) + "/tests/visual/golden/" + name;
  const std::string have = render_figure(figure, PictureFormat::svg);
  if (std::getenv("ALEMBERT_UPDATE_GOLDEN") != nullptr) result::write_file(path, have);
  const auto want_lines = lines_of(result::read_file(path)), have_lines = lines_of(have);
  ASSERT_EQ(have_lines.size(), want_lines.size()) << name;
  ASSERT_GT(have_lines.size(), 10u);
  for (std::size_t i = 0; i < have_lines.size(); ++i) {
    ASSERT_EQ(have_lines[i].size(), want_lines[i].size()) << name << ", path " << i;
    for (std::size_t k = 0; k < have_lines[i].size(); ++k)
      ASSERT_NEAR(have_lines[i][k], want_lines[i][k], 3) << name << ", path " << i;
  }
}

TEST(Golden, panels_over_time) {
  PlotOptions options;
  options.units = {{"h", "m"}, {"v", "m/s"}};
  expect_golden(plot_panels(bouncing(), {{"h", "v"}, {"gap"}, {"h - h(0.5)"}}, options),
                "panels.svg");
}

TEST(Golden, path_with_equal_axes) { expect_golden(plot_path(bouncing(), "h", "v"), "path.svg"); }

}  // namespace
}  // namespace alembert::visual
