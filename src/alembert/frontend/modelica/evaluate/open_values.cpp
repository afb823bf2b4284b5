// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/open_values.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/message_text.hpp"
#include "alembert/frontend/modelica/evaluate/function_table.hpp"

namespace alembert::modelica {

void gather_open(Scalars& scalars, const Value& value, std::vector<ExprId>& open) {
  for (const ExprId id : value.scalars)
    if (id.valid() && !scalars.is_known(id))
      open.push_back(scalars.pool().is_condition(id) ? scalars.number_of_condition(id) : id);
  for (const Text& text : value.texts)
    for (const ExprId id : text.values)
      if (!scalars.is_known(id)) open.push_back(id);
  for (const Value& field : value.fields) gather_open(scalars, field, open);
  if (value.function)
    for (const auto& [name, given] : value.function->given) gather_open(scalars, given, open);
}

void gather_known(const Scalars& scalars, const Value& value,
                  std::vector<std::optional<double>>& numbers) {
  for (const ExprId id : value.scalars)
    numbers.push_back(id.valid() ? scalars.number(id) : std::optional(0.0));
  for (const Text& text : value.texts)
    for (const ExprId id : text.values) numbers.push_back(scalars.number(id));
  for (const Value& field : value.fields) gather_known(scalars, field, numbers);
  if (value.function)
    for (const auto& [name, given] : value.function->given) gather_known(scalars, given, numbers);
}

ExprId id_of(symbolic::ExprPool& pool, ValueKind kind, double number) {
  return kind == ValueKind::boolean   ? pool.truth(number != 0)
         : kind == ValueKind::integer ? pool.integer(std::llround(number))
                                      : pool.real(number);
}

namespace {

/// Values that are known in place of their marks.
Text written_out(const symbolic::ExprPool& pool, const Text& text) {
  std::vector<double> numbers;
  for (const ExprId id : text.values) numbers.push_back(pool.number_of(id).value());
  return {with_numbers(text.text, numbers)};
}

}  // namespace

void put_scalars(symbolic::ExprPool& pool, Value& value,
                 std::span<const std::optional<double>>& numbers,
                 const std::function<ExprId(ValueKind)>& next) {
  for (ExprId& id : value.scalars) {
    id = numbers.front() ? id_of(pool, value.kind, *numbers.front()) : next(value.kind);
    numbers = numbers.subspan(1);
  }
  for (Text& text : value.texts) {
    std::vector<ExprId> values;
    for (std::size_t k = 0; k < text.values.size(); ++k) {
      values.push_back(numbers.front() ? pool.real(*numbers.front()) : next(ValueKind::real));
      numbers = numbers.subspan(1);
    }
    text.values = std::move(values);
    if (std::all_of(text.values.begin(), text.values.end(),
                    [&](ExprId id) { return id.valid() && pool.is_number(id); }))
      text = written_out(pool, text);
  }
  for (Value& field : value.fields) put_scalars(pool, field, numbers, next);
  if (!value.function || value.function->given.empty()) return;
  auto function = std::make_shared<FunctionValue>(*value.function);
  for (auto& [name, given] : function->given) put_scalars(pool, given, numbers, next);
  value.function = std::move(function);
}

bool has_objects(const Value& value) {
  return value.kind == ValueKind::external_object || value.kind == ValueKind::function ||
         std::any_of(value.fields.begin(), value.fields.end(), has_objects);
}

bool has_texts(const Value& value) {
  return !value.texts.empty() || value.kind == ValueKind::external_object ||
         value.kind == ValueKind::function ||
         std::any_of(value.fields.begin(), value.fields.end(), has_texts);
}

void put_calls(Scalars& scalars, Value& value, std::span<const ExprId>& calls) {
  for (ExprId& id : value.scalars) {
    id = value.kind == ValueKind::boolean ? scalars.condition_of_boolean(calls.front())
                                          : calls.front();
    calls = calls.subspan(1);
  }
  for (Text& text : value.texts) {
    text = scalars.text_of(calls.front());
    calls = calls.subspan(1);
  }
  for (Value& field : value.fields) put_calls(scalars, field, calls);
}

}  // namespace alembert::modelica
