// SPDX-License-Identifier: Apache-2.0
#include "dump.hpp"

#include "alembert/base/number_text.hpp"

namespace alembert::modelica {

namespace {

class Dump {
 public:
  std::string out;

  template <class Enum>
  requires std::is_enum_v<Enum>
  void put(Enum value) { out += std::to_string(static_cast<int>(value)) + ' '; }
  void put(bool value) { out += value ? "T " : "F "; }
  void put(Name name) { out += name.string() + ' '; }
  void put(std::string_view text) { out += '<' + std::string(text) + "> "; }
  template <class T>
  void put(const List<T>& items) {
    out += '[';
    for (const T& item : items) put(item);
    out += "] ";
  }
  template <class T>
  void put(const T* node) {
    if (node == nullptr)
      out += "null ";
    else
      put(*node);
  }

  void put(const Path& path) { all(path.parts, path.absolute); }
  void put(const ReferencePart& part) { all(part.name, part.subscripts); }
  void put(const ComponentReference& item) { all(item.parts, item.absolute); }
  void put(const Iterator& item) { all(item.name, item.range); }
  void put(const NamedArgument& item) { all(item.name, item.value); }
  void put(const Expression& e) {
    out += number_text(e.real) + ' ' + std::to_string(e.integer) + ' ' + std::to_string(e.height);
    all(e.kind, e.op, e.boolean, e.text, e.operands, e.reference, e.named, e.iterators);
  }
  void put(const ModificationBody& b) {
    all(b.arguments, b.has_parentheses, b.binding_kind, b.binding);
  }
  void put(const Comment& c) { all(c.text, c.has_text, c.annotation); }
  void put(const Modification& m) {
    all(m.kind, m.each, m.final_, m.redeclare, m.replaceable, m.name, m.body, m.comment,
        m.component, m.class_definition, m.connect_from, m.connect_to);
  }
  void put(const EquationBranch& b) { all(b.condition, b.body); }
  void put(const Equation& e) {
    all(e.kind, e.left, e.right, e.from, e.to, e.iterators, e.branches, e.comment);
  }
  void put(const StatementBranch& b) { all(b.condition, b.body); }
  void put(const Statement& s) {
    all(s.kind, s.target, s.targets, s.value, s.iterators, s.branches, s.comment);
  }
  void put(const EquationSection& s) { all(s.initial, s.equations); }
  void put(const AlgorithmSection& s) { all(s.initial, s.statements); }
  void put(const TypePrefix& p) { all(p.connection, p.variability, p.causality); }
  void put(const ElementPrefix& p) { all(p.redeclare, p.final_, p.inner, p.outer, p.replaceable); }
  void put(const Constraint& c) { all(c.type, c.modification, c.comment); }
  void put(const Component& c) {
    all(c.prefix, c.type_prefix, c.type, c.type_dimensions, c.name, c.dimensions, c.modification,
        c.condition, c.comment, c.constraint);
  }
  void put(const Import& i) { all(i.kind, i.path, i.alias, i.names, i.comment); }
  void put(const Extends& e) { all(e.base, e.modification, e.annotation); }
  void put(const Element& e) {
    all(e.kind, e.visibility, e.import, e.extends, e.class_definition, e.component);
  }
  void put(const EnumerationLiteral& l) { all(l.name, l.comment); }
  void put(const External& e) {
    all(e.language, e.has_language, e.result, e.function, e.arguments, e.annotation);
  }
  void put(const ClassDefinition& c) {
    all(c.name, c.restriction, c.purity, c.encapsulated, c.partial, c.prefix, c.body, c.comment,
        c.constraint, c.elements, c.equations, c.algorithms, c.external, c.base_prefix, c.base,
        c.base_dimensions, c.modification, c.literals, c.derivative_inputs);
  }

  template <class... Members>
  void all(const Members&... members) {
    out += '(';
    (put(members), ...);
    out += ") ";
  }
};

}  // namespace

std::string dump(const Expression* expression) {
  Dump result;
  result.put(expression);
  return result.out;
}

std::string dump(const StoredDefinition& stored) {
  Dump result;
  result.all(stored.has_within, stored.within, stored.classes);
  return result.out;
}

}  // namespace alembert::modelica
