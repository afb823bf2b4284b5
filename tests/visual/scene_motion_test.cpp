// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Scenes in motion: numbers of frames by a second route, what is filled in,
// mistakes.
#include "alembert/visual/scene_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/visual/film_colours.hpp"
#include "alembert/visual/gif_colours.hpp"
#include "alembert/visual/scene_painter.hpp"

namespace alembert::visual {
namespace {

using namespace flat;

result::Trajectory swing(double frequency) {
  result::Trajectory t({"x", "y", "phi"});
  for (int i = 0; i <= 400; ++i) {
    const double s = 0.01 * i, phi = std::sin(frequency * s);
    t.append(s, std::vector<double>{std::sin(phi), -std::cos(phi), phi});
  }
  return t;
}

Scene pendulum() {
  Scene scene;
  scene.shapes = {trace({"x", "y"}, 1),
                  rod({0, 0}, {"l*sin(phi)", "-l*cos(phi)"}),
                  sphere({"x", "y"}, 0.2),
                  wheel({0, 0}, 0.1),
                  arrow({"x", "y"}, {0, "-phi"}, 2),
                  text({0.1, 0}, "angle {phi} rad")};
  return scene;
}

TEST(SceneMotion, frames_follow_the_result) {
  const auto run = swing(2);
  const SceneMotion motion =
      move_scene(pendulum(), {{&run, {{"l", 1.}}}}, {.frames_per_second = 50});
  EXPECT_EQ(motion.n_frames, 201u);  // 4 s, both ends
  EXPECT_TRUE(motion.planar);
  EXPECT_EQ(motion.speed, 1);
  const auto& shapes = motion.systems.at(0);
  for (std::size_t k = 0; k < motion.n_frames; k += 7) {
    const double phi = std::sin(2 * 0.02 * static_cast<double>(k));
    EXPECT_NEAR(shapes[1].to[0].at(k), std::sin(phi), 1e-12);
    EXPECT_NEAR(shapes[2].at[1].at(k), -std::cos(phi), 1e-12);
    EXPECT_NEAR(shapes[4].to[1].at(k), -2 * phi, 1e-12);
    EXPECT_NEAR(std::get<Track>(shapes[5].label[1]).at(k), phi, 1e-12);
  }
  EXPECT_TRUE(shapes[1].at[0].is_constant());
  EXPECT_GT(shapes[1].width.at(0), 0);            // by the size of the scene
  EXPECT_EQ(shapes[0].colour, shapes[2].colour);  // they follow the same point
  EXPECT_NEAR(shapes[3].height.at(0), 0.1 / 4, 1e-15);
  EXPECT_LE(motion.low[1], -1 - 0.1);  // with the sphere's radius
}

TEST(SceneMotion, colours_may_be_quantities) {
  const auto run = swing(2);
  Scene scene;
  scene.shapes = {sphere({"x", "y"}, 0.1)};
  scene.shapes[0].colour = SceneColour{"c/255", "2 + phi", 0.25};  // 2 is more than there is
  const SceneMotion motion = move_scene(scene, {{&run, {{"c", 51.}}}});
  EXPECT_EQ(motion.systems[0][0].colour, (Colour{0.2, 1, 0.25}));
}

TEST(SceneMotion, many_systems_have_colours_of_their_own) {
  const auto a = swing(1), b = swing(2), c = swing(3);
  const SceneMotion motion =
      move_scene(pendulum(), {{&a, {{"l", 1.}}}, {&b, {{"l", 1.}}}, {&c, {{"l", 2.}}}});
  ASSERT_EQ(motion.systems.size(), 3u);
  EXPECT_FALSE(motion.systems[0][2].colour == motion.systems[1][2].colour);
  EXPECT_NEAR(motion.systems[2][1].to[1].at(0), -2, 1e-12);
}

TEST(SceneMotion, long_and_short_runs_can_be_followed) {
  result::Trajectory slow({"x"}), fast({"x"}), still({"x"});
  for (int i = 0; i <= 10; ++i) {
    slow.append(100. * i, std::vector<double>{1. * i});
    fast.append(1e-4 * i, std::vector<double>{1. * i});
  }
  still.append(3, std::vector<double>{1});
  Scene scene;
  scene.shapes = {point({"x", 0})};
  EXPECT_EQ(move_scene(scene, {{&slow}}).speed, 50);
  EXPECT_NEAR(move_scene(scene, {{&fast}}).speed, 5e-5, 1e-12);
  EXPECT_EQ(move_scene(scene, {{&still}}).n_frames, 1u);
  EXPECT_LE(move_scene(scene, {{&slow}}, {.speed = 1, .most_frames = 500}).n_frames, 500u);
  scene.shapes = {point({"x", 0, "x"})};
  EXPECT_FALSE(move_scene(scene, {{&slow}}).planar);
}

TEST(SceneMotion, what_is_not_finite_keeps_the_last_value) {
  result::Trajectory t({"x"});
  t.append(0, std::vector<double>{1});
  t.append(1, std::vector<double>{2});
  t.append(2, std::vector<double>{std::nan("")});
  t.append(3, std::vector<double>{INFINITY});
  Scene scene;
  scene.shapes = {point({"x", 0})};
  const SceneMotion motion = move_scene(scene, {{&t}});
  for (std::size_t k = 0; k < motion.n_frames; ++k)
    EXPECT_TRUE(std::isfinite(motion.systems[0][0].at[0].at(k)));
  EXPECT_TRUE(std::isfinite(motion.size()));
}

TEST(SceneMotion, mistakes_are_told) {
  const auto run = swing(1);
  Scene scene;
  const auto code = [&] {
    try {
      move_scene(scene, {{&run}});
    } catch (const Error& error) {
      return error.code();
    }
    return std::string("none");
  };
  EXPECT_EQ(code(), "R012");
  scene.shapes = {point({"z", 0})};
  EXPECT_EQ(code(), "R004");
  scene.shapes = {point({"x +", 0})};
  EXPECT_EQ(code(), "R011");
  const result::Trajectory empty({"x"});
  scene.shapes = {point({"x", 0})};
  EXPECT_THROW(move_scene(scene, {{&empty}}), Error);
}

/// Every kind, planar and spatial, light and dark: something is drawn, and two frames differ.
TEST(ScenePainter, every_shape_leaves_marks) {
  const auto run = swing(2);
  for (int k = 0; k <= static_cast<int>(SceneShape::Kind::text); ++k)
    for (const char* z : {"0", "x*y"})
      for (const bool dark : {false, true}) {
        SceneShape shape =
            between(static_cast<SceneShape::Kind>(k), {"x", "y", z}, {"2*x", "y + 1", z}, 0.3);
        shape.label = "here";
        Scene scene, empty;
        scene.shapes = {shape};
        empty.shapes = {trace({"x", "y", z}, 1e-9)};
        const SceneMotion motion = move_scene(scene, {{&run}});
        const SceneMotion nothing = move_scene(empty, {{&run}});
        const FrameOptions options{.width = 160, .height = 90, .dark = dark};
        FrameSpace first, later, blank, reused;
        ScenePainter(motion, options).paint(10, first);
        ScenePainter(motion, options).paint(40, later);
        ScenePainter(nothing, options).paint(10, blank);
        EXPECT_EQ(first.pixels.size(), 160u * 90u);
        EXPECT_NE(first.pixels, later.pixels) << "kind " << k << " z " << z;
        EXPECT_NE(first.pixels, blank.pixels) << "kind " << k << " z " << z;
        // What was painted before in the same space leaves no marks.
        ScenePainter(motion, options).paint(40, reused);
        ScenePainter(motion, options).paint(10, reused);
        EXPECT_EQ(reused.pixels, first.pixels) << "kind " << k << " z " << z;
      }
}

// By the formulas of BT.709 in real numbers; what is paper comes out as if it were computed.
TEST(FilmColours, planes_are_those_of_the_standard) {
  constexpr int width = 150, height = 8;
  std::vector<std::uint32_t> paper(width * height), pixels(width * height);
  std::uint32_t state = 7;
  for (auto& pixel : paper) pixel = (state = state * 1664525 + 1013904223) >> 8;
  pixels = paper;
  for (std::size_t i = 3 * width + 70; i < 6 * width; i += 3)
    pixels[i] = (state = state * 1664525 + 1013904223) >> 8;
  pixels[0] = 0xFFFFFF;
  pixels.back() = 0;
  std::vector<std::uint8_t> planes;
  FilmColours(paper, width, height).to_planes(pixels, planes);
  ASSERT_EQ(planes.size(), pixels.size() * 3 / 2);
  const auto share = [&](std::size_t i, int shift) { return (pixels[i] >> shift & 255) / 255.; };
  const auto luma = [&](std::size_t i) {
    return 0.2126 * share(i, 16) + 0.7152 * share(i, 8) + 0.0722 * share(i, 0);
  };
  for (std::size_t i = 0; i < pixels.size(); ++i)
    ASSERT_NEAR(planes[i], 16 + 219 * luma(i), 0.51) << i;
  for (std::size_t y = 0; y < height; y += 2)
    for (std::size_t x = 0; x < width; x += 2) {
      double blue = 0, red = 0;
      for (const std::size_t i :
           {y * width + x, y * width + x + 1, (y + 1) * width + x, (y + 1) * width + x + 1}) {
        blue += (share(i, 0) - luma(i)) / 1.8556 / 4;
        red += (share(i, 16) - luma(i)) / 1.5748 / 4;
      }
      const std::size_t at = pixels.size() + y / 2 * (width / 2) + x / 2;
      ASSERT_NEAR(planes[at], 128 + 224 * blue, 0.52) << x << ' ' << y;
      ASSERT_NEAR(planes[at + pixels.size() / 4], 128 + 224 * red, 0.52) << x << ' ' << y;
    }
}

TEST(GifColours, few_colours_are_kept_as_they_are) {
  std::vector<std::uint32_t> pixels;
  for (int i = 0; i < 3000; ++i)
    pixels.push_back(i % 3 == 0 ? 0xFF0000 : i % 3 == 1 ? 0x0000FF : 0xFFFFFF);
  GifColours colours;
  colours.count(pixels);
  colours.choose();
  std::vector<std::uint8_t> indices;
  colours.to_indices(pixels, indices);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    EXPECT_EQ(colours.colours()[indices[i]] & 0xFFFFFF, pixels[i]);
}

TEST(GifColours, many_colours_come_near) {
  std::vector<std::uint32_t> pixels;
  for (std::uint32_t r = 0; r < 256; r += 3)
    for (std::uint32_t g = 0; g < 256; g += 5) pixels.push_back(r << 16 | g << 8 | (r + g) / 2);
  GifColours colours;
  colours.count(pixels);
  colours.choose();
  std::vector<std::uint8_t> indices;
  colours.to_indices(pixels, indices);
  double worst = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i)
    for (int k = 0; k < 24; k += 8)
      worst =
          std::max(worst, std::abs(static_cast<double>(pixels[i] >> k & 255) -
                                   static_cast<double>(colours.colours()[indices[i]] >> k & 255)));
  EXPECT_LT(worst, 40);
}

}  // namespace
}  // namespace alembert::visual
