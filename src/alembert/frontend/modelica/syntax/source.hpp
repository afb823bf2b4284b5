// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, syntax. A text the user wrote, and places in it. In: a file name and
// bytes. Out: lines and columns for messages, the line itself with a caret below the place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/base/error.hpp"

namespace alembert::modelica {

class SourceText {
 public:
  /// `file` is what messages call it. A byte order mark is skipped.
  SourceText(std::string file, std::string text);
  SourceText(const SourceText&) = delete;
  SourceText& operator=(const SourceText&) = delete;

  const std::string& file() const { return file_; }
  std::string_view text() const { return text_; }
  /// Line and column count from 1; columns count characters, not bytes.
  std::uint32_t line_at(std::uint32_t offset) const;
  std::uint32_t column_at(std::uint32_t offset) const;
  /// The line without its end.
  std::string_view line_text(std::uint32_t line) const;

 private:
  std::uint32_t line_start(std::uint32_t line) const { return line_starts_[line - 1]; }

  std::string file_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

/// Bytes [offset, offset + length) of a text. Valid as long as the text lives.
struct Place {
  const SourceText* source = nullptr;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;

  bool known() const { return source != nullptr; }
  std::uint32_t line() const { return source ? source->line_at(offset) : 0; }
  std::uint32_t column() const { return source ? source->column_at(offset) : 0; }
  std::string_view text() const {
    return source ? source->text().substr(offset, length) : std::string_view{};
  }
};

/// From the start of `first` to the end of `last`.
Place joined(Place first, Place last);

/// For diagnostics of this stage and all later ones.
Origin origin_of(Place place, std::string component_path = {});

/// "here:", the line of the place (a part of it if it is very long) and a caret below it.
std::string excerpt(Place place);

/// `FILE:LINE:COL: error[CODE]: sentence`, then the excerpt, then the notes.
Diagnostic diagnostic_at(Place place, std::string code, std::string sentence,
                         std::vector<Note> notes = {});

}  // namespace alembert::modelica
