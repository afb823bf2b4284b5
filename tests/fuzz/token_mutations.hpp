// SPDX-License-Identifier: Apache-2.0
// Modelica texts changed by whole words: most of them can still be parsed, so that what lies behind
// the parser is reached.
#pragma once

#include <cctype>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace alembert::modelica {

using Tokens = std::vector<std::string>;

/// Words, numbers and single signs; what lies between them belongs to the one before.
inline Tokens tokens_of(const std::string& text) {
  Tokens tokens;
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at++;
    if (is_word(text[begin]))
      while (at < text.size() && is_word(text[at])) ++at;
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
    tokens.push_back(text.substr(begin, at - begin));
  }
  return tokens;
}

/// Tokens exchanged, repeated, removed, put in from elsewhere: most results can still be parsed.
inline std::string mutated(Tokens tokens, std::mt19937& random) {
  static const char* const pieces[] = {"der(",
                                       ")",
                                       "1 ",
                                       "0 ",
                                       "-1 ",
                                       "1000000000 ",
                                       "1e308 ",
                                       "size(",
                                       "[1] ",
                                       "{} ",
                                       "time ",
                                       "each ",
                                       "final ",
                                       "redeclare ",
                                       "replaceable ",
                                       "extends ",
                                       "parameter ",
                                       "if true then ",
                                       "end if ;",
                                       "for i in 1:3 loop ",
                                       "when time > 1 then ",
                                       "end when ;",
                                       "pre(",
                                       "connect(",
                                       "flow ",
                                       "true ",
                                       "\"\" ",
                                       ". ",
                                       "= ",
                                       "[:] ",
                                       "break ",
                                       "inner ",
                                       "outer "};
  const auto below = [&](std::size_t n) { return random() % n; };
  for (std::size_t changes = 1 + below(4); changes > 0 && tokens.size() > 4; --changes) {
    const std::size_t at = below(tokens.size());
    const std::size_t other = below(tokens.size());
    const auto place = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(5)) {
      case 0: std::swap(tokens[at], tokens[other]); break;
      case 1: tokens[at] = std::string(tokens[other]); break;
      case 2: tokens.erase(place); break;
      case 3: tokens.insert(place, pieces[below(std::size(pieces))]); break;
      case 4: tokens[at] = pieces[below(std::size(pieces))]; break;
    }
  }
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

}  // namespace alembert::modelica
