// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/arrays.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/operators.hpp"

namespace alembert::modelica {

void require_size(std::span<const std::int64_t> dims, Place place) {
  double count = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 0) fail(place, "M203", "the size of an array is negative: " + dims_text(dims) + ".");
    count *= static_cast<double>(dim);
  }
  if (count > static_cast<double>(max_elements))
    fail(place, "M210",
         "an array of size " + dims_text(dims) + " is larger than the " +
             std::to_string(max_elements) + " elements that are supported.");
}

void unify(std::vector<Value>& values, Place place) {
  const bool any_real = std::any_of(values.begin(), values.end(),
                                    [](const Value& v) { return v.kind == ValueKind::real; });
  for (Value& value : values) {
    if (any_real) value = as_real(std::move(value));
    const Value& first = values.front();
    if (value.kind != first.kind || value.fields.size() != first.fields.size())
      fail(place, "M202",
           "the elements of an array must have one type, but there are " + type_text(first) +
               " and " + type_text(value) + ".");
  }
}

Value array_of(std::vector<Value> values, Place place) {
  if (values.empty()) return array_value(ValueKind::real, {0}, {});
  unify(values, place);
  for (const Value& value : values)
    if (value.dims != values.front().dims)
      fail(place, "M203",
           "the elements of an array must have one size, but there are " +
               type_text(values.front()) + " and " + type_text(value) + ".");
  return stack(values);
}

namespace {

/// Blocks of the values alternate: for each index before `along`, one block of each value.
template <class T>
std::vector<T> interleaved(std::size_t outer, std::span<const Value> values,
                           std::vector<T> Value::*member, std::span<const std::size_t> blocks) {
  std::vector<T> result;
  for (std::size_t i = 0; i < outer; ++i)
    for (std::size_t v = 0; v < values.size(); ++v) {
      const auto& items = values[v].*member;
      if (items.empty()) continue;
      const auto first = items.begin() + static_cast<std::ptrdiff_t>(i * blocks[v]);
      result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(blocks[v]));
    }
  return result;
}

/// The record `value` without its elements; the types of its fields stay.
Value joined_along(std::size_t along, std::span<const Value> values) {
  Value result = values.front();
  result.dims[along] = 0;
  std::vector<std::size_t> blocks;
  for (const Value& value : values) {
    result.dims[along] += value.dims[along];
    blocks.push_back(element_count(std::span(value.dims).subspan(along)));
  }
  const std::size_t outer = element_count(std::span(result.dims).first(along));
  result.scalars = interleaved(outer, values, &Value::scalars, blocks);
  result.texts = interleaved(outer, values, &Value::texts, blocks);
  for (std::size_t f = 0; f < result.fields.size(); ++f) {
    std::vector<Value> parts;
    for (const Value& value : values) parts.push_back(value.fields[f]);
    result.fields[f] = joined_along(along, parts);
  }
  return result;
}

}  // namespace

Value concatenated(std::size_t along, std::vector<Value> values, Place place) {
  unify(values, place);
  for (const Value& value : values) {
    Dims expected = values.front().dims;
    bool fits = value.dims.size() == expected.size() && along < expected.size();
    if (fits) expected[along] = value.dims[along];
    if (!fits || value.dims != expected)
      fail(place, "M203",
           "arrays that are joined along dimension " + std::to_string(along + 1) +
               " must agree in all others, but there are " + type_text(values.front()) + " and " +
               type_text(value) + ".");
  }
  return joined_along(along, values);
}

namespace {

void append_ones(Value& value, std::size_t position, std::size_t count) {
  value.dims.insert(value.dims.begin() + static_cast<std::ptrdiff_t>(position), count, 1);
  for (Value& field : value.fields) append_ones(field, position, count);
}

}  // namespace

Value promoted(Value value, std::size_t n_dims) {
  if (value.dims.size() < n_dims) append_ones(value, value.dims.size(), n_dims - value.dims.size());
  return value;
}

Value matrix_of(std::vector<std::vector<Value>> rows, Place place) {
  std::size_t n_dims = 2;
  for (const auto& row : rows)
    for (const Value& value : row) n_dims = std::max(n_dims, value.dims.size());
  std::vector<Value> joined_rows;
  for (auto& row : rows) {
    for (Value& value : row) value = promoted(std::move(value), n_dims);
    joined_rows.push_back(concatenated(1, std::move(row), place));
  }
  return concatenated(0, std::move(joined_rows), place);
}

namespace {

double known_number(Scalars& scalars, const Value& value, const char* what, Place place) {
  if (!value.is_scalar() || !value.has_scalars())
    fail(place, "M202",
         "the " + std::string(what) + " of a range must be a scalar, but it is " +
             type_text(value) + ".");
  const auto number = scalars.number(value.scalar());
  if (!number)
    fail(place, "M201",
         "the " + std::string(what) + " of a range must be known before the run starts.");
  return *number;
}

}  // namespace

Value range(Scalars& scalars, const Value& first, const Value* step, const Value& last,
            Place place) {
  const double from = known_number(scalars, first, "start", place);
  const double to = known_number(scalars, last, "end", place);
  const double by = step ? known_number(scalars, *step, "step", place) : 1.0;
  if (by == 0) fail(place, "M203", "the step of a range must not be zero.");
  auto& pool = scalars.pool();
  Value result;
  result.kind = first.kind;
  result.enumeration = first.enumeration;
  if (first.is_numeric() && (first.kind == ValueKind::real || last.kind == ValueKind::real ||
                             (step && step->kind == ValueKind::real)))
    result.kind = ValueKind::real;
  const double steps = std::floor((to - from) / by + (result.kind == ValueKind::real ? 1e-10 : 0));
  const std::int64_t count = steps < 0 ? 0 : static_cast<std::int64_t>(steps) + 1;
  result.dims.push_back(count);
  require_size(result.dims, place);
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = from + static_cast<double>(i) * by;
    result.scalars.push_back(result.kind == ValueKind::boolean ? pool.truth(value != 0)
                                                               : pool.real(value));
  }
  return result;
}

