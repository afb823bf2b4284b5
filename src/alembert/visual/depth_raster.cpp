// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/depth_raster.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::visual {
namespace {

constexpr std::uint32_t present = 0xff000000u;

// Where the eight samples of a pixel lie, from its centre: no two in a row or in a column.
constexpr float sample_x[8] = {-7 / 16.f, -5 / 16.f, -3 / 16.f, -1 / 16.f,
                               1 / 16.f,  3 / 16.f,  5 / 16.f,  7 / 16.f};
constexpr float sample_y[8] = {-1 / 16.f, 5 / 16.f, -5 / 16.f, 3 / 16.f,
                               -7 / 16.f, 7 / 16.f, -3 / 16.f, 1 / 16.f};

std::uint32_t packed(float red, float green, float blue) {
  const auto byte = [](float channel) {
    return static_cast<std::uint32_t>(std::clamp(channel, 0.f, 1.f) * 255.f + 0.5f);
  };
  return present | byte(red) << 16 | byte(green) << 8 | byte(blue);
}

/// a + b x + c y through three values at three corners; `area` is twice that of the triangle.
std::array<float, 3> plane(const std::array<double, 3>& x, const std::array<double, 3>& y,
                           const std::array<double, 3>& value, double area) {
  const double dx1 = x[1] - x[0], dy1 = y[1] - y[0], dx2 = x[2] - x[0], dy2 = y[2] - y[0];
  const double d1 = value[1] - value[0], d2 = value[2] - value[0];
  const double b = (d1 * dy2 - d2 * dy1) / area, c = (d2 * dx1 - d1 * dx2) / area;
  return {static_cast<float>(value[0] - b * x[0] - c * y[0]), static_cast<float>(b),
          static_cast<float>(c)};
}

float at(const std::array<float, 3>& p, float x, float y) { return p[0] + p[1] * x + p[2] * y; }

}  // namespace

Colour lit(const Colour& colour, double facing) {
  const double share = 0.5 + 0.5 * facing;  // 0: in the shade
  return share > 0.6 ? mix(colour, palette::white, (share - 0.6) * 0.7)
                     : mix(colour, palette::black, (0.6 - share) * 0.7);
}

DepthRaster::DepthRaster(int width, int height)
    : width_(width),
      height_(height),
      n_across_((width + tile - 1) / tile),
      n_down_((height + tile - 1) / tile),
      bins_(static_cast<std::size_t>(n_across_) * static_cast<std::size_t>(n_down_)),
      samples_(tile * tile) {}

void DepthRaster::clear() {
  triangles_.clear();
  balls_.clear();
  for (auto& bin : bins_) bin.clear();
}

void DepthRaster::file(int left, int top, int right, int bottom, Piece piece) {
  for (int y = top / tile; y <= bottom / tile; ++y)
    for (int x = left / tile; x <= right / tile; ++x)
      bins_[static_cast<std::size_t>(y * n_across_ + x)].push_back(piece);
}

void DepthRaster::triangle(const RasterCorner& a, const RasterCorner& b, const RasterCorner& c) {
  const std::array<const RasterCorner*, 3> corner = {&a, &b, &c};
  std::array<double, 3> x, y;
  for (std::size_t k = 0; k < 3; ++k) {
    // About the middle of the picture, where single precision is finest.
    x[k] = corner[k]->x - width_ / 2;
    y[k] = corner[k]->y - height_ / 2;
    if (!(std::abs(x[k]) < 8. * width_ && std::abs(y[k]) < 8. * height_)) return;
  }
  const double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
  if (!(std::abs(area) > 1e-9)) return;
  const auto pixel = [](double value, int size) {
    return std::clamp(static_cast<int>(std::floor(value)), 0, size - 1);
  };
  const auto [left, right] = std::minmax({a.x, b.x, c.x});
  const auto [top, bottom] = std::minmax({a.y, b.y, c.y});
  if (right < 0 || bottom < 0 || left >= width_ || top >= height_) return;
  Triangle t{};
  t.left = pixel(left, width_), t.right = pixel(right, width_);
  t.top = pixel(top, height_), t.bottom = pixel(bottom, height_);
  for (std::size_t k = 0; k < 3; ++k) {
    std::array<double, 3> inside{};
    inside[k] = 1;  // at a corner, and 0 along the opposite edge
    t.edge[k] = plane(x, y, inside, area);
  }
  t.nearness = plane(x, y, {a.nearness, b.nearness, c.nearness}, area);
  const auto channel = [&](std::size_t k, double Colour::*of) {
    const std::array<double, 3> values = {a.colour.*of, b.colour.*of, c.colour.*of};
    t.channel[k] = plane(x, y, values, area);
    const auto [least, most] = std::minmax({values[0], values[1], values[2]});
    t.least[k] = static_cast<float>(least);
    t.most[k] = static_cast<float>(most);
  };
  channel(0, &Colour::red);
  channel(1, &Colour::green);
  channel(2, &Colour::blue);
  file(t.left, t.top, t.right, t.bottom,
       {.is_ball = false, .index = static_cast<std::uint32_t>(triangles_.size())});
  triangles_.push_back(t);
}

