// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. The string functions of the standard library, by the names of
// their external functions. Characters are bytes, positions count from 1, as there.
#include <cctype>
#include <cstdlib>
#include <unordered_map>

#include "alembert/base/characters.hpp"
#include "alembert/frontend/modelica/evaluate/external/external_call.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"

namespace alembert::modelica {

namespace {

/// Position (from 0) of the first character at or after `start` (from 1) that is no space.
std::size_t skip_spaces(const std::string& text, std::int64_t start) {
  std::size_t at = start < 1 ? 0 : static_cast<std::size_t>(start - 1);
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

void length(ExternalCall& call) {
  call.result = call.integer_value(static_cast<std::int64_t>(call.text(0).size()));
}

void substring(ExternalCall& call) {
  const std::string& text = call.text(0);
  const std::int64_t first = call.integer(1);
  const std::int64_t last = call.integer(2);
  if (first < 1 || last < first || last > static_cast<std::int64_t>(text.size()))
    fail(call.place, "M206",
         "characters " + std::to_string(first) + " to " + std::to_string(last) +
             " of a text of length " + std::to_string(text.size()) + ".");
  call.result = string_value(
      text.substr(static_cast<std::size_t>(first - 1), static_cast<std::size_t>(last - first + 1)));
}

void compare(ExternalCall& call) {
  std::string a = call.text(0);
  std::string b = call.text(1);
  if (!call.boolean(2))
    for (std::string* text : {&a, &b})
      for (char& c : *text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const int order = a.compare(b);
  // The enumeration Compare: Less, Equal, Greater.
  call.result = call.integer_value(order < 0 ? 1 : order == 0 ? 2 : 3);
}

void skip_white_space(ExternalCall& call) {
  call.result =
      call.integer_value(static_cast<std::int64_t>(skip_spaces(call.text(0), call.integer(1))) + 1);
}

void scan_identifier(ExternalCall& call) {
  const std::string& text = call.text(0);
  const std::size_t begin = skip_spaces(text, call.integer(1));
  std::size_t end = begin;
  if (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])))
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
      ++end;
  const bool found = end > begin;
  call.outputs[2] =
      call.integer_value(found ? static_cast<std::int64_t>(end) + 1 : call.integer(1));
  call.outputs[3] = string_value(text.substr(begin, end - begin));
}

/// The end of a number at `begin`; `begin` itself if there is none.
std::size_t number_end(const std::string& text, std::size_t begin, bool is_unsigned, bool is_real) {
  std::size_t at = begin;
  if (!is_unsigned && at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const std::size_t digits = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  std::size_t n_digits = at - digits;
  // What goes on like a Real is no Integer: "2.5" has none, not a 2.
  const bool goes_on = at < text.size() && (text[at] == '.' || text[at] == 'e' || text[at] == 'E');
  if (!is_real) return n_digits > 0 && !goes_on ? at : begin;
  if (at < text.size() && text[at] == '.') {
    ++at;
    while (at < text.size() && is_digit(text[at])) ++at, ++n_digits;
  }
  if (n_digits == 0) return begin;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t exponent = at + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    const std::size_t first = exponent;
    while (exponent < text.size() && is_digit(text[exponent])) ++exponent;
    if (exponent > first) at = exponent;
  }
  return at;
}

void scan_number(ExternalCall& call, bool is_real) {
  const std::string& text = call.text(0);
  const std::size_t begin = skip_spaces(text, call.integer(1));
  const std::size_t end = number_end(text, begin, call.boolean(2), is_real);
  const bool found = end > begin;
  call.outputs[3] =
      call.integer_value(found ? static_cast<std::int64_t>(end) + 1 : call.integer(1));
  const double value = found ? std::strtod(text.substr(begin, end - begin).c_str(), nullptr) : 0.0;
  call.outputs[4] =
      is_real ? call.real(value) : call.integer_value(static_cast<std::int64_t>(value));
}

void scan_real(ExternalCall& call) { scan_number(call, true); }
void scan_integer(ExternalCall& call) { scan_number(call, false); }

void scan_string(ExternalCall& call) {
  const std::string& text = call.text(0);
  const std::size_t begin = skip_spaces(text, call.integer(1));
  std::size_t end = begin;
  std::string content;
  bool closed = false;
  if (begin < text.size() && text[begin] == '"') {
    for (end = begin + 1; end < text.size() && !closed; ++end) {
      if (text[end] == '"') {
        closed = true;
      } else {
        if (text[end] == '\\' && end + 1 < text.size()) ++end;
        content += text[end];
      }
    }
  }
  call.outputs[2] =
      call.integer_value(closed ? static_cast<std::int64_t>(end) + 1 : call.integer(1));
  call.outputs[3] = string_value(closed ? content : "");
}

/// The hash of Arash Partow, as a 32-bit Integer.
void hash_string(ExternalCall& call) {
  std::uint32_t hash = 0xAAAAAAAAu;
  bool is_even = true;
  for (const char character : call.text(0)) {
    const std::uint32_t c = static_cast<unsigned char>(character);
    hash ^= is_even ? (hash << 7) ^ (c * (hash >> 3)) : ~((hash << 11) + (c ^ (hash >> 5)));
    is_even = !is_even;
  }
  call.result = call.integer_value(static_cast<std::int32_t>(hash));
}

}  // namespace

ExternalFunction find_string_function(std::string_view name) {
  static const std::unordered_map<std::string_view, ExternalFunction> functions = {
      {"ModelicaStrings_length", length},
      {"ModelicaStrings_substring", substring},
      {"ModelicaStrings_compare", compare},
      {"ModelicaStrings_skipWhiteSpace", skip_white_space},
      {"ModelicaStrings_scanIdentifier", scan_identifier},
      {"ModelicaStrings_scanReal", scan_real},
      {"ModelicaStrings_scanInteger", scan_integer},
      {"ModelicaStrings_scanString", scan_string},
      {"ModelicaStrings_hashString", hash_string},
  };
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace alembert::modelica
