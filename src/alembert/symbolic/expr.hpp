// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Expressions as values, with operators, so that C++ reads like mathematics:
//   der(der(x)) == lambda * x,   if_(a < b, c, d),   s += x[i]
// In: symbols of a pool and numbers. Out: ids of that pool. Mixing two pools is Error E001.
// An Expr is a pool pointer and an id; it lives no longer than its pool. A plain number needs no
// pool.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

template <class T>
concept Arithmetic = std::integral<T> || std::floating_point<T>;

class Expr {
 public:
  Expr() = default;
  template <Arithmetic T>
  Expr(T value)  // NOLINT: numbers are expressions
      : bits_(std::bit_cast<std::uint64_t>(static_cast<double>(value))) {}
  Expr(ExprPool& pool, ExprId id) : pool_(&pool), bits_(id.value) {}

  /// The pool; null for a plain number.
  ExprPool* pool() const { return pool_; }
  /// Canonical id; the expression must have a pool.
  ExprId id() const;
  /// Canonical id in `pool`, into which a plain number is brought.
  ExprId id_in(ExprPool& pool) const;
  /// The value of a plain number; 0 if there is a pool.
  double constant() const { return pool_ == nullptr ? std::bit_cast<double>(bits_) : 0.0; }

  Expr& operator+=(const Expr& other) { return *this = *this + other; }
  Expr& operator-=(const Expr& other) { return *this = *this - other; }
  Expr& operator*=(const Expr& other) { return *this = *this * other; }
  Expr& operator/=(const Expr& other) { return *this = *this / other; }

  friend Expr operator+(const Expr& a, const Expr& b);
  friend Expr operator-(const Expr& a, const Expr& b);
  friend Expr operator*(const Expr& a, const Expr& b);
  friend Expr operator/(const Expr& a, const Expr& b);
  friend Expr operator-(const Expr& a);
  friend Expr operator+(const Expr& a) { return a; }

 private:
  static Expr combine(ExprPool::PendingOp op, const Expr& a, const Expr& b);
  ExprId own_id() const { return {static_cast<std::uint32_t>(bits_)}; }

  ExprPool* pool_ = nullptr;
  std::uint64_t bits_ = 0;  // of a plain number: those of the double; else the id
};

/// True or false at run time; made by comparisons.
class Condition {
 public:
  Condition() = default;
  Condition(bool value) : constant_(value) {}  // NOLINT: constants read like conditions
  Condition(ExprPool& pool, ExprId id);

  ExprPool* pool() const { return pool_; }
  ExprId id() const;
  ExprId id_in(ExprPool& pool) const;
  bool constant() const { return constant_; }

 private:
  ExprPool* pool_ = nullptr;
  ExprId id_;
  bool constant_ = false;
};

/// left = right, made by `==`. For a comparison inside an expression use `equal`.
struct Equation {
  Expr left;
  Expr right;
};

Equation operator==(const Expr& left, const Expr& right);

Condition operator<(const Expr& a, const Expr& b);
Condition operator<=(const Expr& a, const Expr& b);
Condition operator>(const Expr& a, const Expr& b);
Condition operator>=(const Expr& a, const Expr& b);
Condition equal(const Expr& a, const Expr& b);
Condition not_equal(const Expr& a, const Expr& b);
Condition operator&&(const Condition& a, const Condition& b);
Condition operator||(const Condition& a, const Condition& b);
Condition operator!(const Condition& a);
Expr if_(const Condition& condition, const Expr& a, const Expr& b);

/// True if both are one expression: the same content in the same pool.
bool same(const Expr& a, const Expr& b);

Expr sin(const Expr& x);
Expr cos(const Expr& x);
Expr tan(const Expr& x);
Expr asin(const Expr& x);
Expr acos(const Expr& x);
Expr atan(const Expr& x);
Expr sinh(const Expr& x);
Expr cosh(const Expr& x);
Expr tanh(const Expr& x);
Expr asinh(const Expr& x);
Expr acosh(const Expr& x);
Expr atanh(const Expr& x);
Expr exp(const Expr& x);
Expr log(const Expr& x);
Expr log10(const Expr& x);
Expr sqrt(const Expr& x);
Expr abs(const Expr& x);
Expr sign(const Expr& x);
Expr floor(const Expr& x);
Expr ceil(const Expr& x);
/// Modelica's integer(): the largest integer not above x.
Expr integer_part(const Expr& x);
Expr no_event(const Expr& x);
Expr smooth(int order, const Expr& x);
Expr atan2(const Expr& y, const Expr& x);
Expr min(const Expr& a, const Expr& b);
Expr max(const Expr& a, const Expr& b);
Expr div(const Expr& a, const Expr& b);
Expr mod(const Expr& a, const Expr& b);
Expr rem(const Expr& a, const Expr& b);
Expr semi_linear(const Expr& x, const Expr& k_plus, const Expr& k_minus);
Expr pow(const Expr& base, const Expr& exponent);
/// An exact fraction; pow(x, rational(1, 3)).
Expr rational(ExprPool& pool, std::int64_t numerator, std::int64_t denominator);

/// Total time derivative: der(x) of an unknown, and the chain rule for everything else.
Expr der(const Expr& x);

Expr call(ExprPool& pool, FunctionId function, std::span<const Expr> arguments);
Expr sum(std::span<const Expr> terms);
Expr product(std::span<const Expr> factors);

Expr unknown(ExprPool& pool, std::string_view name);
Expr parameter(ExprPool& pool, std::string_view name);
Expr time(ExprPool& pool);

}  // namespace alembert::symbolic
