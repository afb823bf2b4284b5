// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/lower.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"

namespace alembert::compile {

using symbolic::ExprId;
using symbolic::Number;
using symbolic::Op;

namespace {

constexpr std::int64_t largest_unrolled = 32;  // five multiplications
constexpr std::size_t chunk_size = 16;         // terms of a sum that are added one after the other

/// Half-integer and small whole exponents are made of multiplications and a square root.
bool is_unrolled(const Number& exponent) {
  if (!exponent.is_exact() || exponent.denominator() > 2) return false;
  return std::abs(exponent.numerator()) <= largest_unrolled;
}

TapeOp function_op(Op op) {
  switch (op) {
    case Op::sin: return TapeOp::sin;
    case Op::cos: return TapeOp::cos;
    case Op::tan: return TapeOp::tan;
    case Op::asin: return TapeOp::asin;
    case Op::acos: return TapeOp::acos;
    case Op::atan: return TapeOp::atan;
    case Op::sinh: return TapeOp::sinh;
    case Op::cosh: return TapeOp::cosh;
    case Op::tanh: return TapeOp::tanh;
    case Op::asinh: return TapeOp::asinh;
    case Op::acosh: return TapeOp::acosh;
    case Op::atanh: return TapeOp::atanh;
    case Op::exp: return TapeOp::exp;
    case Op::log: return TapeOp::log;
    case Op::log10: return TapeOp::log10;
    case Op::abs: return TapeOp::abs;
    case Op::sign: return TapeOp::sign;
    case Op::floor:
    case Op::integer_part: return TapeOp::floor;
    case Op::ceil: return TapeOp::ceil;
    case Op::atan2: return TapeOp::atan2;
    case Op::min: return TapeOp::min;
    case Op::max: return TapeOp::max;
    case Op::less: return TapeOp::less;
    case Op::less_equal: return TapeOp::less_equal;
    case Op::equal: return TapeOp::equal;
    case Op::not_equal: return TapeOp::not_equal;
    case Op::logical_and: return TapeOp::logical_and;
    case Op::logical_or: return TapeOp::logical_or;
    case Op::logical_not: return TapeOp::logical_not;
    case Op::if_then_else: return TapeOp::select;
    default: break;
  }
  ensure(false, "an operation without a tape operation of its own");
  return {};
}

ForeignFunction foreign_function(const symbolic::UserFunction& function) {
  if (function.outputs == nullptr) return {function.name, function.function, function.context};
  return {.name = function.family,
          .context = function.context,
          .outputs = function.outputs,
          .n_outputs = function.n_outputs};
}

/// With those derivatives that are known. The outputs of a family are defined one after the other.
ForeignFunction differentiable_function(const symbolic::ExprPool& pool, symbolic::FunctionId id) {
  const symbolic::UserFunction& function = pool.function(id);
  ForeignFunction foreign = foreign_function(function);
  const std::uint32_t first = id.value - function.output;
  for (std::uint32_t output = 0; output < function.n_outputs; ++output) {
    const auto& partials = pool.function(symbolic::FunctionId{first + output}).partials;
    for (std::uint32_t k = 0; k < partials.size(); ++k) {
      if (!partials[k].valid()) continue;
      const symbolic::UserFunction& slope = pool.function(partials[k]);
      foreign.partials.resize(std::size_t{function.n_outputs} * function.arity);
      foreign.partials[output * function.arity + k] = {
          std::make_shared<const ForeignFunction>(foreign_function(slope)), slope.output};
    }
  }
  return foreign;
}

}  // namespace

/// A product taken apart: (negative ? -1 : 1) * numerator / denominator.
struct Lowering::Product {
  std::vector<ValueId>
      numerator;  // a constant factor comes last, so that x*y is shared by 2*x*y and 3*x*y
  std::vector<ValueId> denominator;
  bool negative = false;
};

/// A term of a sum: (negative ? -1 : 1) * a * b, or just a where b is no_value.
struct Lowering::Term {
  ValueId a;
  ValueId b = no_value;
  bool negative = false;
};

Lowering::Slot& Lowering::slot(ExprId id) {
  std::uint32_t place = index_[id];
  if (place == symbolic::NodeIndex::absent) {
    place = static_cast<std::uint32_t>(slots_.size());
    index_.set(id, place);
    slots_.emplace_back();
  }
  return slots_[place];
}

ValueId Lowering::value(ExprId id) const {
  const std::uint32_t place = index_[id];
  return place == symbolic::NodeIndex::absent ? no_value : slots_[place].value;
}

void Lowering::bind(ExprId expression, ValueId value) { slot(expression).value = value; }

ValueId Lowering::lower(ExprId expression) { return lower(std::span(&expression, 1)).front(); }

std::vector<ValueId> Lowering::lower(std::span<const ExprId> expressions) {
  collect(expressions);
  mark_needed(expressions);
  for (const ExprId node : batch_)
    if (slot(node).needed) slot(node).value = emit(node);
  std::vector<ValueId> values;
  values.reserve(expressions.size());
  for (const ExprId expression : expressions) {
    ValueId v = value(expression);
    if (pool_.is_condition(expression)) v = builder_.apply(TapeOp::number, v);
    values.push_back(v);
  }
  for (const ExprId node : batch_) {
    slot(node).needed = false;
    slot(node).uses = 0;
  }
  return values;
}

/// The nodes below the roots that have no value yet, ascending, with the number of their parents.
void Lowering::collect(std::span<const ExprId> roots) {
  batch_.clear();
  const auto visit = [&](ExprId id) {
    Slot& met = slot(id);
    if (met.value == no_value && met.uses++ == 0) batch_.push_back(id);
  };
  for (const ExprId root : roots) visit(root);
  for (std::size_t next = 0; next < batch_.size(); ++next)
    for (const ExprId child : pool_.children(batch_[next])) visit(child);
  std::sort(batch_.begin(), batch_.end());
}

/// A reciprocal power used once is a divisor of the product around it; used more often, it is
/// computed once and multiplied with.
bool Lowering::is_reciprocal(ExprId id) const {
  if (pool_.op(id) != Op::pow) return false;
  const Slot& met = slots_[index_[id]];
  if (met.value != no_value || met.uses > 1) return false;
  const ExprId exponent = pool_.children(id)[1];
  return pool_.is_number(exponent) && pool_.number_of(exponent).is_negative();
}

/// A small whole power used once, inside a sum, is a product to be fused: x^2 + z is one operation.
bool Lowering::is_fused_power(ExprId id) const {
  if (pool_.op(id) != Op::pow) return false;
  const Slot& met = slots_[index_[id]];
  if (met.value != no_value || met.uses > 1) return false;
  const ExprId exponent = pool_.children(id)[1];
  if (!pool_.is_number(exponent)) return false;
  const Number& n = pool_.number_of(exponent);
  return n.is_integer() && is_unrolled(n) && !n.is_negative();
}

void Lowering::need_factors(ExprId product) {
  for (const ExprId factor : pool_.children(product)) {
    if (is_reciprocal(factor)) {
      need(pool_.children(factor)[0]);
    } else {
      need(factor);
    }
  }
}

/// From the roots down: products inside sums and reciprocals inside products are taken apart by
/// their parents, so only their parts are needed.
void Lowering::mark_needed(std::span<const ExprId> roots) {
  for (const ExprId root : roots) need(root);
  for (std::size_t i = batch_.size(); i-- > 0;) {
    const ExprId node = batch_[i];
    if (!slot(node).needed) continue;
    switch (pool_.op(node)) {
      case Op::add:
        for (const ExprId term : pool_.children(node)) {
          if (pool_.op(term) == Op::mul && value(term) == no_value)
            need_factors(term);
          else if (is_fused_power(term))
            need(pool_.children(term)[0]);
          else
            need(term);
        }
        break;
      case Op::mul: need_factors(node); break;
      default:
        for (const ExprId child : pool_.children(node)) need(child);
    }
  }
}

ValueId Lowering::emit(ExprId node) {
  switch (pool_.op(node)) {
    case Op::number: return builder_.constant(pool_.number_of(node).value());
    case Op::symbol:
      throw Error("C001", "nothing gives '" + pool_.symbol_text(node) +
                              "' a value: it is neither an input nor a parameter of this program");
    case Op::add: return emit_sum(node);
    case Op::mul: {
      const Product product = product_of(node);
      const ValueId v = emit_product(product);
      return product.negative ? builder_.apply(TapeOp::neg, v) : v;
    }
    case Op::pow: {
      const ExprId base = pool_.children(node)[0];
      const ExprId exponent = pool_.children(node)[1];
      if (pool_.is_number(exponent) && is_unrolled(pool_.number_of(exponent)))
        return emit_power(value(base), pool_.number_of(exponent));
      return builder_.apply(TapeOp::pow, value(base), value(exponent));
    }
    default: return emit_function(node);
  }
}

ValueId Lowering::emit_function(ExprId node) {
  const auto children = pool_.children(node);
  const auto child = [&](std::size_t k) { return value(children[k]); };
  const Op op = pool_.op(node);
  switch (op) {
    case Op::truth: {
      const ValueId zero = builder_.constant(0.0);
      return builder_.apply(pool_.truth_of(node) ? TapeOp::equal : TapeOp::not_equal, zero, zero);
    }
    case Op::no_event: return child(0);
    case Op::smooth: return child(1);
    case Op::div:
      return builder_.apply(TapeOp::trunc, builder_.apply(TapeOp::div, child(0), child(1)));
    case Op::mod:
    case Op::rem: {
      const ValueId quotient = builder_.apply(TapeOp::div, child(0), child(1));
      const ValueId whole = builder_.apply(op == Op::mod ? TapeOp::floor : TapeOp::trunc, quotient);
      return builder_.apply(TapeOp::fnma, whole, child(1), child(0));
    }
    case Op::semi_linear: {
      const ValueId positive = builder_.apply(TapeOp::less_equal, builder_.constant(0.0), child(0));
      return builder_.apply(TapeOp::mul, child(0),
                            builder_.apply(TapeOp::select, positive, child(1), child(2)));
    }
    case Op::logical_and:
    case Op::logical_or: {
      ValueId total = child(0);
      for (std::size_t k = 1; k < children.size(); ++k)
        total = builder_.apply(function_op(op), total, child(k));
      return total;
    }
    case Op::call: {
      const symbolic::FunctionId id = pool_.function_of(node);
      const symbolic::UserFunction& function = pool_.function(id);
      std::vector<ValueId> arguments;
      for (const ExprId argument : children) arguments.push_back(value(argument));
      const ForeignFunction foreign = differentiable_function(pool_, id);
      return foreign.outputs == nullptr ? builder_.call(foreign, arguments)
                                        : builder_.call_output(foreign, arguments, function.output);
    }
    default: break;
  }
  return builder_.apply(function_op(op), child(0), children.size() > 1 ? child(1) : 0,
                        children.size() > 2 ? child(2) : 0);
}

// ---- powers and products ----

/// base^exponent for exponent >= 1 by squaring; the squares are shared with other powers of the
/// base.
ValueId Lowering::unrolled(ValueId base, std::uint64_t exponent) {
  ValueId result = no_value;
  for (ValueId square = base;; square = builder_.apply(TapeOp::mul, square, square)) {
    if (exponent & 1)
      result = result == no_value ? square : builder_.apply(TapeOp::mul, result, square);
    exponent >>= 1;
    if (exponent == 0) return result;
  }
}

ValueId Lowering::emit_power(ValueId base, const Number& exponent) {
  const auto size = static_cast<std::uint64_t>(std::abs(exponent.numerator()));
  ValueId power;
  if (exponent.denominator() == 1) {
    power = unrolled(base, size);
  } else {
    power = builder_.apply(TapeOp::sqrt, base);
    if (size > 1) power = builder_.apply(TapeOp::mul, unrolled(base, size / 2), power);
  }
  if (!exponent.is_negative()) return power;
  return builder_.apply(TapeOp::div, builder_.constant(1.0), power);
}

Lowering::Product Lowering::product_of(ExprId node) {
  Product product;
  double coefficient = 1.0;
  for (const ExprId factor : pool_.children(node)) {
    if (pool_.is_number(factor)) {
      coefficient = pool_.number_of(factor).value();
    } else if (is_reciprocal(factor)) {
      const ExprId base = pool_.children(factor)[0];
      const Number exponent = -pool_.number_of(pool_.children(factor)[1]);
      product.denominator.push_back(
          is_unrolled(exponent)
              ? emit_power(value(base), exponent)
              : builder_.apply(TapeOp::pow, value(base), builder_.constant(exponent.value())));
    } else {
      product.numerator.push_back(value(factor));
    }
  }
  product.negative = coefficient < 0;
  if (product.negative) coefficient = -coefficient;
  if (coefficient != 1.0 || product.numerator.empty())
    product.numerator.push_back(builder_.constant(coefficient));
  return product;
}

ValueId Lowering::fold_factors(std::span<const ValueId> factors) {
  ValueId total = factors[0];
  for (std::size_t i = 1; i < factors.size(); ++i)
    total = builder_.apply(TapeOp::mul, total, factors[i]);
  return total;
}

/// The product without its sign.
ValueId Lowering::emit_product(const Product& product) {
  const ValueId numerator = fold_factors(product.numerator);
  if (product.denominator.empty()) return numerator;
  return builder_.apply(TapeOp::div, numerator, fold_factors(product.denominator));
}

// ---- sums ----

/// Adds up terms from left to right, products by fused multiply-add. `negative` comes back true if
/// the value is that of the negated sum, which happens when no term is positive.
ValueId Lowering::emit_chunk(std::span<const Term> terms, bool& negative) {
  negative = std::all_of(terms.begin(), terms.end(), [](const Term& t) { return t.negative; });
  const auto minus = [&](const Term& t) { return t.negative != negative; };
  // The start is a term that is no product, so that all products can be fused; else a positive
  // product.
  std::size_t start = terms.size();
  std::size_t negative_plain = terms.size();
  for (std::size_t i = terms.size(); i-- > 0;) {
    if (terms[i].b != no_value) continue;
    (minus(terms[i]) ? negative_plain : start) = i;
  }
  ValueId total;
  std::size_t skip = terms.size();
  if (start == terms.size()) {
    for (start = 0; minus(terms[start]);) ++start;
    if (negative_plain != terms.size()) {
      skip = negative_plain;
      total = builder_.apply(TapeOp::fms, terms[start].a, terms[start].b, terms[skip].a);
    } else {
      total = builder_.apply(TapeOp::mul, terms[start].a, terms[start].b);
    }
  } else {
    total = terms[start].a;
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i == start || i == skip) continue;
    const Term& t = terms[i];
    if (t.b == no_value)
      total = builder_.apply(minus(t) ? TapeOp::sub : TapeOp::add, total, t.a);
    else
      total = builder_.apply(minus(t) ? TapeOp::fnma : TapeOp::fma, t.a, t.b, total);
  }
  return total;
}

