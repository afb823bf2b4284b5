// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, syntax, inside print. Appends to one text; one function a kind of node.
#pragma once

#include <string>
#include <string_view>

#include "alembert/frontend/modelica/syntax/ast.hpp"

namespace alembert::modelica {

class Printer {
 public:
  // print_expression.cpp
  void path(const Path& path);
  void reference(const ComponentReference& reference);
  /// In parentheses if it binds less tightly than `at_least` asks; levels as in the grammar.
  void expression(const Expression& value, int at_least = 0);
  void subscripts(List<const Expression*> items);
  void iterators(List<Iterator> items);

  // print_class.cpp
  void body(const ModificationBody& body);
  void modification(const Modification& argument);
  void comment(const Comment& comment);
  void equation(const Equation& equation);
  void statement(const Statement& statement);
  void class_definition(const ClassDefinition& definition);
  void stored_definition(const StoredDefinition& stored);

  std::string take() { return std::move(out_); }

 private:
  void operands(const Expression& value);
  void arguments(const Expression& value);
  void if_expression(const Expression& value);

  void annotation(const ModificationBody* annotation);
  void element_prefix(const ElementPrefix& prefix);
  void type_prefix(const TypePrefix& prefix);
  void constraint(const Constraint* constraint);
  void component(const Component& component);
  void import(const Import& import);
  void element(const Element& element);
  void external(const External& external);
  void long_class(const ClassDefinition& definition);
  void short_class(const ClassDefinition& definition);
  template <class Branch>
  void branches(List<Branch> items, std::string_view keyword);
  template <class Items>
  void lines(const Items& items);
  void line(const Equation& item) { equation(item); }
  void line(const Statement& item) { statement(item); }
  void new_line();

  std::string out_;
  int indent_ = 0;
};

}  // namespace alembert::modelica
