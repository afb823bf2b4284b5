// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, syntax. From text to syntax tree, by hand, in one pass.
// In: a file name and bytes, whatever they are. Out: a `SyntaxFile` with everything that could be
// read and the diagnostics M001-M0xx of what could not.
// After a mistake the parser goes on at the next `;` or `end`, so that several are reported at
// once.
#pragma once

#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/frontend/modelica/syntax/ast.hpp"
#include "alembert/frontend/modelica/syntax/source.hpp"

namespace alembert::modelica {

/// Owns a text and its tree; nodes live as long as this.
struct SyntaxFile {
  SyntaxFile(std::string file, std::string text) : source(std::move(file), std::move(text)) {}

  SourceText source;
  std::pmr::monotonic_buffer_resource arena;
  StoredDefinition definition;
  std::vector<Diagnostic> diagnostics;  ///< empty if the whole text was read
};

struct ParseOptions {
  std::size_t max_diagnostics = 20;
};

/// Never throws for what stands in the text. The tree holds what could be understood.
std::unique_ptr<SyntaxFile> parse_text(std::string file, std::string text,
                                       const ParseOptions& options = {});

/// Error with all diagnostics if the text has a mistake.
std::unique_ptr<SyntaxFile> parse_or_throw(std::string file, std::string text);

/// The bytes of a file. Error M050 if it cannot be read.
std::string read_source(const std::string& file);

/// For tests, `--set` and the like: one expression and nothing else.
struct ParsedExpression {
  std::unique_ptr<SyntaxFile> file;
  const Expression* expression = nullptr;
};
ParsedExpression parse_expression(std::string text, std::string file = "expression");

}  // namespace alembert::modelica
