// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Builtin functions on arrays.
#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/operators.hpp"

namespace alembert::modelica {

namespace {

void require_arguments(const std::vector<Value>& arguments, std::size_t least, std::size_t most,
                       Place place) {
  if (arguments.size() < least || arguments.size() > most)
    fail(place, "M204",
         "this function takes " + std::to_string(least) + " argument" + (least == 1 ? "" : "s") +
             ", but there are " + std::to_string(arguments.size()) + ".");
}

void require_dims(const Value& value, std::size_t count, const char* what, Place place) {
  if (value.dims.size() != count)
    fail(place, "M203",
         "this function needs a " + std::string(what) + ", but this is " + type_text(value) + ".");
}

constexpr std::size_t any_number = 1'000'000;

}  // namespace

Dims Evaluation::dims_of(std::span<const Value> arguments, Place place) {
  Dims dims;
  for (const Value& argument : arguments) {
    const auto number = argument.is_scalar() && argument.kind == ValueKind::integer
                            ? scalars.number(decided(argument.scalar()))
                            : std::nullopt;
    if (!number) {
      if (argument.kind != ValueKind::integer || !argument.is_scalar())
        fail(place, "M202", "a size must be an Integer, but this is " + type_text(argument) + ".");
      require_known(argument, place);
    }
    dims.push_back(static_cast<std::int64_t>(*number));
  }
  require_size(dims, place);
  return dims;
}

Value Evaluation::zeros(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 1, any_number, place);
  return filled(integer_number(0), dims_of(arguments, place), place);
}

Value Evaluation::ones(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 1, any_number, place);
  return filled(integer_number(1), dims_of(arguments, place), place);
}

Value Evaluation::fill(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 1, any_number, place);
  return filled(arguments[0], dims_of(std::span(arguments).subspan(1), place), place);
}

Value Evaluation::identity(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 1, 1, place);
  const Dims size = dims_of(arguments, place);
  Value result = filled(integer_number(0), {size[0], size[0]}, place);
  for (std::size_t i = 0; i < static_cast<std::size_t>(size[0]); ++i)
    result.scalars[i * static_cast<std::size_t>(size[0]) + i] = pool().integer(1);
  return result;
}

Value Evaluation::diagonal(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 1, 1, place);
  const Value& entries = arguments[0];
  require_dims(entries, 1, "vector", place);
  const auto size = static_cast<std::size_t>(entries.dims[0]);
  Value result = filled(integer_number(0), {entries.dims[0], entries.dims[0]}, place);
  result.kind = entries.kind;
  for (std::size_t i = 0; i < size; ++i) result.scalars[i * size + i] = entries.scalars[i];
  return result;
}

Value Evaluation::linspace(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 3, 3, place);
  const std::int64_t count = dims_of(std::span(arguments).subspan(2), place)[0];
  if (count < 2) fail(place, "M203", "'linspace' needs at least two points.");
  Value result;
  result.dims = {count};
  const ExprId from = arguments[0].scalar();
  const ExprId width = pool().sub(arguments[1].scalar(), from);
  for (std::int64_t i = 0; i < count; ++i) {
    const ExprId part = pool().number(symbolic::Number::rational(i, count - 1));
    result.scalars.push_back(pool().add(from, pool().mul(width, part)));
  }
  return result;
}

Value Evaluation::transpose(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 1, 1, place);
  return transposed(arguments[0], place);
}

Value Evaluation::outer_product(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 2, 2, place);
  require_dims(arguments[0], 1, "vector", place);
  require_dims(arguments[1], 1, "vector", place);
  const Value column = reshaped(arguments[0], {arguments[0].dims[0], 1});
  const Value row = reshaped(arguments[1], {1, arguments[1].dims[0]});
  return matrix_product(scalars, column, row, place);
}

Value Evaluation::symmetric(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 1, 1, place);
  Value result = arguments[0];
  require_dims(result, 2, "matrix", place);
  const auto n = static_cast<std::size_t>(result.dims[0]);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) result.scalars[i * n + j] = result.scalars[j * n + i];
  return result;
}

Value Evaluation::cross(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 2, 2, place);
  for (const Value& argument : arguments)
    if (argument.dims != Dims{3})
      fail(place, "M203",
           "'cross' needs vectors of size 3, but this is " + type_text(argument) + ".");
  const auto& x = arguments[0].scalars;
  const auto& y = arguments[1].scalars;
  Value result;
  result.dims = {3};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const std::size_t k = (i + 2) % 3;
    result.scalars.push_back(pool().sub(pool().mul(x[j], y[k]), pool().mul(x[k], y[j])));
  }
  return result;
}

Value Evaluation::skew(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 1, 1, place);
  if (arguments[0].dims != Dims{3})
    fail(place, "M203",
         "'skew' needs a vector of size 3, but this is " + type_text(arguments[0]) + ".");
  const auto& x = arguments[0].scalars;
  const ExprId zero = pool().integer(0);
  return array_value(
      ValueKind::real, {3, 3},
      {zero, pool().neg(x[2]), x[1], x[2], zero, pool().neg(x[0]), pool().neg(x[1]), x[0], zero});
}

Value Evaluation::scalar(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 1, 1, place);
  if (arguments[0].count() != 1)
    fail(place, "M203", "'scalar' needs one element, but this is " + type_text(arguments[0]) + ".");
  return reshaped(std::move(arguments[0]), {});
}

Value Evaluation::vector(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 1, 1, place);
  const auto count = static_cast<std::int64_t>(arguments[0].count());
  return reshaped(std::move(arguments[0]), {count});
}

Value Evaluation::matrix(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 1, 1, place);
  Value value = promoted(std::move(arguments[0]), 2);
  if (value.dims.size() > 2) value = reshaped(std::move(value), {value.dims[0], value.dims[1]});
  return value;
}

Value Evaluation::cat(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 2, any_number, place);
  const std::int64_t along = dims_of(std::span(arguments).first(1), place)[0];
  if (along < 1) fail(place, "M203", "'cat' counts dimensions from 1.");
  arguments.erase(arguments.begin());
  return concatenated(static_cast<std::size_t>(along - 1), std::move(arguments), place);
}

Value Evaluation::promote(std::vector<Value>& arguments, Place place) {
  require_arguments(arguments, 2, 2, place);
  const std::int64_t n_dims = dims_of(std::span(arguments).subspan(1), place)[0];
  return promoted(std::move(arguments[0]), static_cast<std::size_t>(n_dims));
}

Value Evaluation::array(std::vector<Value>& arguments, Place place) {
  return array_of(std::move(arguments), place);
}

}  // namespace alembert::modelica
