// SPDX-License-Identifier: Apache-2.0
// The rules of the canonical form (see pool.hpp). Each rule keeps the value wherever the expression it replaces
// had one; it may give a value where there was none (x/x is 1 also at 0). Folding never makes a non-finite
// constant: log(-1) and 1/0 stay as written and evaluate to what IEEE 754 says; 0^0 is 1, as pow of C has it.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/pool.hpp"
#include "alembert/symbolic/print.hpp"
#include "alembert/symbolic/short_list.hpp"

namespace alembert::symbolic {

namespace {

constexpr bool is_sum_family(ExprPool::PendingOp op) {
  return op == ExprPool::PendingOp::add || op == ExprPool::PendingOp::sub;
}

bool is_less(const Number& a, const Number& b) {
  if (a.is_exact() && b.is_exact())
    return static_cast<__int128>(a.numerator()) * b.denominator() <
           static_cast<__int128>(b.numerator()) * a.denominator();
  return a.value() < b.value();
}

std::optional<double> function_value(Op op, double x) {
  switch (op) {
    case Op::sin: return std::sin(x);
    case Op::cos: return std::cos(x);
    case Op::tan: return std::tan(x);
    case Op::asin: return std::asin(x);
    case Op::acos: return std::acos(x);
    case Op::atan: return std::atan(x);
    case Op::sinh: return std::sinh(x);
    case Op::cosh: return std::cosh(x);
    case Op::tanh: return std::tanh(x);
    case Op::asinh: return std::asinh(x);
    case Op::acosh: return std::acosh(x);
    case Op::atanh: return std::atanh(x);
    case Op::exp: return std::exp(x);
    case Op::log: return std::log(x);
    case Op::log10: return std::log10(x);
    default: return std::nullopt;
  }
}

/// f(x) where it is an integer for an exact x: sin(0), exp(0), log(1) and the like.
std::optional<int> exact_value(Op op, const Number& x) {
  switch (op) {
    case Op::sin: case Op::tan: case Op::asin: case Op::atan: case Op::sinh: case Op::tanh:
    case Op::asinh: case Op::atanh:
      return x.is_zero() ? std::optional(0) : std::nullopt;
    case Op::cos: case Op::cosh: case Op::exp:
      return x.is_zero() ? std::optional(1) : std::nullopt;
    case Op::log: case Op::log10: case Op::acos: case Op::acosh:
      return x.is_one() ? std::optional(0) : std::nullopt;
    default: return std::nullopt;
  }
}

Number floor_of(const Number& x) {
  if (!x.is_exact()) return Number::real(std::floor(x.value()));
  std::int64_t quotient = x.numerator() / x.denominator();
  if (x.numerator() % x.denominator() < 0) --quotient;
  return Number::integer(quotient);
}

/// b^n as whole * b^fraction with 0 < fraction < 1, for exact numbers: 6^(4/3) is 6 * 6^(1/3) and 1/sqrt(2) is
/// sqrt(2)/2, so that roots of one number multiply to the same product in any order.
bool split_root(const Number& b, const Number& n, Number& whole, Number& fraction) {
  if (!b.is_exact() || b.is_negative() || b.is_zero() || !n.is_exact() || n.is_integer())
    return false;
  const Number down = floor_of(n);
  if (down.is_zero() || !integer_power(b, down.numerator(), whole) || !whole.is_exact())
    return false;
  fraction = n - down;
  return true;
}

bool is_odd_function(Op op) {
  switch (op) {
    case Op::sin: case Op::tan: case Op::asin: case Op::atan: case Op::sinh: case Op::tanh:
    case Op::asinh: case Op::atanh: case Op::sign:
      return true;
    default: return false;
  }
}

std::string quoted_name(Op op) { return std::string("'").append(name(op)).append("'"); }

bool is_even_function(Op op) { return op == Op::cos || op == Op::cosh || op == Op::abs; }

}  // namespace

// ---- sums ------------------------------------------------------------------------------------------------

/// Adds coefficient * id to the terms; a sum is opened up unless it is kept whole for its size.
void ExprPool::gather_terms(ExprId id, const Number& coefficient, Terms& terms, Number& constant) {
  const Node node = nodes_[id.value];
  if (node.op == Op::number) {
    constant = constant + coefficient * numbers_[node.payload];
  } else if (node.op == Op::add && node.count <= flat_sum_limit) {
    // Canonical sums are flat, so this is one level deep.
    for (std::uint32_t i = 0; i < node.count; ++i)
      gather_terms(children_[node.first + i], coefficient, terms, constant);
  } else if (node.op == Op::mul && is_number(children_[node.first])) {
    const Number scaled = coefficient * number_of(children_[node.first]);
    const ExprId rest = node.count == 2 ? children_[node.first + 1]
                                        : intern(Op::mul, 0, children(id).subspan(1));
    if (scaled.is_exact() && is_open_sum(rest))
      gather_terms(rest, scaled, terms, constant);  // 2 * (0.5*(a + b)): the double is gone
    else
      terms.push_back({rest, scaled});
  } else {
    terms.push_back({id, coefficient});
  }
}

void ExprPool::sort_terms(Terms& terms) {
  const auto by_rest = [this](const Term& a, const Term& b) { return precedes(a.rest, b.rest); };
  if (std::is_sorted(terms.begin(), terms.end(), by_rest)) return;
  constexpr std::size_t many = 1000;
  if (terms.size() < many) {
    std::sort(terms.begin(), terms.end(), by_rest);
    return;
  }
  // Nodes are all over the memory, so what decides most comparisons is fetched once, beforehand.
  if (terms.size() > symbols_.size() / 8) rank_symbols();
  struct Key {
    std::uint64_t order;  // leading symbol and height
    std::uint32_t place;
  };
  std::vector<Key> keys(terms.size());
  for (std::uint32_t i = 0; i < terms.size(); ++i) {
    const Node& node = nodes_[terms[i].rest.value];
    const std::uint32_t rank = node.lead == no_lead ? 0 : symbol_order_[node.lead].rank + 1;
    if (node.lead != no_lead && rank == 0) {  // not ranked
      std::sort(terms.begin(), terms.end(), by_rest);
      return;
    }
    keys[i] = {std::uint64_t{rank} << 32 | node.height, i};
  }
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    if (a.order != b.order) return a.order < b.order;
    return precedes(terms[a.place].rest, terms[b.place].rest);
  });
  Terms sorted;
  sorted.reserve(terms.size());
  for (const Key& key : keys) sorted.push_back(terms[key.place]);
  terms.clear();
  terms.append(sorted);
}

