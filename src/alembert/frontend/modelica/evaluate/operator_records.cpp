// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Operator records such as Complex: '+', '*', 'constructor',
// 'String' and the rest are functions found in the class; arrays of them elementwise, and products
// by 'sum' of products with '0'.

#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/operators.hpp"
#include "alembert/frontend/modelica/syntax/print.hpp"

namespace alembert::modelica {

namespace {

/// The name of the operator function; elementwise operators are those of the elements.
std::string operator_name(Operator op) {
  switch (op) {
    case Operator::element_plus: return "'+'";
    case Operator::element_minus: return "'-'";
    case Operator::element_times: return "'*'";
    case Operator::element_divide: return "'/'";
    case Operator::element_power: return "'^'";
    default: return "'" + std::string(to_text(op)) + "'";
  }
}

}  // namespace

/// Whether the arguments are right for the function as they are: number, and types up to Integer
/// beside Real; arrays may be longer than declared by vectorisation only if `exact` is false.
bool Evaluation::accepts(Instance& function, const std::vector<Argument>& arguments) {
  const FunctionHead& parts = head(function);
  if (arguments.size() > parts.inputs.size()) return false;
  std::vector<bool> given(parts.inputs.size(), false);
  std::size_t next = 0;
  for (const Argument& argument : arguments) {
    std::size_t k = next;
    if (argument.name.empty()) {
      ++next;
    } else {
      k = 0;
      while (k < parts.inputs.size() && parts.inputs[k]->name() != argument.name) ++k;
      if (k == parts.inputs.size()) return false;
    }
    given[k] = true;
    Instance& input = *parts.inputs[k];
    const Value& value = argument.value;
    if (value.dims.size() != input.declared_dimensions().size()) return false;
    switch (input.type()) {
      case TypeKind::real:
        if (!value.is_numeric()) return false;
        break;
      case TypeKind::integer:
        if (value.kind != ValueKind::integer) return false;
        break;
      case TypeKind::boolean:
        if (value.kind != ValueKind::boolean) return false;
        break;
      case TypeKind::string:
        if (value.kind != ValueKind::string) return false;
        break;
      case TypeKind::enumeration:
        if (value.kind != ValueKind::enumeration) return false;
        break;
      default:
        if (value.kind != ValueKind::record || !value.record ||
            &input.class_instance().base_class_node() != &value.record->type->base_class_node())
          return false;
    }
  }
  for (std::size_t k = 0; k < parts.inputs.size(); ++k)
    if (!given[k] && !parts.inputs[k]->binding()) return false;
  return true;
}

std::optional<Value> Evaluation::overloaded(Instance& operator_class,
                                            std::vector<Argument>& arguments, Place place) {
  if (operator_class.restriction() == Restriction::operator_function ||
      operator_class.restriction() == Restriction::function) {
    if (!accepts(operator_class, arguments)) return std::nullopt;
    return call_function(operator_class, arguments, place);
  }
  Instance* meant = nullptr;
  for (ClassNode* child : operator_class.base_class_node().children()) {
    Instance* function = operator_class.member(child->name());
    if (function == nullptr || !accepts(*function, arguments)) continue;
    if (meant != nullptr)
      fail(place, "M202",
           "'" + meant->full_name() + "' and '" + function->full_name() +
               "' fit these arguments alike, so that it is not clear which one is meant. Let their "
               "inputs differ.");
    meant = function;
  }
  if (meant == nullptr) return std::nullopt;
  return call_function(*meant, arguments, place);
}

std::optional<Value> Evaluation::overloaded_call(Instance& record, std::string_view op,
                                                 std::vector<Argument>& arguments, Place place) {
  Instance* operator_class = record.class_instance().member(Name(op));
  if (operator_class == nullptr || !operator_class->is_class()) return std::nullopt;
  return overloaded(*operator_class, arguments, place);
}

namespace {

Instance& record_class(const Value& a, const Value& b) {
  return *(a.kind == ValueKind::record ? a : b).record->type;
}

}  // namespace

/// A number beside an operator record becomes one by its constructor.
std::optional<Value> Evaluation::converted(const Value& value, Instance& record, Place place) {
  if (value.kind == ValueKind::record) return value;
  std::vector<Argument> arguments = {{Name(), value, place}};
  return overloaded_call(record, "'constructor'", arguments, place);
}

std::optional<Value> Evaluation::scalar_operation(const std::string& op, const Value& a,
                                                  const Value& b, Place place) {
  Instance& record = record_class(a, b);
  std::vector<Argument> arguments = {{Name(), a, place}, {Name(), b, place}};
  if (auto value = overloaded_call(record, op, arguments, place)) return value;
  const auto left = converted(a, record, place);
  const auto right = converted(b, record, place);
  if (!left || !right) return std::nullopt;
  arguments = {{Name(), *left, place}, {Name(), *right, place}};
  return overloaded_call(record, op, arguments, place);
}

std::optional<Value> Evaluation::overloaded_unary(Operator op, const Value& a, Place place) {
  if (!a.record) return std::nullopt;
  const std::string name = operator_name(op);
  if (op == Operator::plus) return a;
  const auto one = [&](const Value& value) {
    std::vector<Argument> arguments = {{Name(), value, place}};
    return overloaded_call(*a.record->type, name, arguments, place);
  };
  if (a.is_scalar()) return one(a);
  std::vector<Value> results;
  for (std::size_t i = 0; i < a.count(); ++i) {
    auto value = one(element(a, index_at(i, a.dims)));
    if (!value) return std::nullopt;
    results.push_back(std::move(*value));
  }
  if (results.empty()) return a;
  return with_leading_dims(array_of(std::move(results), place), 1, a.dims);
}

std::optional<Value> Evaluation::overloaded_binary(Operator op, const Value& a, const Value& b,
                                                   Place place) {
  const Value& record = a.kind == ValueKind::record ? a : b;
  if (!record.record) return std::nullopt;
  const std::string name = operator_name(op);
  if (a.is_scalar() && b.is_scalar()) return scalar_operation(name, a, b, place);
  if (op == Operator::times && !a.is_scalar() && !b.is_scalar()) {
    std::vector<Argument> arguments = {{Name(), a, place}, {Name(), b, place}};
    if (auto value = overloaded_call(*record.record->type, name, arguments, place)) return value;
    return record_product(a, b, place);
  }
  if (!a.is_scalar() && !b.is_scalar() && a.dims != b.dims)
    fail(place, "M203",
         name + " needs operands of one size, but they are " + type_text(a) + " and " +
             type_text(b) + ".");
  const Dims dims = a.is_scalar() ? b.dims : a.dims;
  std::vector<Value> results;
  for (std::size_t i = 0; i < element_count(dims); ++i) {
    const auto index = index_at(i, dims);
    auto value = scalar_operation(name, a.is_scalar() ? a : element(a, index),
                                  b.is_scalar() ? b : element(b, index), place);
    if (!value) return std::nullopt;
    results.push_back(std::move(*value));
  }
  if (results.empty()) {
    Value empty = record;
    return empty.is_scalar() ? filled(empty, dims, place) : empty;
  }
  return with_leading_dims(array_of(std::move(results), place), 1, dims);
}

std::optional<Value> Evaluation::record_product(const Value& a, const Value& b, Place place) {
  if (a.dims.size() > 2 || b.dims.size() > 2 || a.dims.back() != b.dims.front() ||
      a.dims.back() == 0)
    fail(place, "M203",
         "'*' needs sizes that go together, but the operands are " + type_text(a) + " and " +
             type_text(b) + ".");
  const std::int64_t rows = a.dims.size() == 2 ? a.dims[0] : 1;
  const std::int64_t columns = b.dims.size() == 2 ? b.dims[1] : 1;
  std::vector<Value> results;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      std::optional<Value> total;
      for (std::int64_t k = 0; k < a.dims.back(); ++k) {
        const std::vector<std::int64_t> left =
            a.dims.size() == 2 ? std::vector{i, k} : std::vector{k};
        const std::vector<std::int64_t> right =
            b.dims.size() == 2 ? std::vector{k, j} : std::vector{k};
        auto term = scalar_operation("'*'", element(a, left), element(b, right), place);
        if (!term) return std::nullopt;
        total = total ? scalar_operation("'+'", *total, *term, place) : std::move(term);
        if (!total) return std::nullopt;
      }
      results.push_back(std::move(*total));
    }
  Dims dims;
  if (a.dims.size() == 2) dims.push_back(rows);
  if (b.dims.size() == 2) dims.push_back(columns);
  if (dims.empty()) return results.front();
  return with_leading_dims(array_of(std::move(results), place), 1, dims);
}

}  // namespace alembert::modelica
