// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/number_text.hpp"

#include <charconv>

namespace alembert {

std::string number_text(double value) {
  char buffer[longest_number_text];
  return std::string(number_text(value, buffer));
}

std::string_view number_text(double value, std::span<char, longest_number_text> buffer) {
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string rounded_text(double value, int digits) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits).ptr;
  return {buffer, end};
}

}  // namespace alembert
