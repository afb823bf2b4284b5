// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "alembert/frontend/modelica/syntax/parser_state.hpp"

namespace alembert::modelica {

bool Parser::at_class_definition() const {
  switch (kind()) {
    case TokenKind::word_encapsulated:
    case TokenKind::word_partial:
    case TokenKind::word_class:
    case TokenKind::word_model:
    case TokenKind::word_record:
    case TokenKind::word_block:
    case TokenKind::word_connector:
    case TokenKind::word_expandable:
    case TokenKind::word_type:
    case TokenKind::word_package:
    case TokenKind::word_pure:
    case TokenKind::word_impure:
    case TokenKind::word_operator:
    case TokenKind::word_function: return true;
    default: return false;
  }
}

const ClassDefinition* Parser::class_definition(const ElementPrefix& prefix) {
  const Nesting nesting(*this);
  ClassDefinition definition;
  definition.prefix = prefix;
  definition.encapsulated = accept(TokenKind::word_encapsulated);
  definition.partial = accept(TokenKind::word_partial);
  definition.restriction = restriction(definition);
  const bool extends_inherited = accept(TokenKind::word_extends);
  definition.place = place();
  definition.name = expect_name(extends_inherited ? "of the class that is extended" : "of a class");
  if (extends_inherited) {
    definition.body = ClassBody::extends;
    definition.modification = optional_class_modification();
    long_class(definition);
  } else if (accept(TokenKind::equals)) {
    short_class(definition);
  } else {
    long_class(definition);
  }
  const Place behind = place();
  definition.constraint = optional_constraint();
  if (definition.constraint != nullptr && !prefix.replaceable)
    report(behind, "M014", "'constrainedby' belongs to a class that is 'replaceable'.");
  return keep(definition);
}

Restriction Parser::restriction(ClassDefinition& definition) {
  if (accept(TokenKind::word_pure))
    definition.purity = Purity::pure;
  else if (accept(TokenKind::word_impure))
    definition.purity = Purity::impure;
  const TokenKind word = kind();
  if (definition.purity != Purity::unspecified && word != TokenKind::word_operator &&
      word != TokenKind::word_function)
    report(place(), "M010", "expected 'function' after 'pure' or 'impure', found " + found() + ".");
  switch (word) {
    case TokenKind::word_class: advance(); return Restriction::class_;
    case TokenKind::word_model: advance(); return Restriction::model;
    case TokenKind::word_record: advance(); return Restriction::record;
    case TokenKind::word_block: advance(); return Restriction::block;
    case TokenKind::word_connector: advance(); return Restriction::connector;
    case TokenKind::word_type: advance(); return Restriction::type;
    case TokenKind::word_package: advance(); return Restriction::package;
    case TokenKind::word_function: advance(); return Restriction::function;
    case TokenKind::word_expandable:
      advance();
      expect(TokenKind::word_connector, "after 'expandable'");
      return Restriction::expandable_connector;
    case TokenKind::word_operator:
      advance();
      if (accept(TokenKind::word_record)) return Restriction::operator_record;
      if (accept(TokenKind::word_function)) return Restriction::operator_function;
      return Restriction::operator_;
    default: fail_expected("the kind of a class ('model', 'package', 'function', ...)");
  }
}

void Parser::short_class(ClassDefinition& definition) {
  if (at(TokenKind::word_enumeration)) {
    enumeration(definition);
  } else if (at(TokenKind::word_der)) {
    derivative_function(definition);
  } else {
    definition.body = ClassBody::short_;
    definition.base_prefix = type_prefix();
    definition.base = path("of a class after '='");
    if (at(TokenKind::left_bracket)) definition.base_dimensions = subscripts();
    definition.modification = optional_class_modification();
  }
  definition.comment = comment();
}

void Parser::enumeration(ClassDefinition& definition) {
  advance();
  definition.body = ClassBody::enumeration;
  const Place opened = expect(TokenKind::left_paren, "after 'enumeration'");
  if (accept(TokenKind::colon)) {
    definition.body = ClassBody::open_enumeration;
  } else {
    auto literals = list<EnumerationLiteral>();
    while (!at(TokenKind::right_paren)) {
      EnumerationLiteral literal;
      literal.place = place();
      literal.name = expect_name("of an enumeration literal");
      literal.comment = comment();
      literals.add(literal);
      if (!accept(TokenKind::comma)) break;
    }
    definition.literals = finish(literals);
  }
  expect_closing(TokenKind::right_paren, opened, "after the literals of an enumeration");
}

void Parser::derivative_function(ClassDefinition& definition) {
  advance();
  definition.body = ClassBody::derivative;
  const Place opened = expect(TokenKind::left_paren, "after 'der'");
  definition.base = path("of a function");
  auto inputs = list<Name>();
  expect(TokenKind::comma, "after the function in 'der'");
  do inputs.add(expect_name("of an input of the function"));
  while (accept(TokenKind::comma));
  expect_closing(TokenKind::right_paren, opened, "after the inputs in 'der'");
  definition.derivative_inputs = finish(inputs);
}

void Parser::long_class(ClassDefinition& definition) {
  open_classes_.push_back(definition.name);
  try {
    string_comment(definition.comment);
    composition(definition);
    end_of_class(definition);
  } catch (const Recover&) {
    open_classes_.pop_back();
    throw;
  }
  open_classes_.pop_back();
}

void Parser::composition(ClassDefinition& definition) {
  auto elements = list<Element>();
  auto equation_sections = list<EquationSection>();
  auto algorithm_sections = list<AlgorithmSection>();
  Visibility visibility = Visibility::public_;
  while (!at(TokenKind::word_end) && !at(TokenKind::end_of_text)) {
    const std::size_t started_at = at_;
    const Place begin = place();
    const bool initial = at(TokenKind::word_initial) && (kind(1) == TokenKind::word_equation ||
                                                         kind(1) == TokenKind::word_algorithm);
    try {
      switch (kind(initial ? 1 : 0)) {
        case TokenKind::word_public:
          advance();
          visibility = Visibility::public_;
          break;
        case TokenKind::word_protected:
          advance();
          visibility = Visibility::protected_;
          break;
        case TokenKind::word_equation:
          if (initial) advance();
          advance();
          equation_sections.add({begin, initial, equations()});
          break;
        case TokenKind::word_algorithm:
          if (initial) advance();
          advance();
          algorithm_sections.add({begin, initial, statements()});
          break;
        case TokenKind::word_external: external_clause(definition); break;
        case TokenKind::word_annotation: class_annotation(definition); break;
        case TokenKind::word_connect:
        case TokenKind::word_der:
        case TokenKind::word_for:
        case TokenKind::word_if:
        case TokenKind::word_when:
        case TokenKind::word_while:
          report_missing_heading(definition);
          if (definition.restriction == Restriction::function)
            algorithm_sections.add({begin, false, statements()});
          else
            equation_sections.add({begin, false, equations()});
          break;
        default: element(elements, visibility);
      }
    } catch (const Recover&) {
      skip_mistake(started_at);
      if (at_ == started_at && !at(TokenKind::word_end)) advance();
    }
    if (stray_end()) skip_stray_end();
  }
  definition.elements = finish(elements);
  definition.equations = finish(equation_sections);
  definition.algorithms = finish(algorithm_sections);
}

/// What comes next belongs below a word that is missing; it is read as if the word were there.
void Parser::report_missing_heading(const ClassDefinition& definition) {
  const bool is_function = definition.restriction == Restriction::function;
  report(place(), "M010",
         "expected a declaration, 'equation', 'algorithm' or 'end " + definition.name.string() +
             "', found " + found() +
             (is_function ? ". Statements stand below the word 'algorithm': write it before them."
                          : ". Equations stand below the word 'equation': write it before them."));
}

/// `end if` and the like with nothing to end; `end X` always ends a class.
bool Parser::stray_end() const { return at(TokenKind::word_end) && is_word(kind(1)); }

void Parser::skip_stray_end() {
  const std::string word(place_of(tokens_[at_ + 1]).text());
  report(joined(place(), place_of(tokens_[at_ + 1])), "M012",
         "'end " + word + "' has nothing to end here.");
  advance();
  advance();
  accept(TokenKind::semicolon);
}

void Parser::end_of_class(const ClassDefinition& definition) {
  const std::string name = definition.name.string();
  const std::vector<Note> notes{{"the class begins here", origin_of(definition.place)}};
  if (at(TokenKind::end_of_text))
    fail(place(), "M012", "expected 'end " + name + "', found the end of the text.", notes);
  advance();
  if (!at(TokenKind::identifier))
    return report(place(), "M012",
                  "expected the name of the class after 'end', found " + found() + ". Write 'end " +
                      name + "'.",
                  notes);
  const Name written(place().text());
  if (written == definition.name) return advance();
  const std::string sentence = "expected 'end " + name + "', found 'end " + written.string() + "'.";
  report(place(), "M012", sentence, notes);
  // The end of an enclosing class ends this one too; otherwise the name was mistyped.
  const bool encloses =
      std::find(open_classes_.begin(), open_classes_.end(), written) != open_classes_.end();
  if (!encloses) return advance();
  --at_;
  throw Recover{};
}

void Parser::external_clause(ClassDefinition& definition) {
  const Place begin = place();
  if (definition.external != nullptr)
    report(begin, "M015", "a function has one 'external' clause; this is the second.");
  advance();
  External external;
  external.language = "C";
  if (at(TokenKind::string)) {
    external.has_language = true;
    external.language = string_literal()->text;
  }
  if (at(TokenKind::identifier) || at(TokenKind::dot)) {
    if (kind(1) != TokenKind::left_paren) {
      external.result = component_reference();
      expect(TokenKind::equals, "after the result of an external call");
    }
    external.function = expect_name("of an external function");
    const Place opened = expect(TokenKind::left_paren, "after the external function");
    auto arguments = list<const Expression*>();
    if (!at(TokenKind::right_paren)) do
        arguments.add(expression());
      while (accept(TokenKind::comma));
    expect_closing(TokenKind::right_paren, opened, "after the arguments of an external call");
    external.arguments = finish(arguments);
  }
  external.place = since(begin);
  external.annotation = optional_annotation();
  definition.external = keep(external);
  expect_semicolon("the external clause");
}

void Parser::class_annotation(ClassDefinition& definition) {
  const ModificationBody* annotation = optional_annotation();
  // The language has one; published libraries have several here and there, and nobody minds.
  if (const ModificationBody* before = definition.comment.annotation; before != nullptr) {
    auto arguments = list<const Modification*>();
    for (const ModificationBody* part : {before, annotation})
      for (const Modification* argument : part->arguments) arguments.add(argument);
    ModificationBody joined = *before;
    joined.arguments = finish(arguments);
    annotation = keep(joined);
  }
  definition.comment.annotation = annotation;
  expect_semicolon("an annotation");
}

// ---- elements -----------------------------------------------------------------------------------

template <class Flag>
void Parser::set_once(Flag& flag, Flag value) {
  if (flag != Flag{}) report(place(), "M015", found() + " is one prefix too many here.");
  flag = value;
  advance();
}
template void Parser::set_once(bool&, bool);

ElementPrefix Parser::element_prefix() {
  ElementPrefix prefix;
  for (;;) switch (kind()) {
      case TokenKind::word_redeclare: set_once(prefix.redeclare, true); break;
      case TokenKind::word_final: set_once(prefix.final_, true); break;
      case TokenKind::word_inner: set_once(prefix.inner, true); break;
      case TokenKind::word_outer: set_once(prefix.outer, true); break;
      case TokenKind::word_replaceable: set_once(prefix.replaceable, true); break;
      default: return prefix;
    }
}

TypePrefix Parser::type_prefix() {
  TypePrefix prefix;
  for (;;) switch (kind()) {
      case TokenKind::word_flow: set_once(prefix.connection, Connection::flow); break;
      case TokenKind::word_stream: set_once(prefix.connection, Connection::stream); break;
      case TokenKind::word_discrete: set_once(prefix.variability, Variability::discrete); break;
      case TokenKind::word_parameter: set_once(prefix.variability, Variability::parameter); break;
      case TokenKind::word_constant: set_once(prefix.variability, Variability::constant); break;
      case TokenKind::word_input: set_once(prefix.causality, Causality::input); break;
      case TokenKind::word_output: set_once(prefix.causality, Causality::output); break;
      default: return prefix;
    }
}

void Parser::element(ListBuilder<Element>& elements, Visibility visibility) {
  if (at(TokenKind::word_import)) {
    elements.add({.kind = ElementKind::import, .visibility = visibility, .import = import()});
    return expect_semicolon("an import");
  }
  if (at(TokenKind::word_extends)) {
    elements.add({.kind = ElementKind::extends, .visibility = visibility, .extends = extends()});
    return expect_semicolon("'extends'");
  }
  const ElementPrefix prefix = element_prefix();
  if (at_class_definition()) {
    const ClassDefinition* definition = class_definition(prefix);
    elements.add({.kind = ElementKind::class_definition,
                  .visibility = visibility,
                  .class_definition = definition});
    return expect_semicolon("the class '" + definition->name.string() + "'");
  }
  component_clause(elements, visibility, prefix);
  expect_semicolon("a declaration");
}

const Import* Parser::import() {
  const Place begin = place();
  advance();
  Import import;
  if (at(TokenKind::identifier) && kind(1) == TokenKind::equals) {
    import.kind = ImportKind::renamed;
    import.alias = expect_name("of an import");
    advance();
    import.path = path("of a class after '='");
  } else {
    import.path = path("of a class after 'import'");
    import.alias = import.path.parts.back();
    if (accept(TokenKind::dot_times)) {
      import.kind = ImportKind::all;
    } else if (at(TokenKind::dot) && kind(1) == TokenKind::left_brace) {
      advance();
      const Place opened = place();
      advance();
      import.kind = ImportKind::selected;
      auto names = list<Name>();
      do names.add(expect_name("of a class to import"));
      while (accept(TokenKind::comma));
      expect_closing(TokenKind::right_brace, opened, "after the names to import");
      import.names = finish(names);
    }
  }
  if (import.kind == ImportKind::all || import.kind == ImportKind::selected) import.alias = {};
  import.place = since(begin);
  import.comment = comment();
  return keep(import);
}

const Extends* Parser::extends() {
  const Place begin = place();
  advance();
  Extends extends;
  extends.base = path("of a class after 'extends'");
  extends.modification = optional_class_modification();
  extends.place = since(begin);
  extends.annotation = optional_annotation();
  return keep(extends);
}

void Parser::component_clause(ListBuilder<Element>& elements, Visibility visibility,
                              const ElementPrefix& prefix) {
  const bool has_prefix =
      prefix.redeclare || prefix.final_ || prefix.inner || prefix.outer || prefix.replaceable;
  Component shared;
  shared.prefix = prefix;
  const std::size_t before = at_;
  shared.type_prefix = type_prefix();
  if (!at(TokenKind::identifier) && !at(TokenKind::dot)) {
    if (before != at_ || has_prefix) fail_expected("a type or a class");
    fail_expected("a declaration, 'equation', 'algorithm' or 'end " +
                  open_classes_.back().string() + "'");
  }
  const std::size_t before_type = at_;
  shared.type = path("of a type");
  if (at(TokenKind::equals) || at(TokenKind::assign) || at(TokenKind::left_paren))
    fail_expected("a name after the type '" + std::string(shared.type.place.text()) + "'",
                  before_type != before
                      ? " A declaration has a type and a name: 'parameter Real "
                        "k = 1'."
                      : " Equations stand below the word 'equation': write it before them.");
  if (at(TokenKind::left_bracket)) shared.type_dimensions = subscripts();
  auto components = list<Component>();
  do {
    Component component = shared;
    declaration(component);
    component.comment = comment();
    components.add(component);
  } while (accept(TokenKind::comma));
  if (at(TokenKind::identifier) && !first_of_line() && components.size() == 1)
    fail_expected("';' after a declaration", nearest_word(shared.type.place.text()));
  const Place behind = place();
  const Constraint* constraint = optional_constraint();
  if (constraint != nullptr && !prefix.replaceable)
    report(behind, "M014", "'constrainedby' belongs to a declaration that is 'replaceable'.");
  for (Component component : finish(components)) {
    component.constraint = constraint;
    elements.add(
        {.kind = ElementKind::component, .visibility = visibility, .component = keep(component)});
  }
}

void Parser::declaration(Component& component) {
  component.place = place();
  component.name = expect_name("of a component");
  if (at(TokenKind::left_bracket)) component.dimensions = subscripts();
  component.modification = optional_modification();
  if (accept(TokenKind::word_if)) component.condition = expression();
}

}  // namespace alembert::modelica
