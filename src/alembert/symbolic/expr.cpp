// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/expr.hpp"

#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/print.hpp"
#include "alembert/symbolic/short_list.hpp"

namespace alembert::symbolic {

namespace {

[[noreturn]] void mixed_pools(const std::string& a, const std::string& b) {
  throw Error("E001", "'" + a + "' and '" + b +
                          "' belong to two different expression pools and cannot be combined. "
                          "Create all symbols of a model from the same pool.");
}

std::string short_text(const Expr& a) { return to_short_text(*a.pool(), a.id()); }

/// The pool that both operands live in; null if both are plain numbers.
inline ExprPool* common_pool(const Expr& a, const Expr& b) {
  if (a.pool() == nullptr) return b.pool();
  if (b.pool() != nullptr && b.pool() != a.pool()) mixed_pools(short_text(a), short_text(b));
  return a.pool();
}

ExprPool* common_pool(const Condition& a, const Condition& b) {
  if (a.pool() == nullptr) return b.pool();
  if (b.pool() != nullptr && b.pool() != a.pool())
    mixed_pools(to_short_text(*a.pool(), a.id()), to_short_text(*b.pool(), b.id()));
  return a.pool();
}

Expr unary(Op op, const Expr& x) {
  // A plain number has no pool to hold exact results, so a passing one does the folding.
  if (x.pool() == nullptr) {
    ExprPool scratch;
    const ExprId value = scratch.apply(op, scratch.real(x.constant()));
    return evaluate_constant(scratch, value);
  }
  return {*x.pool(), x.pool()->apply(op, x.id())};
}

Expr binary(Op op, const Expr& a, const Expr& b) {
  ExprPool* pool = common_pool(a, b);
  if (pool == nullptr) {
    ExprPool scratch;
    const ExprId value = scratch.apply(op, a.id_in(scratch), b.id_in(scratch));
    return evaluate_constant(scratch, value);
  }
  return {*pool, pool->apply(op, a.id_in(*pool), b.id_in(*pool))};
}

Condition comparison(Op op, const Expr& a, const Expr& b) {
  ExprPool* pool = common_pool(a, b);
  if (pool == nullptr) {
    switch (op) {
      case Op::less: return a.constant() < b.constant();
      case Op::less_equal: return a.constant() <= b.constant();
      case Op::equal: return a.constant() == b.constant();
      default: return a.constant() != b.constant();
    }
  }
  return {*pool, pool->apply(op, a.id_in(*pool), b.id_in(*pool))};
}

}  // namespace

ExprId Expr::id() const {
  ensure(pool_ != nullptr, "a plain number has no id; use id_in(pool)");
  return pool_->resolve(own_id());
}

ExprId Expr::id_in(ExprPool& pool) const {
  if (pool_ == nullptr) return pool.real(constant());
  if (pool_ != &pool)
    throw Error("E001", "'" + to_short_text(*pool_, id()) +
                            "' belongs to another expression pool. Create all symbols of a model "
                            "from the same pool.");
  return id();
}

Condition::Condition(ExprPool& pool, ExprId id) : pool_(&pool), id_(id) {
  ensure(pool.is_condition(id), "a Condition is made of a condition");
}

ExprId Condition::id() const {
  ensure(pool_ != nullptr, "a plain truth value has no id; use id_in(pool)");
  return id_;
}

ExprId Condition::id_in(ExprPool& pool) const {
  if (pool_ == nullptr) return pool.truth(constant_);
  if (pool_ != &pool)
    throw Error("E001", "the condition '" + to_short_text(*pool_, id_) +
                            "' belongs to another expression pool");
  return id_;
}

// The operands' own ids, not their canonical ones, are handed on: a chain of additions stays O(1) a
// link.
Expr Expr::combine(ExprPool::PendingOp op, const Expr& a, const Expr& b) {
  ExprPool& pool = *common_pool(a, b);
  const auto id = [&](const Expr& e) { return e.pool_ != nullptr ? e.own_id() : e.id_in(pool); };
  return {pool, pool.pending(op, id(a), id(b))};
}

Expr operator+(const Expr& a, const Expr& b) {
  if (a.pool_ == nullptr && b.pool_ == nullptr) return a.constant() + b.constant();
  return Expr::combine(ExprPool::PendingOp::add, a, b);
}

Expr operator-(const Expr& a, const Expr& b) {
  if (a.pool_ == nullptr && b.pool_ == nullptr) return a.constant() - b.constant();
  return Expr::combine(ExprPool::PendingOp::sub, a, b);
}

Expr operator*(const Expr& a, const Expr& b) {
  if (a.pool_ == nullptr && b.pool_ == nullptr) return a.constant() * b.constant();
  return Expr::combine(ExprPool::PendingOp::mul, a, b);
}

Expr operator/(const Expr& a, const Expr& b) {
  if (a.pool_ == nullptr && b.pool_ == nullptr) return a.constant() / b.constant();
  return Expr::combine(ExprPool::PendingOp::div, a, b);
}

Expr operator-(const Expr& a) {
  if (a.pool_ == nullptr) return -a.constant();
  return {*a.pool_, a.pool_->neg(a.id())};
}

Equation operator==(const Expr& left, const Expr& right) {
  common_pool(left, right);
  return {left, right};
}

Condition operator<(const Expr& a, const Expr& b) { return comparison(Op::less, a, b); }
Condition operator<=(const Expr& a, const Expr& b) { return comparison(Op::less_equal, a, b); }
Condition operator>(const Expr& a, const Expr& b) { return comparison(Op::less, b, a); }
Condition operator>=(const Expr& a, const Expr& b) { return comparison(Op::less_equal, b, a); }
Condition equal(const Expr& a, const Expr& b) { return comparison(Op::equal, a, b); }
Condition not_equal(const Expr& a, const Expr& b) { return comparison(Op::not_equal, a, b); }

Condition operator&&(const Condition& a, const Condition& b) {
  ExprPool* pool = common_pool(a, b);
  if (pool == nullptr) return a.constant() && b.constant();
  return {*pool, pool->apply(Op::logical_and, a.id_in(*pool), b.id_in(*pool))};
}

Condition operator||(const Condition& a, const Condition& b) {
  ExprPool* pool = common_pool(a, b);
  if (pool == nullptr) return a.constant() || b.constant();
  return {*pool, pool->apply(Op::logical_or, a.id_in(*pool), b.id_in(*pool))};
}

Condition operator!(const Condition& a) {
  if (a.pool() == nullptr) return !a.constant();
  return {*a.pool(), a.pool()->apply(Op::logical_not, a.id())};
}

Expr if_(const Condition& condition, const Expr& a, const Expr& b) {
  ExprPool* pool = common_pool(a, b);
  if (condition.pool() == nullptr) return condition.constant() ? a : b;
  ExprPool& home = *condition.pool();
  if (pool != nullptr && pool != &home)
    mixed_pools(to_short_text(home, condition.id()), short_text(a.pool() != nullptr ? a : b));
  return {home, home.if_then_else(condition.id(), a.id_in(home), b.id_in(home))};
}

bool same(const Expr& a, const Expr& b) {
  if (a.pool() == nullptr && b.pool() == nullptr) return a.constant() == b.constant();
  ExprPool* pool = a.pool() != nullptr ? a.pool() : b.pool();
  if (a.pool() != nullptr && b.pool() != nullptr && a.pool() != b.pool()) return false;
  return a.id_in(*pool) == b.id_in(*pool);
}

Expr sin(const Expr& x) { return unary(Op::sin, x); }
Expr cos(const Expr& x) { return unary(Op::cos, x); }
Expr tan(const Expr& x) { return unary(Op::tan, x); }
Expr asin(const Expr& x) { return unary(Op::asin, x); }
Expr acos(const Expr& x) { return unary(Op::acos, x); }
Expr atan(const Expr& x) { return unary(Op::atan, x); }
Expr sinh(const Expr& x) { return unary(Op::sinh, x); }
Expr cosh(const Expr& x) { return unary(Op::cosh, x); }
Expr tanh(const Expr& x) { return unary(Op::tanh, x); }
Expr asinh(const Expr& x) { return unary(Op::asinh, x); }
Expr acosh(const Expr& x) { return unary(Op::acosh, x); }
Expr atanh(const Expr& x) { return unary(Op::atanh, x); }
Expr exp(const Expr& x) { return unary(Op::exp, x); }
Expr log(const Expr& x) { return unary(Op::log, x); }
Expr log10(const Expr& x) { return unary(Op::log10, x); }
Expr abs(const Expr& x) { return unary(Op::abs, x); }
Expr sign(const Expr& x) { return unary(Op::sign, x); }
Expr floor(const Expr& x) { return unary(Op::floor, x); }
Expr ceil(const Expr& x) { return unary(Op::ceil, x); }
Expr integer_part(const Expr& x) { return unary(Op::integer_part, x); }
Expr no_event(const Expr& x) { return unary(Op::no_event, x); }
Expr smooth(int order, const Expr& x) { return binary(Op::smooth, order, x); }
Expr atan2(const Expr& y, const Expr& x) { return binary(Op::atan2, y, x); }
Expr min(const Expr& a, const Expr& b) { return binary(Op::min, a, b); }
Expr max(const Expr& a, const Expr& b) { return binary(Op::max, a, b); }
Expr div(const Expr& a, const Expr& b) { return binary(Op::div, a, b); }
Expr mod(const Expr& a, const Expr& b) { return binary(Op::mod, a, b); }
Expr rem(const Expr& a, const Expr& b) { return binary(Op::rem, a, b); }
Expr pow(const Expr& base, const Expr& exponent) { return binary(Op::pow, base, exponent); }

Expr sqrt(const Expr& x) {
  if (x.pool() == nullptr) return std::sqrt(x.constant());
  return {*x.pool(), x.pool()->sqrt(x.id())};
}

Expr semi_linear(const Expr& x, const Expr& k_plus, const Expr& k_minus) {
  ExprPool* pool = x.pool() != nullptr ? x.pool() : common_pool(k_plus, k_minus);
  if (pool == nullptr)
    return x.constant() * (x.constant() >= 0 ? k_plus.constant() : k_minus.constant());
  const ExprId all[] = {x.id_in(*pool), k_plus.id_in(*pool), k_minus.id_in(*pool)};
  return {*pool, pool->apply(Op::semi_linear, all)};
}

Expr rational(ExprPool& pool, std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0)
    throw Error("E004", "the fraction " + std::to_string(numerator) + "/0 has no value");
  return {pool, pool.number(Number::rational(numerator, denominator))};
}

