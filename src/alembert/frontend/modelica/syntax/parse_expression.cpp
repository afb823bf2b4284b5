// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstdlib>
#include <limits>

#include "alembert/frontend/modelica/syntax/parser_state.hpp"

namespace alembert::modelica {

namespace {

int height_of(List<const Expression*> items) {
  int height = 0;
  for (const Expression* item : items)
    if (item != nullptr && item->height > height) height = item->height;
  return height;
}

int height_below(const Expression& value) {
  int height = height_of(value.operands);
  const auto raise = [&](int other) { height = other > height ? other : height; };
  if (value.reference != nullptr)
    for (const ReferencePart& part : value.reference->parts) raise(height_of(part.subscripts));
  for (const NamedArgument& argument : value.named)
    if (argument.value != nullptr) raise(argument.value->height);
  for (const Iterator& iterator : value.iterators)
    if (iterator.range != nullptr) raise(iterator.range->height);
  return height;
}

}  // namespace

/// Every node is made here.
const Expression* Parser::finish(Expression value, Place begin) {
  value.place = since(begin);
  const int height = height_below(value) + 1;
  if (height > max_expression_height)
    fail(value.place, "M013",
         "this expression has more than " + std::to_string(max_expression_height) +
             " operations that depend on each other. Split it, or use sum({...}) or "
             "product({...}).");
  value.height = static_cast<std::uint16_t>(height);
  return keep(value);
}

const Expression* Parser::binary(Operator op, const Expression* left, const Expression* right) {
  Expression value{.kind = ExpressionKind::binary, .op = op};
  auto pair = list<const Expression*>();
  pair.add(left);
  pair.add(right);
  value.operands = finish(pair);
  return finish(value, left->place);
}

const Expression* Parser::expression() {
  const Nesting nesting(*this);
  return at(TokenKind::word_if) ? if_expression() : simple_expression();
}

/// `else if` continues the chain as `elseif` does, so that long ones do not nest.
const Expression* Parser::if_expression() {
  const Place begin = place();
  auto operands = list<const Expression*>();
  bool more = true;
  while (more) {
    advance();  // if, elseif
    operands.add(expression());
    expect(TokenKind::word_then, "after the condition of an if-expression");
    operands.add(expression());
    more = at(TokenKind::word_elseif);
    if (more) continue;
    expect(TokenKind::word_else,
           "in an if-expression (it always has a value, so 'else' is needed)");
    more = at(TokenKind::word_if);
  }
  operands.add(expression());
  return finish(Expression{.kind = ExpressionKind::if_expression, .operands = finish(operands)},
                begin);
}

const Expression* Parser::simple_expression() {
  const Place begin = place();
  const Expression* first = logical_expression();
  if (!at(TokenKind::colon)) return first;
  auto operands = list<const Expression*>();
  operands.add(first);
  while (operands.size() < 3 && accept(TokenKind::colon)) operands.add(logical_expression());
  return finish(Expression{.kind = ExpressionKind::range, .operands = finish(operands)}, begin);
}

const Expression* Parser::logical_expression() {
  const Expression* left = logical_term();
  while (accept(TokenKind::word_or)) left = binary(Operator::logical_or, left, logical_term());
  return left;
}

const Expression* Parser::logical_term() {
  const Expression* left = logical_factor();
  while (accept(TokenKind::word_and)) left = binary(Operator::logical_and, left, logical_factor());
  return left;
}

const Expression* Parser::logical_factor() {
  const Place begin = place();
  if (!accept(TokenKind::word_not)) return relation();
  auto operand = list<const Expression*>();
  operand.add(relation());
  return finish(
      Expression{
          .kind = ExpressionKind::unary, .op = Operator::logical_not, .operands = finish(operand)},
      begin);
}

namespace {

Operator relation_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::less: return Operator::less;
    case TokenKind::less_equal: return Operator::less_equal;
    case TokenKind::greater: return Operator::greater;
    case TokenKind::greater_equal: return Operator::greater_equal;
    case TokenKind::equal: return Operator::equal;
    case TokenKind::not_equal: return Operator::not_equal;
    default: return Operator::none;
  }
}

Operator addition_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::plus: return Operator::plus;
    case TokenKind::minus: return Operator::minus;
    case TokenKind::dot_plus: return Operator::element_plus;
    case TokenKind::dot_minus: return Operator::element_minus;
    default: return Operator::none;
  }
}