ValueId Lowering::emit_sum(ExprId node) {
  std::vector<Term> terms;
  terms.reserve(pool_.children(node).size());
  for (const ExprId child : pool_.children(node)) {
    if (is_fused_power(child)) {
      const ValueId base = value(pool_.children(child)[0]);
      const auto n =
          static_cast<std::uint64_t>(pool_.number_of(pool_.children(child)[1]).numerator());
      const ValueId half = unrolled(base, n % 2 == 0 ? n / 2 : n - 1);
      terms.push_back({half, n % 2 == 0 ? half : base});
      continue;
    }
    if (pool_.op(child) != Op::mul || value(child) != no_value) {
      terms.push_back({value(child)});
      continue;
    }
    const Product product = product_of(child);
    if (product.denominator.empty() && product.numerator.size() >= 2 && slot(child).uses == 1) {
      const std::span<const ValueId> factors(product.numerator);
      terms.push_back(
          {fold_factors(factors.first(factors.size() - 1)), factors.back(), product.negative});
    } else {
      terms.push_back({emit_product(product), no_value, product.negative});
    }
  }
  // Long sums go by chunks, added up in pairs: short chains of dependent operations, and small
  // rounding errors.
  while (terms.size() > chunk_size) {
    std::vector<Term> chunks;
    for (std::size_t first = 0; first < terms.size(); first += chunk_size) {
      bool negative = false;
      const ValueId v = emit_chunk(
          std::span(terms).subspan(first, std::min(chunk_size, terms.size() - first)), negative);
      chunks.push_back({v, no_value, negative});
    }
    terms = std::move(chunks);
  }
  bool negative = false;
  const ValueId total = emit_chunk(terms, negative);
  return negative ? builder_.apply(TapeOp::neg, total) : total;
}

// ---- a whole tape ----

Tape lower(const symbolic::ExprPool& pool, std::span<const ExprId> inputs,
           std::span<const ExprId> parameters, std::span<const ExprId> outputs) {
  TapeBuilder builder(static_cast<std::uint32_t>(inputs.size()),
                      static_cast<std::uint32_t>(parameters.size()));
  Lowering lowering(pool, builder);
  for (std::uint32_t i = 0; i < inputs.size(); ++i) lowering.bind(inputs[i], builder.input(i));
  for (std::uint32_t i = 0; i < parameters.size(); ++i)
    lowering.bind(parameters[i], builder.parameter(i));
  for (const ValueId value : lowering.lower(outputs)) builder.output(value);
  return std::move(builder).finish();
}

}  // namespace alembert::compile
