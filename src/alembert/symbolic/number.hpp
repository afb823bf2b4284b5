// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Constants: exact rationals with 64-bit numerator and denominator, and doubles.
// Exact arithmetic stays exact while it fits; what does not fit becomes the nearest double.
// A double that is a whole number up to 2^53 is that integer, so that 2.0 * x and 2 * x are one
// expression.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace alembert::symbolic {

class Number {
 public:
  constexpr Number() = default;
  constexpr Number(int value) : numerator_(value) {}  // NOLINT: constants read like numbers
  static Number integer(std::int64_t value);
  /// numerator / denominator in lowest terms; the denominator must not be zero.
  static Number rational(std::int64_t numerator, std::int64_t denominator);
  static Number real(double value);

  bool is_exact() const { return denominator_ != 0; }
  bool is_integer() const { return denominator_ == 1; }
  bool is_zero() const { return numerator_ == 0 && denominator_ == 1; }
  bool is_one() const { return numerator_ == 1 && denominator_ == 1; }
  bool is_minus_one() const { return numerator_ == -1 && denominator_ == 1; }
  /// An even integer.
  bool is_even() const { return denominator_ == 1 && numerator_ % 2 == 0; }
  bool is_negative() const { return denominator_ != 0 ? numerator_ < 0 : as_double() < 0; }
  bool is_finite() const;

  std::int64_t numerator() const { return numerator_; }      // exact numbers only
  std::int64_t denominator() const { return denominator_; }  // exact numbers only
  double value() const;

  friend bool operator==(const Number& a, const Number& b) = default;
  friend Number operator+(const Number& a, const Number& b) {
    if (std::int64_t total; a.is_integer() && b.is_integer() &&
                            !__builtin_add_overflow(a.numerator_, b.numerator_, &total) &&
                            total != smallest)
      return whole(total);
    return sum(a, b);
  }
  friend Number operator*(const Number& a, const Number& b) {
    if (std::int64_t product; a.is_integer() && b.is_integer() &&
                              !__builtin_mul_overflow(a.numerator_, b.numerator_, &product) &&
                              product != smallest)
      return whole(product);
    return product_of(a, b);
  }
  /// The divisor must not be zero.
  friend Number operator/(const Number& a, const Number& b);
  friend Number operator-(const Number& a);
  friend Number operator-(const Number& a, const Number& b) { return a + (-b); }

 private:
  static constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

  static Number whole(std::int64_t value) {
    Number number;
    number.numerator_ = value;
    return number;
  }
  static Number sum(const Number& a, const Number& b);
  static Number product_of(const Number& a, const Number& b);
  double as_double() const { return std::bit_cast<double>(numerator_); }

  std::int64_t numerator_ = 0;    // of a double: its bits
  std::int64_t denominator_ = 1;  // 0 marks a double
};

/// base^exponent for an integer exponent; false where it has no finite value (zero to a negative
/// power) or vanishes though the base does not (underflow).
bool integer_power(const Number& base, std::int64_t exponent, Number& result);

bool is_less(const Number& a, const Number& b);
/// The largest integer not above x; x must be finite.
Number floor_of(const Number& x);

std::uint64_t hash_value(const Number& number);

}  // namespace alembert::symbolic