Operator multiplication_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::times: return Operator::times;
    case TokenKind::divide: return Operator::divide;
    case TokenKind::dot_times: return Operator::element_times;
    case TokenKind::dot_divide: return Operator::element_divide;
    default: return Operator::none;
  }
}

Operator power_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::power: return Operator::power;
    case TokenKind::dot_power: return Operator::element_power;
    default: return Operator::none;
  }
}

}  // namespace

const Expression* Parser::relation() {
  const Expression* left = arithmetic_expression();
  const Operator op = relation_of(kind());
  if (op == Operator::none) return left;
  advance();
  left = binary(op, left, arithmetic_expression());
  if (relation_of(kind()) != Operator::none)
    fail(place(), "M014", "comparisons cannot be chained. Write 'a < b and b < c'.");
  return left;
}

const Expression* Parser::arithmetic_expression() {
  const Place begin = place();
  const Operator sign = addition_of(kind());
  if (sign != Operator::none) advance();
  const Expression* left = term();
  if (sign != Operator::none) {
    auto operand = list<const Expression*>();
    operand.add(left);
    left = finish(
        Expression{.kind = ExpressionKind::unary, .op = sign, .operands = finish(operand)}, begin);
  }
  for (Operator op = addition_of(kind()); op != Operator::none; op = addition_of(kind())) {
    advance();
    left = binary(op, left, term());
  }
  return left;
}

const Expression* Parser::term() {
  const Expression* left = factor();
  for (Operator op = multiplication_of(kind()); op != Operator::none;
       op = multiplication_of(kind())) {
    advance();
    left = binary(op, left, factor());
  }
  return left;
}

const Expression* Parser::factor() {
  const Expression* left = primary();
  const Operator op = power_of(kind());
  if (op == Operator::none) return left;
  advance();
  left = binary(op, left, primary());
  if (power_of(kind()) != Operator::none)
    fail(place(), "M014", "powers cannot be chained. Write '(a^b)^c' or 'a^(b^c)'.");
  return left;
}

const Expression* Parser::primary() {
  const Place begin = place();
  switch (kind()) {
    case TokenKind::integer:
    case TokenKind::real: return number();
    case TokenKind::string: return string_literal();
    case TokenKind::word_true:
    case TokenKind::word_false: {
      const bool value = at(TokenKind::word_true);
      advance();
      return finish(Expression{.kind = ExpressionKind::boolean, .boolean = value}, begin);
    }
    case TokenKind::identifier:
    case TokenKind::dot:
    case TokenKind::word_der:
    case TokenKind::word_initial:
    case TokenKind::word_pure: return reference_or_call();
    case TokenKind::left_paren: return parenthesised();
    case TokenKind::left_bracket: return matrix();
    case TokenKind::left_brace: return array();
    case TokenKind::word_end:
      if (subscript_depth_ == 0) end_outside_subscripts();
      advance();
      return finish(Expression{.kind = ExpressionKind::end}, begin);
    case TokenKind::minus:
    case TokenKind::plus:
      fail(begin, "M014",
           "a sign cannot follow an operator directly. Put it in parentheses: 'a * (-b)'.");
    case TokenKind::word_if:
      fail(begin, "M014", "an if-expression inside an expression needs parentheses around it.");
    case TokenKind::word_not:
      fail(begin, "M014", "'not' inside an expression needs parentheses around it.");
    case TokenKind::equals: fail_expected("an expression", " Equality is compared with '=='.");
    case TokenKind::times: fail_expected("an expression", " Powers are written with '^'.");
    default: fail_expected("an expression");
  }
}

/// As a value by mistake, or the end of something whose last expression is not complete.
void Parser::end_outside_subscripts() {
  if (is_word(kind(1)) || kind(1) == TokenKind::identifier) fail_expected("an expression");
  const Place there = place();
  advance();
  fail(there, "M014", "'end' as a value belongs in subscripts: 'x[end]'.");
}

const Expression* Parser::number() {
  const Place begin = place();
  const std::string_view text = begin.text();
  const bool whole = at(TokenKind::integer);
  advance();
  Expression value{.kind = ExpressionKind::real};
  if (whole) {
    const auto [end, failed] =
        std::from_chars(text.data(), text.data() + text.size(), value.integer);
    if (failed == std::errc()) {
      value.kind = ExpressionKind::integer;
      value.real = static_cast<double>(value.integer);
      return finish(value, begin);
    }
  }
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value.real);
  if (failed == std::errc::result_out_of_range) {
    value.real = std::strtod(std::string(text).c_str(), nullptr);  // zero or infinity
    if (value.real > std::numeric_limits<double>::max())
      report(begin, "M004", "this number is too large; the largest is about 1.8e308.");
  }
  return finish(value, begin);
}

