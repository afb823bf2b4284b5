// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/message_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "alembert/base/number_text.hpp"
#include "alembert/base/text_number.hpp"

namespace alembert {

std::optional<Mark> find_mark(std::string_view text, std::size_t number, std::size_t from) {
  const std::string begin = "{" + std::to_string(number);
  for (std::size_t at = text.find(begin, from); at != std::string_view::npos;
       at = text.find(begin, at + 1)) {
    const std::size_t behind = at + begin.size();
    const std::size_t end = text.find('}', behind);
    if (end == std::string_view::npos) return std::nullopt;
    if (end == behind) return Mark{at, begin.size() + 1, {}};
    if (text[behind] == ':')
      return Mark{at, end + 1 - at, text.substr(behind + 1, end - behind - 1)};
  }
  return std::nullopt;
}

std::string mark_text(std::size_t number, std::string_view how) {
  return "{" + std::to_string(number) + (how.empty() ? "" : ":" + std::string(how)) + "}";
}

std::string padded(std::string text, std::int64_t width) {
  const auto wanted = static_cast<std::size_t>(width < 0 ? -width : width);
  if (text.size() >= wanted) return text;
  const std::string blanks(wanted - text.size(), ' ');
  return width < 0 ? blanks + text : text + blanks;
}

std::string choice_of_words(std::span<const std::string> words, std::int64_t width) {
  std::string how = std::to_string(width);
  for (const std::string& word : words) {
    if (word.find_first_of("{}|") != std::string::npos) return {};
    how += "|" + word;
  }
  return how;
}

namespace {

std::string chosen_word(double number, std::string_view how) {
  if (!(number >= 0)) return rounded_text(number);  // no number of a word
  std::int64_t width = 0;
  std::from_chars(how.data(), how.data() + how.size(), width);
  for (double k = 0; k <= number; ++k) {
    const std::size_t bar = how.find('|');
    if (bar == std::string_view::npos) return rounded_text(number);
    how.remove_prefix(bar + 1);
  }
  return padded(std::string(how.substr(0, how.find('|'))), width);
}

}  // namespace

std::string written(double number, std::string_view how) {
  if (how.empty()) return rounded_text(number);
  if (how == "text") return text_of_number(number);
  if (how.front() != '%') return chosen_word(number, how);
  char buffer[512];
  const int length = std::snprintf(buffer, sizeof buffer, std::string(how).c_str(), number);
  return {buffer, static_cast<std::size_t>(std::clamp(length, 0, 511))};
}

std::string with_numbers(std::string_view text, std::span<const double> numbers) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    std::size_t number = 0;
    std::from_chars(text.data() + at + 1, text.data() + text.size(), number);
    if (number == 0 || number > numbers.size()) continue;
    const auto mark = find_mark(text, number, at);
    if (!mark || mark->at != at) continue;
    result += text.substr(done, at - done);
    result += written(numbers[number - 1], mark->how);
    done = at + mark->size;
    at = done - 1;
  }
  return result += text.substr(done);
}

}  // namespace alembert
