// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/syntax/parser.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "alembert/base/similar_names.hpp"
#include "alembert/frontend/modelica/syntax/parser_state.hpp"

namespace alembert::modelica {

Parser::Parser(SyntaxFile& file, const ParseOptions& options) : file_(file), options_(options) {
  TokenList list = tokens_of(file.source, options.max_diagnostics);
  tokens_ = std::move(list.tokens);
  file_.diagnostics = std::move(list.diagnostics);
  lost_rest_ = list.lost_rest;
  for (const Diagnostic& diagnostic : file_.diagnostics)
    if (diagnostic.code == "M001" || diagnostic.code == "M002")
      skipped_bytes_.push_back(diagnostic.origin.span);
}

namespace {

bool ends_value(TokenKind kind) {
  return kind == TokenKind::identifier || kind == TokenKind::integer || kind == TokenKind::real ||
         kind == TokenKind::right_paren || kind == TokenKind::right_bracket;
}

bool begins_value(TokenKind kind) {
  return kind == TokenKind::identifier || kind == TokenKind::integer || kind == TokenKind::real ||
         kind == TokenKind::left_paren || kind == TokenKind::word_der;
}

}  // namespace

// ---- tokens -------------------------------------------------------------------------------------

TokenKind Parser::kind(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)].kind;
}

bool Parser::first_of_line() const {
  if (at_ == 0) return true;
  const Token& before = tokens_[at_ - 1];
  const std::size_t end = before.offset + before.length;
  return file_.source.text().substr(end, tokens_[at_].offset - end).find('\n') !=
         std::string_view::npos;
}

Place Parser::behind_previous() const {
  Place behind = previous_place();
  behind.offset += behind.length;
  behind.length = 0;
  return behind;
}

void Parser::advance() {
  if (at_ + 1 < tokens_.size()) ++at_;
}

bool Parser::accept(TokenKind wanted) {
  if (!at(wanted)) return false;
  advance();
  return true;
}

Place Parser::expect(TokenKind wanted, std::string_view context) {
  if (!at(wanted)) fail_expected(describe(wanted) + " " + std::string(context));
  const Place there = place();
  advance();
  return there;
}

void Parser::expect_closing(TokenKind wanted, Place opened, std::string_view context) {
  if (accept(wanted)) return;
  std::vector<Note> notes;
  if (opened.line() != place().line())
    notes.push_back(
        {"it was opened by this '" + std::string(opened.text()) + "'", origin_of(opened)});
  fail(place(), "M010",
       "expected " + describe(wanted) + " " + std::string(context) + ", found " + found() + ".",
       std::move(notes));
}

Name Parser::expect_name(std::string_view context) {
  if (!at(TokenKind::identifier)) {
    const bool reserved = is_word(kind()) && !at(TokenKind::word_end);
    const bool is_fraction = at(TokenKind::integer) && at_ > 1 &&
                             tokens_[at_ - 1].kind == TokenKind::comma &&
                             tokens_[at_ - 2].kind == TokenKind::integer;
    fail_expected((context.starts_with("of ") ? "the name " : "a name ") + std::string(context),
                  reserved      ? " That word is reserved; choose another name."
                  : is_fraction ? " Fractions are written with a point: 0.5."
                                : "");
  }
  const Name name(place().text());
  advance();
  return name;
}

/// A forgotten `;` at the end of a line is reported there, and nothing is skipped.
void Parser::expect_semicolon(std::string_view after, std::string_view advice) {
  if (accept(TokenKind::semicolon)) return;
  if (first_of_line() || at(TokenKind::end_of_text) || at(TokenKind::word_end)) {
    report(behind_previous(), "M011", "expected ';' after " + std::string(after) + ".");
    return;
  }
  fail_expected("';' after " + std::string(after), advice);
}

/// Two values side by side, as in "-f1 x1".
std::string_view Parser::advice_on_missing_operator() const {
  if (at_ == 0 || !ends_value(tokens_[at_ - 1].kind) || !begins_value(kind())) return {};
  return " Is an operator such as '*' missing?";
}

