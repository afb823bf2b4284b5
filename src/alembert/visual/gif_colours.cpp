// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/gif_colours.hpp"

#include <algorithm>
#include <limits>

namespace alembert::visual {
namespace {

using Cell = std::uint32_t;  // rrrrrggggggbbbbb

Cell cell_of(std::uint32_t pixel) {
  return (pixel >> 19 & 31) << 11 | (pixel >> 10 & 63) << 5 | (pixel >> 3 & 31);
}

std::array<int, 3> rgb_of(Cell cell) {
  const auto widen = [](unsigned value, unsigned most) {
    return static_cast<int>((value * 255 + most / 2) / most);
  };
  return {widen(cell >> 11, 31), widen(cell >> 5 & 63, 63), widen(cell & 31, 31)};
}

struct Box {
  std::vector<Cell> cells;
  std::uint64_t weight = 0;
  int axis = 0, span = 0;  // the longest side
};

Box measured(std::vector<Cell> cells, const std::vector<std::uint64_t>& counts) {
  Box box{.cells = std::move(cells)};
  std::array<int, 3> low{256, 256, 256}, high{-1, -1, -1};
  for (const Cell cell : box.cells) {
    box.weight += counts[cell];
    const auto rgb = rgb_of(cell);
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], rgb[k]);
      high[k] = std::max(high[k], rgb[k]);
    }
  }
  for (int k = 0; k < 3; ++k)
    if (high[k] - low[k] > box.span) {
      box.span = high[k] - low[k];
      box.axis = k;
    }
  return box;
}

}  // namespace

void GifColours::count(std::span<const std::uint32_t> pixels) {
  for (const std::uint32_t pixel : pixels) ++counts_[cell_of(pixel)];
}

void GifColours::choose() {
  std::vector<Cell> all;
  for (Cell cell = 0; cell < counts_.size(); ++cell)
    if (counts_[cell] > 0) all.push_back(cell);
  if (all.empty()) return;
  // A colour that fills the picture must not take the whole table: weights count by their root.
  for (std::uint64_t& count : counts_) {
    std::uint64_t root = 0;
    while (root * root * root < count) ++root;
    count = root;
  }
  std::vector<Box> boxes = {measured(std::move(all), counts_)};
  while (boxes.size() < colours_.size()) {
    const auto widest =
        std::max_element(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) {
          return a.weight * static_cast<std::uint64_t>(a.span) <
                 b.weight * static_cast<std::uint64_t>(b.span);
        });
    if (widest->span == 0) break;
    Box box = std::move(*widest);
    std::stable_sort(box.cells.begin(), box.cells.end(),
                     [&](Cell a, Cell b) { return rgb_of(a)[box.axis] < rgb_of(b)[box.axis]; });
    std::uint64_t half = 0;
    std::size_t cut = 0;
    while (cut + 1 < box.cells.size() && (cut == 0 || half < box.weight / 2))
      half += counts_[box.cells[cut++]];
    const auto middle = box.cells.begin() + static_cast<std::ptrdiff_t>(cut);
    *widest = measured({box.cells.begin(), middle}, counts_);
    boxes.push_back(measured({middle, box.cells.end()}, counts_));
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    std::array<std::uint64_t, 3> sum{};
    for (const Cell cell : boxes[i].cells)
      for (int k = 0; k < 3; ++k)
        sum[k] += counts_[cell] * static_cast<std::uint64_t>(rgb_of(cell)[k]);
    const auto part = [&](int k) { return static_cast<std::uint32_t>(sum[k] / boxes[i].weight); };
    colours_[i] = 0xFF000000u | part(0) << 16 | part(1) << 8 | part(2);
  }
  for (std::size_t i = boxes.size(); i < colours_.size(); ++i) colours_[i] = colours_[0];
}

std::uint8_t GifColours::nearest(Cell cell) const {
  const auto rgb = rgb_of(cell);
  int best = 0, smallest = std::numeric_limits<int>::max();
  for (int i = 0; i < 256; ++i) {
    int distance = 0;
    for (int k = 0; k < 3; ++k) {
      const int difference = rgb[k] - static_cast<int>(colours_[i] >> (16 - 8 * k) & 255);
      distance += difference * difference;
    }
    if (distance < smallest) {
      smallest = distance;
      best = i;
    }
  }
  return static_cast<std::uint8_t>(best);
}

void GifColours::to_indices(std::span<const std::uint32_t> pixels,
                            std::vector<std::uint8_t>& indices) {
  indices.resize(pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const Cell cell = cell_of(pixels[i]);
    if (index_of_[cell] < 0) index_of_[cell] = nearest(cell);
    indices[i] = static_cast<std::uint8_t>(index_of_[cell]);
  }
}

}  // namespace alembert::visual
