// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic, inside parse. Text as tokens, and mistakes in it as messages: where, what was
// found, an excerpt with a mark below the place, the nearest known name. In: bytes, whatever they
// are. Out: tokens or Error P0xx.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/number.hpp"

namespace alembert::symbolic::parsing {

/// Bytes [begin, end) of the text.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct Token {
  enum class Kind : std::uint8_t {
    // clang-format off
    end, number, name, left, right, comma, equals,
    plus, minus, times, divide, power,
    less, less_equal, greater, greater_equal, equal, not_equal,
    word_and, word_or, word_not, word_if, word_then, word_else, word_elseif,
    word_true, word_false, word_der, word_inf, word_nan,
    // clang-format on
  };
  Kind kind = Kind::end;
  Span span;
};

class Text {
 public:
  Text(std::string_view text, std::string file);

  /// The token at or after `at`; Error P001 for bytes that start none, P007 and P008 for broken
  /// numbers and names.
  Token token(std::uint32_t at) const;
  std::string_view of(Span span) const { return text_.substr(span.begin, span.end - span.begin); }
  Number number(Span span) const;
  /// The path without the spaces that subscripts may hold.
  std::string path(Span span) const;
  Span end() const;

  /// "'x'", shortened if it is very long.
  std::string quote(Span span) const;
  /// "'+'", "the number '2'", "the end of the text": what stands there, for a message.
  std::string describe(const Token& token) const;
  [[noreturn]] void fail(const char* code, std::string sentence, Span at,
                         std::vector<Note> notes = {}) const;
  Origin origin(Span at) const;

 private:
  Token number_token(std::uint32_t at) const;
  Token word_token(std::uint32_t at) const;
  std::string excerpt(Span at) const;

  std::string_view text_;
  std::string file_;
};

}  // namespace alembert::symbolic::parsing