void Parser::expect_before_body(TokenKind wanted, std::string_view context) {
  if (accept(wanted)) return;
  const std::string what = describe(wanted) + " " + std::string(context);
  if (!first_of_line()) {
    // Another word at the end of the line stands for it.
    const std::size_t word = at_;
    if (at(TokenKind::identifier)) advance();
    const bool is_alone = at_ > word && first_of_line();
    at_ = word;
    if (!is_alone)
      fail_expected(what, at(TokenKind::equals) && wanted == TokenKind::word_then
                              ? " Two values are compared with '>=', '<=' or '=='."
                              : advice_on_missing_operator());
    report(place(), "M010", "expected " + what + ", found " + found() + ".");
    advance();
    return;
  }
  report(behind_previous(), "M010", "expected " + what + ".");
}

std::string Parser::found() const {
  constexpr std::size_t longest = 40;
  const TokenKind what = kind();
  if (what == TokenKind::end_of_text) return "the end of the text";
  std::string text(place().text());
  if (what == TokenKind::string) return "a string";
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return "'" + text + "'";
}

/// " Did you mean 'model'?" if it is nearly a word that begins a class or a declaration.
std::string Parser::nearest_word(std::string_view written) {
  static constexpr std::string_view beginnings[] = {
      "block",    "class",       "connector", "constant", "discrete",  "encapsulated", "expandable",
      "final",    "flow",        "function",  "impure",   "inner",     "input",        "model",
      "operator", "outer",       "output",    "package",  "parameter", "partial",      "pure",
      "record",   "replaceable", "redeclare", "stream",   "type",      "extends",      "import"};
  const std::string word = nearest_name(written, beginnings);
  return word.empty() ? word : " Did you mean '" + word + "'?";
}

std::string_view Parser::keep_text(const std::string& text) {
  if (text.empty()) return {};
  char* bytes = static_cast<char*>(file_.arena.allocate(text.size(), 1));
  std::memcpy(bytes, text.data(), text.size());
  return {bytes, text.size()};
}

// ---- mistakes -----------------------------------------------------------------------------------

void Parser::report(Place place, const char* code, std::string sentence, std::vector<Note> notes) {
  // What follows from bytes that were skipped is not worth a message.
  if (lost_rest_ && at(TokenKind::end_of_text)) return;
  for (const SourceSpan& skipped : skipped_bytes_)
    if (skipped.line == place.line() && skipped.column <= place.column()) return;
  for (const Diagnostic& other : file_.diagnostics)
    if (other.origin.span.line == place.line() && other.origin.span.column == place.column())
      return;
  const Place before = previous_place();
  if (at_ > 0 && tokens_[at_ - 1].kind == TokenKind::string &&
      before.text().find('\n') != std::string_view::npos)
    notes.push_back(
        {"the string before it spans several lines; is a '\"' missing?", origin_of(before)});
  file_.diagnostics.push_back(diagnostic_at(place, code, std::move(sentence), std::move(notes)));
  if (file_.diagnostics.size() >= options_.max_diagnostics) throw GiveUp{};
}

void Parser::fail(Place place, const char* code, std::string sentence, std::vector<Note> notes) {
  report(place, code, std::move(sentence), std::move(notes));
  throw Recover{};
}

void Parser::fail_expected(std::string_view what, std::string_view advice) {
  fail(place(), "M010",
       "expected " + std::string(what) + ", found " + found() + "." + std::string(advice));
}

namespace {

bool ends_body(TokenKind kind) {
  switch (kind) {
    case TokenKind::end_of_text:
    case TokenKind::word_end:
    case TokenKind::word_equation:
    case TokenKind::word_algorithm:
    case TokenKind::word_public:
    case TokenKind::word_protected: return true;
    default: return false;
  }
}

/// Words that, at the start of a line, begin something new even if the `;` before was forgotten.
bool begins_element(TokenKind kind) {
  switch (kind) {
    case TokenKind::word_model:
    case TokenKind::word_block:
    case TokenKind::word_connector:
    case TokenKind::word_record:
    case TokenKind::word_package:
    case TokenKind::word_type:
    case TokenKind::word_class:
    case TokenKind::word_parameter:
    case TokenKind::word_constant:
    case TokenKind::word_import:
    case TokenKind::word_extends:
    case TokenKind::word_connect: return true;
    default: return false;
  }
}

}  // namespace

