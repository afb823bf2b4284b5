// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate, inside. Values of which some scalars are not known, as
// arguments and results of calls that stay in the expressions.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "alembert/frontend/modelica/evaluate/scalars.hpp"

namespace alembert::modelica {

/// Scalars of a value that are not known, in order; Booleans as numbers.
void gather_open(Scalars& scalars, const Value& value, std::vector<ExprId>& open);

/// Scalars of a value in order: a number where it is known, nothing where not.
void gather_known(const Scalars& scalars, const Value& value,
                  std::vector<std::optional<double>>& numbers);

/// A number as a scalar of that kind.
ExprId id_of(symbolic::ExprPool& pool, ValueKind kind, double number);

/// Puts scalars into a value in order: where the number is not known, what `next` gives. Takes
/// those numbers off the front that it has used.
void put_scalars(symbolic::ExprPool& pool, Value& value,
                 std::span<const std::optional<double>>& numbers,
                 const std::function<ExprId(ValueKind)>& next);

/// It has parts that the run has no numbers for: objects, functions.
bool has_objects(const Value& value);
/// It has parts that are no numbers.
bool has_texts(const Value& value);

/// Scalars of the outputs, in order, replaced by calls.
void put_calls(Scalars& scalars, Value& value, std::span<const ExprId>& calls);

}  // namespace alembert::modelica
