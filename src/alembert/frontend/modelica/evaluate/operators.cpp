// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/operators.hpp"

#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/syntax/print.hpp"
#include "alembert/symbolic/text_call.hpp"

namespace alembert::modelica {

using symbolic::Op;

Value as_real(Value value) {
  if (value.kind == ValueKind::integer) value.kind = ValueKind::real;
  return value;
}

namespace {

[[noreturn]] void wrong_types(Operator op, const Value& a, const Value& b, Place place) {
  fail(place, "M202",
       "'" + std::string(to_text(op)) + "' cannot be applied to " + type_text(a) + " and " +
           type_text(b) + ".");
}

[[noreturn]] void wrong_sizes(Operator op, const Value& a, const Value& b, Place place) {
  fail(place, "M203",
       "'" + std::string(to_text(op)) + "' needs sizes that go together, but the operands are " +
           type_text(a) + " and " + type_text(b) + ".");
}

ValueKind common_kind(const Value& a, const Value& b) {
  return a.kind == ValueKind::integer && b.kind == ValueKind::integer ? ValueKind::integer
                                                                      : ValueKind::real;
}

/// Scalars are stretched where `stretch` allows; otherwise the sizes must be equal.
template <class Function>
Value elementwise(Operator op, ValueKind kind, const Value& a, const Value& b, bool stretch,
                  Place place, Function function) {
  const bool stretch_a = a.is_scalar() && !b.is_scalar();
  const bool stretch_b = b.is_scalar() && !a.is_scalar();
  if ((stretch_a || stretch_b) ? !stretch : a.dims != b.dims) wrong_sizes(op, a, b, place);
  Value result;
  result.kind = kind;
  result.dims = stretch_a ? b.dims : a.dims;
  const std::size_t count = result.count();
  result.scalars.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    result.scalars.push_back(function(a.scalars[stretch_a ? 0 : i], b.scalars[stretch_b ? 0 : i]));
  return result;
}

ExprId dot(symbolic::ExprPool& pool, const Value& a, std::size_t first_a, std::size_t step_a,
           const Value& b, std::size_t first_b, std::size_t step_b, std::size_t count) {
  std::vector<ExprId> terms;
  terms.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const ExprId x = a.scalars[first_a + k * step_a];
    const ExprId y = b.scalars[first_b + k * step_b];
    if (!pool.is_zero(x) && !pool.is_zero(y)) terms.push_back(pool.mul(x, y));
  }
  return pool.add(terms);
}

/// Vectors and matrices: v*v, v*M, M*v, M*M.
Value product(Scalars& scalars, const Value& a, const Value& b, Place place) {
  auto& pool = scalars.pool();
  const ValueKind kind = common_kind(a, b);
  if (a.dims.size() > 2 || b.dims.size() > 2 || a.dims.back() != b.dims.front())
    wrong_sizes(Operator::times, a, b, place);
  const auto shared = static_cast<std::size_t>(a.dims.back());
  const auto rows = a.dims.size() == 2 ? static_cast<std::size_t>(a.dims[0]) : 1;
  const auto columns = b.dims.size() == 2 ? static_cast<std::size_t>(b.dims[1]) : 1;
  Value result;
  result.kind = kind;
  if (a.dims.size() == 2) result.dims.push_back(a.dims[0]);
  if (b.dims.size() == 2) result.dims.push_back(b.dims[1]);
  result.scalars.reserve(rows * columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      result.scalars.push_back(dot(pool, a, i * shared, 1, b, j, columns, shared));
  return result;
}

Value matrix_power(Scalars& scalars, const Value& base, const Value& exponent, Place place) {
  const auto n = scalars.number(exponent.scalar());
  if (base.dims.size() != 2 || base.dims[0] != base.dims[1])
    fail(place, "M203", "only a square matrix has a power, but this is " + type_text(base) + ".");
  if (!n || exponent.kind != ValueKind::integer || *n < 0)
    fail(place, "M202", "the exponent of a matrix must be a known Integer that is not negative.");
  const auto size = static_cast<std::size_t>(base.dims[0]);
  Value result =
      array_value(base.kind, base.dims, std::vector(size * size, scalars.pool().integer(0)));
  for (std::size_t i = 0; i < size; ++i) result.scalars[i * size + i] = scalars.pool().integer(1);
  Value square = base;
  for (auto rest = static_cast<std::uint64_t>(*n); rest > 0; rest /= 2) {
    if (rest % 2 == 1) result = product(scalars, result, square, place);
    if (rest > 1) square = product(scalars, square, square, place);
  }
  return result;
}

Value concatenated_texts(const Value& a, const Value& b, Place place) {
  const bool stretch_a = a.is_scalar() && !b.is_scalar();
  const bool stretch_b = b.is_scalar() && !a.is_scalar();
  if (!stretch_a && !stretch_b && a.dims != b.dims) wrong_sizes(Operator::plus, a, b, place);
  Value result;
  result.kind = ValueKind::string;
  result.dims = stretch_a ? b.dims : a.dims;
  for (std::size_t i = 0; i < result.count(); ++i)
    result.texts.push_back(joined(a.texts[stretch_a ? 0 : i], b.texts[stretch_b ? 0 : i]));
  return result;
}

Value compared_texts(Scalars& scalars, Operator op, const Value& a, const Value& b, Place place) {
  if (!a.is_scalar() || !b.is_scalar()) wrong_sizes(op, a, b, place);
  auto& pool = scalars.pool();
  if (!a.texts[0].is_constant() || !b.texts[0].is_constant()) {
    const ExprId left = scalars.number_of_text(a.texts[0]);
    const ExprId right = scalars.number_of_text(b.texts[0]);
    const bool is_equality = op == Operator::equal || op == Operator::not_equal;
    return scalar_value(ValueKind::boolean,
                        is_equality ? scalars.compare(op, left, right)
                                    : scalars.compare(op, symbolic::text_order(pool, left, right),
                                                      pool.integer(0)));
  }
  const int order = a.texts[0].text.compare(b.texts[0].text);
  return scalar_value(ValueKind::boolean, scalars.compare(op,
                                                          pool.integer(order < 0   ? -1
                                                                       : order > 0 ? 1
                                                                                   : 0),
                                                          pool.integer(0)));
}

Value compared(Scalars& scalars, Operator op, const Value& a, const Value& b, Place place) {
  if (a.kind == ValueKind::string && b.kind == ValueKind::string)
    return compared_texts(scalars, op, a, b, place);
  if (!a.is_scalar() || !b.is_scalar()) wrong_sizes(op, a, b, place);
  if (a.kind == ValueKind::boolean && b.kind == ValueKind::boolean) {
    if (op == Operator::equal)
      return scalar_value(ValueKind::boolean, scalars.equivalent(a.scalar(), b.scalar()));
    if (op == Operator::not_equal)
      return scalar_value(ValueKind::boolean,
                          scalars.equivalent(a.scalar(), scalars.negation(b.scalar())));
    return scalar_value(ValueKind::boolean,
                        scalars.compare(op, scalars.number_of_condition(a.scalar()),
                                        scalars.number_of_condition(b.scalar())));
  }
  const bool numbers = a.is_numeric() && b.is_numeric();
  const bool literals = a.kind == ValueKind::enumeration && b.kind == ValueKind::enumeration &&
                        a.enumeration == b.enumeration;
  if (!numbers && !literals) wrong_types(op, a, b, place);
  return scalar_value(ValueKind::boolean, scalars.compare(op, a.scalar(), b.scalar()));
}

Value logical(Scalars& scalars, Operator op, const Value& a, const Value& b, Place place) {
  if (a.kind != ValueKind::boolean || b.kind != ValueKind::boolean) wrong_types(op, a, b, place);
  return elementwise(op, ValueKind::boolean, a, b, false, place, [&](ExprId x, ExprId y) {
    return op == Operator::logical_and ? scalars.both(x, y) : scalars.either(x, y);
  });
}

Value arithmetic(Scalars& scalars, Operator op, const Value& a, const Value& b, Place place) {
  auto& pool = scalars.pool();
  switch (op) {
    case Operator::plus:
    case Operator::element_plus:
      return elementwise(op, common_kind(a, b), a, b, op == Operator::element_plus, place,
                         [&](ExprId x, ExprId y) { return pool.add(x, y); });
    case Operator::minus:
    case Operator::element_minus:
      return elementwise(op, common_kind(a, b), a, b, op == Operator::element_minus, place,
                         [&](ExprId x, ExprId y) { return pool.sub(x, y); });
    case Operator::times:
      if (!a.is_scalar() && !b.is_scalar()) return product(scalars, a, b, place);
      [[fallthrough]];
    case Operator::element_times:
      return elementwise(op, common_kind(a, b), a, b, true, place,
                         [&](ExprId x, ExprId y) { return pool.mul(x, y); });
    case Operator::divide:
      if (!b.is_scalar()) wrong_sizes(op, a, b, place);
      [[fallthrough]];
    case Operator::element_divide:
      return elementwise(op, ValueKind::real, a, b, true, place,
                         [&](ExprId x, ExprId y) { return pool.div(x, y); });
    case Operator::power:
      if (!b.is_scalar()) wrong_sizes(op, a, b, place);
      if (!a.is_scalar()) return matrix_power(scalars, a, b, place);
      [[fallthrough]];
    default:
      return elementwise(op, ValueKind::real, a, b, true, place,
                         [&](ExprId x, ExprId y) { return scalars.power(x, y); });
  }
}

}  // namespace

Value matrix_product(Scalars& scalars, const Value& a, const Value& b, Place place) {
  return product(scalars, a, b, place);
}

Value unary(Scalars& scalars, Operator op, const Value& a, Place place) {
  Value result = a;
  if (op == Operator::logical_not) {
    if (a.kind != ValueKind::boolean)
      fail(place, "M202", "'not' needs a Boolean, but this is " + type_text(a) + ".");
    for (ExprId& scalar : result.scalars) scalar = scalars.negation(scalar);
    return result;
  }
  if (!a.is_numeric())
    fail(place, "M202",
         "'" + std::string(to_text(op)) + "' needs a number, but this is " + type_text(a) + ".");
  if (op == Operator::minus || op == Operator::element_minus)
    for (ExprId& scalar : result.scalars) scalar = scalars.pool().neg(scalar);
  return result;
}

Value binary(Scalars& scalars, Operator op, const Value& a, const Value& b, Place place) {
  switch (op) {
    case Operator::less:
    case Operator::less_equal:
    case Operator::greater:
    case Operator::greater_equal:
    case Operator::equal:
    case Operator::not_equal: return compared(scalars, op, a, b, place);
    case Operator::logical_and:
    case Operator::logical_or: return logical(scalars, op, a, b, place);
    default: break;
  }
  if (a.kind == ValueKind::string && b.kind == ValueKind::string &&
      (op == Operator::plus || op == Operator::element_plus))
    return concatenated_texts(a, b, place);
  if (!a.is_numeric() || !b.is_numeric()) wrong_types(op, a, b, place);
  return arithmetic(scalars, op, a, b, place);
}

Text chosen_text(Scalars& scalars, ExprId condition, const Text& a, const Text& b) {
  if (a == b) return a;
  return scalars.text_of(
      scalars.choice(condition, scalars.number_of_text(a), scalars.number_of_text(b)));
}

Value choice(Scalars& scalars, ExprId condition, const Value& a, const Value& b, Place place) {
  if (const auto known = scalars.truth(condition)) return *known ? a : b;
  const bool numbers = a.is_numeric() && b.is_numeric();
  if ((a.kind != b.kind && !numbers) || a.fields.size() != b.fields.size())
    fail(place, "M202",
         "the branches of 'if' must have one type, but they are " + type_text(a) + " and " +
             type_text(b) + ".");
  if (a.dims != b.dims)
    fail(place, "M203",
         "the branches of 'if' must have one size, but they are " + type_text(a) + " and " +
             type_text(b) + ".");
  if (a.object != b.object || a.function != b.function)
    fail(place, "M201",
         "the choice between values of type " + type_text(a) +
             " must be known before the run starts.");
  Value result = a.kind == b.kind ? a : as_real(a);
  for (std::size_t i = 0; i < a.scalars.size(); ++i) {
    if (!a.scalars[i].valid() || !b.scalars[i].valid())  // of a field that has no value
      result.scalars[i] = a.scalars[i].valid() ? a.scalars[i] : b.scalars[i];
    else
      result.scalars[i] = scalars.choice(condition, a.scalars[i], b.scalars[i]);
  }
  for (std::size_t i = 0; i < a.texts.size(); ++i)
    result.texts[i] = chosen_text(scalars, condition, a.texts[i], b.texts[i]);
  for (std::size_t f = 0; f < a.fields.size(); ++f)
    result.fields[f] = choice(scalars, condition, a.fields[f], b.fields[f], place);
  return result;
}

}  // namespace alembert::modelica
