// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/instance/class_rules.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "alembert/frontend/modelica/syntax/mistakes.hpp"
#include "alembert/frontend/modelica/syntax/print.hpp"

namespace alembert::modelica {

namespace {

bool is_function(Restriction restriction) {
  return restriction == Restriction::function || restriction == Restriction::operator_function;
}

bool is_record(Restriction restriction) {
  return restriction == Restriction::record || restriction == Restriction::operator_record;
}

bool is_connector(Restriction restriction) {
  return restriction == Restriction::connector ||
         restriction == Restriction::expandable_connector;
}

/// Of classes that hold values or other classes and do nothing.
bool has_no_behaviour(Restriction restriction) {
  return is_record(restriction) || is_connector(restriction) ||
         restriction == Restriction::type || restriction == Restriction::package ||
         restriction == Restriction::operator_;
}

class Rules {
 public:
  explicit Rules(const ClassDefinition& definition)
      : class_(definition), kind_(definition.restriction), what_(with_article(kind_)) {}

  void check() {
    check_sections();
    for (const Element& element : class_.elements) check_element(element);
    check_literals();
    mistakes_.report();
  }

 private:
  void wrong(Place place, const std::string& text) {
    mistakes_.add(diagnostic_at(place, "M122", text));
  }

  void check_sections() {
    const bool is_function_body = is_function(kind_);
    for (const EquationSection& section : class_.equations) {
      if (has_no_behaviour(kind_) || is_function_body)
        wrong(section.place, what_ + " has no equations." + advice());
    }
    std::size_t n_bodies = class_.external == nullptr ? 0 : 1;
    for (const AlgorithmSection& section : class_.algorithms) {
      if (has_no_behaviour(kind_)) {
        wrong(section.place, what_ + " has no algorithms." + advice());
      } else if (is_function_body && section.initial) {
        wrong(section.place, "a function has no initial algorithm. It has one 'algorithm' only.");
      } else if (is_function_body && ++n_bodies > 1) {
        wrong(section.place,
              "a function has one algorithm, or one external function. Put them together.");
      }
      for (const Statement* statement : section.statements)
        check_statement(*statement, {.in_initial = section.initial});
    }
  }

  std::string advice() const {
    return is_function(kind_) ? " Assign with ':=' in an algorithm."
                              : " Move them to a model that has such a component.";
  }

  struct Around {
    bool loop = false;
    bool when = false;
    bool in_initial = false;
  };

  void check_target(const Expression* target) {
    if (target == nullptr || target->kind != ExpressionKind::reference || !is_function(kind_))
      return;
    const Name name = target->reference->parts.front().name;
    for (const Element& element : class_.elements)
      if (element.kind == ElementKind::component && element.component->name == name &&
          element.component->type_prefix.causality == Causality::input)
        wrong(target->place, "'" + name.string() +
                                 "' is an input of the function and cannot be assigned. Declare a "
                                 "protected variable for it.");
  }

  void check_statement(const Statement& statement, Around around) {
    check_target(statement.target);
    for (const Expression* target : statement.targets) check_target(target);
    switch (statement.kind) {
      case StatementKind::break_statement:
        if (!around.loop)
          wrong(statement.place, "'break' leaves a loop, but there is none around it.");
        break;
      case StatementKind::return_statement:
        if (!is_function(kind_))
          wrong(statement.place, "'return' ends a function, but this is " + what_ + ".");
        break;
      case StatementKind::when_statement:
        if (around.when)
          wrong(statement.place,
                "a when cannot stand inside of another one. Join their conditions by 'and'.");
        if (around.in_initial)
          wrong(statement.place,
                "a when cannot stand in an initial algorithm: nothing happens there but the "
                "start.");
        if (is_function(kind_)) wrong(statement.place, "a when cannot stand in a function.");
        around.when = true;
        break;
      case StatementKind::for_statement:
      case StatementKind::while_statement: around.loop = true; break;
      default: break;
    }
    for (const StatementBranch& branch : statement.branches)
      for (const Statement* inner : branch.body) check_statement(*inner, around);
  }

  static bool is_reserved(Name name) {
    constexpr std::array<std::string_view, 4> types{"Real", "Integer", "Boolean", "String"};
    return std::find(types.begin(), types.end(), name.text()) != types.end();
  }

