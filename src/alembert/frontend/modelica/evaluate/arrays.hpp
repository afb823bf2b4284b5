// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Arrays: making, joining and cutting them. In: Values. Out:
// Values, or Error M202/M203/M206 at the place.
#pragma once

#include <optional>
#include <span>

#include "alembert/frontend/modelica/evaluate/scalars.hpp"
#include "alembert/frontend/modelica/evaluate/value.hpp"

namespace alembert::modelica {

/// The largest array that is ever made, in elements.
inline constexpr std::size_t max_elements = 20'000'000;
void require_size(std::span<const std::int64_t> dims, Place place);

/// The common type of array elements: Integer beside Real becomes Real. Error M202/M203 if the
/// types or dims differ.
void unify(std::vector<Value>& values, Place place);
/// {a, b, ...}; without any: Real[0].
Value array_of(std::vector<Value> values, Place place);
/// Joined along dimension `along` (from 0): cat(along + 1, ...).
Value concatenated(std::size_t along, std::vector<Value> values, Place place);
/// With trailing dimensions of size 1 until there are `n_dims`.
Value promoted(Value value, std::size_t n_dims);
/// [a, b; c, d].
Value matrix_of(std::vector<std::vector<Value>> rows, Place place);

/// first:step:last. Integer if first and step are, enumeration and Boolean ranges by their order.
Value range(Scalars& scalars, const Value& first, const Value* step, const Value& last,
            Place place);

/// One subscript: all of a dimension, one index, or several.
struct IndexChoice {
  bool all = false;
  bool is_vector = false;           ///< keeps the dimension
  std::vector<std::int64_t> index;  ///< from 0, checked
};
/// The part of the value that the subscripts select; further dimensions stay whole.
Value selected(const Value& value, std::span<const IndexChoice> subscripts);
/// The same part as positions among the elements of an array of these dims; element blocks of the
/// remaining dimensions are in order.
struct Selection {
  Dims dims;                           ///< of what is selected
  std::vector<std::size_t> positions;  ///< row-major, of scalars
};
Selection selection(std::span<const std::int64_t> dims, std::span<const IndexChoice> subscripts);
/// Puts `part` where the subscripts point to. The sizes must agree (checked by the caller).
void assign(Value& value, std::span<const IndexChoice> subscripts, const Value& part);

Value filled(const Value& element, Dims dims, Place place);
Value transposed(const Value& matrix, Place place);
Value reshaped(Value value, Dims dims);
/// The first `n_leading` dimensions replaced by others with as many elements.
Value with_leading_dims(Value value, std::size_t n_leading, std::span<const std::int64_t> dims);

}  // namespace alembert::modelica
