// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/depth_raster.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace alembert::visual {
namespace {

constexpr int width = 200, height = 120;
constexpr Colour red = {1, 0, 0}, blue = {0, 0, 1};

std::vector<std::uint32_t> drawn(DepthRaster& raster, std::uint32_t paper = 0) {
  std::vector<std::uint32_t> pixels(width * height, paper);
  raster.draw(pixels);
  return pixels;
}

std::uint32_t at(const std::vector<std::uint32_t>& pixels, int x, int y) {
  return pixels[static_cast<std::size_t>(y * width + x)];
}

/// A rectangle whose nearness goes from `left` to `right`.
void wall(DepthRaster& raster, double left, double right, const Colour& colour) {
  const RasterCorner a = {20, 20, left, colour}, b = {180, 20, right, colour},
                     c = {180, 100, right, colour}, d = {20, 100, left, colour};
  raster.triangle(a, b, c);
  raster.triangle(a, c, d);
}

TEST(DepthRaster, walls_that_cross_are_seen_on_both_sides_whatever_their_order) {
  for (const bool red_first : {true, false}) {
    DepthRaster raster(width, height);
    if (red_first) wall(raster, 1, 3, red);
    wall(raster, 3, 1, blue);
    if (!red_first) wall(raster, 1, 3, red);
    const auto pixels = drawn(raster);
    for (int y = 25; y < 95; y += 10) {
      EXPECT_EQ(at(pixels, 60, y), 0x0000ffu);
      EXPECT_EQ(at(pixels, 98, y), 0x0000ffu);  // they cross in the middle, at 100
      EXPECT_EQ(at(pixels, 102, y), 0xff0000u);
      EXPECT_EQ(at(pixels, 170, y), 0xff0000u);
    }
    EXPECT_EQ(at(pixels, 10, 60), 0u);
  }
}

TEST(DepthRaster, edges_cover_as_much_as_they_should) {
  DepthRaster raster(width, height);
  const Colour white = {1, 1, 1};
  raster.triangle({20.3, 11.7, 1, white}, {171.2, 47.9, 1, white}, {63.1, 108.4, 1, white});
  double covered = 0;
  int n_between = 0;
  for (const std::uint32_t pixel : drawn(raster)) {
    covered += (pixel & 255) / 255.;
    n_between += (pixel & 255) > 0 && (pixel & 255) < 255;
  }
  const double area =
      0.5 * std::abs((171.2 - 20.3) * (108.4 - 11.7) - (63.1 - 20.3) * (47.9 - 11.7));
  EXPECT_NEAR(covered, area, 1e-3 * area);
  EXPECT_GT(n_between, 200);  // pixels along the edges
}

TEST(DepthRaster, a_ball_in_a_wall_shows_its_cap) {
  DepthRaster raster(width, height);
  raster.triangle({-500, -500, 1.5, red}, {900, -500, 1.5, red}, {0, 900, 1.5, red});
  // Half of its depth stands out: a cap of the radius sqrt(1 - 1/4).
  raster.ball({.x = 100,
               .y = 60,
               .radius = 50,
               .nearness = 1,
               .depth = 1,
               .colour = blue,
               .shaded = false});
  double cap = 0;
  for (const std::uint32_t pixel : drawn(raster)) cap += (pixel & 255) / 255.;
  const double expected = std::numbers::pi * 50 * 50 * 0.75;
  EXPECT_NEAR(cap, expected, 2e-3 * expected);
}

TEST(DepthRaster, colours_go_over_from_corner_to_corner) {
  DepthRaster raster(width, height);
  raster.triangle({0, 0, 1, {0, 0, 0}}, {200, 0, 1, {1, 1, 1}}, {0, 120, 1, {0, 0, 0}});
  const auto pixels = drawn(raster);
  EXPECT_NEAR(at(pixels, 20, 20) & 255, 255 * 20.5 / 200, 2);
  EXPECT_NEAR(at(pixels, 120, 20) & 255, 255 * 120.5 / 200, 2);
}

TEST(DepthRaster, what_is_outside_or_has_no_place_does_nothing) {
  DepthRaster raster(width, height);
  const double nan = std::nan("");
  raster.triangle({nan, 0, 1, red}, {10, 0, 1, red}, {0, 10, 1, red});
  raster.triangle({1e9, 0, 1, red}, {1e9, 5, 1, red}, {1e9, 10, 1, red});
  raster.triangle({5, 5, 1, red}, {5, 5, 1, red}, {5, 5, 1, red});
  raster.ball({.x = nan, .y = 3, .radius = 4, .nearness = 1});
  raster.ball({.x = -50, .y = 3, .radius = 4, .nearness = 1});
  for (const std::uint32_t pixel : drawn(raster, 0x123456)) ASSERT_EQ(pixel, 0x123456u);
}

}  // namespace
}  // namespace alembert::visual
