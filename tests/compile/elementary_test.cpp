// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/elementary.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "alembert/base/error.hpp"
#include "compile/random_tape.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace alembert::compile {
namespace {

using testing::Random;
using testing::same_bits;
using testing::uniform;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr TapeOp elementary_operations[] = {
    TapeOp::sin,  TapeOp::cos,  TapeOp::tan,   TapeOp::asin,  TapeOp::acos,  TapeOp::atan,
    TapeOp::sinh, TapeOp::cosh, TapeOp::tanh,  TapeOp::asinh, TapeOp::acosh, TapeOp::atanh,
    TapeOp::exp,  TapeOp::log,  TapeOp::log10, TapeOp::atan2, TapeOp::pow};

constexpr std::array special = {0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                0.5,
                                -0.5,
                                2.0,
                                -2.0,
                                3.0,
                                -3.0,
                                infinity,
                                -infinity,
                                nan,
                                0x1p-1074,
                                -0x1p-1074,
                                0x1p-1022,
                                1e-300,
                                1e300,
                                -1e300,
                                1.7976931348623157e308,
                                0x1.fffffffffffffp-1,
                                0x1.0000000000001p0,
                                709.78,
                                710.5,
                                -745.2,
                                1e22,
                                0x1p53,
                                1e9};

// Arguments where the function does something: ordinary, near the edges, and of every magnitude.
double argument(Random& random) {
  switch (testing::below(random, 8)) {
    case 0: return special[testing::below(random, special.size())];
    case 1: return uniform(random, -1, 1);
    case 2: return uniform(random, -1000, 1000);
    case 3:
      return 1.0 +
             std::ldexp(uniform(random, -1, 1), -static_cast<int>(testing::below(random, 50)));
    case 4: return std::bit_cast<double>(random());  // any bits at all
    case 5:
      return std::ldexp(uniform(random, -1, 1), static_cast<int>(testing::below(random, 120)) - 60);
    default: return uniform(random, -10, 10);
  }
}

double apply(TapeOp op, double a, double b) { return evaluate(op, a, b, 0.0); }

#if defined(__x86_64__)
__attribute__((target("avx2"))) void apply_4(TapeOp op, const double* a, const double* b,
                                             double* result) {
  const void* function = elementary_lanes(op, 4);
  const __m256d x = _mm256_loadu_pd(a), y = _mm256_loadu_pd(b);
  const __m256d z = n_value_operands(op) == 1
                        ? reinterpret_cast<__m256d (*)(__m256d)>(function)(x)
                        : reinterpret_cast<__m256d (*)(__m256d, __m256d)>(function)(x, y);
  _mm256_storeu_pd(result, z);
}

__attribute__((target("avx512f"))) void apply_8(TapeOp op, const double* a, const double* b,
                                                double* result) {
  const void* function = elementary_lanes(op, 8);
  const __m512d x = _mm512_loadu_pd(a), y = _mm512_loadu_pd(b);
  const __m512d z = n_value_operands(op) == 1
                        ? reinterpret_cast<__m512d (*)(__m512d)>(function)(x)
                        : reinterpret_cast<__m512d (*)(__m512d, __m512d)>(function)(x, y);
  _mm512_storeu_pd(result, z);
}

// Lanes of a vector get unlike arguments, because a vector function may branch on all of them
// together.
void expect_lanes_match(int lanes,
                        void (*apply_lanes)(TapeOp, const double*, const double*, double*)) {
  Random random(11);
  for (TapeOp op : elementary_operations) {
    for (int trial = 0; trial < 400'000 / lanes; ++trial) {
      double a[8], b[8], found[8];
      for (int k = 0; k < lanes; ++k) {
        a[k] = argument(random);
        b[k] = argument(random);
      }
      apply_lanes(op, a, b, found);
      for (int k = 0; k < lanes; ++k) {
        ASSERT_TRUE(same_bits(found[k], apply(op, a[k], b[k])))
            << name(op) << std::hexfloat << ' ' << a[k] << ' ' << b[k] << ": " << found[k]
            << " in lanes, " << apply(op, a[k], b[k]) << " alone";
      }
    }
  }
}

TEST(elementary, four_lanes_have_the_bits_of_the_scalar_functions) {
  if (host_lanes() < 4) GTEST_SKIP() << "no AVX2 and FMA here";
  expect_lanes_match(4, &apply_4);
}

TEST(elementary, eight_lanes_have_the_bits_of_the_scalar_functions) {
  if (host_lanes() < 8) GTEST_SKIP() << "no AVX-512 here";
  expect_lanes_match(8, &apply_8);
}
#endif

long double exact(TapeOp op, long double a, long double b) {
  switch (op) {
    case TapeOp::sin: return std::sin(a);
    case TapeOp::cos: return std::cos(a);
    case TapeOp::tan: return std::tan(a);
    case TapeOp::asin: return std::asin(a);
    case TapeOp::acos: return std::acos(a);
    case TapeOp::atan: return std::atan(a);
    case TapeOp::sinh: return std::sinh(a);
    case TapeOp::cosh: return std::cosh(a);
    case TapeOp::tanh: return std::tanh(a);
    case TapeOp::asinh: return std::asinh(a);
    case TapeOp::acosh: return std::acosh(a);
    case TapeOp::atanh: return std::atanh(a);
    case TapeOp::exp: return std::exp(a);
    case TapeOp::log: return std::log(a);
    case TapeOp::log10: return std::log10(a);
    case TapeOp::atan2: return std::atan2(a, b);
    default: return std::pow(a, b);
  }
}

// Units in the last place of the double nearest to the exact value.
double error_in_ulp(double found, long double expected) {
  const auto nearest = static_cast<double>(expected);
  if (same_bits(found, nearest))
    return static_cast<double>(std::fabs(found - expected) /
                               (std::nextafter(std::fabs(nearest), infinity) - std::fabs(nearest)));
  if (!std::isfinite(found) || !std::isfinite(nearest)) return infinity;
  const double ulp = std::nextafter(std::fabs(nearest), infinity) - std::fabs(nearest);
  return static_cast<double>(std::fabs(found - expected) / ulp);
}

// The limits that elementary.hpp documents.
bool overflows_early(TapeOp op, double a, long double expected) {
  constexpr long double largest = std::numeric_limits<double>::max();
  if (op == TapeOp::sinh || op == TapeOp::cosh) return std::fabs(expected) >= largest / 2;
  if (op == TapeOp::asinh || op == TapeOp::acosh) return std::fabs(a) >= 1.34e154;
  if (op == TapeOp::exp || op == TapeOp::pow)
    return std::fabs(expected) >= largest * (1 - 0x1p-19L);
  return std::fabs(expected) > largest;
}

// Second route: the C library in extended precision, whose own error is below 2^-10 ulp of a
// double.
TEST(elementary, errors_are_at_most_one_ulp) {
  Random random(17);
  for (TapeOp op : elementary_operations) {
    double worst = 0.0, worst_a = 0.0, worst_b = 0.0;
    for (int trial = 0; trial < 300'000; ++trial) {
      const double a = argument(random), b = argument(random);
      const long double expected = exact(op, a, b);
      const double found = apply(op, a, b);
      if (std::isnan(expected) && std::isnan(found)) continue;
      if (std::fabs(expected) < 0x1p-1022L) continue;  // gradual underflow: see below
      if (overflows_early(op, a, expected) && std::isinf(found)) continue;
      const double error = error_in_ulp(found, expected);
      if (error > worst) {
        worst = error;
        worst_a = a;
        worst_b = b;
      }
    }
    EXPECT_LE(worst, 1.0 + 0x1p-10)
        << name(op) << std::hexfloat << " at " << worst_a << ", " << worst_b;
    RecordProperty(std::string(name(op)), std::to_string(worst));
  }
}

struct Case {
  TapeOp op;
  double a, b, expected;
};

TEST(elementary, special_cases) {
  const double pi = 3.14159265358979323846;
  const Case cases[] = {
      {TapeOp::sin, -0.0, 0, -0.0},
      {TapeOp::sin, infinity, 0, nan},
      {TapeOp::sin, nan, 0, nan},
      {TapeOp::sin, 1e300, 0, -0.81788191211590855},
      {TapeOp::cos, 1e300, 0, -0.57538611195754907},
      {TapeOp::sin, -1e22, 0, 0.85220084976718880},
      {TapeOp::cos, 0, 0, 1},
      {TapeOp::tan, -0.0, 0, -0.0},
      {TapeOp::tan, -infinity, 0, nan},
      {TapeOp::asin, 1, 0, pi / 2},
      {TapeOp::asin, 1.5, 0, nan},
      {TapeOp::acos, -1, 0, pi},
      {TapeOp::acos, 1, 0, 0},
      {TapeOp::acos, -1.5, 0, nan},
      {TapeOp::atan, infinity, 0, pi / 2},
      {TapeOp::sinh, -infinity, 0, -infinity},
      {TapeOp::cosh, -infinity, 0, infinity},
      {TapeOp::tanh, 1000, 0, 1},
      {TapeOp::tanh, -0.0, 0, -0.0},
      {TapeOp::acosh, 1, 0, 0},
      {TapeOp::acosh, 0.5, 0, nan},
      {TapeOp::atanh, 1, 0, infinity},
      {TapeOp::atanh, -2, 0, nan},
      {TapeOp::exp, -infinity, 0, 0},
      {TapeOp::exp, 0, 0, 1},
      {TapeOp::exp, 1000, 0, infinity},
      {TapeOp::exp, -1000, 0, 0},
      {TapeOp::log, 0, 0, -infinity},
      {TapeOp::log, -1, 0, nan},
      {TapeOp::log, infinity, 0, infinity},
      {TapeOp::log, 1, 0, 0},
      {TapeOp::log10, 1000, 0, 3},
      {TapeOp::log10, -0.0, 0, -infinity},
      {TapeOp::atan2, 0, -1, pi},
      {TapeOp::atan2, -0.0, -1, -pi},
      {TapeOp::atan2, 0, 0, 0},
      {TapeOp::atan2, 1, 0, pi / 2},
      {TapeOp::atan2, infinity, -infinity, 3 * pi / 4},
      {TapeOp::pow, nan, 0, 1},
      {TapeOp::pow, 1, nan, 1},
      {TapeOp::pow, -8, 3, -512},
      {TapeOp::pow, -8, 0.5, nan},
      {TapeOp::pow, 0, -1, infinity},
      {TapeOp::pow, -0.0, -1, -infinity},
      {TapeOp::pow, -0.0, 2, 0},
      {TapeOp::pow, -infinity, 3, -infinity},
      {TapeOp::pow, 0.5, infinity, 0},
      {TapeOp::pow, -1, infinity, 1},
      {TapeOp::pow, 2, -1074, 0x1p-1074},
  };
  for (const auto& [op, a, b, expected] : cases) {
    EXPECT_TRUE(same_bits(apply(op, a, b), expected))
        << name(op) << ' ' << a << ' ' << b << " = " << apply(op, a, b) << ", not " << expected;
  }
}

TEST(elementary, functions_are_found_by_arity) {
  for (int i = 0; i < n_tape_ops; ++i) {
    const auto op = static_cast<TapeOp>(i);
    const bool unary = is_elementary(op) && n_value_operands(op) == 1;
    const bool binary = is_elementary(op) && n_value_operands(op) == 2;
    EXPECT_EQ(elementary_unary(op) != nullptr, unary) << name(op);
    EXPECT_EQ(elementary_binary(op) != nullptr, binary) << name(op);
    EXPECT_EQ(elementary_lanes(op, 4) != nullptr, is_elementary(op) && host_lanes() >= 4)
        << name(op);
    EXPECT_EQ(elementary_lanes(op, 3), nullptr);
  }
}

TEST(elementary, evaluate_rounds_fused_operations_once) {
  const double x = 1.0 + 0x1p-30, y = 1.0 - 0x1p-30;  // the product is 1 - 2^-60
  EXPECT_EQ(evaluate(TapeOp::fms, x, y, 1.0), -0x1p-60);
  EXPECT_EQ(evaluate(TapeOp::fma, x, y, -1.0), -0x1p-60);
  EXPECT_EQ(evaluate(TapeOp::fnma, x, y, 1.0), 0x1p-60);
  EXPECT_EQ(evaluate(TapeOp::fnms, x, y, -1.0), 0x1p-60);
}

TEST(elementary, evaluate_defines_the_awkward_cases) {
  const Case cases[] = {
      {TapeOp::min, nan, 1, 1},          {TapeOp::min, 1, nan, nan},
      {TapeOp::min, 0.0, -0.0, -0.0},    {TapeOp::min, -0.0, 0.0, 0.0},
      {TapeOp::max, nan, 1, 1},          {TapeOp::max, -0.0, 0.0, 0.0},
      {TapeOp::max, 0.0, -0.0, -0.0},    {TapeOp::sign, nan, 0, 0},
      {TapeOp::sign, -0.0, 0, 0},        {TapeOp::sign, -infinity, 0, -1},
      {TapeOp::floor, -0.0, 0, -0.0},    {TapeOp::ceil, -0.5, 0, -0.0},
      {TapeOp::trunc, -1.5, 0, -1},      {TapeOp::neg, 0.0, 0, -0.0},
      {TapeOp::abs, -0.0, 0, 0.0},       {TapeOp::sqrt, -0.0, 0, -0.0},
      {TapeOp::sqrt, -1, 0, nan},        {TapeOp::less, nan, 1, 0},
      {TapeOp::less_equal, nan, nan, 0}, {TapeOp::equal, nan, nan, 0},
      {TapeOp::not_equal, nan, nan, 1},  {TapeOp::equal, 0.0, -0.0, 1},
      {TapeOp::div, 1, -0.0, -infinity}, {TapeOp::div, 0, 0, nan},
  };
  for (const auto& [op, a, b, expected] : cases)
    EXPECT_TRUE(same_bits(evaluate(op, a, b, 0), expected)) << name(op) << ' ' << a << ' ' << b;
  EXPECT_THROW(evaluate(TapeOp::call, 0, 0, 0), InternalError);
}

}  // namespace
}  // namespace alembert::compile
