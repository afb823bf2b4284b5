// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/parse_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>

#include "alembert/base/characters.hpp"
#include "alembert/symbolic/names.hpp"

namespace alembert::symbolic::parsing {

namespace {

using Kind = Token::Kind;

struct Spelling {
  std::string_view text;
  Kind kind;
};

// Longer ones first.
constexpr Spelling operators[] = {
    {"<=", Kind::less_equal}, {">=", Kind::greater_equal}, {"==", Kind::equal},
    {"<>", Kind::not_equal},  {"<", Kind::less},           {">", Kind::greater},
    {"=", Kind::equals},      {"+", Kind::plus},           {"-", Kind::minus},
    {"*", Kind::times},       {"/", Kind::divide},         {"^", Kind::power},
    {"(", Kind::left},        {")", Kind::right},          {",", Kind::comma}};

constexpr Spelling words[] = {
    {"and", Kind::word_and},       {"or", Kind::word_or},     {"not", Kind::word_not},
    {"if", Kind::word_if},         {"then", Kind::word_then}, {"else", Kind::word_else},
    {"elseif", Kind::word_elseif}, {"true", Kind::word_true}, {"false", Kind::word_false},
    {"der", Kind::word_der},       {"inf", Kind::word_inf},   {"nan", Kind::word_nan}};

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::size_t end = std::min(text.size(), longest);
  while (end < text.size() && end > 0 && continues_character(text[end])) --end;
  std::string quote = "'";
  quote += text.substr(0, end);
  if (end < text.size()) quote += "...";
  return quote += '\'';
}

/// The decimal exponent of a number that is out of the range of doubles: is it too large, or too
/// small?
bool is_too_large(std::string_view digits) {
  const std::size_t e = std::min(digits.find_first_of("eE"), digits.size());
  const std::string_view mantissa = digits.substr(0, e);
  const bool negative = e + 1 < digits.size() && digits[e + 1] == '-';
  if (e < digits.size()) {
    // A literal that long by its mantissa alone is not worth more thought than its exponent's sign.
    std::int64_t exponent = 0;
    const std::size_t first = e + 1 + (digits[e + 1] == '+' || negative ? 1 : 0);
    const auto read =
        std::from_chars(digits.data() + first, digits.data() + digits.size(), exponent);
    if (read.ec != std::errc()) return !negative;
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    const std::size_t leading = mantissa.find_first_not_of("0.");
    if (leading == std::string_view::npos) return false;
    const std::int64_t place =
        static_cast<std::int64_t>(point) - static_cast<std::int64_t>(leading);
    return (negative ? -exponent : exponent) + place > 0;
  }
  return mantissa.find_first_not_of("0.") < std::min(mantissa.find('.'), mantissa.size());
}

}  // namespace

Text::Text(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  if (text.size() >= std::numeric_limits<std::uint32_t>::max())
    throw Error("P009", "the text is longer than 4 GB; split it into several expressions");
}

Span Text::end() const {
  const auto size = static_cast<std::uint32_t>(text_.size());
  return {size, size};
}

Token Text::token(std::uint32_t at) const {
  while (at < text_.size() && is_space(text_[at])) ++at;
  if (at == text_.size()) return {Kind::end, end()};
  const char c = text_[at];
  const bool point = c == '.' && at + 1 < text_.size() && is_digit(text_[at + 1]);
  if (is_digit(c) || point) return number_token(at);
  if (starts_identifier(c) || c == '\'') return word_token(at);
  for (const Spelling& spelling : operators)
    if (text_.substr(at, spelling.text.size()) == spelling.text)
      return {spelling.kind, {at, at + static_cast<std::uint32_t>(spelling.text.size())}};

  const Span span{at, at + 1};
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0x20 || byte == 0x7f)
    fail("P001", "unexpected byte " + std::to_string(byte) + " in an expression", span);
  std::string hint;
  if (c == '!') hint = "; write 'not', or '<>' for unequal";
  if (c == '&') hint = "; write 'and'";
  if (c == '|') hint = "; write 'or'";
  if (c == '[' || c == '{') hint = "; use '(' and ')' to group";
  fail("P001", "unexpected character " + shown(of(span)) + " in an expression" + hint, span);
}

Token Text::number_token(std::uint32_t at) const {
  std::uint32_t end = at;
  const auto here = [&] { return end < text_.size() ? text_[end] : '\0'; };
  const auto skip_digits = [&] {
    while (is_digit(here())) ++end;
  };
  skip_digits();
  if (here() == '.') {
    ++end;
    skip_digits();
  }
  if (here() == 'e' || here() == 'E') {
    const std::uint32_t e = end++;
    if (here() == '+' || here() == '-') ++end;
    if (!is_digit(here())) {
      end = std::max(end, e + 1);
      fail("P007", "the number " + shown(of({at, end})) + " has no digits after its 'e'",
           {at, end});
    }
    skip_digits();
  }
  if (here() == '.')
    fail("P007", "the number " + shown(of({at, end + 1})) + " has a second point", {at, end + 1});
  if (starts_identifier(here())) {
    std::uint32_t last = end;
    while (last < text_.size() && continues_identifier(text_[last])) ++last;
    fail("P007",
         "a name follows the number " + shown(of({at, end})) + " directly; write " +
             shown(std::string(of({at, end})) + "*" + std::string(of({end, last}))) +
             " to multiply",
         {at, last});
  }
  return {Kind::number, {at, end}};
}

