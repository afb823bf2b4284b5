// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "alembert/frontend/modelica/syntax/parser_state.hpp"

namespace alembert::modelica {

bool Parser::at_end_of_body() const {
  switch (kind()) {
    case TokenKind::end_of_text:
    case TokenKind::word_end:
    case TokenKind::word_else:
    case TokenKind::word_elseif:
    case TokenKind::word_elsewhen:
    case TokenKind::word_equation:
    case TokenKind::word_algorithm:
    case TokenKind::word_public:
    case TokenKind::word_protected:
    case TokenKind::word_external:
    case TokenKind::word_annotation: return true;
    case TokenKind::word_initial:
      return kind(1) == TokenKind::word_equation || kind(1) == TokenKind::word_algorithm;
    default: return false;
  }
}

List<const Equation*> Parser::equations() {
  auto items = list<const Equation*>();
  while (!at_end_of_body()) {
    const std::size_t started_at = at_;
    try {
      items.add(equation());
      expect_semicolon("an equation", advice_on_missing_operator());
    } catch (const Recover&) {
      skip_mistake(started_at);
    }
  }
  return finish(items);
}

List<const Statement*> Parser::statements() {
  auto items = list<const Statement*>();
  while (!at_end_of_body()) {
    const std::size_t started_at = at_;
    try {
      items.add(statement());
      expect_semicolon("a statement", advice_on_missing_operator());
    } catch (const Recover&) {
      skip_mistake(started_at);
    }
  }
  return finish(items);
}

/// A mistake in a condition does not hide what follows it.
const Expression* Parser::condition_before(TokenKind end, std::string_view context) {
  try {
    const Expression* condition = expression();
    expect_before_body(end, context);
    return condition;
  } catch (const Recover&) {
    if (!skip_to(end)) throw;
    advance();
    return nullptr;
  }
}

template <class Branch>
void Parser::branch_body(Branch& branch) {
  if constexpr (std::is_same_v<Branch, EquationBranch>)
    branch.body = equations();
  else
    branch.body = statements();
}

void Parser::expect_end_of(TokenKind keyword, Place opened) {
  const std::string wanted = "'end " + std::string(opened.text()) + "'";
  if (at(TokenKind::word_end) && kind(1) == keyword) {
    advance();
    advance();
    return;
  }
  std::vector<Note> notes{{"it begins here", origin_of(opened)}};
  std::string what = found();
  if (at(TokenKind::word_end) && kind(1) != TokenKind::end_of_text)
    what = "'end " + std::string(place_of(tokens_[at_ + 1]).text()) + "'";
  const Place there = place();
  if (at(TokenKind::word_end) && is_word(kind(1))) {  // 'end for' in place of 'end if': closes this
    advance();
    advance();
    report(there, "M012", "expected " + wanted + ", found " + what + ".", std::move(notes));
    return;
  }
  fail(there, "M012", "expected " + wanted + ", found " + what + ".", std::move(notes));
}

/// `if c then ... elseif c then ... else ... end if`, and the same with `when` and `elsewhen`.
template <class Branch>
List<Branch> Parser::branches(TokenKind keyword) {
  const Place begin = place();
  const bool is_if = keyword == TokenKind::word_if;
  const TokenKind next = is_if ? TokenKind::word_elseif : TokenKind::word_elsewhen;
  auto items = list<Branch>();
  do {
    Branch branch;
    branch.place = place();
    advance();
    branch.condition = condition_before(TokenKind::word_then, "after the condition");
    branch_body(branch);
    items.add(branch);
  } while (at(next));
  if (at(TokenKind::word_else)) {
    Branch branch;
    branch.place = place();
    if (!is_if)
      report(place(), "M014",
             "'when' has no 'else'. Write 'elsewhen condition then', or use 'if'.");
    advance();
    const bool is_else_if = at(TokenKind::word_if) && !first_of_line();
    branch_body(branch);
    items.add(branch);
    if (is_else_if && at(TokenKind::word_end) && kind(1) != keyword)
      fail(place(), "M012",
           "expected another 'end if', found 'end " +
               std::string(place_of(tokens_[at_ + 1]).text()) +
               "'. 'else if' begins an 'if' of its own; a further branch is written 'elseif'.",
           {{"it begins here", origin_of(begin)}});
    if (at(TokenKind::word_else) || at(TokenKind::word_elseif))
      fail(place(), "M014", "'else' is the last branch; found " + found() + " after it.");
  }
  expect_end_of(keyword, begin);
  return finish(items);
}

/// `for i in r, j in s loop ... end for`.
template <class Branch>
List<Branch> Parser::loop(List<Iterator>& header) {
  const Place begin = place();
  advance();
  try {
    header = iterators();
    expect_before_body(TokenKind::word_loop, "after the iterators of 'for'");
  } catch (const Recover&) {
    if (!skip_to(TokenKind::word_loop)) throw;
    advance();
  }
  Branch branch;
  branch.place = begin;
  branch_body(branch);
  expect_end_of(TokenKind::word_for, begin);
  auto one = list<Branch>();
  one.add(branch);
  return finish(one);
}

const Equation* Parser::equation() {
  const Nesting nesting(*this);
  const Place begin = place();
  Equation equation;
  switch (kind()) {
    case TokenKind::word_if:
      equation.kind = EquationKind::if_equation;
      equation.branches = branches<EquationBranch>(TokenKind::word_if);
      break;
    case TokenKind::word_when:
      equation.kind = EquationKind::when_equation;
      equation.branches = branches<EquationBranch>(TokenKind::word_when);
      break;
    case TokenKind::word_for:
      equation.kind = EquationKind::for_equation;
      equation.branches = loop<EquationBranch>(equation.iterators);
      break;
    case TokenKind::word_connect: connect_equation(equation); break;
    default: simple_equation(equation);
  }
  equation.place = since(begin);
  equation.comment = comment();
  return keep(equation);
}

void Parser::connect_equation(Equation& equation) {
  equation.kind = EquationKind::connect;
  advance();
  const Place opened = expect(TokenKind::left_paren, "after 'connect'");
  equation.from = component_reference();
  expect(TokenKind::comma, "between the two connectors");
  equation.to = component_reference();
  expect_closing(TokenKind::right_paren, opened, "after the connectors");
}

void Parser::simple_equation(Equation& equation) {
  if (is_word(kind()) && !at(TokenKind::word_der) && !at(TokenKind::word_initial) &&
      !at(TokenKind::word_pure) && !at(TokenKind::word_not) && !at(TokenKind::word_true) &&
      !at(TokenKind::word_false))
    fail_expected("an equation");
  equation.left = simple_expression();
  if (accept(TokenKind::equals)) {
    equation.kind = EquationKind::equality;
    equation.right = expression();
    if (at(TokenKind::equals))
      fail(place(), "M014", "an equation has one '='. Write two equations, or compare with '=='.");
    return;
  }
  if (at(TokenKind::assign))
    fail_expected("'=' in an equation", " Assignments ':=' belong below 'algorithm'.");
  if (at(TokenKind::identifier) && !first_of_line() &&
      equation.left->kind == ExpressionKind::reference)
    fail_expected("'=' in an equation",
                  " Declarations stand above 'equation', or below 'public' or 'protected'.");
  if (equation.left->kind == ExpressionKind::binary && equation.left->op == Operator::equal)
    fail(equation.left->place, "M014",
         "an equation is written with '='; '==' compares two values.");
  if (equation.left->kind != ExpressionKind::call) fail_expected("'=' in an equation");
  equation.kind = EquationKind::call;
}

const Statement* Parser::statement() {
  const Nesting nesting(*this);
  const Place begin = place();
  Statement statement;
  switch (kind()) {
    case TokenKind::word_if:
      statement.kind = StatementKind::if_statement;
      statement.branches = branches<StatementBranch>(TokenKind::word_if);
      break;
    case TokenKind::word_when:
      statement.kind = StatementKind::when_statement;
      statement.branches = branches<StatementBranch>(TokenKind::word_when);
      break;
    case TokenKind::word_for:
      statement.kind = StatementKind::for_statement;
      statement.branches = loop<StatementBranch>(statement.iterators);
      break;
    case TokenKind::word_while: while_statement(statement); break;
    case TokenKind::word_break:
      statement.kind = StatementKind::break_statement;
      advance();
      break;
    case TokenKind::word_return:
      statement.kind = StatementKind::return_statement;
      advance();
      break;
    case TokenKind::left_paren: tuple_assignment(statement); break;
    case TokenKind::word_connect:
      fail(begin, "M014", "'connect' belongs below 'equation', not below 'algorithm'.");
    default: simple_statement(statement);
  }
  statement.place = since(begin);
  statement.comment = comment();
  return keep(statement);
}

void Parser::simple_statement(Statement& statement) {
  if (!at(TokenKind::identifier) && !at(TokenKind::dot)) fail_expected("a statement");
  const Expression* target = reference_or_call();
  if (target->kind == ExpressionKind::call && !at(TokenKind::assign) && !at(TokenKind::equals)) {
    statement.kind = StatementKind::call;
    statement.value = target;
    return;
  }
  if (at(TokenKind::equals))
    fail_expected("':=' in a statement", " Equations with '=' belong below 'equation'.");
  if (target->kind != ExpressionKind::reference)
    fail(target->place, "M014", "a value cannot be assigned to a call.");
  expect(TokenKind::assign, "in a statement");
  statement.kind = StatementKind::assignment;
  statement.target = target;
  statement.value = expression();
}

void Parser::tuple_assignment(Statement& statement) {
  const Expression* targets = parenthesised();
  statement.kind = StatementKind::tuple_assignment;
  if (targets->kind == ExpressionKind::tuple) {
    statement.targets = targets->operands;
  } else {
    auto one = list<const Expression*>();
    one.add(targets);
    statement.targets = finish(one);
  }
  for (const Expression* target : statement.targets)
    if (target != nullptr && target->kind != ExpressionKind::reference)
      fail(target->place, "M014", "values of a call can only be assigned to variables.");
  expect(TokenKind::assign, "after the variables of a statement");
  statement.value = expression();
  if (statement.value->kind != ExpressionKind::call)
    fail(statement.value->place, "M014", "only a call has several values to assign.");
}

void Parser::while_statement(Statement& statement) {
  statement.kind = StatementKind::while_statement;
  const Place begin = place();
  advance();
  StatementBranch branch;
  branch.place = begin;
  branch.condition = condition_before(TokenKind::word_loop, "after the condition of 'while'");
  branch.body = statements();
  expect_end_of(TokenKind::word_while, begin);
  auto one = list<StatementBranch>();
  one.add(branch);
  statement.branches = finish(one);
}

}  // namespace alembert::modelica