const Expression* Parser::string_literal() {
  const Place begin = place();
  const std::string_view written = begin.text();
  advance();
  Expression value{.kind = ExpressionKind::string};
  value.text = written.find('\\') == std::string_view::npos && written.size() >= 2
                   ? written.substr(1, written.size() - 2)
                   : keep_text(string_value(written));
  return finish(value, begin);
}

const Expression* Parser::reference_or_call() {
  const Place begin = place();
  const bool word = is_word(kind());
  const ComponentReference* reference = word ? one_part_reference() : component_reference();
  if (at(TokenKind::left_paren)) return call(reference);
  if (word) fail_expected("'(' after '" + std::string(reference->parts[0].name.text()) + "'");
  return finish(Expression{.kind = ExpressionKind::reference, .reference = reference}, begin);
}

const ComponentReference* Parser::one_part_reference() {
  auto parts = list<ReferencePart>();
  parts.add({place(), Name(place().text()), {}});
  const Place there = place();
  advance();
  return keep(ComponentReference{there, finish(parts), false});
}

const ComponentReference* Parser::component_reference() {
  const Place begin = place();
  const bool absolute = accept(TokenKind::dot);
  if (absolute && at(TokenKind::integer))
    fail(joined(begin, place()), "M004",
         "a number starts with a digit. Write '0." + std::string(place().text()) + "'.");
  auto parts = list<ReferencePart>();
  do {
    const Place there = place();
    const Name name = expect_name(parts.size() == 0 ? "of a component" : "after '.'");
    List<const Expression*> indices;
    if (at(TokenKind::left_bracket)) indices = subscripts();
    parts.add({since(there), name, indices});
  } while (accept(TokenKind::dot));
  return keep(ComponentReference{since(begin), finish(parts), absolute});
}

List<const Expression*> Parser::subscripts() {
  const Place opened = expect(TokenKind::left_bracket, "before subscripts");
  const Count inside(subscript_depth_);
  auto indices = list<const Expression*>();
  do {
    const Place begin = place();
    if (accept(TokenKind::colon))
      indices.add(finish(Expression{.kind = ExpressionKind::colon}, begin));
    else
      indices.add(expression());
  } while (accept(TokenKind::comma));
  expect_closing(TokenKind::right_bracket, opened, "after the subscripts");
  return finish(indices);
}

/// A value, a tuple with holes, or the start of `(...)[...]` and `(...).name`.
const Expression* Parser::parenthesised() {
  const Place begin = place();
  advance();
  auto operands = list<const Expression*>();
  bool is_tuple = at(TokenKind::right_paren);
  while (!at(TokenKind::right_paren)) {
    const bool hole = at(TokenKind::comma);
    operands.add(hole ? nullptr : expression());
    if (!accept(TokenKind::comma)) break;
    is_tuple = true;
    if (at(TokenKind::right_paren)) operands.add(nullptr);
  }
  expect_closing(TokenKind::right_paren, begin, "after the expression");
  if (is_tuple)
    return finish(Expression{.kind = ExpressionKind::tuple, .operands = finish(operands)}, begin);
  if (at(TokenKind::left_bracket)) {
    for (const Expression* index : subscripts()) operands.add(index);
    return finish(Expression{.kind = ExpressionKind::subscripted, .operands = finish(operands)},
                  begin);
  }
  if (at(TokenKind::dot) && kind(1) == TokenKind::identifier) {
    advance();
    return finish(Expression{.kind = ExpressionKind::member,
                             .operands = finish(operands),
                             .reference = one_part_reference()},
                  begin);
  }
  return operands.finish(file_.arena)[0];
}

const Expression* Parser::matrix() {
  const Place begin = place();
  advance();
  auto rows = list<const Expression*>();
  do {
    rows.add(matrix_row());
  } while (accept(TokenKind::semicolon));
  expect_closing(TokenKind::right_bracket, begin, "after the rows of a matrix");
  return finish(Expression{.kind = ExpressionKind::matrix, .operands = finish(rows)}, begin);
}