Expr der(const Expr& x) {
  if (x.pool() == nullptr) return 0;
  return {*x.pool(), time_derivative(*x.pool(), x.id())};
}

Expr call(ExprPool& pool, FunctionId function, std::span<const Expr> arguments) {
  std::vector<ExprId> ids;
  for (const Expr& argument : arguments) ids.push_back(argument.id_in(pool));
  return {pool, pool.call(function, ids)};
}

namespace {

template <class Combine>
Expr combine_all(std::span<const Expr> parts, double neutral, Combine combine) {
  ExprPool* pool = nullptr;
  for (const Expr& part : parts)
    if (pool == nullptr) pool = part.pool();
  if (pool == nullptr) {
    Expr total = neutral;
    for (const Expr& part : parts)
      total =
          neutral == 0.0 ? total.constant() + part.constant() : total.constant() * part.constant();
    return total;
  }
  ShortList<ExprId> ids;
  ids.reserve(parts.size());
  for (const Expr& part : parts) ids.push_back(part.id_in(*pool));
  return {*pool, combine(*pool, ids)};
}

}  // namespace

Expr sum(std::span<const Expr> terms) {
  return combine_all(terms, 0.0,
                     [](ExprPool& pool, std::span<const ExprId> ids) { return pool.add(ids); });
}

Expr product(std::span<const Expr> factors) {
  return combine_all(factors, 1.0,
                     [](ExprPool& pool, std::span<const ExprId> ids) { return pool.mul(ids); });
}

Expr unknown(ExprPool& pool, std::string_view name) { return {pool, pool.unknown(name)}; }
Expr parameter(ExprPool& pool, std::string_view name) { return {pool, pool.parameter(name)}; }
Expr time(ExprPool& pool) { return {pool, pool.time()}; }

}  // namespace alembert::symbolic