ExprId ExprPool::finish_sum(Terms& terms, const Number& constant) {
  sort_terms(terms);
  ShortList<ExprId> children;
  children.reserve(terms.size() + 1);
  for (std::size_t i = 0; i < terms.size();) {
    Number coefficient = terms[i].coefficient;
    const ExprId rest = terms[i].rest;
    std::size_t next = i + 1;
    for (; next < terms.size() && terms[next].rest == rest; ++next)
      coefficient = coefficient + terms[next].coefficient;
    if (next > i + 1 && coefficient.is_exact() && is_open_sum(rest)) {
      // 0.5*(a + b) + 1.5*(a + b): the doubles added up to an exact number, which opens the sum.
      Terms opened;
      Number total = constant;
      for (std::size_t k = 0; k < terms.size(); ++k)
        if (k < i || k >= next) opened.push_back(terms[k]);
      gather_terms(rest, coefficient, opened, total);
      return finish_sum(opened, total);
    }
    if (!coefficient.is_zero()) children.push_back(scale(coefficient, rest));
    i = next;
  }
  if (!constant.is_zero() || children.empty()) children.push_back(number(constant));
  return children.size() == 1 ? children[0] : intern(Op::add, 0, children);
}

/// coefficient * rest, where rest is canonical.
ExprId ExprPool::scale(const Number& coefficient, ExprId rest) {
  if (coefficient.is_one()) return rest;
  if (coefficient.is_zero()) return number(0);
  const Node& node = nodes_[rest.value];
  if (node.op == Op::number) return number(coefficient * numbers_[node.payload]);
  // An exact number goes into a sum; a double stays outside, where it can be taken off again without rounding.
  if (coefficient.is_exact() && is_open_sum(rest)) {
    Terms terms;
    Number constant = 0;
    gather_terms(rest, coefficient, terms, constant);
    return finish_sum(terms, constant);
  }
  if (is_open_sum(rest)) {
    Number inverse;
    const Number shared = content(rest);
    if (!shared.is_one() && integer_power(shared, -1, inverse))
      return scale(coefficient * shared, scale(inverse, rest));
  }
  ShortList<ExprId> children;
  if (node.op != Op::mul) {
    children.push_back(number(coefficient));
    children.push_back(rest);
  } else {
    const bool has_number = is_number(children_[node.first]);
    const Number total =
        has_number ? coefficient * number_of(children_[node.first]) : coefficient;
    if (total.is_zero()) return number(0);  // the product of two tiny numbers
    if (!total.is_one()) children.push_back(number(total));
    children.append(this->children(rest).subspan(has_number ? 1 : 0));
    if (children.size() == 1) return children[0];
    // number * (sum kept whole): the sum may have become small enough to take the number in
    if (children.size() == 2 && total.is_exact() && !total.is_one() && is_open_sum(children[1]))
      return scale(total, children[1]);
  }
  return intern(Op::mul, 0, children);
}

