// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/syntax/lexer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <iterator>

#include "alembert/base/characters.hpp"
#include "alembert/frontend/modelica/syntax/utf8.hpp"
#include "alembert/symbolic/names.hpp"

namespace alembert::modelica {

namespace {

constexpr auto& words = symbolic::modelica_keywords;

constexpr int first_word = static_cast<int>(TokenKind::word_algorithm);
static_assert(static_cast<std::size_t>(TokenKind::word_within) == first_word + words.size() - 1);
static_assert(std::ranges::is_sorted(words));

constexpr std::array<std::string_view, first_word> punctuation = {"the end of the text",
                                                                  "a name",
                                                                  "an integer",
                                                                  "a number",
                                                                  "a string",
                                                                  "(",
                                                                  ")",
                                                                  "[",
                                                                  "]",
                                                                  "{",
                                                                  "}",
                                                                  ",",
                                                                  ";",
                                                                  ":",
                                                                  ".",
                                                                  "=",
                                                                  ":=",
                                                                  "+",
                                                                  "-",
                                                                  "*",
                                                                  "/",
                                                                  "^",
                                                                  ".+",
                                                                  ".-",
                                                                  ".*",
                                                                  "./",
                                                                  ".^",
                                                                  "<",
                                                                  "<=",
                                                                  ">",
                                                                  ">=",
                                                                  "==",
                                                                  "<>"};
constexpr int first_punctuation = static_cast<int>(TokenKind::left_paren);

/// For each first letter, where its words begin in the table.
constexpr auto word_ranges = [] {
  std::array<std::uint8_t, 27> starts{};
  std::size_t word = 0;
  for (std::size_t letter = 0; letter < 27; ++letter) {
    while (word < words.size() && static_cast<std::size_t>(words[word][0] - 'a') < letter) ++word;
    starts[letter] = static_cast<std::uint8_t>(word);
  }
  return starts;
}();

TokenKind word_kind(std::string_view text) {
  if (text.size() < 2 || text.size() > 13 || text[0] < 'a' || text[0] > 'z')
    return TokenKind::identifier;
  const auto letter = static_cast<std::size_t>(text[0] - 'a');
  for (std::size_t i = word_ranges[letter]; i < word_ranges[letter + 1]; ++i)
    if (words[i] == text) return static_cast<TokenKind>(first_word + static_cast<int>(i));
  return TokenKind::identifier;
}

class Lexer {
 public:
  Lexer(const SourceText& source, std::size_t max_diagnostics)
      : source_(source), text_(source.text()), max_diagnostics_(max_diagnostics) {
    result_.tokens.reserve(text_.size() / 6 + 16);
  }

  TokenList run();

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool gave_up() const { return result_.diagnostics.size() >= max_diagnostics_; }
  void error(std::size_t begin, std::size_t end, const char* code, std::string sentence);
  void token(TokenKind kind, std::size_t begin) {
    result_.tokens.push_back(
        {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_ - begin), kind});
  }

  bool skip_space_and_comments();
  void skip_line_comment();
  void skip_block_comment();
  void name();
  void quoted_name();
  void number();
  void string();
  void symbol();
  void unknown_character();
  void check_characters(std::size_t begin);

  const SourceText& source_;
  std::string_view text_;
  std::size_t max_diagnostics_;
  std::size_t at_ = 0;
  TokenList result_;
};

void Lexer::error(std::size_t begin, std::size_t end, const char* code, std::string sentence) {
  const Place place{&source_, static_cast<std::uint32_t>(begin),
                    static_cast<std::uint32_t>(end - begin)};
  result_.diagnostics.push_back(diagnostic_at(place, code, std::move(sentence)));
}

TokenList Lexer::run() {
  while (!gave_up() && skip_space_and_comments()) {
    const char c = peek();
    if (starts_name(c))
      name();
    else if (is_digit(c))
      number();
    else if (c == '"')
      string();
    else if (c == '\'')
      quoted_name();
    else
      symbol();
  }
  at_ = text_.size();
  token(TokenKind::end_of_text, at_);
  return std::move(result_);
}

/// False at the end of the text.
bool Lexer::skip_space_and_comments() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
      ++at_;
    else if (c == '/' && peek(1) == '/')
      skip_line_comment();
    else if (c == '/' && peek(1) == '*')
      skip_block_comment();
    else
      return true;
    if (gave_up()) return false;
  }
  return false;
}

