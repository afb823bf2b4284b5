// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/syntax/print.hpp"
#include "alembert/frontend/modelica/syntax/printer.hpp"

namespace alembert::modelica {

std::string_view to_text(Restriction restriction) {
  switch (restriction) {
    case Restriction::class_: return "class";
    case Restriction::model: return "model";
    case Restriction::record: return "record";
    case Restriction::operator_record: return "operator record";
    case Restriction::block: return "block";
    case Restriction::connector: return "connector";
    case Restriction::expandable_connector: return "expandable connector";
    case Restriction::type: return "type";
    case Restriction::package: return "package";
    case Restriction::function: return "function";
    case Restriction::operator_function: return "operator function";
    case Restriction::operator_: return "operator";
  }
  return "";
}

void Printer::new_line() {
  out_ += '\n';
  out_.append(static_cast<std::size_t>(2 * indent_), ' ');
}

// ---- modifications and comments -----------------------------------------------------------------

void Printer::body(const ModificationBody& body) {
  if (body.has_parentheses) {
    out_ += '(';
    for (std::size_t i = 0; i < body.arguments.size(); ++i) {
      if (i > 0) out_ += ", ";
      modification(*body.arguments[i]);
    }
    out_ += ')';
  }
  switch (body.binding_kind) {
    case BindingKind::none: return;
    case BindingKind::equals: out_ += " = "; break;
    case BindingKind::assignment: out_ += " := "; break;
    case BindingKind::removed: out_ += " = break"; return;
  }
  expression(*body.binding);
}

void Printer::modification(const Modification& argument) {
  if (argument.redeclare) out_ += "redeclare ";
  if (argument.each) out_ += "each ";
  if (argument.final_) out_ += "final ";
  if (argument.replaceable) out_ += "replaceable ";
  switch (argument.kind) {
    case ModificationKind::element:
      path(argument.name);
      if (argument.body != nullptr) body(*argument.body);
      break;
    case ModificationKind::component: component(*argument.component); break;
    case ModificationKind::class_definition: class_definition(*argument.class_definition); break;
    case ModificationKind::break_component:
      out_ += "break ";
      path(argument.name);
      break;
    case ModificationKind::break_connect:
      out_ += "break connect(";
      reference(*argument.connect_from);
      out_ += ", ";
      reference(*argument.connect_to);
      out_ += ')';
      break;
  }
  comment(argument.comment);
}

void Printer::comment(const Comment& comment) {
  if (comment.has_text) out_ += ' ' + quoted_string(comment.text);
  annotation(comment.annotation);
}

void Printer::annotation(const ModificationBody* annotation) {
  if (annotation == nullptr) return;
  out_ += " annotation";
  body(*annotation);
}

void Printer::constraint(const Constraint* constraint) {
  if (constraint == nullptr) return;
  out_ += " constrainedby ";
  path(constraint->type);
  if (constraint->modification != nullptr) body(*constraint->modification);
  comment(constraint->comment);
}

// ---- equations and statements -------------------------------------------------------------------

template <class Items>
void Printer::lines(const Items& items) {
  ++indent_;
  for (const auto* item : items) {
    new_line();
    line(*item);
  }
  --indent_;
}

template <class Branch>
void Printer::branches(List<Branch> items, std::string_view keyword) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) new_line();
    if (items[i].condition != nullptr) {
      out_ += i == 0 ? "" : "else";
      out_ += keyword;
      out_ += ' ';
      expression(*items[i].condition);
      out_ += " then";
    } else {
      out_ += "else";
    }
    lines(items[i].body);
  }
  new_line();
  out_ += "end ";
  out_ += keyword;
}

void Printer::equation(const Equation& equation) {
  switch (equation.kind) {
    case EquationKind::equality:
      expression(*equation.left, 1);
      out_ += " = ";
      expression(*equation.right);
      break;
    case EquationKind::if_equation: branches(equation.branches, "if"); break;
    case EquationKind::when_equation: branches(equation.branches, "when"); break;
    case EquationKind::for_equation:
      out_ += "for ";
      iterators(equation.iterators);
      out_ += " loop";
      lines(equation.branches[0].body);
      new_line();
      out_ += "end for";
      break;
    case EquationKind::connect:
      out_ += "connect(";
      reference(*equation.from);
      out_ += ", ";
      reference(*equation.to);
      out_ += ')';
      break;
    case EquationKind::call: expression(*equation.left); break;
  }
  comment(equation.comment);
  out_ += ';';
}