void DepthRaster::ball(const RasterBall& b) {
  if (!(b.radius > 0 && b.radius < 8. * width_)) return;
  const double left = b.x - b.radius, right = b.x + b.radius;
  const double top = b.y - b.radius, bottom = b.y + b.radius;
  if (!(right >= 0 && bottom >= 0 && left < width_ && top < height_)) return;
  const auto pixel = [](double value, int size) {
    return std::clamp(static_cast<int>(std::floor(value)), 0, size - 1);
  };
  file(pixel(left, width_), pixel(top, height_), pixel(right, width_), pixel(bottom, height_),
       {.is_ball = true, .index = static_cast<std::uint32_t>(balls_.size())});
  balls_.push_back(b);
}

void DepthRaster::draw(std::vector<std::uint32_t>& pixels) {
  for (int y = 0; y < n_down_; ++y)
    for (int x = 0; x < n_across_; ++x)
      if (!bins_[static_cast<std::size_t>(y * n_across_ + x)].empty()) draw_tile(x, y, pixels);
}

void DepthRaster::draw_tile(int tile_x, int tile_y, std::vector<std::uint32_t>& pixels) {
  std::fill(samples_.begin(), samples_.end(), Samples{});
  const int x0 = tile_x * tile, y0 = tile_y * tile;
  for (const Piece piece : bins_[static_cast<std::size_t>(tile_y * n_across_ + tile_x)]) {
    if (piece.is_ball)
      draw_ball(balls_[piece.index], x0, y0);
    else
      draw_triangle(triangles_[piece.index], x0, y0);
  }
  const int x_end = std::min(tile, width_ - x0), y_end = std::min(tile, height_ - y0);
  for (int y = 0; y < y_end; ++y)
    for (int x = 0; x < x_end; ++x) {
      const Words& samples = samples_[static_cast<std::size_t>(y * tile + x)].colour;
      std::uint32_t any = 0;
      for (int k = 0; k < n_samples; ++k) any |= samples[k];
      if (any == 0) continue;
      std::uint32_t& pixel =
          pixels[static_cast<std::size_t>(y0 + y) * static_cast<std::size_t>(width_) +
                 static_cast<std::size_t>(x0 + x)];
      std::uint32_t red = 0, green = 0, blue = 0;
      for (int k = 0; k < n_samples; ++k) {
        const std::uint32_t c = (samples[k] & present) != 0 ? samples[k] : pixel;
        red += c >> 16 & 0xff;
        green += c >> 8 & 0xff;
        blue += c & 0xff;
      }
      pixel = (red + 4) / 8 << 16 | (green + 4) / 8 << 8 | (blue + 4) / 8;
    }
}

