// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. What an expression stands for: a type, dimensions and
// scalars, which are ids of the one expression pool, whether they are known numbers or not.
//
// Conventions, the same for every user of a Value:
// - Row-major: the last subscript runs fastest. `dims` empty: a scalar.
// - real, integer, enumeration: `scalars` are numeric ids. Enumerations count from 1.
// - boolean: `scalars` are condition ids (truth, comparisons, logic). A Boolean variable is a
//   discrete symbol (or parameter) with the numbers 0 and 1, read as `symbol <> 0`; to write one
//   use `Evaluator::number_of_condition`.
// - string: `texts`. A text that shows quantities of the run (String(x) of a variable) has
//   marks (base/message_text) for its `values`; only messages may have those.
// - record: `fields` are in the order of declaration, one for each field, with the dims of the
//   record in front of the field's own dims: an array of records is a record of arrays.
// - tuple: `fields` are the outputs of a function call with several of them; no dims.
// - function: a function as an argument, with arguments that are already given.
// - external_object: `object`, made once by its constructor.
// - clock: `scalars` are discrete symbols, one for each clock; nothing is ever computed of them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alembert/frontend/modelica/syntax/name.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::modelica {

using symbolic::ExprId;

class Instance;

enum class ValueKind : std::uint8_t {
  // clang-format off
  real, integer, boolean, string, enumeration, record, tuple, function, external_object, clock,
  // clang-format on
};

/// "Real", "Integer", ... for messages.
std::string_view name(ValueKind kind);

using Dims = std::vector<std::int64_t>;

/// The product of the dimensions; 1 for a scalar.
std::size_t element_count(std::span<const std::int64_t> dims);
/// "[3, 2]"; "" for a scalar.
std::string dims_text(std::span<const std::int64_t> dims);
/// "[2,3]", as names of elements end: of the row-major position, counted from 0; "" for a scalar.
std::string subscript_text(std::size_t position, std::span<const std::int64_t> dims);

struct Text {
  std::string text;
  std::vector<ExprId> values = {};  ///< of the placeholders; empty: `text` is plain

  bool is_constant() const { return values.empty(); }
  friend bool operator==(const Text&, const Text&) = default;
};

/// One text after the other; the placeholders of the second one are counted on.
Text joined(const Text& a, const Text& b);

/// One for each enumeration type; compared by address.
struct EnumerationType {
  std::string name;  ///< full name, for messages
  std::vector<Name> literals;
};

/// One for each record class as it was used; `name` tells them apart.
struct RecordType {
  std::string name;          ///< full name of the class
  Instance* type = nullptr;  ///< the class; operators of operator records are found in it
  std::vector<Name> fields;
};

struct FunctionValue;
class ExternalObject;

struct Value {
  ValueKind kind = ValueKind::real;
  Dims dims = {};
  std::vector<ExprId> scalars = {};
  std::vector<Text> texts = {};
  std::vector<Value> fields = {};
  std::shared_ptr<const EnumerationType> enumeration = {};
  std::shared_ptr<const RecordType> record = {};
  std::shared_ptr<const FunctionValue> function = {};
  std::shared_ptr<const ExternalObject> object = {};

  bool is_scalar() const { return dims.empty(); }
  /// Real, Integer, Boolean or enumeration: has `scalars`.
  bool has_scalars() const { return kind <= ValueKind::enumeration && kind != ValueKind::string; }
  bool is_numeric() const { return kind == ValueKind::real || kind == ValueKind::integer; }
  std::size_t count() const { return element_count(dims); }
  /// The one scalar of a scalar value.
  ExprId scalar() const { return scalars.front(); }
  /// The field of a record by name; null if it has none of that name.
  const Value* field(Name name) const;
  Value* field(Name name);
};

Value scalar_value(ValueKind kind, ExprId scalar);
Value array_value(ValueKind kind, Dims dims, std::vector<ExprId> scalars);
Value string_value(std::string text);

/// "Real[3]", "Modelica.Units.SI.Complex", "(Real, Integer)": for messages.
std::string type_text(const Value& value);

/// All scalars, depth first over fields: what an equation between two values of one type pairs up.
/// Strings, functions and objects have none.
void append_scalars(const Value& value, std::vector<ExprId>& scalars);

/// An empty value of the same type, with no dimensions yet.
Value like(const Value& value);

/// The part with the first subscripts fixed (counted from 0): v[i], v[i, j]; of a record, that of
/// every field.
Value element(const Value& value, std::span<const std::int64_t> index);

/// Values of one type and equal dims stacked along a new first dimension: {a, b, c}.
Value stack(std::span<const Value> values);

}  // namespace alembert::modelica
