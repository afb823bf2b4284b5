// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/syntax/parser_state.hpp"

namespace alembert::modelica {

/// `(...)`, `(...) = e`, `= e`, `:= e`, or nothing.
const ModificationBody* Parser::optional_modification() {
  const Place begin = place();
  ModificationBody body;
  if (at(TokenKind::left_paren)) class_modification(body);
  if (at(TokenKind::equals) || at(TokenKind::assign)) {
    body.binding_kind = at(TokenKind::equals) ? BindingKind::equals : BindingKind::assignment;
    advance();
    if (accept(TokenKind::word_break))
      body.binding_kind = BindingKind::removed;
    else
      body.binding = expression();
  } else if (at(TokenKind::equal)) {
    fail(place(), "M010", "expected '=' before a value, found '=='. '==' compares two values.");
  }
  if (!body.has_parentheses && body.binding_kind == BindingKind::none) return nullptr;
  body.place = since(begin);
  return keep(body);
}

const ModificationBody* Parser::optional_class_modification() {
  if (!at(TokenKind::left_paren)) return nullptr;
  ModificationBody body;
  class_modification(body);
  return keep(body);
}

void Parser::class_modification(ModificationBody& body) {
  const Nesting nesting(*this);
  const Place opened = place();
  advance();
  auto arguments = list<const Modification*>();
  while (!at(TokenKind::right_paren)) {
    arguments.add(modification_argument());
    if (!accept(TokenKind::comma)) break;
    if (at(TokenKind::right_paren)) fail_expected("another modification after ','");
  }
  expect_closing(TokenKind::right_paren, opened, "after the modifications");
  body.has_parentheses = true;
  body.arguments = finish(arguments);
  body.place = since(opened);
}

const Modification* Parser::modification_argument() {
  Modification argument;
  const Place begin = place();
  argument.redeclare = accept(TokenKind::word_redeclare);
  for (bool more = true; more;) {
    if (at(TokenKind::word_each))
      set_once(argument.each, true);
    else if (at(TokenKind::word_final))
      set_once(argument.final_, true);
    else
      more = false;
  }
  if (argument.redeclare || at(TokenKind::word_replaceable))
    redeclaration(argument);
  else if (at(TokenKind::word_break))
    break_argument(argument);
  else
    element_modification(argument);
  argument.place = since(begin);
  return keep(argument);
}

void Parser::element_modification(Modification& argument) {
  if (at_class_definition() || at(TokenKind::word_parameter) || at(TokenKind::word_constant))
    fail_expected("'redeclare' or 'replaceable' before a declaration in a modification");
  argument.name = path("of what is modified");
  if (at(TokenKind::left_bracket))
    fail(place(), "M014",
         "a modification cannot pick entries of an array. Modify the whole array: 'x = {1, 2}'.");
  argument.body = optional_modification();
  string_comment(argument.comment);
}

void Parser::redeclaration(Modification& argument) {
  const Nesting nesting(*this);
  ElementPrefix prefix;
  prefix.redeclare = argument.redeclare;
  prefix.final_ = argument.final_;
  prefix.replaceable = argument.replaceable = accept(TokenKind::word_replaceable);
  if (at_class_definition()) {
    const Place begin = place();
    argument.kind = ModificationKind::class_definition;
    argument.class_definition = class_definition(prefix);
    const ClassBody form = argument.class_definition->body;
    if (form == ClassBody::long_ || form == ClassBody::extends)
      fail(begin, "M014",
           "a class in a modification has the short form 'redeclare model M = N(...)'. Declare the "
           "long one outside and name it here.");
    return;
  }
  Component component;
  component.prefix = prefix;
  component.type_prefix = type_prefix();
  component.type = path("of a type");
  if (at(TokenKind::left_bracket)) component.type_dimensions = subscripts();
  declaration(component);
  component.comment = comment();
  component.constraint = prefix.replaceable ? optional_constraint() : nullptr;
  argument.kind = ModificationKind::component;
  argument.component = keep(component);
}

/// In extends: `break x`, `break connect(a, b)`.
void Parser::break_argument(Modification& argument) {
  advance();
  if (!accept(TokenKind::word_connect)) {
    argument.kind = ModificationKind::break_component;
    argument.name = path("of what is left out");
    return;
  }
  argument.kind = ModificationKind::break_connect;
  const Place opened = expect(TokenKind::left_paren, "after 'connect'");
  argument.connect_from = component_reference();
  expect(TokenKind::comma, "between the two connectors");
  argument.connect_to = component_reference();
  expect_closing(TokenKind::right_paren, opened, "after the connectors");
}

Comment Parser::comment() {
  Comment result;
  string_comment(result);
  result.annotation = optional_annotation();
  return result;
}

void Parser::string_comment(Comment& comment) {
  if (!at(TokenKind::string)) return;
  comment.has_text = true;
  comment.text = string_literal()->text;
  if (!at(TokenKind::plus)) return;
  std::string joined_text(comment.text);
  while (accept(TokenKind::plus)) {
    if (!at(TokenKind::string)) fail_expected("a string after '+' in a comment");
    joined_text += string_literal()->text;
  }
  comment.text = keep_text(joined_text);
}

const ModificationBody* Parser::optional_annotation() {
  if (!accept(TokenKind::word_annotation)) return nullptr;
  if (!at(TokenKind::left_paren)) fail_expected("'(' after 'annotation'");
  return optional_class_modification();
}

const Constraint* Parser::optional_constraint() {
  const Place begin = place();
  if (!accept(TokenKind::word_constrainedby)) return nullptr;
  Constraint constraint;
  constraint.type = path("of the class that constrains");
  constraint.modification = optional_class_modification();
  constraint.place = since(begin);
  constraint.comment = comment();
  return keep(constraint);
}

}  // namespace alembert::modelica
