// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Builtin functions that see only the values of their
// arguments: numbers, elementwise over arrays.
#include <cmath>

#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/operators.hpp"

namespace alembert::modelica {

using symbolic::Op;

namespace {

void require_count(const std::vector<Value>& arguments, std::size_t count, Place place) {
  if (arguments.size() != count)
    fail(place, "M204",
         "this function takes " + std::to_string(count) + " argument" + (count == 1 ? "" : "s") +
             ", but there are " + std::to_string(arguments.size()) + ".");
}

void require_numbers(const std::vector<Value>& arguments, Place place) {
  for (const Value& argument : arguments)
    if (!argument.is_numeric())
      fail(place, "M202", "this function needs numbers, but this is " + type_text(argument) + ".");
}

}  // namespace

Value Evaluation::elementwise(Op op, std::vector<Value>& arguments, Place place) {
  require_numbers(arguments, place);
  const Dims* dims = nullptr;
  for (const Value& argument : arguments) {
    if (argument.is_scalar()) continue;
    if (dims != nullptr && *dims != argument.dims)
      fail(place, "M203",
           "the arguments have different sizes: " + dims_text(*dims) + " and " +
               dims_text(argument.dims) + ".");
    dims = &argument.dims;
  }
  Value result;
  if (dims != nullptr) result.dims = *dims;
  const std::size_t count = result.count();
  result.scalars.reserve(count);
  std::vector<ExprId> scalars_here(arguments.size());
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < arguments.size(); ++k)
      scalars_here[k] = arguments[k].scalars[arguments[k].is_scalar() ? 0 : i];
    result.scalars.push_back(scalars.apply(op, scalars_here));
  }
  return result;
}

template <Op op>
Value Evaluation::function_of_one(std::vector<Value>& arguments, Place place) {
  require_count(arguments, 1, place);
  const ValueKind kind = arguments[0].kind;
  Value result = elementwise(op, arguments, place);
  if (op == Op::sign || op == Op::integer_part || (op == Op::abs && kind == ValueKind::integer))
    result.kind = ValueKind::integer;
  constexpr bool jumps =
      op == Op::floor || op == Op::ceil || op == Op::integer_part || op == Op::sign;
  if constexpr (jumps) return quiet_in_functions(std::move(result));
  return result;
}

template <Op op>
Value Evaluation::function_of_two(std::vector<Value>& arguments, Place place) {
  require_count(arguments, 2, place);
  const bool integers =
      arguments[0].kind == ValueKind::integer && arguments[1].kind == ValueKind::integer;
  Value result = elementwise(op, arguments, place);
  if (integers && op != Op::atan2) result.kind = ValueKind::integer;
  if constexpr (op != Op::atan2) return quiet_in_functions(std::move(result));
  return result;
}

Value Evaluation::sqrt(std::vector<Value>& arguments, Place place) {
  require_count(arguments, 1, place);
  require_numbers(arguments, place);
  Value result = as_real(std::move(arguments[0]));
  for (ExprId& id : result.scalars) {
    if (const auto number = scalars.number(id); number && *number < 0) {
      if (undecided_depth == 0) fail(place, "M207", "the square root of a negative number.");
      ++n_guarded_calls_;  // no mistake where nobody takes it; elsewhere it is one
    }
    id = scalars.sqrt(id);
  }
  return result;
}

Value Evaluation::semi_linear(std::vector<Value>& arguments, Place place) {
  require_count(arguments, 3, place);
  return elementwise(Op::semi_linear, arguments, place);
}