ExprId ExprPool::add(std::span<const ExprId> summands) {
  require_numbers(Op::add, summands);
  Terms terms;
  terms.reserve(summands.size());
  Number constant = 0;
  for (const ExprId summand : ShortList<ExprId>(summands))
    gather_terms(summand, 1, terms, constant);
  return finish_sum(terms, constant);
}

ExprId ExprPool::add(ExprId a, ExprId b) {
  if (is_zero(a) && !is_condition(b)) return b;
  if (is_zero(b) && !is_condition(a)) return a;
  if (is_indivisible(a) && is_indivisible(b)) {
    if (a == b) return scale(2, a);
    if (precedes(b, a)) std::swap(a, b);
    const ExprId both[] = {a, b};
    return intern(Op::add, 0, both);
  }
  const ExprId both[] = {a, b};
  return add(both);
}

ExprId ExprPool::sub(ExprId a, ExprId b) {
  const ExprId both[] = {a, b};
  require_numbers(Op::add, both);
  Terms terms;
  Number constant = 0;
  gather_terms(a, 1, terms, constant);
  gather_terms(b, -1, terms, constant);
  return finish_sum(terms, constant);
}

ExprId ExprPool::neg(ExprId a) {
  require_numbers(Op::mul, std::span(&a, 1));
  return scale(-1, a);
}

/// A sum that is opened up when it becomes part of a larger one, rather than kept whole for its size.
bool ExprPool::is_open_sum(ExprId id) const {
  return op(id) == Op::add && nodes_[id.value].count <= flat_sum_limit;
}

/// The number that all terms of a sum share: the sign of its first term and, where all coefficients are exact, their
/// greatest common divisor. Factors are kept without it, so that 2*(a + b)*z and (2*a + 2*b)*z are one expression.
Number ExprPool::content(ExprId sum) const {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  bool exact = true;
  for (const ExprId term : children(sum)) {
    const ExprId first = op(term) == Op::mul ? children(term)[0] : term;
    const Number coefficient = is_number(first) ? number_of(first) : Number(1);
    exact = exact && coefficient.is_exact();
    if (!exact) break;
    numerator = std::gcd(numerator, coefficient.numerator());
    const std::int64_t factor = coefficient.denominator() / std::gcd(denominator, coefficient.denominator());
    if (__builtin_mul_overflow(denominator, factor, &denominator)) exact = false;
    if (!exact) break;
  }
  const Number size = exact ? Number::rational(numerator, denominator) : Number(1);
  return leads_negative(sum) ? -size : size;
}

