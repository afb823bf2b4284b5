// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/number_text.hpp"

#include <charconv>

namespace alembert {

std::string number_text(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string rounded_text(double value, int digits) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits).ptr;
  return {buffer, end};
}

}  // namespace alembert
