// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Names in text. Paths such as `x`, `a.b[1].c`, `m[1,2]` and `a.'my part'` are
// written as they are; every other name is quoted as in Modelica, 'my name'. In: names of symbols
// and functions. Out: their spelling in plain text, Modelica, LaTeX and C, one to one but for
// LaTeX.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace alembert::symbolic {

/// A letter, an underscore, or a byte of a character beyond ASCII.
bool starts_identifier(char c);
bool continues_identifier(char c);

/// Reads a path from the start of a text: as far as it is well formed, and whether it is.
struct PathScan {
  std::size_t length = 0;  ///< bytes of the path, or up to the mistake
  const char* expected =
      nullptr;  ///< what should have stood there; null if the path is well formed
};
PathScan scan_path(std::string_view text, bool allow_spaces_in_subscripts = false);

/// if, then, else, elseif, and, or, not, true, false, der, inf, nan: not names in plain text.
bool is_reserved_word(std::string_view word);
/// Functions that are written like calls but have an operation of their own: sin, ..., sqrt, der.
bool is_built_in_function(std::string_view word);

/// In the order of the alphabet, as the tokens of the Modelica front end are.
inline constexpr std::array<std::string_view, 59> modelica_keywords = {
    "algorithm",   "and",          "annotation", "block",       "break",
    "class",       "connect",      "connector",  "constant",    "constrainedby",
    "der",         "discrete",     "each",       "else",        "elseif",
    "elsewhen",    "encapsulated", "end",        "enumeration", "equation",
    "expandable",  "extends",      "external",   "false",       "final",
    "flow",        "for",          "function",   "if",          "import",
    "impure",      "in",           "initial",    "inner",       "input",
    "loop",        "model",        "not",        "operator",    "or",
    "outer",       "output",       "package",    "parameter",   "partial",
    "protected",   "public",       "pure",       "record",      "redeclare",
    "replaceable", "return",       "stream",     "then",        "true",
    "type",        "when",         "while",      "within"};

/// True if plain text may hold the name as it is.
bool is_plain_name(std::string_view name);
/// The same for Modelica, which knows ASCII letters only and reserves more words.
bool is_modelica_name(std::string_view name);

/// 'name' with escapes; `unquoted` takes quotes and escapes off again.
std::string quoted(std::string_view name);
bool is_quoted(std::string_view path);
std::string unquoted(std::string_view text);

/// A C identifier for the symbol that is the order-th derivative of `name`. Different names and
/// orders give different identifiers, and none is a keyword or a function of math.h.
std::string c_identifier(std::string_view name, std::uint32_t order = 0);

/// \theta_{1}, \dot{x}, \mathrm{body}.r_{1,2}.
std::string latex_name(std::string_view name, std::uint32_t order = 0);

}  // namespace alembert::symbolic
