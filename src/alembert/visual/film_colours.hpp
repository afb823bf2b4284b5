// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Pixels as an encoder of films wants them: brightness for each pixel, colour for
// every four (4:2:0), by ITU-R BT.709 in the range of video. In: pixels. Out: three planes, one
// behind the other. Most of a frame is paper, whose planes are copied rather than computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace alembert::visual {

class FilmColours {
 public:
  /// paper: [height][width] of 0x00RRGGBB, what most pixels of most frames look like; width and
  /// height are even.
  FilmColours(std::span<const std::uint32_t> paper, int width, int height);

  /// planes: brightness [height][width], then two of colour [height / 2][width / 2] each.
  void to_planes(std::span<const std::uint32_t> pixels, std::vector<std::uint8_t>& planes) const;

 private:
  void convert(std::span<const std::uint32_t> pixels, std::size_t row, std::size_t column,
               std::size_t n, std::vector<std::uint8_t>& planes) const;

  std::size_t width_, height_;
  std::vector<std::uint32_t> paper_;
  std::vector<std::uint8_t> paper_planes_;
};

}  // namespace alembert::visual