const Expression* Parser::matrix_row() {
  const Place begin = place();
  auto entries = list<const Expression*>();
  do entries.add(expression());
  while (accept(TokenKind::comma));
  return finish(Expression{.kind = ExpressionKind::matrix_row, .operands = finish(entries)}, begin);
}

/// A comma between the entries of an array; rows, as of a matrix, are told and read on.
bool Parser::accept_separator() {
  if (accept(TokenKind::comma)) return true;
  if (!at(TokenKind::semicolon)) return false;
  const std::size_t semicolon = at_;
  const Place where = place();
  advance();
  if (first_of_line() || at(TokenKind::end_of_text)) {  // it ends what stands before it
    at_ = semicolon;
    return false;
  }
  report(where, "M010",
         "expected ',' or '}' in an array, found ';'. Rows of a matrix are written in brackets: "
         "[1, 2; 3, 4].");
  return true;
}

const Expression* Parser::array() {
  const Place begin = place();
  advance();
  auto operands = list<const Expression*>();
  Expression value{.kind = ExpressionKind::array};
  if (!at(TokenKind::right_brace)) {
    operands.add(expression());
    if (accept(TokenKind::word_for)) {
      value.kind = ExpressionKind::array_comprehension;
      value.iterators = iterators();
    } else {
      while (accept_separator()) operands.add(expression());
    }
  }
  expect_closing(TokenKind::right_brace, begin, "after the entries of an array");
  value.operands = finish(operands);
  return finish(value, begin);
}

const Expression* Parser::argument() {
  return at(TokenKind::word_function) ? partial_application() : expression();
}

const Expression* Parser::call(const ComponentReference* callee) {
  const Place opened = place();
  advance();
  Expression value{.kind = ExpressionKind::call, .reference = callee};
  auto operands = list<const Expression*>();
  auto named = list<NamedArgument>();
  while (!at(TokenKind::right_paren)) {
    const Place begin = place();
    if (at(TokenKind::identifier) && kind(1) == TokenKind::equals) {
      const Name name = expect_name("of an argument");
      advance();
      const Expression* given = argument();
      named.add({since(begin), name, given});
    } else {
      if (named.size() > 0)
        fail(begin, "M014",
             "an argument without a name cannot follow one with a name. Put it first, or give it "
             "its name.");
      operands.add(argument());
      if (operands.size() == 1 && accept(TokenKind::word_for)) {
        value.kind = ExpressionKind::reduction;
        value.iterators = iterators();
        break;
      }
    }
    if (!accept(TokenKind::comma)) break;
    if (at(TokenKind::right_paren)) fail_expected("another argument after ','");
  }
  expect_closing(TokenKind::right_paren, opened, "after the arguments of a call");
  value.operands = finish(operands);
  value.named = finish(named);
  return finish(value, callee->place);
}

const Expression* Parser::partial_application() {
  const Nesting nesting(*this);
  const Place begin = place();
  advance();
  Expression value{.kind = ExpressionKind::partial_application};
  value.reference = component_reference();
  const Place opened = expect(TokenKind::left_paren, "after the function");
  auto named = list<NamedArgument>();
  while (!at(TokenKind::right_paren)) {
    const Place there = place();
    const Name name = expect_name("of an argument that is given beforehand");
    expect(TokenKind::equals, "after the name of an argument");
    const Expression* given = argument();
    named.add({since(there), name, given});
    if (!accept(TokenKind::comma)) break;
  }
  expect_closing(TokenKind::right_paren, opened, "after the arguments");
  value.named = finish(named);
  return finish(value, begin);
}

List<Iterator> Parser::iterators() {
  auto items = list<Iterator>();
  do {
    const Place begin = place();
    const Name name = expect_name("of an iterator after 'for'");
    const Expression* range = accept(TokenKind::word_in) ? expression() : nullptr;
    items.add({since(begin), name, range});
  } while (accept(TokenKind::comma));
  return finish(items);
}

Path Parser::path(std::string_view context) {
  const Place begin = place();
  Path result;
  result.absolute = accept(TokenKind::dot);
  auto parts = list<Name>();
  do parts.add(expect_name(parts.size() == 0 ? context : "after '.'"));
  while (at(TokenKind::dot) && kind(1) == TokenKind::identifier && (advance(), true));
  result.parts = finish(parts);
  result.place = since(begin);
  return result;
}

}  // namespace alembert::modelica
