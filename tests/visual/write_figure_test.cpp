// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/write_figure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <limits>

#include "alembert/base/error.hpp"
#include "alembert/result/output_file.hpp"
#include "alembert/visual/panel_layout.hpp"
#include "alembert/visual/trajectory_figure.hpp"

namespace alembert::visual {
namespace {

namespace fs = std::filesystem;

Line wave(double amplitude, const std::string& label) {
  Line line{.label = label};
  for (int i = 0; i <= 500; ++i) {
    line.x.push_back(0.02 * i);
    line.y.push_back(amplitude * std::sin(0.02 * i));
  }
  return line;
}

Figure three_panels() {
  Figure figure{.title = "Three"};
  Panel path{.title = "Path", .x_label = "x", .y_label = "y", .equal_axes = true};
  Line circle{.from_colour = palette::sky};
  for (int i = 0; i <= 360; ++i) {
    circle.x.push_back(std::cos(i * 0.0174533));
    circle.y.push_back(std::sin(i * 0.0174533));
  }
  path.lines = {circle};
  path.points = {{.x = {1}, .y = {0}, .shape = Shape::cross}};
  path.notes = {{.x = 1, .y = 0, .text = "start\nhere"}};
  path.guides = {{.along = Guide::Along::y, .at = 0}};
  Panel waves{.title = "Waves", .x_label = "time [s]", .lines = {wave(1, "a"), wave(2, "b")}};
  Panel decades{.title = "Decades", .lines = {wave(1e-6, "c")}, .y_scale = Scale::logarithmic};
  figure.panels = {path, waves, decades};
  return figure;
}

TEST(RenderFigure, MakesEachFormat) {
  const std::string svg = render_figure(three_panels(), PictureFormat::svg);
  EXPECT_TRUE(svg.starts_with("<?xml"));
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_TRUE(render_figure(three_panels(), PictureFormat::pdf).starts_with("%PDF-"));

  const std::string png =
      render_figure(three_panels(), PictureFormat::png, {.pixels_per_point = 3});
  ASSERT_TRUE(png.starts_with("\x89PNG"));
  const auto big_endian = [&](std::size_t at) {
    unsigned value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      value = value << 8 | static_cast<unsigned char>(png[at + i]);
    return value;
  };
  EXPECT_EQ(big_endian(16), 870u * 3);
  EXPECT_EQ(big_endian(20), 322u * 3);
}

TEST(RenderFigure, SameFigureGivesTheSameBytes) {
  for (PictureFormat format : {PictureFormat::svg, PictureFormat::png, PictureFormat::pdf})
    EXPECT_TRUE(render_figure(three_panels(), format) == render_figure(three_panels(), format));
}

// Whatever the data, there is a picture.
TEST(RenderFigure, SurvivesAnyData) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const double most = std::numeric_limits<double>::max(), least = 5e-324;
  for (const std::vector<double>& y : {std::vector<double>{},
                                       {1},
                                       {0, 0},
                                       {nan, nan},
                                       {inf, 1, -inf},
                                       {most, -most},
                                       {least, 2 * least},
                                       {1, 1 + 1e-16},
                                       {1e9, 1e9 + 1},
                                       {-1, 0},
                                       {1e-300, 1e300}}) {
    std::vector<double> x;
    for (std::size_t i = 0; i < y.size(); ++i) x.push_back(static_cast<double>(i));
    for (Scale scale : {Scale::linear, Scale::logarithmic})
      for (bool equal : {false, true}) {
        Panel panel{.lines = {{.x = x, .y = y, .label = "y"}},
                    .points = {{.x = y, .y = x}},
                    .equal_axes = equal && scale == Scale::linear,
                    .y_scale = scale};
        const std::string svg = render_figure({.panels = {panel}}, PictureFormat::svg);
        EXPECT_EQ(svg.find("nan"), std::string::npos);
      }
  }
  EXPECT_FALSE(render_figure({}, PictureFormat::svg).empty());
  EXPECT_FALSE(
      render_figure({.panels = {Panel{}}, .width = 5, .height = 5}, PictureFormat::png).empty());
}

class Layout : public testing::Test {
 protected:
  PanelLayout lay_out(const Panel& panel) {
    return lay_out_panel(canvas_, panel, styles_, {10, 10, 400, 280}, {40, 10, 30, 30}, true);
  }