// ---- products --------------------------------------------------------------------------------------------

/// Multiplies id^exponent, for a whole exponent, to the factors; a product is opened up unless it is kept whole
/// for its size.
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
    const Number shared = content(id);
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

ExprId ExprPool::finish_product(Factors& factors, Number coefficient) {
  const auto by_base = [this](const Factor& a, const Factor& b) { return precedes(a.base, b.base); };
  Factors merged;
  ShortList<ExprId> exponents;
  // Merging exponents can make a product, power or sum a plain factor again ((a*b)^(1/2) squared), which is then
  // opened up and merged once more; each round takes at least one level off, so this ends.
  for (bool again = true; again;) {
    again = false;
    if (!std::is_sorted(factors.begin(), factors.end(), by_base))
      std::sort(factors.begin(), factors.end(), by_base);
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
      if (is_zero(exponent)) continue;
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
                    (is_open_sum(base) && !content(base).is_one()));
      if (!opens) {
        merged.push_back({base, exponent});
        continue;
      }
      const ExprId power = pow(base, exponent);
      if (op(power) == Op::pow && children(power)[0] == base) {  // its number would overflow: it stays closed
        merged.push_back({base, exponent});
        continue;
      }
      again = true;
      gather_factors(power, 1, merged, coefficient);
    }
    factors.clear();
    factors.append(merged);
  }
  if (coefficient.is_zero()) return number(0);
  ShortList<ExprId> children;
  children.reserve(factors.size() + 1);
  children.push_back(ExprId::none());
  for (const Factor& factor : factors) {
    const ExprId child = is_one(factor.exponent) ? factor.base : pow(factor.base, factor.exponent);
    if (is_number(child))
      coefficient = coefficient * number_of(child);
    else
      children.push_back(child);
  }
  if (children.size() == 1) return number(coefficient);
  if (children.size() == 2) return scale(coefficient, children[1]);
  if (coefficient.is_zero()) return number(0);
  if (coefficient.is_one())
    return intern(Op::mul, 0, std::span<const ExprId>(children).subspan(1));
  children[0] = number(coefficient);
  return intern(Op::mul, 0, children);
}

ExprId ExprPool::mul(std::span<const ExprId> operands) {
  require_numbers(Op::mul, operands);
  Factors factors;
  factors.reserve(operands.size());
  Number coefficient = 1;
  for (const ExprId operand : ShortList<ExprId>(operands))
    gather_factors(operand, 1, factors, coefficient);
  return finish_product(factors, coefficient);
}

ExprId ExprPool::mul(ExprId a, ExprId b) {
  const ExprId both[] = {a, b};
  require_numbers(Op::mul, both);
  if (is_number(a)) return scale(number_of(a), b);
  if (is_number(b)) return scale(number_of(b), a);
  if (is_indivisible(a) && is_indivisible(b)) {
    if (a == b) return pow(a, 2);
    if (precedes(b, a)) std::swap(a, b);
    const ExprId ordered[] = {a, b};
    return intern(Op::mul, 0, ordered);
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
  const ExprId both[] = {base, exponent};
  require_numbers(Op::pow, both);
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
    if (n.is_integer() && is_open_sum(base) && !content(base).is_one()) {
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
        return intern(Op::pow, 0, both);  // the number overflows: leave it as it is
      for (Factor& factor : factors) factor.exponent = scale(n, factor.exponent);
      return finish_product(factors, power);
    }
  }
  if (is_one(base)) return base;
  return intern(Op::pow, 0, both);
}

// ---- functions -------------------------------------------------------------------------------------------

