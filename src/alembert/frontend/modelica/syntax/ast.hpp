// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, syntax. The syntax tree of Modelica 3.6/3.7 text, nothing resolved.
//
// Plain structs that live in the arena of their `SyntaxFile` (parser.hpp) and never change: hold
// them by `const T*`, lists by `std::span<const T>`. An absent optional part is a null pointer or
// an empty span. Every node says where it stands (`place`). Everything is in source order.
//
// Bounds that hold for every tree the parser returns, so that recursion over it is safe:
// expressions are at most `max_expression_height` high, classes, statements, equations and
// modifications are nested at most `max_nesting` deep.
//
// Language specification: Modelica 3.6, appendix A (concrete syntax).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "alembert/frontend/modelica/syntax/name.hpp"
#include "alembert/frontend/modelica/syntax/source.hpp"

namespace alembert::modelica {

inline constexpr int max_nesting = 200;
inline constexpr int max_expression_height = 2000;

struct Expression;
struct Modification;
struct ModificationBody;
struct ClassDefinition;
struct Component;
struct Equation;
struct Statement;

template <class T>
using List = std::span<const T>;

/// A name of a class: `Modelica.Units.SI.Mass`, `.Complex`.
struct Path {
  Place place = {};
  List<Name> parts = {};
  bool absolute = false;  ///< with a leading dot: looked up from the top
};

// ---------------------------------------------------------------------------------------------------
// Expressions

struct ReferencePart {
  Place place = {};
  Name name = {};
  /// `x[1, :, 2:3]`; empty without brackets. A `:` by itself is ExpressionKind::colon.
  List<const Expression*> subscripts = {};
};

/// `a.b[2].c`, `.Modelica.Math.sin`. Also the callee of a call: `der`, `initial`, `pure` are parts
/// by that name.
struct ComponentReference {
  Place place = {};
  List<ReferencePart> parts = {};  ///< never empty
  bool absolute = false;
};

/// `i in 1:n`; without `in`, the range follows from how `i` is used as a subscript.
struct Iterator {
  Place place = {};
  Name name = {};
  const Expression* range = nullptr;
};

struct NamedArgument {
  Place place = {};
  Name name = {};
  const Expression* value = nullptr;
};

enum class ExpressionKind : std::uint8_t {
  real,                 ///< `real`; the text as written is `place.text()`
  integer,              ///< `integer`; literals beyond 64 bits are kept as `real`
  string,               ///< `text`, escapes resolved
  boolean,              ///< `boolean`
  reference,            ///< `reference`
  unary,                ///< `op`, operands[0]
  binary,               ///< `op`, operands[0] and [1]
  if_expression,        ///< operands: condition, value, {condition, value}, value of else
  call,                 ///< `reference`(operands..., `named`...)
  partial_application,  ///< function `reference`(`named`...), only as an argument of a call
  reduction,            ///< `reference`(operands[0] for `iterators`)
  array_comprehension,  ///< {operands[0] for `iterators`}
  array,                ///< {operands...}
  matrix,               ///< [row; row]: each operand is a `matrix_row`
  matrix_row,           ///< operands: the entries of one row
  range,                ///< operands: first, last or first, step, last
  tuple,        ///< (a, , b): operands, null where nothing stands; one plain operand is no tuple
  end,          ///< `end` in a subscript
  colon,        ///< `:` as a whole subscript, or as a dimension
  subscripted,  ///< (operands[0])[operands[1], ...]
  member,       ///< (operands[0]).reference, one part
};

enum class Operator : std::uint8_t {
  none,
  // clang-format off
  plus, minus, times, divide, power,                  // as unary too: plus, minus
  element_plus, element_minus, element_times, element_divide, element_power,  // .+ .- .* ./ .^
  less, less_equal, greater, greater_equal, equal, not_equal,
  logical_and, logical_or, logical_not,
  // clang-format on
};

/// Which members hold something depends on `kind`, see there.
struct Expression {
  Place place = {};
  ExpressionKind kind = ExpressionKind::end;
  Operator op = Operator::none;
  bool boolean = false;
  std::uint16_t height = 1;  ///< 1 for leaves; at most max_expression_height
  double real = 0;           ///< also set for integers
  std::int64_t integer = 0;
  std::string_view text = {};
  List<const Expression*> operands = {};
  const ComponentReference* reference = nullptr;
  List<NamedArgument> named = {};
  List<Iterator> iterators = {};
};

// ---------------------------------------------------------------------------------------------------
// Modifications and comments

enum class BindingKind : std::uint8_t {
  none,
  equals,      ///< `= expression`
  assignment,  ///< `:= expression`, in functions of old
  removed,     ///< `= break`: the binding of the base class is taken away
};

/// `(arguments) = binding`. Annotations have this form too, without a binding.
struct ModificationBody {
  Place place = {};
  List<const Modification*> arguments = {};
  bool has_parentheses = false;  ///< `x()` and `x` differ in text only
  BindingKind binding_kind = BindingKind::none;
  const Expression* binding = nullptr;  ///< for equals and assignment
};

/// `"text" annotation(...)`.
struct Comment {
  std::string_view text = {};  ///< joined if it was written in pieces with `+`
  bool has_text = false;
  const ModificationBody* annotation = nullptr;
};

enum class ModificationKind : std::uint8_t {
  element,           ///< `a.b(...) = 1`: `name`, `body`
  component,         ///< `redeclare Real x = 1`, `replaceable Real x`: `component`
  class_definition,  ///< `redeclare model M = N`, `replaceable package P = Q`: `class_definition`
  break_component,   ///< `break x` in extends: `name`
  break_connect,     ///< `break connect(a, b)` in extends: `connect_from`, `connect_to`
};

/// One argument of a modification.
struct Modification {
  Place place = {};
  ModificationKind kind = ModificationKind::element;
  bool each = false;
  bool final_ = false;
  bool redeclare = false;
  bool replaceable = false;  ///< the same as in the component or class definition
  Path name = {};
  const ModificationBody* body = nullptr;  ///< null for a bare name, as in annotations
  Comment comment = {};
  const Component* component = nullptr;
  const ClassDefinition* class_definition = nullptr;
  const ComponentReference* connect_from = nullptr;
  const ComponentReference* connect_to = nullptr;
};

// ---------------------------------------------------------------------------------------------------
// Equations and statements

/// Several iterators of one `for` are nested loops, the first one outermost.
enum class EquationKind : std::uint8_t {
  equality,       ///< `left` = `right`
  if_equation,    ///< `branches`; the last one has no condition if there is an else
  for_equation,   ///< `iterators`, branches[0].body
  connect,        ///< connect(`from`, `to`)
  when_equation,  ///< `branches`, each with a condition
  call,           ///< `left` is a call: assert(...), reinit(...), Connections.root(...)
};

struct EquationBranch {
  Place place = {};
  const Expression* condition = nullptr;
  List<const Equation*> body = {};
};

struct Equation {
  Place place = {};
  EquationKind kind = EquationKind::equality;
  const Expression* left = nullptr;
  const Expression* right = nullptr;
  const ComponentReference* from = nullptr;
  const ComponentReference* to = nullptr;
  List<Iterator> iterators = {};
  List<EquationBranch> branches = {};
  Comment comment = {};
};

enum class StatementKind : std::uint8_t {
  assignment,        ///< `target` := `value`
  tuple_assignment,  ///< (`targets`...) := `value`, a call; null where nothing stands
  call,              ///< `value` is a call
  if_statement,      ///< `branches`; the last one has no condition if there is an else
  for_statement,     ///< `iterators`, branches[0].body
  while_statement,   ///< branches[0]
  when_statement,    ///< `branches`, each with a condition
  break_statement,
  return_statement,
};

struct StatementBranch {
  Place place = {};
  const Expression* condition = nullptr;
  List<const Statement*> body = {};
};

struct Statement {
  Place place = {};
  StatementKind kind = StatementKind::assignment;
  const Expression* target = nullptr;    ///< ExpressionKind::reference
  List<const Expression*> targets = {};  ///< references, or null
  const Expression* value = nullptr;
  List<Iterator> iterators = {};
  List<StatementBranch> branches = {};
  Comment comment = {};
};

struct EquationSection {
  Place place = {};
  bool initial = false;
  List<const Equation*> equations = {};
};

struct AlgorithmSection {
  Place place = {};
  bool initial = false;
  List<const Statement*> statements = {};
};

// ---------------------------------------------------------------------------------------------------
// Elements and classes

enum class Connection : std::uint8_t { none, flow, stream };
enum class Variability : std::uint8_t { none, discrete, parameter, constant };
enum class Causality : std::uint8_t { none, input, output };
enum class Visibility : std::uint8_t { public_, protected_ };

/// What stands before a type: `flow input parameter ...`.
struct TypePrefix {
  Connection connection = Connection::none;
  Variability variability = Variability::none;
  Causality causality = Causality::none;
};

/// `redeclare final inner outer replaceable` before an element.
struct ElementPrefix {
  bool redeclare = false;
  bool final_ = false;
  bool inner = false;
  bool outer = false;
  bool replaceable = false;
};

/// `constrainedby Path(mods)`; follows a replaceable element.
struct Constraint {
  Place place = {};
  Path type = {};
  const ModificationBody* modification = nullptr;
  Comment comment = {};
};

/// One declared name; `Real x, y[2];` makes two.
struct Component {
  Place place = {};  ///< of the name
  ElementPrefix prefix = {};
  TypePrefix type_prefix = {};
  Path type = {};
  /// `Real[3] x[2]`: an array of 2 of Real[3]. Each entry is an expression or a `colon`.
  List<const Expression*> type_dimensions = {};
  Name name = {};
  List<const Expression*> dimensions = {};
  const ModificationBody* modification = nullptr;
  const Expression* condition = nullptr;  ///< `if ...`
  Comment comment = {};
  const Constraint* constraint = nullptr;
};

enum class ImportKind : std::uint8_t {
  qualified,  ///< `import A.B;` binds `alias` = B
  renamed,    ///< `import X = A.B;` binds `alias` = X
  selected,   ///< `import A.{B, C};` binds `names`
  all,        ///< `import A.*;`
};

struct Import {
  Place place = {};
  ImportKind kind = ImportKind::qualified;
  Path path = {};  ///< without `.*` and `{...}`
  Name alias = {};
  List<Name> names = {};
  Comment comment = {};
};

struct Extends {
  Place place = {};
  Path base = {};
  const ModificationBody* modification = nullptr;
  const ModificationBody* annotation = nullptr;
};

enum class ElementKind : std::uint8_t { import, extends, class_definition, component };

/// One of the four pointers is set.
struct Element {
  ElementKind kind = ElementKind::component;
  Visibility visibility = Visibility::public_;
  const Import* import = nullptr;
  const Extends* extends = nullptr;
  const ClassDefinition* class_definition = nullptr;
  const Component* component = nullptr;
};

enum class Restriction : std::uint8_t {
  // clang-format off
  class_, model, record, operator_record, block, connector, expandable_connector, type, package,
  function, operator_function, operator_,
  // clang-format on
};

enum class Purity : std::uint8_t { unspecified, pure, impure };

enum class ClassBody : std::uint8_t {
  long_,             ///< `model M ... end M`
  extends,           ///< `model extends M(mods) ... end M`: long, with `modification`
  short_,            ///< `type T = input Base[3](mods)`
  enumeration,       ///< `type E = enumeration(a, b)`
  open_enumeration,  ///< `type E = enumeration(:)`
  derivative,        ///< `function df = der(f, x, y)`
};

struct EnumerationLiteral {
  Place place = {};
  Name name = {};
  Comment comment = {};
};

/// `external "C" y = f(a, b) annotation(...);`
struct External {
  Place place = {};
  std::string_view language = {};  ///< "C" if none is given
  bool has_language = false;
  const ComponentReference* result = nullptr;
  Name function = {};  ///< empty: called like the class
  List<const Expression*> arguments = {};
  const ModificationBody* annotation = nullptr;
};

struct ClassDefinition {
  Place place = {};  ///< of the name
  Name name = {};
  Restriction restriction = Restriction::class_;
  Purity purity = Purity::unspecified;
  bool encapsulated = false;
  bool partial = false;
  ElementPrefix prefix = {};
  ClassBody body = ClassBody::long_;
  Comment comment =
      {};  ///< the annotation of a long class stands at its end in the text, but here too
  const Constraint* constraint = nullptr;

  // long_, extends
  List<Element> elements = {};
  List<EquationSection> equations = {};
  List<AlgorithmSection> algorithms = {};
  const External* external = nullptr;

  // short_: all four. extends: modification. derivative: base, which is the function.
  TypePrefix base_prefix = {};
  Path base = {};
  List<const Expression*> base_dimensions = {};
  const ModificationBody* modification = nullptr;

  List<EnumerationLiteral> literals = {};
  List<Name> derivative_inputs = {};
};

/// The content of a file: `within A.B;` and classes.
struct StoredDefinition {
  bool has_within = false;
  Path within = {};                           ///< no parts: `within;`, or none at all
  List<const ClassDefinition*> classes = {};  ///< `final` before one is a flag in its `prefix`
};

}  // namespace alembert::modelica