  Canvas canvas_{PictureFormat::svg, 420, 300, "sans-serif", 1};
  TextStyles styles_{9};
};

TEST_F(Layout, TickLabelsNeverOverlap) {
  for (double size : {1e-12, 1e-3, 1.0, 123456.0, 1e15})
    for (double offset : {0.0, 1.0, 1e4}) {
      Panel panel{.lines = {{.x = {offset, offset + size}, .y = {0, 1}}}};
      const PanelLayout layout = lay_out(panel);
      double end = -1e9;
      for (const Tick& tick : layout.x_ticks.ticks) {
        const double half = 0.5 * tick_label_width(canvas_, tick, styles_);
        const double at = layout.axes.x.to_page(tick.at);
        if (layout.x_ticks.ticks.size() > 2) {
          EXPECT_GT(at - half, end + 3) << size << " " << offset;
        }
        end = at + half;
      }
    }
}

TEST_F(Layout, LegendGoesWhereItHidesNothing) {
  Panel panel{.lines = {{.x = {0, 1}, .y = {0, 1}, .label = "rising"}}};
  EXPECT_EQ(lay_out(panel).legend_place, LegendPlace::top_left);
  panel.lines[0].y = {1, 0};
  EXPECT_EQ(lay_out(panel).legend_place, LegendPlace::top_right);
  panel.lines.push_back({.x = {0, 1}, .y = {0, 1}, .label = "and falling"});
  EXPECT_EQ(lay_out(panel).legend_place, LegendPlace::above);
  panel.lines[0].label = panel.lines[1].label = "";
  EXPECT_EQ(lay_out(panel).legend_place, LegendPlace::hidden);
}

TEST_F(Layout, EqualAxesHaveEqualUnitsAndSteps) {
  const Panel panel{.lines = {{.x = {-1, 1}, .y = {-3, 1}}}, .equal_axes = true};
  const PanelLayout layout = lay_out(panel);
  const double x_unit = layout.axes.x.to_page(1) - layout.axes.x.to_page(0);
  const double y_unit = layout.axes.y.to_page(0) - layout.axes.y.to_page(1);
  EXPECT_NEAR(x_unit, y_unit, 1e-9 * x_unit);
  EXPECT_EQ(layout.x_ticks.step, layout.y_ticks.step);
}

TEST_F(Layout, LongTitlesAreBroken) {
  Panel panel;
  panel.title = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
  const PanelLayout layout = lay_out(panel);
  EXPECT_GT(layout.title_lines.size(), 1u);
  for (const std::string& line : layout.title_lines)
    EXPECT_LE(canvas_.text_width(line, styles_.title), layout.plot.width);
}

// Cairo would seek the crossings of the whole line with itself: twenty seconds.
TEST(RenderFigure, NoiseIsAPictureInAMoment) {
  Line line;
  for (int i = 0; i < 100'000; ++i) {
    line.x.push_back(i);
    line.y.push_back(std::sin(1e-3 * i) * std::cos(0.37 * i));
  }
  const Figure figure{.panels = {{.lines = {line}}}};
  const std::clock_t begin = std::clock();
  EXPECT_GT(render_figure(figure, PictureFormat::png).size(), 1000u);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 4);
}

TEST(WriteFigure, TakesTheFormatFromTheName) {
  std::string pattern = (fs::temp_directory_path() / "alembert-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const fs::path folder = pattern;
  write_figure(three_panels(), folder / "a.SVG");
  EXPECT_TRUE(result::read_file(folder / "a.SVG").starts_with("<?xml"));
  write_figure(three_panels(), folder / "a.pdf");
  EXPECT_TRUE(result::read_file(folder / "a.pdf").starts_with("%PDF"));
  try {
    write_figure(three_panels(), folder / "a.jpeg");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "R010");
    EXPECT_NE(std::string(error.what()).find(".svg, .png or .pdf"), std::string::npos);
  }
  try {
    write_figure(three_panels(), folder / "no" / "a.png");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "R015");
  }
  fs::remove_all(folder);
}

TEST(FigureOverTime, SharesPanelsAmongVariablesOfLikeSize) {
  result::Trajectory trajectory({"x", "y", "force"});
  for (int i = 0; i < 10; ++i)
    trajectory.append(i, std::vector<double>{std::sin(i), std::cos(i), 5000.0 * i});
  const std::vector<std::string> names = {"x", "force", "y"};
  const Figure figure = plot(trajectory, names);
  ASSERT_EQ(figure.panels.size(), 2u);
  EXPECT_EQ(figure.panels[0].lines.size(), 2u);
  EXPECT_EQ(figure.panels[1].y_label, "force");
  const std::vector<std::string> unknown = {"z"};
  EXPECT_THROW(plot(trajectory, unknown), Error);
  EXPECT_TRUE(plot_path(trajectory, "x", "y").panels[0].equal_axes);
}

}  // namespace
}  // namespace alembert::visual