void Lexer::skip_line_comment() {
  const std::size_t begin = at_;
  at_ = std::min(text_.find_first_of("\n\r", at_), text_.size());
  check_characters(begin);
}

void Lexer::skip_block_comment() {
  const std::size_t begin = at_;
  const std::size_t end = text_.find("*/", at_ + 2);
  if (end == std::string_view::npos) {
    error(begin, begin + 2, "M002", "this comment has no end. Close it with '*/'.");
    result_.lost_rest = true;
    at_ = text_.size();
    return;
  }
  at_ = end + 2;
  // The specification knows no comments inside comments; '/*' in one is nearly always a '*/'
  // forgotten further up, but it is legal.
  check_characters(begin);
}

void Lexer::name() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
  token(word_kind(text_.substr(begin, at_ - begin)), begin);
}

void Lexer::quoted_name() {
  const std::size_t begin = at_++;
  while (at_ < text_.size() && text_[at_] != '\'' && text_[at_] != '\n')
    at_ += text_[at_] == '\\' && at_ + 1 < text_.size() ? 2 : 1;
  at_ = std::min(at_, text_.size());
  if (peek() != '\'') {
    const bool is_prime =
        begin > 0 && (std::isalnum(static_cast<unsigned char>(text_[begin - 1])) != 0);
    error(begin, at_, "M002",
          is_prime ? "a prime begins a quoted name, and this one has no end. The derivative of 'x' "
                     "is written 'der(x)'."
                   : "this quoted name has no end. Close it with \"'\" on the same line.");
    return token(TokenKind::identifier, begin);
  }
  ++at_;
  if (at_ - begin == 2) error(begin, at_, "M001", "a quoted name needs at least one character.");
  check_characters(begin);
  token(TokenKind::identifier, begin);
}

void Lexer::number() {
  const std::size_t begin = at_;
  TokenKind kind = TokenKind::integer;
  const auto digits = [&] {
    while (is_digit(peek())) ++at_;
  };
  digits();
  if (peek() == '.') {
    kind = TokenKind::real;
    ++at_;
    digits();
  }
  if (peek() == 'e' || peek() == 'E') {
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    kind = TokenKind::real;
    at_ += 1 + sign;
    if (!is_digit(peek())) error(begin, at_, "M004", "the exponent of this number has no digits.");
    digits();
  }
  if (starts_name(peek())) {
    while (continues_name(peek())) ++at_;
    error(begin, at_, "M004",
          "'" + std::string(text_.substr(begin, std::min<std::size_t>(at_ - begin, 40))) +
              "' is neither a number nor a name. Names start with a letter; between a number and a "
              "name there is an operator.");
  }
  token(kind, begin);
}

void Lexer::string() {
  const std::size_t begin = at_++;
  while (at_ < text_.size() && text_[at_] != '"') {
    if (text_[at_] != '\\') {
      ++at_;
      continue;
    }
    if (at_ + 1 < text_.size() && !std::strchr("'\"?\\abfnrtv", text_[at_ + 1]))
      error(
          at_, at_ + 2, "M005",
          "unknown escape in a string. There are \\' \\\" \\? \\\\ \\a \\b \\f \\n \\r \\t \\v; a "
          "backslash by itself is written \\\\.");
    at_ += 2;
    if (gave_up()) return;
  }
  if (at_ >= text_.size()) {
    at_ = text_.size();
    error(begin, begin + 1, "M002", "this string has no end. Close it with '\"'.");
    result_.lost_rest = true;
  } else {
    ++at_;
  }
  check_characters(begin);
  token(TokenKind::string, begin);
}