bool ExprPool::leads_negative(ExprId id) const {
  if (is_number(id)) return number_of(id).is_negative();
  const Node& node = nodes_[id.value];
  if (node.op == Op::mul) {
    const ExprId first = children_[node.first];
    return is_number(first) && number_of(first).is_negative();
  }
  if (node.op == Op::add && node.count <= flat_sum_limit)
    return leads_negative(children_[node.first]);
  return false;
}

/// f(-x) as -f(x) or f(x), so that both signs of the argument meet in one expression.
ExprId ExprPool::odd_even(Op op, ExprId argument) {
  const ExprId positive = neg(argument);
  const ExprId value = apply(op, positive);
  return is_even_function(op) ? value : neg(value);
}

ExprId ExprPool::fold_function(Op op, std::span<const ExprId> arguments) {
  const ExprId a = arguments[0];
  if (arguments.size() == 1) {
    if (is_number(a)) {
      const Number x = number_of(a);
      if (op == Op::abs) return number(x.is_negative() ? -x : x);
      if (op == Op::sign && x.is_finite())
        return number(x.is_zero() ? 0 : x.is_negative() ? -1 : 1);
      if ((op == Op::floor || op == Op::integer_part) && x.is_finite()) return number(floor_of(x));
      if (op == Op::ceil && x.is_finite()) return number(-floor_of(-x));
      if (op == Op::no_event) return a;
      if (x.is_exact()) {
        if (const auto value = exact_value(op, x)) return number(*value);
      } else if (const auto value = function_value(op, x.value()); value && std::isfinite(*value)) {
        return real(*value);
      }
    }
    const Op inner = this->op(a);
    if (op == Op::no_event && (inner == Op::no_event || inner == Op::symbol)) return a;
    if (op == Op::abs && inner == Op::abs) return a;
    if (op == Op::abs && inner == Op::pow && is_number(children(a)[1]) &&
        number_of(children(a)[1]).is_even())
      return a;
    if ((op == Op::log && inner == Op::exp) || (op == Op::exp && inner == Op::log))
      return children(a)[0];
    if ((op == Op::floor || op == Op::ceil || op == Op::integer_part) &&
        (inner == Op::floor || inner == Op::ceil || inner == Op::integer_part))
      return a;
    return ExprId::none();
  }
  const ExprId b = arguments[1];
  const bool numbers = is_number(a) && is_number(b);
  switch (op) {
    case Op::min:
    case Op::max:
      if (a == b) return a;
      if (numbers) {  // b where one is not a number, as in `evaluate`
        const bool first = op == Op::min ? is_less(number_of(a), number_of(b))
                                         : is_less(number_of(b), number_of(a));
        return first ? a : b;
      }
      return ExprId::none();
    case Op::div:
    case Op::mod:
    case Op::rem: {
      if (!numbers || number_of(b).is_zero()) return ExprId::none();
      const Number quotient = number_of(a) / number_of(b);
      if (!quotient.is_finite()) return ExprId::none();
      const Number down = floor_of(quotient);
      const Number whole = op != Op::mod && quotient.is_negative() ? -floor_of(-quotient) : down;
      const Number result = op == Op::div ? whole : number_of(a) - whole * number_of(b);
      return result.is_finite() ? number(result) : ExprId::none();
    }
    case Op::atan2:
      if (numbers && !(number_of(a).is_exact() && number_of(b).is_exact()))
        return real(std::atan2(number_of(a).value(), number_of(b).value()));
      return ExprId::none();
    case Op::smooth:
      return is_number(b) || is_symbol(b) ? b : ExprId::none();
    case Op::semi_linear:
      if (arguments[1] == arguments[2]) return mul(a, b);
      if (is_number(a)) return mul(a, number_of(a).is_negative() ? arguments[2] : b);
      return ExprId::none();
    default: return ExprId::none();
  }
}

