// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, syntax, inside the parser. One function a rule of the grammar
// (Modelica 3.6, appendix A). A mistake is reported, then `Recover` unwinds to the nearest list of
// elements, equations or statements, which goes on behind the next `;`.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "alembert/frontend/modelica/syntax/arena_list.hpp"
#include "alembert/frontend/modelica/syntax/ast.hpp"
#include "alembert/frontend/modelica/syntax/lexer.hpp"
#include "alembert/frontend/modelica/syntax/parser.hpp"

namespace alembert::modelica {

class Parser {
 public:
  Parser(SyntaxFile& file, const ParseOptions& options);

  void stored_definition();
  const Expression* whole_expression();

 private:
  struct Recover {};  ///< thrown behind a reported mistake
  struct GiveUp {};   ///< thrown when there were enough of them

  // ---- tokens: parser.cpp
  TokenKind kind(std::size_t ahead = 0) const;
  bool at(TokenKind wanted) const { return kind() == wanted; }
  Place place() const { return place_of(tokens_[at_]); }
  Place previous_place() const { return place_of(tokens_[at_ == 0 ? 0 : at_ - 1]); }
  Place place_of(const Token& token) const { return {&file_.source, token.offset, token.length}; }
  /// From a beginning to the last token read.
  Place since(Place begin) const { return joined(begin, previous_place()); }
  Place behind_previous() const;
  bool first_of_line() const;
  void advance();
  bool accept(TokenKind wanted);
  Place expect(TokenKind wanted, std::string_view context);
  /// For the end of a bracket; says where it was opened if that is on another line.
  void expect_closing(TokenKind wanted, Place opened, std::string_view context);
  Name expect_name(std::string_view context);
  void expect_semicolon(std::string_view after, std::string_view advice = {});
  /// For `then` and `loop`; a forgotten one at the end of a line is reported there.
  void expect_before_body(TokenKind wanted, std::string_view context);
  std::string_view advice_on_missing_operator() const;
  std::string found() const;
  static std::string nearest_word(std::string_view written);

  // ---- mistakes: parser.cpp
  void report(Place place, const char* code, std::string sentence, std::vector<Note> notes = {});
  [[noreturn]] void fail(Place place, const char* code, std::string sentence,
                         std::vector<Note> notes = {});
  [[noreturn]] void fail_expected(std::string_view what, std::string_view advice = {});
  /// Behind the next `;`, or before a token that ends or begins something.
  void skip_mistake(std::size_t started_at);
  bool skip_to(TokenKind wanted);

  class Nesting;
  struct Count {
    explicit Count(int& counter) : n(counter) { ++n; }
    Count(const Count&) = delete;
    Count& operator=(const Count&) = delete;
    ~Count() { --n; }
    int& n;
  };

  // ---- expressions: parse_expression.cpp
  const Expression* expression();
  const Expression* if_expression();
  const Expression* simple_expression();
  const Expression* logical_expression();
  const Expression* logical_term();
  const Expression* logical_factor();
  const Expression* relation();
  const Expression* arithmetic_expression();
  const Expression* term();
  const Expression* factor();
  const Expression* primary();
  [[noreturn]] void end_outside_subscripts();
  const Expression* number();
  const Expression* string_literal();
  const Expression* reference_or_call();
  const Expression* parenthesised();
  const Expression* matrix();
  const Expression* matrix_row();
  const Expression* array();
  bool accept_separator();
  const Expression* call(const ComponentReference* callee);
  const Expression* partial_application();
  const Expression* argument();
  const ComponentReference* component_reference();
  const ComponentReference* one_part_reference();
  List<const Expression*> subscripts();
  List<Iterator> iterators();
  Path path(std::string_view context);
  const Expression* binary(Operator op, const Expression* left, const Expression* right);
  const Expression* finish(Expression value, Place begin);

  // ---- modifications and comments: parse_modification.cpp
  const ModificationBody* optional_modification();
  const ModificationBody* optional_class_modification();
  void class_modification(ModificationBody& body);
  const Modification* modification_argument();
  void element_modification(Modification& argument);
  void redeclaration(Modification& argument);
  void break_argument(Modification& argument);
  Comment comment();
  void string_comment(Comment& comment);
  const ModificationBody* optional_annotation();
  const Constraint* optional_constraint();

