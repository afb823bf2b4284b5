// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/film_colours.hpp"

#include <algorithm>
#include <cstring>

#include "alembert/base/error.hpp"

namespace alembert::visual {
namespace {

constexpr std::size_t strip = 64;  // pixels of a row that are looked at together

/// Weights of red, green and blue with 16 bits behind the point; black is `base`.
struct Weights {
  std::int32_t red, green, blue, base;
};
// 219 and 224 steps of 255; the sums of both colour rows are exactly zero, so that grey is grey.
constexpr Weights brightness = {11966, 40254, 4064, 16};
constexpr Weights bluish = {-6596, -22189, 28785, 128};
constexpr Weights reddish = {28785, -26145, -2640, 128};

struct Channels {
  std::int32_t red, green, blue;
};
Channels split(std::uint32_t pixel) {
  return {static_cast<std::int32_t>(pixel >> 16 & 0xff),
          static_cast<std::int32_t>(pixel >> 8 & 0xff), static_cast<std::int32_t>(pixel & 0xff)};
}
Channels operator+(const Channels& a, const Channels& b) {
  return {a.red + b.red, a.green + b.green, a.blue + b.blue};
}

/// Of the sum of 2^bits pixels.
std::uint8_t weighed(const Channels& c, const Weights& w, int bits) {
  const int shift = 16 + bits;
  const std::int32_t half = 1 << (shift - 1);
  return static_cast<std::uint8_t>(
      (w.red * c.red + w.green * c.green + w.blue * c.blue + (w.base << shift) + half) >> shift);
}

}  // namespace

FilmColours::FilmColours(std::span<const std::uint32_t> paper, int width, int height)
    : width_(static_cast<std::size_t>(width)),
      height_(static_cast<std::size_t>(height)),
      paper_(paper.begin(), paper.end()),
      paper_planes_(width_ * height_ * 3 / 2) {
  ensure(width % 2 == 0 && height % 2 == 0 && paper.size() == width_ * height_,
         "films have even sizes");
  for (std::size_t row = 0; row < height_; row += 2) convert(paper, row, 0, width_, paper_planes_);
}

void FilmColours::convert(std::span<const std::uint32_t> pixels, std::size_t row,
                          std::size_t column, std::size_t n,
                          std::vector<std::uint8_t>& planes) const {
  const std::uint32_t* const upper = pixels.data() + row * width_ + column;
  const std::uint32_t* const lower = upper + width_;
  std::uint8_t* const bright = planes.data() + row * width_ + column;
  for (std::size_t k = 0; k < n; ++k) bright[k] = weighed(split(upper[k]), brightness, 0);
  for (std::size_t k = 0; k < n; ++k) bright[width_ + k] = weighed(split(lower[k]), brightness, 0);
  std::uint8_t* const blue = planes.data() + width_ * height_ + row / 2 * (width_ / 2) + column / 2;
  std::uint8_t* const red = blue + width_ * height_ / 4;
  for (std::size_t k = 0; k < n / 2; ++k) {
    const Channels four = split(upper[2 * k]) + split(upper[2 * k + 1]) + split(lower[2 * k]) +
                          split(lower[2 * k + 1]);
    blue[k] = weighed(four, bluish, 2);
    red[k] = weighed(four, reddish, 2);
  }
}

void FilmColours::to_planes(std::span<const std::uint32_t> pixels,
                            std::vector<std::uint8_t>& planes) const {
  ensure(pixels.size() == paper_.size(), "a frame is as large as the paper");
  planes = paper_planes_;
  for (std::size_t row = 0; row < height_; row += 2)
    for (std::size_t column = 0; column < width_; column += strip) {
      const std::size_t n = std::min(strip, width_ - column), at = row * width_ + column;
      const auto is_paper = [&](std::size_t from) {
        return std::memcmp(&pixels[from], &paper_[from], n * sizeof(std::uint32_t)) == 0;
      };
      if (!is_paper(at) || !is_paper(at + width_)) convert(pixels, row, column, n, planes);
    }
}

}  // namespace alembert::visual