Token Text::word_token(std::uint32_t at) const {
  std::uint32_t end = at;
  while (end < text_.size() && continues_identifier(text_[end])) ++end;
  const std::string_view word = of({at, end});
  for (const Spelling& spelling : words)
    if (spelling.text == word) return {spelling.kind, {at, end}};
  const PathScan scan = scan_path(text_.substr(at), true);
  const Span span{at, at + static_cast<std::uint32_t>(scan.length)};
  if (scan.expected != nullptr) {
    const Span found{span.end, std::min(span.end + 1, this->end().end)};
    const std::string what = found.begin == found.end ? "the end of the text" : shown(of(found));
    fail(
        "P008",
        "the name " + shown(of(span)) + " is broken: expected " + scan.expected + ", found " + what,
        text_[at] == '\'' ? span : found);
  }
  return {Kind::name, span};
}

Number Text::number(Span span) const {
  const std::string_view digits = of(span);
  const char* const last = digits.data() + digits.size();
  if (std::all_of(digits.begin(), digits.end(), is_digit)) {
    std::int64_t value = 0;
    if (std::from_chars(digits.data(), last, value).ec == std::errc())
      return Number::integer(value);
  }
  double value = 0.0;
  if (std::from_chars(digits.data(), last, value).ec == std::errc::result_out_of_range) {
    if (is_too_large(digits))
      fail("P007",
           "the number " + shown(digits) +
               " is too large; the largest double is about 1.8e308. "
               "Write 'inf' for infinity.",
           span);
    value = 0.0;
  }
  return Number::real(value);
}

std::string Text::path(Span span) const {
  std::string name(of(span));
  // Spaces inside quotes belong to the name.
  bool quote = false;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '\'') quote = !quote;
    if (!quote && is_space(name[i])) continue;
    name[kept++] = name[i];
    if (quote && name[i] == '\\' && i + 1 < name.size()) name[kept++] = name[++i];
  }
  name.resize(kept);
  return name;
}

std::string Text::quote(Span span) const {
  const std::string_view text = of(span);
  return is_quoted(text) ? std::string(text) : shown(text);
}

std::string Text::describe(const Token& token) const {
  if (token.kind == Kind::end) return "the end of the text";
  if (token.kind == Kind::number) return "the number " + shown(of(token.span));
  if (token.kind == Kind::name) return "the name " + shown(of(token.span));
  return shown(of(token.span));
}

// ---- messages -----------------------------------------------------------------------------------

Origin Text::origin(Span at) const {
  const std::string_view before = text_.substr(0, at.begin);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto characters = [&](std::size_t from, std::size_t to) {
    return static_cast<std::uint32_t>(
        std::count_if(text_.begin() + static_cast<std::ptrdiff_t>(from),
                      text_.begin() + static_cast<std::ptrdiff_t>(to),
                      [](char c) { return !continues_character(c); }));
  };
  Origin origin;
  origin.span.file = file_;
  origin.span.line = 1 + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
  origin.span.column = 1 + characters(line_start, at.begin);
  origin.span.length = characters(at.begin, at.end);
  return origin;
}

/// The line of the place and a mark below it; long lines are cut to what is near.
std::string Text::excerpt(Span at) const {
  constexpr std::size_t margin = 40;
  std::size_t first = text_.substr(0, at.begin).rfind('\n') + 1;
  std::size_t last = std::min(text_.find('\n', at.begin), text_.size());
  const bool cut_first = at.begin - first > margin;
  if (cut_first) first = at.begin - margin;
  while (first < at.begin && continues_character(text_[first])) ++first;
  const bool cut_last = last - at.begin > margin;
  if (cut_last) last = at.begin + margin;
  while (last > at.begin && last < text_.size() && continues_character(text_[last])) --last;

  std::string line = cut_first ? "..." : "";
  std::string mark = cut_first ? "   " : "";
  const std::size_t marked_to =
      std::max<std::size_t>(std::min<std::size_t>(at.end, last), at.begin + 1);
  for (std::size_t i = first; i < last; ++i) {
    const auto byte = static_cast<unsigned char>(text_[i]);
    line += byte < 0x20 || byte == 0x7f ? ' ' : text_[i];
    if (i < marked_to && !continues_character(text_[i]))
      mark += i < at.begin ? ' ' : i == at.begin ? '^' : '~';
  }
  if (at.begin >= last) mark += '^';
  if (cut_last) line += "...";
  return "here:\n    " + line + "\n    " + mark;
}

void Text::fail(const char* code, std::string sentence, Span at, std::vector<Note> notes) const {
  notes.insert(notes.begin(), Note{excerpt(at), {}});
  throw Error(code, std::move(sentence), origin(at), std::move(notes));
}

}  // namespace alembert::symbolic::parsing
