// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/page_data.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

#include "alembert/base/error.hpp"

namespace alembert::visual {
namespace {

constexpr int quick = 1;  // the last tenth in size would cost several times the time

std::string base64(std::string_view bytes) {
  static constexpr char letters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  std::size_t to = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) -> unsigned {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u;
    };
    const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i) + 1;
    for (std::size_t k = 0; k < n; ++k) text[to + k] = letters[group >> (18 - 6 * k) & 63];
    to += 4;
  }
  return text;
}

template <class Number>
std::string byte_planes(std::span<const double> column) {
  static_assert(std::endian::native == std::endian::little);
  std::string planes(column.size() * sizeof(Number), '\0');
  for (std::size_t i = 0; i < column.size(); ++i) {
    const auto number = static_cast<Number>(column[i]);
    char bytes[sizeof(Number)];
    std::memcpy(bytes, &number, sizeof(Number));
    for (std::size_t b = 0; b < sizeof(Number); ++b) planes[b * column.size() + i] = bytes[b];
  }
  return planes;
}

}  // namespace

std::string packed(std::string_view bytes, int level) {
  uLongf length = ::compressBound(bytes.size());
  std::string compressed(length, '\0');
  const int failed = ::compress2(reinterpret_cast<Bytef*>(compressed.data()), &length,
                                 reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), level);
  ensure(failed == Z_OK, "zlib can compress what fits into memory");
  compressed.resize(length);
  return base64(compressed);
}

Json PageData::add(std::span<const double> column, Width width) {
  if (column.empty()) return nullptr;
  if (std::all_of(column.begin(), column.end(), [&](double v) { return v == column[0]; }))
    return std::isfinite(column[0]) ? Json(column[0]) : Json(nullptr);
  const bool wide = width == Width::doubles;
  const std::string text =
      packed(wide ? byte_planes<double>(column) : byte_planes<float>(column), quick);
  const std::size_t hash = std::hash<std::string_view>()(text);
  std::pair<std::size_t, std::size_t> place(text_.size(), text.size());
  const auto [first, last] = known_.equal_range(hash);
  const auto same = std::find_if(first, last, [&](const auto& entry) {
    return std::string_view(text_).substr(entry.second.first, entry.second.second) == text;
  });
  if (same != last) {
    place = same->second;
  } else {
    text_ += text;
    known_.emplace(hash, place);
  }
  return {{"o", place.first}, {"n", place.second}, {"k", wide ? "d" : "f"}};
}

}  // namespace alembert::visual
