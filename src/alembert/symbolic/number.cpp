// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/number.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/hash.hpp"

namespace alembert::symbolic {

namespace {

using Wide = __int128;

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

bool fits(Wide value) { return value > Wide(smallest) && value <= Wide(largest); }

Wide common_divisor(Wide a, Wide b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

Number from_wide(Wide numerator, Wide denominator) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  const Wide divisor = common_divisor(numerator, denominator);
  if (divisor > 1) {
    numerator /= divisor;
    denominator /= divisor;
  }
  if (!fits(numerator) || !fits(denominator))
    return Number::real(static_cast<double>(static_cast<long double>(numerator) /
                                            static_cast<long double>(denominator)));
  return Number::rational(static_cast<std::int64_t>(numerator),
                          static_cast<std::int64_t>(denominator));
}

}  // namespace

Number Number::integer(std::int64_t value) {
  if (value == smallest) return real(static_cast<double>(value));
  Number number;
  number.numerator_ = value;
  return number;
}

Number Number::rational(std::int64_t numerator, std::int64_t denominator) {
  ensure(denominator != 0, "a rational number needs a denominator other than zero");
  if (denominator == 1) return integer(numerator);
  if (denominator < 0 || numerator == smallest || std::gcd(numerator, denominator) != 1)
    return from_wide(numerator, denominator);
  Number number;
  number.numerator_ = numerator;
  number.denominator_ = denominator;
  return number;
}

Number Number::real(double value) {
  constexpr double exactly_representable = 9007199254740992.0;  // 2^53
  if (std::abs(value) <= exactly_representable && value == std::trunc(value))
    return integer(static_cast<std::int64_t>(value));
  Number number;
  number.denominator_ = 0;
  // One NaN: equality and hashes look at the bits.
  number.numerator_ = std::bit_cast<std::int64_t>(
      std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value);
  return number;
}

bool Number::is_finite() const { return is_exact() || std::isfinite(as_double()); }

double Number::value() const {
  if (denominator_ == 0) return as_double();
  if (denominator_ == 1) return static_cast<double>(numerator_);
  // Both exact as doubles: one rounding. Else a wider division keeps the second rounding small.
  constexpr std::int64_t exactly_representable = std::int64_t{1} << 53;
  if (std::abs(numerator_) <= exactly_representable && denominator_ <= exactly_representable)
    return static_cast<double>(numerator_) / static_cast<double>(denominator_);
  return static_cast<double>(static_cast<long double>(numerator_) /
                             static_cast<long double>(denominator_));
}

Number Number::sum(const Number& a, const Number& b) {
  if (!a.is_exact() || !b.is_exact()) return Number::real(a.value() + b.value());
  // |numerator * denominator| < 2^126, so the sum fits in 128 bits.
  return from_wide(Wide(a.numerator_) * b.denominator_ + Wide(b.numerator_) * a.denominator_,
                   Wide(a.denominator_) * b.denominator_);
}

Number Number::product_of(const Number& a, const Number& b) {
  if (a.is_zero() || b.is_zero()) return 0;
  if (!a.is_exact() || !b.is_exact()) return Number::real(a.value() * b.value());
  return from_wide(Wide(a.numerator_) * b.numerator_, Wide(a.denominator_) * b.denominator_);
}

Number operator/(const Number& a, const Number& b) {
  ensure(!b.is_zero(), "a number is divided by numbers other than zero");
  if (!a.is_exact() || !b.is_exact()) return Number::real(a.value() / b.value());
  return from_wide(Wide(a.numerator_) * b.denominator_, Wide(a.denominator_) * b.numerator_);
}

Number operator-(const Number& a) {
  if (!a.is_exact()) return Number::real(-a.as_double());
  Number result = a;
  result.numerator_ = -a.numerator_;
  return result;
}

bool integer_power(const Number& base, std::int64_t exponent, Number& result) {
  if (base.is_zero() && exponent < 0) return false;
  if (!base.is_exact()) {
    const double value = std::pow(base.value(), static_cast<double>(exponent));
    if (!std::isfinite(value) || value == 0.0) return false;
    result = Number::real(value);
    return true;
  }
  Number factor = exponent < 0 ? Number::rational(base.denominator(), base.numerator()) : base;
  std::uint64_t rest = exponent < 0 ? 0 - static_cast<std::uint64_t>(exponent)
                                    : static_cast<std::uint64_t>(exponent);
  result = 1;
  while (rest != 0 && result.is_exact() && factor.is_exact()) {
    if (rest & 1) result = result * factor;
    rest >>= 1;
    if (rest != 0) factor = factor * factor;
  }
  if (rest != 0 || !result.is_exact()) {
    // Squaring on in doubles would add up a rounding error a step.
    const long double wide =
        static_cast<long double>(base.numerator()) / static_cast<long double>(base.denominator());
    result = Number::real(static_cast<double>(std::pow(wide, static_cast<long double>(exponent))));
  }
  return result.is_finite() && (!result.is_zero() || base.is_zero());
}

bool is_less(const Number& a, const Number& b) {
  if (a.is_exact() && b.is_exact())
    return static_cast<__int128>(a.numerator()) * b.denominator() <
           static_cast<__int128>(b.numerator()) * a.denominator();
  return a.value() < b.value();
}

Number floor_of(const Number& x) {
  if (!x.is_exact()) return Number::real(std::floor(x.value()));
  std::int64_t quotient = x.numerator() / x.denominator();
  if (x.numerator() % x.denominator() < 0) --quotient;
  return Number::integer(quotient);
}

std::uint64_t hash_value(const Number& number) {
  if (!number.is_exact())
    return mix(0x9ae16a3b2f90404fULL, std::bit_cast<std::uint64_t>(number.value()));
  return mix(mix(0xc3a5c85c97cb3127ULL, static_cast<std::uint64_t>(number.numerator())),
             static_cast<std::uint64_t>(number.denominator()));
}

}  // namespace alembert::symbolic
