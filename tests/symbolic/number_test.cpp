// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alembert/base/error.hpp"

namespace alembert::symbolic {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(number, fractions_are_in_lowest_terms_with_a_positive_denominator) {
  const Number third = Number::rational(-2, -6);
  EXPECT_EQ(third.numerator(), 1);
  EXPECT_EQ(third.denominator(), 3);
  const Number minus = Number::rational(4, -6);
  EXPECT_EQ(minus.numerator(), -2);
  EXPECT_EQ(minus.denominator(), 3);
  EXPECT_TRUE(Number::rational(6, 3) == Number(2));
  EXPECT_TRUE(Number::rational(0, -7) == Number(0));
  EXPECT_THROW(Number::rational(1, 0), InternalError);
}

TEST(number, arithmetic_is_exact_while_it_fits) {
  Number total = 0;
  for (int k = 1; k <= 20; ++k) total = total + Number::rational(1, k);
  EXPECT_TRUE(total == Number::rational(55835135, 15519504));  // the harmonic number H_20
  EXPECT_TRUE(Number::rational(1, 3) * Number(3) == Number(1));
  EXPECT_TRUE(Number::rational(1, 3) / Number::rational(2, 9) == Number::rational(3, 2));
  EXPECT_TRUE(Number::rational(1, 3) - Number::rational(1, 3) == Number(0));
}

TEST(number, what_does_not_fit_becomes_a_double) {
  const Number above = Number::integer(largest) + Number(1);
  EXPECT_FALSE(above.is_exact());
  EXPECT_EQ(above.value(), 0x1p63);
  const Number product = Number::integer(largest) * Number::integer(largest);
  EXPECT_EQ(product.value(), 0x1p126);
  // The smallest 64-bit integer has no negative, so it is a double from the start.
  EXPECT_FALSE(Number::integer(smallest).is_exact());
  EXPECT_EQ((-Number::integer(smallest)).value(), 0x1p63);
  EXPECT_EQ(Number::rational(smallest, 3).value(), -0x1p63 / 3.0);
  EXPECT_EQ(Number::rational(1, smallest).value(), -0x1p-63);
  EXPECT_TRUE(Number::rational(smallest, smallest) == Number(1));
  const Number tiny = Number::rational(1, largest) * Number::rational(1, largest);
  EXPECT_FALSE(tiny.is_exact());
  EXPECT_DOUBLE_EQ(tiny.value(), 0x1p-126);
}

TEST(number, whole_doubles_are_integers) {
  EXPECT_TRUE(Number::real(2.0) == Number(2));
  EXPECT_TRUE(Number::real(-0.0) == Number(0));
  EXPECT_TRUE(Number::real(0x1p53).is_exact());
  EXPECT_FALSE(Number::real(0x1p54).is_exact());
  EXPECT_TRUE(Number::real(0.5) + Number::real(0.5) == Number(1));
  EXPECT_FALSE(Number::real(0.5) == Number::rational(1, 2));
}

TEST(number, one_not_a_number) {
  EXPECT_TRUE(Number::real(std::nan("1")) == Number::real(-std::nan("2")));
  EXPECT_EQ(hash_value(Number::real(std::nan("1"))), hash_value(Number::real(-std::nan("2"))));
  EXPECT_FALSE(Number::real(infinity).is_finite());
}

TEST(number, fractions_are_rounded_once) {
  for (std::int64_t q = 1; q < 2000; ++q)
    EXPECT_EQ(Number::rational(1, q).value(), 1.0 / static_cast<double>(q));
  EXPECT_EQ(Number::rational(4503599627370497, 9007199254740991).value(),
            4503599627370497.0 / 9007199254740991.0);
}

TEST(number, powers) {
  Number power;
  ASSERT_TRUE(integer_power(Number::rational(-2, 3), -3, power));
  EXPECT_TRUE(power == Number::rational(-27, 8));
  ASSERT_TRUE(integer_power(Number(3), 39, power));
  EXPECT_TRUE(power == Number::integer(4052555153018976267));
  ASSERT_TRUE(integer_power(Number(0), 0, power));
  EXPECT_TRUE(power == Number(1));
  EXPECT_FALSE(integer_power(Number(0), -1, power));
  EXPECT_FALSE(integer_power(Number(2), 2000, power));
  EXPECT_FALSE(integer_power(Number(2), -2000, power));
  ASSERT_TRUE(integer_power(Number(-1), largest, power));
  EXPECT_TRUE(power == Number(-1));
  ASSERT_TRUE(integer_power(Number(1), smallest, power));
  EXPECT_TRUE(power == Number(1));
}

TEST(number, large_powers_are_accurate_to_the_last_digit_but_one) {
  Number power;
  for (const int exponent : {41, 100, 500, 640, -41, -300, -600}) {
    ASSERT_TRUE(integer_power(Number(3), exponent, power));
    const double exact = std::pow(3.0, exponent);
    EXPECT_NEAR(power.value(), exact, 1e-15 * exact) << exponent;
  }
}

}  // namespace
}  // namespace alembert::symbolic
