// SPDX-License-Identifier: Apache-2.0
// Stage: base. Kinds of characters in ASCII, whatever the locale says.
#pragma once

namespace alembert {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
/// What a plain name may begin with, and go on with.
constexpr bool starts_name(char c) { return is_letter(c) || c == '_'; }
constexpr bool continues_name(char c) { return starts_name(c) || is_digit(c); }

}  // namespace alembert