ExprId ExprPool::compare(Op op, ExprId a, ExprId b) {
  if (is_number(a) && is_number(b)) {
    const Number x = number_of(a);
    const Number y = number_of(b);
    const bool less = is_less(x, y);
    const bool equal = x.is_exact() && y.is_exact() ? x == y : x.value() == y.value();
    switch (op) {
      case Op::less: return truth(less);
      case Op::less_equal: return truth(less || equal);
      case Op::equal: return truth(equal);
      default: return truth(!equal);
    }
  }
  if (a == b) return truth(op == Op::less_equal || op == Op::equal);
  if ((op == Op::equal || op == Op::not_equal) && precedes(b, a)) std::swap(a, b);
  const ExprId both[] = {a, b};
  return intern(op, 0, both);
}

ExprId ExprPool::connective(Op op, std::span<const ExprId> arguments) {
  const bool neutral = op == Op::logical_and;  // true for and, false for or
  ShortList<ExprId> parts;
  require_conditions(op, arguments);
  for (const ExprId argument : arguments) {
    if (this->op(argument) == op && nodes_[argument.value].count <= flat_product_limit) {
      parts.append(children(argument));
    } else if (this->op(argument) == Op::truth) {
      if (truth_of(argument) != neutral) return truth(!neutral);
    } else {
      parts.push_back(argument);
    }
  }
  std::sort(parts.begin(), parts.end(), [this](ExprId a, ExprId b) { return precedes(a, b); });
  const auto n_parts =
      static_cast<std::size_t>(std::unique(parts.begin(), parts.end()) - parts.begin());
  if (n_parts == 0) return truth(neutral);
  return n_parts == 1 ? parts[0] : intern(op, 0, std::span<const ExprId>(parts).first(n_parts));
}

void ExprPool::require_numbers(Op op, std::span<const ExprId> arguments) const {
  for (const ExprId argument : arguments) {
    if (!is_condition(argument)) [[likely]]
      continue;
    const std::string text = to_short_text(*this, argument);
    throw Error("E002", quoted_name(op) + " needs numbers, but '" + text +
                            "' is a condition. Write 'if " + text +
                            " then 1 else 0' to make it a number.");
  }
}

void ExprPool::require_conditions(Op op, std::span<const ExprId> arguments) const {
  for (const ExprId argument : arguments) {
    if (is_condition(argument)) continue;
    const std::string text = to_short_text(*this, argument);
    throw Error("E002", quoted_name(op) + " needs conditions, but '" + text +
                            "' is a number. Write a comparison, e.g. '" + text + " > 0'.");
  }
}

ExprId ExprPool::apply(Op op, std::span<const ExprId> given) {
  const ShortList<ExprId> arguments(given);
  const auto wants = [&](std::size_t count) {
    if (arguments.size() != count)
      throw Error("E003", "'" + std::string(name(op)) + "' takes " + std::to_string(count) +
                              (count == 1 ? " argument, " : " arguments, ") +
                              std::to_string(arguments.size()) + " given");
  };
  switch (op) {
    case Op::add: return add(arguments);
    case Op::mul: return mul(arguments);
    case Op::pow: wants(2); return pow(arguments[0], arguments[1]);
    case Op::logical_and:
    case Op::logical_or: return connective(op, arguments);
    case Op::logical_not: {
      wants(1);
      require_conditions(op, arguments);
      const ExprId a = arguments[0];
      if (this->op(a) == Op::truth) return truth(!truth_of(a));
      if (this->op(a) == Op::logical_not) return children(a)[0];
      if (this->op(a) == Op::equal || this->op(a) == Op::not_equal)
        return compare(this->op(a) == Op::equal ? Op::not_equal : Op::equal, children(a)[0],
                       children(a)[1]);
      return intern(op, 0, arguments);
    }
    case Op::if_then_else: wants(3); return if_then_else(arguments[0], arguments[1], arguments[2]);
    case Op::less: case Op::less_equal: case Op::equal: case Op::not_equal:
      wants(2);
      require_numbers(op, arguments);
      return compare(op, arguments[0], arguments[1]);
    case Op::number: case Op::symbol: case Op::truth: case Op::call:
      ensure(false, "leaves and calls have their own functions");
      return {};
    default: break;
  }
  wants(op == Op::semi_linear ? 3 : op >= Op::atan2 ? 2 : 1);
  require_numbers(op, arguments);
  if (const ExprId folded = fold_function(op, arguments); folded.valid()) return folded;
  if ((is_odd_function(op) || is_even_function(op)) && leads_negative(arguments[0]))
    return odd_even(op, arguments[0]);
  if ((op == Op::min || op == Op::max) && precedes(arguments[1], arguments[0])) {
    const ExprId swapped[] = {arguments[1], arguments[0]};
    return intern(op, 0, swapped);
  }
  return intern(op, 0, arguments);
}

