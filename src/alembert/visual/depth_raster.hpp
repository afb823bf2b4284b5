// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Triangles, balls and lines with a depth at every point, so that bodies that reach
// into each other are cut where they meet. In: corners on the picture with their nearness and
// colour. Out: pixels, with smooth edges: eight samples a pixel, each with a depth of its own.
// Pieces are sorted into tiles that fit the cache; a tile that nothing touches costs nothing.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "alembert/visual/palette.hpp"

namespace alembert::visual {

struct RasterCorner {
  double x = 0, y = 0;  ///< in pixels
  double nearness = 0;  ///< 1 / distance, in any unit: linear on the picture
  Colour colour = {};
};

/// Seen as a disc; `depth` is by how much its nearness grows from the rim to the middle.
struct RasterBall {
  double x = 0, y = 0, radius = 1;
  double nearness = 0, depth = 0;
  Colour colour = {};
  bool shaded = true;
  /// Light falls along this direction: right, up, towards the viewer.
  std::array<double, 3> light = {0, 0, 1};
};

class DepthRaster {
 public:
  DepthRaster(int width, int height);

  void clear();
  void triangle(const RasterCorner& a, const RasterCorner& b, const RasterCorner& c);
  void ball(const RasterBall& ball);
  /// pixels: [height][width], each 0x00RRGGBB; what was there shines through where nothing is.
  void draw(std::vector<std::uint32_t>& pixels);

 private:
  static constexpr int tile = 32, n_samples = 8;
  // All samples of a pixel at once, whatever the machine makes of it.
  using Floats = float __attribute__((vector_size(4 * n_samples)));
  using Words = std::uint32_t __attribute__((vector_size(4 * n_samples)));
  struct Samples {
    Floats nearness;
    Words colour;  // the top byte tells that something is there
  };

  struct Triangle {
    // Edge functions and nearness as a + b x + c y, the colour's channels likewise.
    std::array<std::array<float, 3>, 3> edge;
    std::array<float, 3> nearness;
    std::array<std::array<float, 3>, 3> channel;
    std::array<float, 3> least, most;  // of each channel, at the corners
    int left, top, right, bottom;      // pixels, the last included
  };
  struct Piece {
    bool is_ball;
    std::uint32_t index;
  };

  void file(int left, int top, int right, int bottom, Piece piece);
  void draw_tile(int tile_x, int tile_y, std::vector<std::uint32_t>& pixels);
  void draw_triangle(const Triangle& t, int x0, int y0);
  void draw_ball(const RasterBall& b, int x0, int y0);

  int width_, height_, n_across_, n_down_;
  std::vector<Triangle> triangles_;
  std::vector<RasterBall> balls_;
  std::vector<std::vector<Piece>> bins_;  // [n_down * n_across]
  std::vector<Samples> samples_;          // [tile * tile]
};

/// A colour in the light that falls on a surface with this normal; both of unit length.
Colour lit(const Colour& colour, double facing);

}  // namespace alembert::visual
