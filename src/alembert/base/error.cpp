// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/error.hpp"

namespace alembert {

Origin Origin::here(std::source_location at) {
  return {.span = {.file = at.file_name(), .line = at.line(), .column = at.column(), .length = 0},
          .path = {},
          .derived_from = {}};
}

std::string to_string(const Origin& origin) {
  if (origin.span.known()) {
    return origin.span.file + ":" + std::to_string(origin.span.line) + ":" +
           std::to_string(origin.span.column);
  }
  return origin.path;
}

std::string to_string(const Diagnostic& diagnostic) {
  std::string text = to_string(diagnostic.origin);
  if (!text.empty()) text += ": ";
  text += "error[" + diagnostic.code + "]: " + diagnostic.text;
  for (const Note& note : diagnostic.notes) {
    text += "\n  ";
    const std::string where = to_string(note.origin);
    if (!where.empty()) text += where + ": ";
    text += "note: " + note.text;
  }
  return text;
}

Error::Error(std::string code, std::string text, Origin origin, std::vector<Note> notes)
    : Error(std::vector<Diagnostic>{
          {std::move(code), std::move(text), std::move(origin), std::move(notes)}}) {}

Error::Error(std::vector<Diagnostic> diagnostics) : diagnostics_(std::move(diagnostics)) {
  ensure(!diagnostics_.empty(), "an Error carries at least one diagnostic");
  for (const Diagnostic& diagnostic : diagnostics_) {
    if (!message_.empty()) message_ += '\n';
    message_ += to_string(diagnostic);
  }
}

void ensure_failed(std::string_view text, std::source_location at) {
  throw InternalError("internal error, please report it: " + std::string(text) + " (" +
                      at.file_name() + ":" + std::to_string(at.line()) + ")");
}

}  // namespace alembert