ExprId ExprPool::apply(Op op, ExprId a) { return apply(op, std::span(&a, 1)); }

ExprId ExprPool::apply(Op op, ExprId a, ExprId b) {
  const ExprId both[] = {a, b};
  return apply(op, both);
}

ExprId ExprPool::if_then_else(ExprId condition, ExprId a, ExprId b) {
  if (!is_condition(condition))
    throw Error("E002", "'if' needs a condition, but '" + to_short_text(*this, condition) +
                            "' is a number. Write a comparison, e.g. '" +
                            to_short_text(*this, condition) + " > 0'.");
  if (is_condition(a) != is_condition(b))
    throw Error("E002", "the branches of 'if' must both be numbers or both be conditions: '" +
                            to_short_text(*this, a) + "' and '" + to_short_text(*this, b) +
                            "' are not");
  if (op(condition) == Op::truth) return truth_of(condition) ? a : b;
  if (a == b) return a;
  if (is_condition(a))
    return apply(Op::logical_or, apply(Op::logical_and, condition, a),
                 apply(Op::logical_and, apply(Op::logical_not, condition), b));
  const ExprId all[] = {condition, a, b};
  return intern(Op::if_then_else, 0, all);
}

ExprId ExprPool::call(FunctionId function, std::span<const ExprId> given) {
  const ShortList<ExprId> arguments(given);
  const UserFunction& callee = functions_[function.value];
  if (arguments.size() != callee.arity)
    throw Error("E003", "function '" + callee.name + "' takes " + std::to_string(callee.arity) +
                            (callee.arity == 1 ? " argument, " : " arguments, ") +
                            std::to_string(arguments.size()) + " given");
  require_numbers(Op::call, arguments);
  return intern(Op::call, function.value, arguments);
}

ExprId ExprPool::rebuild(ExprId original, std::span<const ExprId> children) {
  switch (op(original)) {
    case Op::number: case Op::symbol: case Op::truth: return original;
    case Op::call: return call(function_of(original), children);
    default: return apply(op(original), children);
  }
}

// ---- pending ---------------------------------------------------------------------------------------------

ExprId ExprPool::pending(PendingOp op, ExprId a, ExprId b) {
  // A chain holds one family only, so that resolving never nests.
  for (ExprId* operand : {&a, &b}) {
    if (!is_pending(*operand)) {
      require_numbers(is_sum_family(op) ? Op::add : Op::mul, std::span(operand, 1));
      continue;
    }
    const Pending& below = pending_[operand->value & ~pending_bit];
    if (below.canonical.valid() || is_sum_family(below.op) != is_sum_family(op))
      *operand = resolve(*operand);
  }
  ensure(pending_.size() < pending_bit - 1, "an expression pool holds at most 2^31 pending nodes");
  pending_.push_back({a, b, ExprId::none(), op});
  return {static_cast<std::uint32_t>(pending_.size() - 1) | pending_bit};
}