Selection selection(std::span<const std::int64_t> dims, std::span<const IndexChoice> subscripts) {
  Selection result;
  std::size_t inner = element_count(dims.subspan(subscripts.size()));
  std::vector<std::size_t> starts = {0};
  for (std::size_t k = 0; k < subscripts.size(); ++k) {
    const IndexChoice& subscript = subscripts[k];
    const auto size = static_cast<std::size_t>(dims[k]);
    std::vector<std::size_t> next;
    for (const std::size_t start : starts) {
      if (subscript.all)
        for (std::size_t i = 0; i < size; ++i) next.push_back(start * size + i);
      else
        for (const std::int64_t i : subscript.index)
          next.push_back(start * size + static_cast<std::size_t>(i));
    }
    starts = std::move(next);
    if (subscript.all)
      result.dims.push_back(dims[k]);
    else if (subscript.is_vector)
      result.dims.push_back(static_cast<std::int64_t>(subscript.index.size()));
  }
  result.dims.insert(result.dims.end(),
                     dims.begin() + static_cast<std::ptrdiff_t>(subscripts.size()), dims.end());
  result.positions.reserve(starts.size() * inner);
  for (const std::size_t start : starts)
    for (std::size_t i = 0; i < inner; ++i) result.positions.push_back(start * inner + i);
  return result;
}

Value selected(const Value& value, std::span<const IndexChoice> subscripts) {
  if (subscripts.empty()) return value;
  const Selection part = selection(value.dims, subscripts);
  Value result = like(value);
  result.dims = part.dims;
  if (!value.scalars.empty())
    for (const std::size_t at : part.positions) result.scalars.push_back(value.scalars[at]);
  if (!value.texts.empty())
    for (const std::size_t at : part.positions) result.texts.push_back(value.texts[at]);
  for (const Value& field : value.fields) result.fields.push_back(selected(field, subscripts));
  return result;
}

void assign(Value& value, std::span<const IndexChoice> subscripts, const Value& part) {
  const Selection where = selection(value.dims, subscripts);
  if (!value.scalars.empty())
    for (std::size_t i = 0; i < where.positions.size(); ++i)
      value.scalars[where.positions[i]] = part.scalars[i];
  if (!value.texts.empty())
    for (std::size_t i = 0; i < where.positions.size(); ++i)
      value.texts[where.positions[i]] = part.texts[i];
  for (std::size_t f = 0; f < value.fields.size(); ++f)
    assign(value.fields[f], subscripts, part.fields[f]);
}

namespace {

Value repeated(const Value& element, std::span<const std::int64_t> dims) {
  Value result = element;
  result.dims.assign(dims.begin(), dims.end());
  result.dims.insert(result.dims.end(), element.dims.begin(), element.dims.end());
  const std::size_t count = element_count(dims);
  result.scalars.clear();
  result.texts.clear();
  result.scalars.reserve(count * element.scalars.size());
  for (std::size_t i = 0; i < count; ++i) {
    result.scalars.insert(result.scalars.end(), element.scalars.begin(), element.scalars.end());
    result.texts.insert(result.texts.end(), element.texts.begin(), element.texts.end());
  }
  for (std::size_t f = 0; f < element.fields.size(); ++f)
    result.fields[f] = repeated(element.fields[f], dims);
  return result;
}

}  // namespace

Value filled(const Value& element, Dims dims, Place place) {
  require_size(dims, place);
  return repeated(element, dims);
}

Value transposed(const Value& matrix, Place place) {
  if (matrix.dims.size() < 2)
    fail(place, "M203", "'transpose' needs a matrix, but this is " + type_text(matrix) + ".");
  const auto rows = static_cast<std::size_t>(matrix.dims[0]);
  const auto columns = static_cast<std::size_t>(matrix.dims[1]);
  const std::size_t inner = element_count(std::span(matrix.dims).subspan(2));
  Value result = matrix;
  std::swap(result.dims[0], result.dims[1]);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t k = 0; k < inner; ++k) {
        const std::size_t to = (j * rows + i) * inner + k;
        const std::size_t from = (i * columns + j) * inner + k;
        if (!matrix.scalars.empty()) result.scalars[to] = matrix.scalars[from];
        if (!matrix.texts.empty()) result.texts[to] = matrix.texts[from];
      }
  for (std::size_t f = 0; f < matrix.fields.size(); ++f)
    result.fields[f] = transposed(matrix.fields[f], place);
  return result;
}

namespace {

void change_leading(Value& value, std::size_t n_leading, std::span<const std::int64_t> dims) {
  Dims changed(dims.begin(), dims.end());
  changed.insert(changed.end(), value.dims.begin() + static_cast<std::ptrdiff_t>(n_leading),
                 value.dims.end());
  value.dims = std::move(changed);
  for (Value& field : value.fields) change_leading(field, n_leading, dims);
}

}  // namespace

Value with_leading_dims(Value value, std::size_t n_leading, std::span<const std::int64_t> dims) {
  change_leading(value, n_leading, dims);
  return value;
}

Value reshaped(Value value, Dims dims) {
  ensure(element_count(value.dims) == element_count(dims), "as many elements in another shape");
  change_leading(value, value.dims.size(), dims);
  return value;
}

}  // namespace alembert::modelica