void DepthRaster::draw_triangle(const Triangle& t, int x0, int y0) {
  Floats offset[4];  // of edges and nearness, at each sample
  float reach[3];    // of each edge, within a pixel
  for (int s = 0; s < n_samples; ++s) {
    for (std::size_t k = 0; k < 3; ++k)
      offset[k][s] = t.edge[k][1] * sample_x[s] + t.edge[k][2] * sample_y[s];
    offset[3][s] = t.nearness[1] * sample_x[s] + t.nearness[2] * sample_y[s];
  }
  for (std::size_t k = 0; k < 3; ++k)
    reach[k] = 0.5f * (std::abs(t.edge[k][1]) + std::abs(t.edge[k][2]));
  const int left = std::max(t.left, x0), right = std::min(t.right, x0 + tile - 1);
  const int top = std::max(t.top, y0), bottom = std::min(t.bottom, y0 + tile - 1);
  for (int py = top; py <= bottom; ++py) {
    const float y = static_cast<float>(py - height_ / 2) + 0.5f;
    // The part of the row that the edges leave, a pixel wider than exact.
    auto first = static_cast<float>(left), last = static_cast<float>(right);
    for (std::size_t k = 0; k < 3; ++k) {
      const float slope = t.edge[k][1];
      if (slope == 0) continue;
      const float rest = t.edge[k][0] + t.edge[k][2] * y + reach[k];
      const float end = static_cast<float>(width_ / 2) - rest / slope;
      if (slope > 0)
        first = std::clamp(end - 2, first, last + 1);
      else
        last = std::clamp(end + 1, first - 1, last);
    }
    for (int px = static_cast<int>(first), stop = static_cast<int>(last); px <= stop; ++px) {
      const float x = static_cast<float>(px - width_ / 2) + 0.5f;
      const float e0 = at(t.edge[0], x, y), e1 = at(t.edge[1], x, y), e2 = at(t.edge[2], x, y);
      if (e0 < -reach[0] || e1 < -reach[1] || e2 < -reach[2]) continue;
      const float near = at(t.nearness, x, y);
      float channels[3];
      for (std::size_t k = 0; k < 3; ++k)
        channels[k] = std::clamp(at(t.channel[k], x, y), t.least[k], t.most[k]);
      const std::uint32_t colour = packed(channels[0], channels[1], channels[2]);
      Samples& here = samples_[static_cast<std::size_t>((py - y0) * tile + px - x0)];
      const Floats w = near + offset[3];
      const auto seen = (e0 + offset[0] >= 0) & (e1 + offset[1] >= 0) & (e2 + offset[2] >= 0) &
                        (w > here.nearness);
      here.nearness = seen ? w : here.nearness;
      here.colour = seen ? Words{} + colour : here.colour;
    }
  }
}

void DepthRaster::draw_ball(const RasterBall& b, int x0, int y0) {
  const auto cx = static_cast<float>(b.x), cy = static_cast<float>(b.y);
  const auto inverse = static_cast<float>(1 / b.radius);
  const int left = std::max(x0, static_cast<int>(std::floor(b.x - b.radius)));
  const int right = std::min({x0 + tile - 1, width_ - 1, static_cast<int>(b.x + b.radius)});
  const int top = std::max(y0, static_cast<int>(std::floor(b.y - b.radius)));
  const int bottom = std::min({y0 + tile - 1, height_ - 1, static_cast<int>(b.y + b.radius)});
  for (int py = top; py <= bottom; ++py)
    for (int px = left; px <= right; ++px) {
      const float x = (static_cast<float>(px) + 0.5f - cx) * inverse;
      const float y = (static_cast<float>(py) + 0.5f - cy) * inverse;
      const float reach = 1 + inverse;
      if (x * x + y * y > reach * reach) continue;
      Colour colour = b.colour;
      if (b.shaded) {
        const double z = std::sqrt(std::max(0.f, 1 - x * x - y * y));
        colour = lit(colour, b.light[0] * x - b.light[1] * y + b.light[2] * z);
      }
      const std::uint32_t solid =
          packed(static_cast<float>(colour.red), static_cast<float>(colour.green),
                 static_cast<float>(colour.blue));
      Samples& here = samples_[static_cast<std::size_t>((py - y0) * tile + px - x0)];
      for (int s = 0; s < n_samples; ++s) {
        const float sx = x + sample_x[s] * inverse, sy = y + sample_y[s] * inverse;
        const float rest = 1 - sx * sx - sy * sy;
        if (rest < 0) continue;
        const auto w = static_cast<float>(b.nearness + b.depth * std::sqrt(rest));
        if (w <= here.nearness[s]) continue;
        here.nearness[s] = w;
        here.colour[s] = solid;
      }
    }
}

}  // namespace alembert::visual