void Printer::statement(const Statement& statement) {
  switch (statement.kind) {
    case StatementKind::assignment:
      expression(*statement.target);
      out_ += " := ";
      expression(*statement.value);
      break;
    case StatementKind::tuple_assignment:
      out_ += '(';
      for (std::size_t i = 0; i < statement.targets.size(); ++i) {
        if (i > 0) out_ += ", ";
        if (statement.targets[i] != nullptr) expression(*statement.targets[i]);
      }
      out_ += ") := ";
      expression(*statement.value);
      break;
    case StatementKind::call: expression(*statement.value); break;
    case StatementKind::if_statement: branches(statement.branches, "if"); break;
    case StatementKind::when_statement: branches(statement.branches, "when"); break;
    case StatementKind::for_statement:
      out_ += "for ";
      iterators(statement.iterators);
      out_ += " loop";
      lines(statement.branches[0].body);
      new_line();
      out_ += "end for";
      break;
    case StatementKind::while_statement:
      out_ += "while ";
      expression(*statement.branches[0].condition);
      out_ += " loop";
      lines(statement.branches[0].body);
      new_line();
      out_ += "end while";
      break;
    case StatementKind::break_statement: out_ += "break"; break;
    case StatementKind::return_statement: out_ += "return"; break;
  }
  comment(statement.comment);
  out_ += ';';
}

// ---- elements and classes -----------------------------------------------------------------------

void Printer::element_prefix(const ElementPrefix& prefix) {
  if (prefix.redeclare) out_ += "redeclare ";
  if (prefix.final_) out_ += "final ";
  if (prefix.inner) out_ += "inner ";
  if (prefix.outer) out_ += "outer ";
  if (prefix.replaceable) out_ += "replaceable ";
}

void Printer::type_prefix(const TypePrefix& prefix) {
  constexpr std::string_view connections[] = {"", "flow ", "stream "};
  constexpr std::string_view variabilities[] = {"", "discrete ", "parameter ", "constant "};
  constexpr std::string_view causalities[] = {"", "input ", "output "};
  out_ += connections[static_cast<std::size_t>(prefix.connection)];
  out_ += variabilities[static_cast<std::size_t>(prefix.variability)];
  out_ += causalities[static_cast<std::size_t>(prefix.causality)];
}

/// From the type on; the prefixes of elements stand elsewhere in modifications.
void Printer::component(const Component& component) {
  type_prefix(component.type_prefix);
  path(component.type);
  subscripts(component.type_dimensions);
  out_ += ' ';
  out_ += component.name.text();
  subscripts(component.dimensions);
  if (component.modification != nullptr) body(*component.modification);
  if (component.condition != nullptr) {
    out_ += " if ";
    expression(*component.condition);
  }
  comment(component.comment);
  constraint(component.constraint);
}

void Printer::import(const Import& import) {
  out_ += "import ";
  if (import.kind == ImportKind::renamed) {
    out_ += import.alias.text();
    out_ += " = ";
  }
  path(import.path);
  if (import.kind == ImportKind::all) out_ += ".*";
  if (import.kind == ImportKind::selected) {
    out_ += ".{";
    for (std::size_t i = 0; i < import.names.size(); ++i) {
      if (i > 0) out_ += ", ";
      out_ += import.names[i].text();
    }
    out_ += '}';
  }
  comment(import.comment);
}

void Printer::element(const Element& element) {
  switch (element.kind) {
    case ElementKind::import: import(*element.import); break;
    case ElementKind::extends:
      out_ += "extends ";
      path(element.extends->base);
      if (element.extends->modification != nullptr) body(*element.extends->modification);
      annotation(element.extends->annotation);
      break;
    case ElementKind::class_definition:
      element_prefix(element.class_definition->prefix);
      class_definition(*element.class_definition);
      break;
    case ElementKind::component:
      element_prefix(element.component->prefix);
      component(*element.component);
      break;
  }
  out_ += ';';
}

