// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/syntax/source.hpp"

#include <algorithm>
#include <cstring>

namespace alembert::modelica {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// In UTF-8, bytes after the first one of a character.
bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

SourceText::SourceText(std::string file, std::string text)
    : file_(std::move(file)), text_(std::move(text)) {
  if (text_.starts_with(byte_order_mark)) text_.erase(0, byte_order_mark.size());
  line_starts_.push_back(0);
  const char* const begin = text_.data();
  const char* const end = begin + text_.size();
  for (const char* at = begin; at < end;) {
    at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (at == nullptr) break;
    line_starts_.push_back(static_cast<std::uint32_t>(++at - begin));
  }
}

std::uint32_t SourceText::line_at(std::uint32_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<std::uint32_t>(after - line_starts_.begin());
}

std::uint32_t SourceText::column_at(std::uint32_t offset) const {
  const std::uint32_t start = line_start(line_at(offset));
  const std::string_view before = std::string_view(text_).substr(start, offset - start);
  const auto continued = std::count_if(before.begin(), before.end(), continues_character);
  return static_cast<std::uint32_t>(before.size() - static_cast<std::size_t>(continued)) + 1;
}

std::string_view SourceText::line_text(std::uint32_t line) const {
  const std::uint32_t start = line_start(line);
  const std::size_t end = line < line_starts_.size() ? line_starts_[line] - 1 : text_.size();
  std::string_view text = std::string_view(text_).substr(start, end - start);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

Place joined(Place first, Place last) {
  if (!first.known()) return last;
  if (last.known() && last.offset + last.length > first.offset)
    first.length = last.offset + last.length - first.offset;
  return first;
}

Origin origin_of(Place place, std::string component_path) {
  Origin origin{.span = {}, .path = std::move(component_path), .derived_from = {}};
  if (place.known())
    origin.span = {.file = place.source->file(),
                   .line = place.line(),
                   .column = place.column(),
                   .length = place.length};
  return origin;
}

std::string excerpt(Place place) {
  constexpr std::size_t margin = 60;  // bytes before and after the place
  if (!place.known()) return {};
  const std::string_view text = place.source->text();
  const std::string_view whole = place.source->line_text(place.line());
  const std::size_t at = place.offset;
  std::size_t first = static_cast<std::size_t>(whole.data() - text.data());
  std::size_t last = first + whole.size();
  const bool cut_first = at - first > 2 * margin;
  if (cut_first) first = at - margin;
  while (first < at && continues_character(text[first])) ++first;
  const bool cut_last = last > at + 2 * margin;
  if (cut_last) last = at + margin;
  while (last > at && last < text.size() && continues_character(text[last])) --last;

  std::string line = cut_first ? "..." : "";
  std::string mark = cut_first ? "   " : "";
  const std::size_t marked_to = std::max<std::size_t>(place.offset + place.length, at + 1);
  for (std::size_t i = first; i < last; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    line += byte < 0x20 || byte == 0x7f ? ' ' : text[i];
    if (i < marked_to && !continues_character(text[i])) mark += i < at ? ' ' : i == at ? '^' : '~';
  }
  if (at >= last) mark += '^';
  if (cut_last) line += "...";
  return "here:\n    " + line + "\n    " + mark;
}

Diagnostic diagnostic_at(Place place, std::string code, std::string sentence,
                         std::vector<Note> notes) {
  if (place.known()) notes.insert(notes.begin(), Note{excerpt(place), {}});
  return {std::move(code), std::move(sentence), origin_of(place), std::move(notes)};
}

}  // namespace alembert::modelica