  void check_element(const Element& element) {
    switch (element.kind) {
      case ElementKind::component: check_component(*element.component, element.visibility); break;
      case ElementKind::class_definition: {
        const ClassDefinition& inner = *element.class_definition;
        if (is_reserved(inner.name))
          wrong(inner.place, "'" + inner.name.string() + "' is a type of the language. Take "
                                                         "another name.");
        if (kind_ == Restriction::operator_ && !is_function(inner.restriction))
          wrong(inner.place, "an operator has functions only, but '" + inner.name.string() +
                                 "' is " + with_article(inner.restriction) + ".");
        if ((inner.restriction == Restriction::operator_ ||
             inner.restriction == Restriction::operator_function) &&
            kind_ != Restriction::operator_record)
          wrong(inner.place, with_article(inner.restriction) +
                                 " stands in an operator record only, but this is " + what_ + ".");
        check_hidden(inner.place, element.visibility);
        break;
      }
      case ElementKind::extends:
      case ElementKind::import: break;
    }
  }

  void check_hidden(Place place, Visibility visibility) {
    if (visibility == Visibility::protected_ && (is_record(kind_) || is_connector(kind_)))
      wrong(place, "in " + what_ + " nothing is protected. Make it public, or leave it out.");
  }

  void check_component(const Component& component, Visibility visibility) {
    const std::string name = "'" + component.name.string() + "'";
    if (is_reserved(component.name))
      wrong(component.place, name + " is a type of the language. Take another name.");
    check_hidden(component.place, visibility);
    if (kind_ == Restriction::operator_)
      wrong(component.place, "an operator has functions only, but " + name + " is a component.");
    if (kind_ == Restriction::package &&
        component.type_prefix.variability != Variability::constant)
      wrong(component.place,
            "a package has constants and classes only. Declare 'constant' before " + name + ".");
    const TypePrefix& prefix = component.type_prefix;
    if ((component.prefix.inner || component.prefix.outer) &&
        (is_record(kind_) || is_connector(kind_) || is_function(kind_)))
      wrong(component.place, "in " + what_ + " nothing is inner or outer, as " + name + " is.");
    if (is_record(kind_) &&
        (prefix.causality != Causality::none || prefix.connection != Connection::none))
      wrong(component.place,
            "in a record nothing is input, output, flow or stream, as " + name +
                " is. Declare that for the record as a whole.");
    if (prefix.connection == Connection::stream && !is_connector(kind_))
      wrong(component.place,
            "'stream' stands in connectors only, but this is " + what_ + ".");
    if (prefix.causality == Causality::input && prefix.variability > Variability::discrete)
      wrong(component.place, name + " cannot be an input and " +
                                 (prefix.variability == Variability::parameter ? "a parameter"
                                                                               : "a constant") +
                                 " at once. Take one of the two away.");
  }

  void check_literals() {
    constexpr std::array<std::string_view, 5> attributes{"quantity", "min", "max", "start",
                                                         "fixed"};
    std::set<Name> seen;
    for (const EnumerationLiteral& literal : class_.literals) {
      if (!seen.insert(literal.name).second)
        wrong(literal.place,
              "'" + literal.name.string() + "' is twice in this enumeration. Remove one.");
      if (std::find(attributes.begin(), attributes.end(), literal.name.text()) !=
          attributes.end())
        wrong(literal.place, "'" + literal.name.string() +
                                 "' is an attribute of enumerations. Take another name.");
    }
  }

  const ClassDefinition& class_;
  Restriction kind_;
  std::string what_;
  Mistakes mistakes_;
};

}  // namespace

std::string with_article(Restriction restriction) {
  const std::string_view text = to_text(restriction);
  const bool vowel = std::string_view("aeiou").find(text.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(text);
}

void check_class_rules(const ClassDefinition& definition) { Rules(definition).check(); }

bool may_extend(Restriction derived, Restriction base) {
  if (derived == base || base == Restriction::class_) return true;
  switch (derived) {
    case Restriction::class_:
      return base == Restriction::model || base == Restriction::block || is_record(base) ||
             is_connector(base) || base == Restriction::type;
    case Restriction::operator_function: return base == Restriction::function;
    case Restriction::connector: return base == Restriction::type || is_record(base);
    case Restriction::block: return base == Restriction::record;
    case Restriction::model: return base == Restriction::record || base == Restriction::block;
    default: return false;
  }
}

bool may_contain(Restriction owner, Restriction component) {
  switch (component) {
    case Restriction::package:
    case Restriction::operator_:
    case Restriction::operator_function: return false;
    case Restriction::function: return is_function(owner);
    case Restriction::model:
    case Restriction::block:
      return !is_function(owner) && !is_record(owner) && !is_connector(owner) &&
             owner != Restriction::package;
    case Restriction::connector:
    case Restriction::expandable_connector: return !is_function(owner) && !is_record(owner);
    default: return true;
  }
}

}  // namespace alembert::modelica