void Lexer::symbol() {
  struct Symbol {
    char text[3];
    TokenKind kind;
  };
  // Two characters first: the longest match counts.
  static constexpr Symbol symbols[] = {
      {":=", TokenKind::assign},        {"<=", TokenKind::less_equal},
      {">=", TokenKind::greater_equal}, {"==", TokenKind::equal},
      {"<>", TokenKind::not_equal},     {".+", TokenKind::dot_plus},
      {".-", TokenKind::dot_minus},     {".*", TokenKind::dot_times},
      {"./", TokenKind::dot_divide},    {".^", TokenKind::dot_power},
      {"(", TokenKind::left_paren},     {")", TokenKind::right_paren},
      {"[", TokenKind::left_bracket},   {"]", TokenKind::right_bracket},
      {"{", TokenKind::left_brace},     {"}", TokenKind::right_brace},
      {",", TokenKind::comma},          {";", TokenKind::semicolon},
      {":", TokenKind::colon},          {".", TokenKind::dot},
      {"=", TokenKind::equals},         {"+", TokenKind::plus},
      {"-", TokenKind::minus},          {"*", TokenKind::times},
      {"/", TokenKind::divide},         {"^", TokenKind::power},
      {"<", TokenKind::less},           {">", TokenKind::greater}};
  for (const Symbol& symbol : symbols) {
    const std::size_t length = symbol.text[1] == '\0' ? 1 : 2;
    if (peek() != symbol.text[0] || (length == 2 && peek(1) != symbol.text[1])) continue;
    const std::size_t begin = at_;
    at_ += length;
    return token(symbol.kind, begin);
  }
  unknown_character();
}

void Lexer::unknown_character() {
  const std::size_t begin = at_;
  const std::size_t length = valid_character_length(text_.substr(at_));
  at_ += std::max<std::size_t>(length, 1);
  const char c = text_[begin];
  if (length == 0) return check_characters(begin);
  const std::string shown = static_cast<unsigned char>(c) < 0x20
                                ? "control character " + std::to_string(static_cast<int>(c))
                                : "'" + std::string(text_.substr(begin, length)) + "'";
  std::string advice;
  if (c == '!' && peek() == '=') advice = " 'Not equal' is written '<>', 'not' is a word.";
  if (c == '!' && peek() != '=') advice = " Negation is written 'not'.";
  if (c == '&' || c == '|') advice = " Write 'and' or 'or'.";
  if (c == '%') advice = " The remainder of a division is mod(x, y).";
  if (c == '#') advice = " Comments start with '//'.";
  if (length > 1)
    advice =
        " A name with other characters than letters, digits and '_' is written in quotes: 'like "
        "this'.";
  if ((peek() == '=' && c == '!') || ((c == '&' || c == '|') && peek() == c)) ++at_;
  error(begin, at_, "M001", shown + " has no meaning in Modelica here." + advice);
}

/// Comments, strings and quoted names may hold any text as long as it is UTF-8.
void Lexer::check_characters(std::size_t begin) {
  const std::size_t bad = begin + first_invalid_byte(text_.substr(begin, at_ - begin));
  if (bad >= at_ || gave_up()) return;
  constexpr char hex[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(text_[bad]);
  std::string message = "byte 0x";
  message.append({hex[byte >> 4], hex[byte & 15]});
  message += " is not valid UTF-8. Save the file in the encoding UTF-8.";
  error(bad, bad + 1, "M003", message);
}

}  // namespace

TokenList tokens_of(const SourceText& source, std::size_t max_diagnostics) {
  return Lexer(source, max_diagnostics).run();
}

bool is_word(TokenKind kind) { return static_cast<int>(kind) >= first_word; }

std::string describe(TokenKind kind) {
  const int index = static_cast<int>(kind);
  if (index < first_punctuation) return std::string(punctuation[static_cast<std::size_t>(index)]);
  return "'" +
         std::string(index < first_word ? punctuation[static_cast<std::size_t>(index)]
                                        : words[static_cast<std::size_t>(index - first_word)]) +
         "'";
}

std::string string_value(std::string_view written) {
  std::string value;
  if (written.starts_with('"')) written.remove_prefix(1);
  if (written.ends_with('"')) written.remove_suffix(1);
  value.reserve(written.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] != '\\' || i + 1 == written.size()) {
      value += written[i];
      continue;
    }
    switch (written[++i]) {
      case 'a': value += '\a'; break;
      case 'b': value += '\b'; break;
      case 'f': value += '\f'; break;
      case 'n': value += '\n'; break;
      case 'r': value += '\r'; break;
      case 't': value += '\t'; break;
      case 'v': value += '\v'; break;
      default: value += written[i];
    }
  }
  return value;
}

}  // namespace alembert::modelica