void Parser::skip_mistake(std::size_t started_at) {
  if (at_ == started_at && !ends_body(kind())) advance();
  int brackets = 0;  // a `;` in a matrix ends nothing
  while (!ends_body(kind()) && !(first_of_line() && begins_element(kind()))) {
    if (at(TokenKind::left_bracket)) ++brackets;
    if (at(TokenKind::right_bracket) && brackets > 0) --brackets;
    const bool done = at(TokenKind::semicolon) && brackets == 0;
    advance();
    if (done) return;
  }
}

/// Skips to the token if it stands before the next `;`.
bool Parser::skip_to(TokenKind wanted) {
  while (!at(wanted)) {
    if (ends_body(kind()) || at(TokenKind::semicolon)) return false;
    advance();
  }
  return true;
}

// ---- whole texts --------------------------------------------------------------------------------

void Parser::stored_definition() {
  StoredDefinition& stored = file_.definition;
  auto classes = list<const ClassDefinition*>();
  try {
    while (!at(TokenKind::end_of_text)) {
      const std::size_t started_at = at_;
      try {
        if (at(TokenKind::word_within) && !stored.has_within && classes.size() == 0) {
          advance();
          stored.has_within = true;
          if (at(TokenKind::identifier)) stored.within = path("of a package");
          expect_semicolon("'within'");
          continue;
        }
        ElementPrefix prefix;
        prefix.final_ = accept(TokenKind::word_final);
        if (!at_class_definition())
          fail_expected("the beginning of a class ('model', 'package', 'function', ...)",
                        nearest_word(place().text()));
        classes.add(class_definition(prefix));
        expect_semicolon("the end of a class");
      } catch (const Recover&) {
        skip_mistake(started_at);
        while (!at(TokenKind::end_of_text) && !(at_class_definition() && first_of_line()))
          advance();
      }
    }
  } catch (const GiveUp&) {
  }
  stored.classes = finish(classes);
}

const Expression* Parser::whole_expression() {
  try {
    const Expression* value = expression();
    if (!at(TokenKind::end_of_text)) fail_expected("an operator or the end of the expression");
    return value;
  } catch (const Recover&) {
  } catch (const GiveUp&) {
  }
  return nullptr;
}

std::unique_ptr<SyntaxFile> parse_text(std::string file, std::string text,
                                       const ParseOptions& options) {
  auto result = std::make_unique<SyntaxFile>(std::move(file), std::move(text));
  Parser parser(*result, options);
  if (result->diagnostics.size() < options.max_diagnostics) parser.stored_definition();
  std::stable_sort(result->diagnostics.begin(), result->diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) {
                     const SourceSpan& x = a.origin.span;
                     const SourceSpan& y = b.origin.span;
                     return x.line != y.line ? x.line < y.line : x.column < y.column;
                   });
  return result;
}

std::unique_ptr<SyntaxFile> parse_or_throw(std::string file, std::string text) {
  auto result = parse_text(std::move(file), std::move(text));
  if (!result->diagnostics.empty()) throw Error(std::move(result->diagnostics));
  return result;
}

ParsedExpression parse_expression(std::string text, std::string file) {
  auto result = std::make_unique<SyntaxFile>(std::move(file), std::move(text));
  Parser parser(*result, {});
  const Expression* value = result->diagnostics.empty() ? parser.whole_expression() : nullptr;
  if (!result->diagnostics.empty()) throw Error(std::move(result->diagnostics));
  return {std::move(result), value};
}

std::string read_source(const std::string& file) {
  constexpr long largest = 1L << 30;  // places are 32-bit offsets
  const auto refuse = [&](const std::string& why) {
    throw Error("M050", "cannot read '" + file + "': " + why + ".");
  };
  std::FILE* stream = std::fopen(file.c_str(), "rb");
  if (stream == nullptr) refuse(std::strerror(errno));
  std::string text;
  char buffer[65536];
  std::size_t n = 0;
  while ((n = std::fread(buffer, 1, sizeof buffer, stream)) > 0) {
    text.append(buffer, n);
    if (text.size() > static_cast<std::size_t>(largest)) break;
  }
  const int failed = std::ferror(stream) ? errno : 0;
  std::fclose(stream);
  if (failed != 0) refuse(std::strerror(failed));
  if (text.size() > static_cast<std::size_t>(largest)) refuse("it is larger than 1 GiB");
  return text;
}

}  // namespace alembert::modelica
