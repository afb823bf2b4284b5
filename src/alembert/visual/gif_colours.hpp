// SPDX-License-Identifier: Apache-2.0
// Stage: visual. 256 colours for a film that has more. In: pixels of some of its frames. Out:
// colours by the median cut (P. Heckbert, SIGGRAPH 1982), and for any pixel the index of the
// nearest one.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace alembert::visual {

class GifColours {
 public:
  /// Pixels are 0x00RRGGBB.
  void count(std::span<const std::uint32_t> pixels);
  void choose();

  const std::array<std::uint32_t, 256>& colours() const { return colours_; }  ///< 0xFFRRGGBB
  void to_indices(std::span<const std::uint32_t> pixels, std::vector<std::uint8_t>& indices);

 private:
  std::uint8_t nearest(std::uint32_t cell) const;

  // Cells of 6 bits for green and 5 for the others: more than an eye tells apart in a moving
  // picture.
  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(1 << 16);
  std::vector<std::int16_t> index_of_ = std::vector<std::int16_t>(1 << 16, -1);  // as met
  std::array<std::uint32_t, 256> colours_ = {};
};

}  // namespace alembert::visual