  // ---- equations and statements: parse_equation.cpp
  List<const Equation*> equations();
  const Equation* equation();
  void simple_equation(Equation& equation);
  void connect_equation(Equation& equation);
  List<const Statement*> statements();
  const Statement* statement();
  void simple_statement(Statement& statement);
  void tuple_assignment(Statement& statement);
  void while_statement(Statement& statement);
  template <class Branch>
  List<Branch> branches(TokenKind keyword);
  template <class Branch>
  List<Branch> loop(List<Iterator>& header);
  template <class Branch>
  void branch_body(Branch& branch);
  const Expression* condition_before(TokenKind end, std::string_view context);
  void expect_end_of(TokenKind keyword, Place opened);
  bool at_end_of_body() const;

  // ---- classes: parse_class.cpp
  bool at_class_definition() const;
  const ClassDefinition* class_definition(const ElementPrefix& prefix);
  Restriction restriction(ClassDefinition& definition);
  void long_class(ClassDefinition& definition);
  void short_class(ClassDefinition& definition);
  void enumeration(ClassDefinition& definition);
  void derivative_function(ClassDefinition& definition);
  void composition(ClassDefinition& definition);
  void external_clause(ClassDefinition& definition);
  void class_annotation(ClassDefinition& definition);
  void end_of_class(const ClassDefinition& definition);
  void report_missing_heading(const ClassDefinition& definition);
  bool stray_end() const;
  void skip_stray_end();
  void element(ListBuilder<Element>& elements, Visibility visibility);
  ElementPrefix element_prefix();
  TypePrefix type_prefix();
  const Import* import();
  const Extends* extends();
  void component_clause(ListBuilder<Element>& elements, Visibility visibility,
                        const ElementPrefix& prefix);
  void declaration(Component& component);
  template <class Flag>
  void set_once(Flag& flag, Flag value);

  template <class T>
  const T* keep(const T& node) {
    void* memory = file_.arena.allocate(sizeof(T), alignof(T));
    return new (memory) T(node);
  }
  template <class T>
  ListBuilder<T> list() {
    return ListBuilder<T>(std::get<std::vector<T>>(stacks_));
  }
  template <class T>
  List<T> finish(const ListBuilder<T>& builder) {
    return builder.finish(file_.arena);
  }
  std::string_view keep_text(const std::string& text);

  SyntaxFile& file_;
  ParseOptions options_;
  std::vector<Token> tokens_;
  std::vector<SourceSpan> skipped_bytes_;  ///< where tokens may be missing
  bool lost_rest_ = false;
  std::size_t at_ = 0;
  int nesting_ = 0;
  int subscript_depth_ = 0;  ///< `end` is a value inside subscripts only
  std::vector<Name> open_classes_;
  std::tuple<std::vector<const Expression*>, std::vector<NamedArgument>, std::vector<Iterator>,
             std::vector<ReferencePart>, std::vector<Name>, std::vector<const Modification*>,
             std::vector<const Equation*>, std::vector<EquationBranch>,
             std::vector<const Statement*>, std::vector<StatementBranch>,
             std::vector<EquationSection>, std::vector<AlgorithmSection>, std::vector<Element>,
             std::vector<EnumerationLiteral>, std::vector<Component>,
             std::vector<const ClassDefinition*>>
      stacks_;
};

/// Counts how deep rules call themselves; too deep is the user's mistake, not a full stack.
class Parser::Nesting {
 public:
  explicit Nesting(Parser& parser) : parser_(parser) {
    if (++parser_.nesting_ > max_nesting) {
      --parser_.nesting_;
      parser_.fail(parser_.place(), "M013",
                   "nested more than " + std::to_string(max_nesting) +
                       " deep. Split it: give inner parts a name of their own.");
    }
  }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  ~Nesting() { --parser_.nesting_; }

 private:
  Parser& parser_;
};

}  // namespace alembert::modelica
