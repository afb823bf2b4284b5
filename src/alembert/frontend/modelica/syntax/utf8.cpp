// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/syntax/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace alembert::modelica {

std::size_t valid_character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continued = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  if (text.empty()) return 0;
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continued(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return continued(1, low, high) && continued(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    return continued(1, low, high) && continued(2) && continued(3) ? 4 : 0;
  }
  return 0;
}

std::size_t first_invalid_byte(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t eight = 0;
    while (at + 8 <= text.size()) {  // nearly everything is ASCII
      std::memcpy(&eight, text.data() + at, 8);
      if ((eight & 0x8080808080808080u) != 0) break;
      at += 8;
    }
    if (at >= text.size()) break;
    const std::size_t length = valid_character_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return text.size();
}

}  // namespace alembert::modelica
