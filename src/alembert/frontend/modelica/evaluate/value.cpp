// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/value.hpp"

#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/base/message_text.hpp"

namespace alembert::modelica {

std::string_view name(ValueKind kind) {
  switch (kind) {
    case ValueKind::real: return "Real";
    case ValueKind::integer: return "Integer";
    case ValueKind::boolean: return "Boolean";
    case ValueKind::string: return "String";
    case ValueKind::enumeration: return "enumeration";
    case ValueKind::record: return "record";
    case ValueKind::tuple: return "tuple";
    case ValueKind::function: return "function";
    case ValueKind::external_object: return "external object";
    case ValueKind::clock: return "Clock";
  }
  return "";
}

std::size_t element_count(std::span<const std::int64_t> dims) {
  std::size_t count = 1;
  for (const std::int64_t dim : dims) count *= static_cast<std::size_t>(dim);
  return count;
}

std::string subscript_text(std::size_t position, std::span<const std::int64_t> dims) {
  if (dims.empty()) return {};
  std::string text;
  for (std::size_t k = dims.size(); k-- > 0;) {
    const auto size = static_cast<std::size_t>(dims[k]);
    text = std::to_string(position % size + 1) + (text.empty() ? "" : "," + text);
    position /= size;
  }
  return "[" + text + "]";
}

std::string dims_text(std::span<const std::int64_t> dims) {
  if (dims.empty()) return "";
  std::string text = "[";
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(dims[i]);
  }
  return text + "]";
}

Text joined(const Text& a, const Text& b) {
  if (b.is_constant()) return {a.text + b.text, a.values};
  Text result = a;
  std::size_t from = 0;
  for (std::size_t k = 0; k < b.values.size(); ++k) {
    const auto mark = find_mark(b.text, k + 1, from);
    ensure(mark.has_value(), "a placeholder for each value");
    result.values.push_back(b.values[k]);
    result.text +=
        b.text.substr(from, mark->at - from) + mark_text(result.values.size(), mark->how);
    from = mark->at + mark->size;
  }
  result.text += b.text.substr(from);
  return result;
}

namespace {

std::size_t field_index(const Value& value, Name name) {
  if (!value.record) return value.fields.size();
  for (std::size_t i = 0; i < value.record->fields.size(); ++i)
    if (value.record->fields[i] == name) return i;
  return value.fields.size();
}

}  // namespace

const Value* Value::field(Name name) const {
  const std::size_t index = field_index(*this, name);
  return index < fields.size() ? &fields[index] : nullptr;
}

Value* Value::field(Name name) {
  const std::size_t index = field_index(*this, name);
  return index < fields.size() ? &fields[index] : nullptr;
}

Value scalar_value(ValueKind kind, ExprId scalar) {
  Value value;
  value.kind = kind;
  value.scalars.push_back(scalar);
  return value;
}

Value array_value(ValueKind kind, Dims dims, std::vector<ExprId> scalars) {
  Value value;
  value.kind = kind;
  value.dims = std::move(dims);
  value.scalars = std::move(scalars);
  ensure(value.scalars.size() == value.count(), "as many scalars as the dimensions say");
  return value;
}

Value string_value(std::string text) {
  Value value;
  value.kind = ValueKind::string;
  value.texts.push_back({std::move(text)});
  return value;
}

std::string type_text(const Value& value) {
  switch (value.kind) {
    case ValueKind::enumeration:
      return (value.enumeration ? value.enumeration->name : "enumeration") + dims_text(value.dims);
    case ValueKind::record:
      return (value.record ? value.record->name : "record") + dims_text(value.dims);
    case ValueKind::tuple: {
      std::string text = "(";
      for (std::size_t i = 0; i < value.fields.size(); ++i)
        text += (i > 0 ? ", " : "") + type_text(value.fields[i]);
      return text + ")";
    }
    default: return std::string(name(value.kind)) + dims_text(value.dims);
  }
}

void append_scalars(const Value& value, std::vector<ExprId>& scalars) {
  scalars.insert(scalars.end(), value.scalars.begin(), value.scalars.end());
  for (const Value& field : value.fields) append_scalars(field, scalars);
}

Value like(const Value& value) {
  Value result;
  result.kind = value.kind;
  result.enumeration = value.enumeration;
  result.record = value.record;
  result.function = value.function;
  result.object = value.object;
  return result;
}

Value element(const Value& value, std::span<const std::int64_t> index) {
  ensure(index.size() <= value.dims.size(), "no more subscripts than dimensions");
  Value result = like(value);
  result.dims.assign(value.dims.begin() + static_cast<std::ptrdiff_t>(index.size()),
                     value.dims.end());
  std::size_t block = 0;
  for (std::size_t i = 0; i < index.size(); ++i)
    block = block * static_cast<std::size_t>(value.dims[i]) + static_cast<std::size_t>(index[i]);
  const std::size_t size = result.count();
  const auto first = static_cast<std::ptrdiff_t>(block * size);
  const auto last = first + static_cast<std::ptrdiff_t>(size);
  if (!value.scalars.empty())
    result.scalars.assign(value.scalars.begin() + first, value.scalars.begin() + last);
  if (!value.texts.empty())
    result.texts.assign(value.texts.begin() + first, value.texts.begin() + last);
  for (const Value& field : value.fields) result.fields.push_back(element(field, index));
  return result;
}

Value stack(std::span<const Value> values) {
  ensure(!values.empty(), "something to stack");
  Value result = like(values.front());
  result.dims.push_back(static_cast<std::int64_t>(values.size()));
  result.dims.insert(result.dims.end(), values.front().dims.begin(), values.front().dims.end());
  for (const Value& value : values) {
    result.scalars.insert(result.scalars.end(), value.scalars.begin(), value.scalars.end());
    result.texts.insert(result.texts.end(), value.texts.begin(), value.texts.end());
  }
  std::vector<Value> parts(values.size());
  for (std::size_t f = 0; f < values.front().fields.size(); ++f) {
    for (std::size_t i = 0; i < values.size(); ++i) parts[i] = values[i].fields[f];
    result.fields.push_back(stack(parts));
  }
  return result;
}

}  // namespace alembert::modelica