Value Evaluation::extremum(Op op, std::vector<Value>& arguments, Place place) {
  if (arguments.size() == 2 && arguments[0].is_scalar() && arguments[1].is_scalar()) {
    Value& a = arguments[0];
    Value& b = arguments[1];
    if (a.kind == ValueKind::enumeration && b.kind == ValueKind::enumeration) {
      a.scalars[0] = scalars.apply(op, a.scalar(), b.scalar());
      return a;
    }
    if (a.kind == ValueKind::boolean && b.kind == ValueKind::boolean) {
      a.scalars[0] = op == Op::min ? scalars.both(a.scalar(), b.scalar())
                                   : scalars.either(a.scalar(), b.scalar());
      return a;
    }
    const bool integers = a.kind == ValueKind::integer && b.kind == ValueKind::integer;
    Value result = elementwise(op, arguments, place);
    if (integers) result.kind = ValueKind::integer;
    return result;
  }
  require_count(arguments, 1, place);
  const Value& all = arguments[0];
  if (!all.has_scalars())
    fail(place, "M202", "this function needs numbers, but this is " + type_text(all) + ".");
  Value result = all;
  result.dims.clear();
  if (all.kind == ValueKind::boolean) {
    const Op combine = op == Op::min ? Op::logical_and : Op::logical_or;
    ExprId together = pool().truth(op == Op::min);
    for (const ExprId id : all.scalars) together = pool().apply(combine, together, id);
    result.scalars = {together};
    return result;
  }
  if (all.scalars.empty()) {
    const double limit = op == Op::min ? 1.7976931348623157e308 : -1.7976931348623157e308;
    result.scalars = {pool().real(limit)};
    return result;
  }
  ExprId best = all.scalars.front();
  for (const ExprId id : all.scalars) best = scalars.apply(op, best, id);
  result.scalars = {best};
  return result;
}

Value Evaluation::minimum(std::vector<Value>& arguments, Place place) {
  return extremum(Op::min, arguments, place);
}

Value Evaluation::maximum(std::vector<Value>& arguments, Place place) {
  return extremum(Op::max, arguments, place);
}

Value Evaluation::sum(std::vector<Value>& arguments, Place place) {
  require_count(arguments, 1, place);
  if (arguments[0].kind == ValueKind::record) return sum_of_records(arguments[0], place);
  require_numbers(arguments, place);
  return scalar_value(arguments[0].kind, pool().add(arguments[0].scalars));
}

Value Evaluation::product(std::vector<Value>& arguments, Place place) {
  require_count(arguments, 1, place);
  require_numbers(arguments, place);
  return scalar_value(arguments[0].kind, pool().mul(arguments[0].scalars));
}

Evaluation::PlainBuiltin Evaluation::plain_builtin(std::string_view name) {
  using E = Evaluation;
  static const std::unordered_map<std::string_view, PlainBuiltin> functions = {
      {"abs", &E::function_of_one<Op::abs>},
      {"sign", &E::function_of_one<Op::sign>},
      {"sqrt", &E::sqrt},
      {"sin", &E::function_of_one<Op::sin>},
      {"cos", &E::function_of_one<Op::cos>},
      {"tan", &E::function_of_one<Op::tan>},
      {"asin", &E::function_of_one<Op::asin>},
      {"acos", &E::function_of_one<Op::acos>},
      {"atan", &E::function_of_one<Op::atan>},
      {"sinh", &E::function_of_one<Op::sinh>},
      {"cosh", &E::function_of_one<Op::cosh>},
      {"tanh", &E::function_of_one<Op::tanh>},
      // No names of the language: functions with external "builtin" reach them.
      {"asinh", &E::function_of_one<Op::asinh>},
      {"atanh", &E::function_of_one<Op::atanh>},
      {"exp", &E::function_of_one<Op::exp>},
      {"log", &E::function_of_one<Op::log>},
      {"log10", &E::function_of_one<Op::log10>},
      {"floor", &E::function_of_one<Op::floor>},
      {"ceil", &E::function_of_one<Op::ceil>},
      {"integer", &E::function_of_one<Op::integer_part>},
      {"atan2", &E::function_of_two<Op::atan2>},
      {"div", &E::function_of_two<Op::div>},
      {"mod", &E::function_of_two<Op::mod>},
      {"rem", &E::function_of_two<Op::rem>},
      {"semiLinear", &E::semi_linear},
      {"min", &E::minimum},
      {"max", &E::maximum},
      {"sum", &E::sum},
      {"product", &E::product},
      {"zeros", &E::zeros},
      {"ones", &E::ones},
      {"fill", &E::fill},
      {"identity", &E::identity},
      {"diagonal", &E::diagonal},
      {"linspace", &E::linspace},
      {"transpose", &E::transpose},
      {"outerProduct", &E::outer_product},
      {"symmetric", &E::symmetric},
      {"cross", &E::cross},
      {"skew", &E::skew},
      {"scalar", &E::scalar},
      {"vector", &E::vector},
      {"matrix", &E::matrix},
      {"cat", &E::cat},
      {"promote", &E::promote},
      {"array", &E::array},
  };
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace alembert::modelica