/// The canonical parts of a pending sum (product), each with its coefficient (exponent), and all pending nodes above
/// them. Nodes are taken by descending ids, so that one that is shared by several parents has met all
/// of them when its turn comes: the cost is linear in the nodes, not in the tree they stand for.
ExprPool::PendingParts ExprPool::pending_parts(std::uint32_t root) const {
  PendingParts result;
  struct Open {
    std::uint32_t index;
    Number weight;
  };
  const auto lower = [](const Open& a, const Open& b) { return a.index < b.index; };
  ShortList<Open> open;  // a heap
  open.push_back({root, 1});
  while (!open.empty()) {
    std::pop_heap(open.begin(), open.end(), lower);
    const Open top = open.back();
    open.pop_back();
    Number weight = top.weight;
    while (!open.empty() && open[0].index == top.index) {
      weight = weight + open[0].weight;
      std::pop_heap(open.begin(), open.end(), lower);
      open.pop_back();
    }
    const Pending& pending = pending_[top.index];
    result.walked.push_back(top.index);
    const bool inverse = pending.op == PendingOp::sub || pending.op == PendingOp::div;
    const auto pass_on = [&](ExprId id, const Number& part_weight) {
      if (!is_pending(id)) {
        result.parts.push_back({id, part_weight});
        return;
      }
      const std::uint32_t index = id.value & ~pending_bit;
      if (pending_[index].canonical.valid()) {
        result.parts.push_back({pending_[index].canonical, part_weight});
        return;
      }
      open.push_back({index, part_weight});
      std::push_heap(open.begin(), open.end(), lower);
    };
    pass_on(pending.b, inverse ? -weight : weight);
    pass_on(pending.a, weight);
  }
  // From the first to the last as they were written, which is often the canonical order.
  std::reverse(result.parts.begin(), result.parts.end());
  return result;
}

ExprId ExprPool::finish_pending(std::uint32_t index, const PendingParts& pending) {
  for (const std::uint32_t walked : pending.walked) pending_[walked].absorbed = true;
  ExprId canonical;
  if (is_sum_family(pending_[index].op)) {
    Terms terms;
    terms.reserve(pending.parts.size());
    Number constant = 0;
    for (const Term& part : pending.parts)
      gather_terms(part.rest, part.coefficient, terms, constant);
    canonical = finish_sum(terms, constant);
  } else {
    Factors factors;
    factors.reserve(pending.parts.size());
    Number coefficient = 1;
    for (const Term& part : pending.parts)
      gather_factors(part.rest, part.coefficient, factors, coefficient);
    canonical = finish_product(factors, coefficient);
  }
  pending_[index].canonical = canonical;
  return canonical;
}

ExprId ExprPool::resolve_pending(ExprId id) {
  const std::uint32_t index = id.value & ~pending_bit;
  const Pending top = pending_[index];
  if (top.canonical.valid()) return top.canonical;
  const auto finished = [this](ExprId operand) {
    return is_pending(operand) ? pending_[operand.value & ~pending_bit].canonical : operand;
  };
  const ExprId a = finished(top.a);
  const ExprId b = finished(top.b);
  if (a.valid() && b.valid()) {
    const ExprId canonical = top.op == PendingOp::add   ? add(a, b)
                             : top.op == PendingOp::sub ? sub(a, b)
                             : top.op == PendingOp::mul ? mul(a, b)
                                                        : div(a, b);
    pending_[index].canonical = canonical;
    return canonical;
  }
  // Totals looked at from the last to the first: each would be gathered anew from the very beginning. What has been
  // walked before is therefore finished at intervals, which later walks do not go below.
  const PendingParts pending = pending_parts(index);
  const std::uint32_t interval = is_sum_family(top.op) ? flat_sum_limit : flat_product_limit;
  std::uint32_t n_again = 0;
  for (std::size_t i = pending.walked.size(); i-- > 0;) {
    const std::uint32_t walked = pending.walked[i];
    if (pending_[walked].absorbed && ++n_again % (interval + 1) == 0)
      finish_pending(walked, pending_parts(walked));
  }
  return n_again > interval ? finish_pending(index, pending_parts(index))
                            : finish_pending(index, pending);
}

}  // namespace alembert::symbolic