/// Without the prefixes of elements.
void Printer::class_definition(const ClassDefinition& definition) {
  if (definition.encapsulated) out_ += "encapsulated ";
  if (definition.partial) out_ += "partial ";
  if (definition.purity == Purity::pure) out_ += "pure ";
  if (definition.purity == Purity::impure) out_ += "impure ";
  out_ += to_text(definition.restriction);
  out_ += ' ';
  if (definition.body == ClassBody::extends) out_ += "extends ";
  out_ += definition.name.text();
  if (definition.body == ClassBody::long_ || definition.body == ClassBody::extends)
    long_class(definition);
  else
    short_class(definition);
  constraint(definition.constraint);
}

void Printer::short_class(const ClassDefinition& definition) {
  out_ += " = ";
  if (definition.body == ClassBody::short_) {
    type_prefix(definition.base_prefix);
    path(definition.base);
    subscripts(definition.base_dimensions);
    if (definition.modification != nullptr) body(*definition.modification);
  } else if (definition.body == ClassBody::derivative) {
    out_ += "der(";
    path(definition.base);
    for (const Name input : definition.derivative_inputs) {
      out_ += ", ";
      out_ += input.text();
    }
    out_ += ')';
  } else {
    out_ += "enumeration(";
    if (definition.body == ClassBody::open_enumeration) out_ += ':';
    for (std::size_t i = 0; i < definition.literals.size(); ++i) {
      if (i > 0) out_ += ", ";
      out_ += definition.literals[i].name.text();
      comment(definition.literals[i].comment);
    }
    out_ += ')';
  }
  comment(definition.comment);
}

void Printer::external(const External& external) {
  out_ += "external";
  if (external.has_language) out_ += ' ' + quoted_string(external.language);
  if (external.result != nullptr) {
    out_ += ' ';
    reference(*external.result);
    out_ += " =";
  }
  if (!external.function.empty()) {
    out_ += ' ';
    out_ += external.function.text();
    out_ += '(';
    for (std::size_t i = 0; i < external.arguments.size(); ++i) {
      if (i > 0) out_ += ", ";
      expression(*external.arguments[i]);
    }
    out_ += ')';
  }
  annotation(external.annotation);
  out_ += ';';
}

void Printer::long_class(const ClassDefinition& definition) {
  if (definition.modification != nullptr) body(*definition.modification);
  if (definition.comment.has_text) out_ += ' ' + quoted_string(definition.comment.text);
  Visibility visibility = Visibility::public_;
  for (const Element& item : definition.elements) {
    if (item.visibility != visibility) {
      visibility = item.visibility;
      new_line();
      out_ += visibility == Visibility::public_ ? "public" : "protected";
    }
    ++indent_;
    new_line();
    element(item);
    --indent_;
  }
  for (const EquationSection& section : definition.equations) {
    new_line();
    out_ += section.initial ? "initial equation" : "equation";
    lines(section.equations);
  }
  for (const AlgorithmSection& section : definition.algorithms) {
    new_line();
    out_ += section.initial ? "initial algorithm" : "algorithm";
    lines(section.statements);
  }
  ++indent_;
  if (definition.external != nullptr) {
    new_line();
    external(*definition.external);
  }
  if (definition.comment.annotation != nullptr) {
    new_line();
    out_ += "annotation";
    body(*definition.comment.annotation);
    out_ += ';';
  }
  --indent_;
  new_line();
  out_ += "end ";
  out_ += definition.name.text();
}

void Printer::stored_definition(const StoredDefinition& stored) {
  if (stored.has_within) {
    out_ += stored.within.parts.empty() ? "within" : "within ";
    path(stored.within);
    out_ += ";\n";
  }
  for (const ClassDefinition* definition : stored.classes) {
    element_prefix(definition->prefix);
    class_definition(*definition);
    out_ += ";\n";
  }
}

namespace {

template <class Node>
std::string printed(void (Printer::*print)(const Node&), const Node& node) {
  Printer printer;
  (printer.*print)(node);
  return printer.take();
}

}  // namespace

std::string to_text(const ModificationBody& body) { return printed(&Printer::body, body); }
std::string to_text(const Modification& modification) {
  return printed(&Printer::modification, modification);
}
std::string to_text(const Equation& equation) { return printed(&Printer::equation, equation); }
std::string to_text(const Statement& statement) { return printed(&Printer::statement, statement); }
std::string to_text(const ClassDefinition& definition) {
  return printed(&Printer::class_definition, definition);
}
std::string to_text(const StoredDefinition& stored) {
  return printed(&Printer::stored_definition, stored);
}

}  // namespace alembert::modelica
