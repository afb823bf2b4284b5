// SPDX-License-Identifier: Apache-2.0
// Products and powers in canonical form: flat, exponents of one base collected. See canonical.cpp
// for what no rule may do.
#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/pool.hpp"
#include "alembert/symbolic/short_list.hpp"

namespace alembert::symbolic {

namespace {

/// b^n as whole * b^fraction with 0 < fraction < 1, for exact numbers: 6^(4/3) is 6 * 6^(1/3) and
/// 1/sqrt(2) is sqrt(2)/2, so that roots of one number multiply to the same product in any order.
bool split_root(const Number& b, const Number& n, Number& whole, Number& fraction) {
  if (!b.is_exact() || b.is_negative() || b.is_zero() || !n.is_exact() || n.is_integer())
    return false;
  const Number down = floor_of(n);
  if (down.is_zero() || !integer_power(b, down.numerator(), whole) || !whole.is_exact())
    return false;
  fraction = n - down;
  return true;
}

}  // namespace

/// True for 1/0 and its powers.
bool ExprPool::divides_by_zero(ExprId base, ExprId exponent) const {
  return is_number(base) && number_of(base).is_zero() && is_number(exponent) &&
         number_of(exponent).is_negative();
}

/// True for a quotient by zero and for products with one: nothing times such a thing is 0.
bool ExprPool::divides_by_zero(ExprId id) const {
  const Node& node = nodes_[id.value];
  if (node.op == Op::pow) return divides_by_zero(children_[node.first], children_[node.first + 1]);
  if (node.op != Op::mul) return false;
  return std::ranges::any_of(children(id), [this](ExprId factor) {
    return op(factor) == Op::pow && divides_by_zero(factor);
  });
}

/// Multiplies id^exponent, for a whole exponent, to the factors; a product is opened up unless it
/// is kept whole for its size.
void ExprPool::gather_factors(ExprId id, const Number& exponent, Factors& factors,
                              Number& coefficient) {
  const Node node = nodes_[id.value];
  if (node.op == Op::number) {
    Number power;
    if (exponent.is_one())
      coefficient = coefficient * numbers_[node.payload];
    else if (exponent.is_integer() &&
             integer_power(numbers_[node.payload], exponent.numerator(), power))
      coefficient = coefficient * power;
    else
      factors.push_back({id, number(exponent)});
  } else if (node.op == Op::mul && node.count <= flat_product_limit) {
    // Canonical products are flat, so this is one level deep.
    for (std::uint32_t i = 0; i < node.count; ++i)
      gather_factors(children_[node.first + i], exponent, factors, coefficient);
  } else if (node.op == Op::pow) {
    const ExprId base = children_[node.first];
    const ExprId inner = children_[node.first + 1];
    factors.push_back({base, exponent.is_one() ? inner : scale(exponent, inner)});
  } else if (is_open_sum(id) && exponent.is_integer()) {
    const Number shared = has_unit_content(id) ? Number(1) : content(id);
    Number inverse;
    Number power;
    if (!shared.is_one() && integer_power(shared, -1, inverse) &&
        integer_power(shared, exponent.numerator(), power)) {
      coefficient = coefficient * power;
      factors.push_back({scale(inverse, id), number(exponent)});
    } else {
      factors.push_back({id, number(exponent)});
    }
  } else {
    factors.push_back({id, number(exponent)});
  }
}

/// True if no two factors share a base and none is to be opened up, so that there is nothing to
/// merge. A few that would pass are told to be looked at closer.
bool ExprPool::are_settled(const Factors& factors) {
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const ExprId base = factors[i].base;
    if (i > 0 && base == factors[i - 1].base) return false;
    if (!is_indivisible(base) && !(is_open_sum(base) && has_unit_content(base))) return false;
    if (is_zero(factors[i].exponent)) return false;
  }
  return true;
}

/// The product of factors in order, of which no two share a base.
ExprId ExprPool::join_factors(const Factors& factors, Number coefficient) {
  const auto vanishes = [&] {
    return coefficient.is_zero() &&
           std::none_of(factors.begin(), factors.end(), [this](const Factor& factor) {
             return divides_by_zero(factor.base, factor.exponent);
           });
  };
  if (vanishes()) return number(0);
  ShortList<ExprId> children;
  children.reserve(factors.size() + 1);
  children.push_back(ExprId::none());
  for (const Factor& factor : factors) {
    const ExprId child = is_one(factor.exponent) ? factor.base
                         : is_indivisible(factor.base)
                             ? intern(Op::pow, factor.base, factor.exponent)
                             : pow(factor.base, factor.exponent);
    if (is_number(child))
      coefficient = coefficient * number_of(child);
    else
      children.push_back(child);
  }
  if (children.size() == 1) return number(coefficient);
  if (children.size() == 2) return scale(coefficient, children[1]);
  if (vanishes()) return number(0);
  if (!coefficient.is_one()) {
    children[0] = number(coefficient);
    return intern(Op::mul, 0, children);
  }
  if (children.size() == 3) return intern(Op::mul, children[1], children[2]);
  return intern(Op::mul, 0, std::span<const ExprId>(children).subspan(1));
}

