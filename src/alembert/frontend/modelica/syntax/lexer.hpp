// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, syntax. Text as tokens; comments and white space are left out.
// In: a text, whatever its bytes. Out: tokens, the last of which is `end_of_text`, and diagnostics
// M001-M005 for what is no token; those bytes are skipped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/frontend/modelica/syntax/source.hpp"

namespace alembert::modelica {

enum class TokenKind : std::uint8_t {
  // clang-format off
  end_of_text, identifier, integer, real, string,
  // punctuation
  left_paren, right_paren, left_bracket, right_bracket, left_brace, right_brace,
  comma, semicolon, colon, dot, equals, assign,
  plus, minus, times, divide, power,
  dot_plus, dot_minus, dot_times, dot_divide, dot_power,
  less, less_equal, greater, greater_equal, equal, not_equal,
  // words, in the order of the table in lexer.cpp
  word_algorithm, word_and, word_annotation, word_block, word_break, word_class, word_connect,
  word_connector, word_constant, word_constrainedby, word_der, word_discrete, word_each, word_else,
  word_elseif, word_elsewhen, word_encapsulated, word_end, word_enumeration, word_equation,
  word_expandable, word_extends, word_external, word_false, word_final, word_flow, word_for,
  word_function, word_if, word_import, word_impure, word_in, word_initial, word_inner, word_input,
  word_loop, word_model, word_not, word_operator, word_or, word_outer, word_output, word_package,
  word_parameter, word_partial, word_protected, word_public, word_pure, word_record,
  word_redeclare, word_replaceable, word_return, word_stream, word_then, word_true, word_type,
  word_when, word_while, word_within,
  // clang-format on
};

struct Token {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  TokenKind kind = TokenKind::end_of_text;
};

struct TokenList {
  std::vector<Token> tokens;
  std::vector<Diagnostic> diagnostics;
  /// A string or comment without an end took the rest of the text with it.
  bool lost_rest = false;
};

/// Stops after `max_diagnostics`.
TokenList tokens_of(const SourceText& source, std::size_t max_diagnostics);

/// `'model'`, `';'`: how a token of this kind is called in messages.
std::string describe(TokenKind kind);

/// Is it one of the reserved words?
bool is_word(TokenKind kind);

/// The value of a string token, quotes taken off and escapes resolved. `written` is well formed.
std::string string_value(std::string_view written);

}  // namespace alembert::modelica
