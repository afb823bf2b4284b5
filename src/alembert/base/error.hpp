// SPDX-License-Identifier: Apache-2.0
// Stage: base. Diagnostics: where a thing came from, what is wrong with it, and how to say so.
// In: codes, sentences and origins from every stage. Out: `Error`, thrown for the user's mistakes
// only; numerical outcomes are values, and our own mistakes end in `ensure`.
#pragma once

#include <cstdint>
#include <exception>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace alembert {

/// A position in a text the user wrote. Line and column count from 1; 0 means "unknown".
struct SourceSpan {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 0;

  bool known() const { return line != 0; }
};

/// Where an equation, unknown or expression came from; survives to the last message about it.
struct Origin {
  SourceSpan span;
  std::string path;  ///< component path, `car.axle.wheel[2]`; empty at the top
  /// What this was derived from, e.g. "second derivative of 'x^2 + y^2 = 1'".
  std::string derived_from;

  static Origin here(std::source_location at = std::source_location::current());
};

/// `file:line:column`, or the component path, or nothing at all: what is known, in that order.
std::string to_string(const Origin& origin);

struct Note {
  std::string text;
  Origin origin;
};

/// One finding about the user's input. The code's first letter is the stage: P parse, N names, E
/// expressions, M Modelica text, F flat, S structure, C compile, I integrate, R result, U command
/// line.
struct Diagnostic {
  std::string code;
  std::string text;
  Origin origin;
  std::vector<Note> notes;
};

/// `FILE:LINE:COL: error[CODE]: text`, followed by one line a note.
std::string to_string(const Diagnostic& diagnostic);

/// The user's mistake. Carries one diagnostic, or several that a front end collected.
class Error : public std::exception {
 public:
  Error(std::string code, std::string text, Origin origin = {}, std::vector<Note> notes = {});
  explicit Error(std::vector<Diagnostic> diagnostics);

  const char* what() const noexcept override { return message_.c_str(); }
  const std::string& code() const { return diagnostics_.front().code; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
  std::string message_;
};

/// Our own mistake, never the user's: a broken promise inside the program.
class InternalError : public std::exception {
 public:
  explicit InternalError(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

[[noreturn]] void ensure_failed(std::string_view text, std::source_location at);

/// Checks a promise that our own code makes; always on.
inline void ensure(bool condition, std::string_view text,
                   std::source_location at = std::source_location::current()) {
  if (!condition) [[unlikely]]
    ensure_failed(text, at);
}

}  // namespace alembert