ExprId ExprPool::finish_product(Factors& factors, Number coefficient) {
  const auto by_base = [this](const Factor& a, const Factor& b) {
    return is_before(a.base, b.base);
  };
  sort_short(factors, by_base);
  if (are_settled(factors)) return join_factors(factors, coefficient);
  Factors merged;
  ShortList<ExprId> exponents;
  // Merging exponents can make a product, power or sum a plain factor again ((a*b)^(1/2) squared),
  // which is then opened up and merged once more; each round takes at least one level off, so this
  // ends.
  for (bool again = true; again;) {
    again = false;
    sort_short(factors, by_base);
    merged.clear();
    for (std::size_t i = 0; i < factors.size();) {
      const ExprId base = factors[i].base;
      ExprId exponent = factors[i].exponent;
      std::size_t next = i + 1;
      while (next < factors.size() && factors[next].base == base) ++next;
      if (next > i + 1) {
        exponents.clear();
        for (; i < next; ++i) exponents.push_back(factors[i].exponent);
        exponent = add(exponents);
      }
      i = next;
      if (is_zero(exponent)) {
        if (is_number(base) && number_of(base).is_zero()) {  // (1/0)/(1/0)
          coefficient = 0;
          merged.push_back({base, number(-1)});
        }
        continue;
      }
      const bool whole = is_number(exponent) && number_of(exponent).is_integer();
      if (whole && is_number(base)) {
        Number power;
        if (integer_power(number_of(base), number_of(exponent).numerator(), power)) {
          coefficient = coefficient * power;
          continue;
        }
      }
      Number factor;
      Number root;
      if (is_number(base) && is_number(exponent) &&
          split_root(number_of(base), number_of(exponent), factor, root)) {
        coefficient = coefficient * factor;
        exponent = number(root);
      }
      const bool opens =
          whole && (op(base) == Op::pow ||
                    (op(base) == Op::mul && nodes_[base.value].count <= flat_product_limit) ||
                    (is_open_sum(base) && !has_unit_content(base)));
      if (!opens) {
        merged.push_back({base, exponent});
        continue;
      }
      const ExprId power = pow(base, exponent);
      if (op(power) == Op::pow &&
          children(power)[0] == base) {  // its number would overflow: it stays closed
        merged.push_back({base, exponent});
        continue;
      }
      again = true;
      gather_factors(power, 1, merged, coefficient);
    }
    factors.clear();
    factors.append(merged);
  }
  return join_factors(factors, coefficient);
}

ExprId ExprPool::mul(std::span<const ExprId> operands) {
  if (owns(operands)) return mul(ShortList<ExprId>(operands));
  require_numbers(Op::mul, operands);
  Factors factors;
  factors.reserve(operands.size());
  Number coefficient = 1;
  for (const ExprId operand : operands) gather_factors(operand, 1, factors, coefficient);
  return finish_product(factors, coefficient);
}

ExprId ExprPool::mul(ExprId a, ExprId b) {
  const ExprId both[] = {a, b};
  require_numbers(Op::mul, both);
  if (is_number(a)) return scale(number_of(a), b);
  if (is_number(b)) return scale(number_of(b), a);
  if (is_indivisible(a) && is_indivisible(b)) {
    if (a == b) return pow(a, 2);
    if (is_before(b, a)) std::swap(a, b);
    return intern(Op::mul, a, b);
  }
  return mul(both);
}

ExprId ExprPool::div(ExprId a, ExprId b) {
  const ExprId both[] = {a, b};
  require_numbers(Op::mul, both);
  Factors factors;
  Number coefficient = 1;
  gather_factors(a, 1, factors, coefficient);
  gather_factors(b, -1, factors, coefficient);
  return finish_product(factors, coefficient);
}

ExprId ExprPool::pow(ExprId base, ExprId exponent) {
  require_number(Op::pow, base);
  require_number(Op::pow, exponent);
  if (is_number(exponent)) {
    const Number n = number_of(exponent);
    if (n.is_zero()) return number(1);
    if (n.is_one()) return base;
    if (is_number(base)) {
      const Number b = number_of(base);
      if (n.is_integer()) {
        Number power;
        if (integer_power(b, n.numerator(), power)) return number(power);
      } else if (b.is_zero() && !n.is_negative() && n.is_finite()) {
        return number(0);
      } else if (b.is_exact() && n.is_exact() && n.denominator() == 2 && !b.is_negative()) {
        const auto root = [](std::int64_t square) {
          auto r = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square)));
          while (r > 0 && r > square / r) --r;
          while ((r + 1) <= square / (r + 1)) ++r;
          return r;
        };
        const std::int64_t p = root(b.numerator());
        const std::int64_t q = root(b.denominator());
        if (p * p == b.numerator() && q * q == b.denominator()) {
          Number power;
          if (integer_power(Number::rational(p, q), n.numerator(), power)) return number(power);
        }
      } else if (!b.is_exact() || !n.is_exact()) {
        const double value = std::pow(b.value(), n.value());
        if (std::isfinite(value)) return real(value);
      }
      Number factor;
      Number root;
      if (split_root(b, n, factor, root)) return scale(factor, pow(base, number(root)));
    }
    if (n.is_integer() && op(base) == Op::pow) {
      const ExprId inner = children(base)[0];
      return pow(inner, scale(n, children(base)[1]));
    }
    if (n.is_integer() && is_open_sum(base) && !has_unit_content(base)) {
      Factors factors;
      Number coefficient = 1;
      gather_factors(base, n, factors, coefficient);
      if (factors[0].base != base) return finish_product(factors, coefficient);
    }
    if (n.is_integer() && op(base) == Op::mul && nodes_[base.value].count <= flat_product_limit) {
      Factors factors;
      Number coefficient = 1;
      gather_factors(base, 1, factors, coefficient);
      Number power;
      if (!integer_power(coefficient, n.numerator(), power))
        return intern(Op::pow, base, exponent);  // the number overflows: leave it as it is
      for (Factor& factor : factors) factor.exponent = scale(n, factor.exponent);
      return finish_product(factors, power);
    }
  }
  if (is_one(base)) return base;
  return intern(Op::pow, base, exponent);
}

}  // namespace alembert::symbolic
