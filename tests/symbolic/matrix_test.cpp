// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "symbolic/message.hpp"

namespace alembert::symbolic {
namespace {

using testing::message;

/// By elimination with partial pivoting.
double numeric_determinant(std::vector<std::vector<double>> a) {
  double result = 1;
  for (std::size_t k = 0; k < a.size(); ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < a.size(); ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    if (pivot != k) {
      std::swap(a[pivot], a[k]);
      result = -result;
    }
    result *= a[k][k];
    for (std::size_t i = k + 1; i < a.size(); ++i)
      for (std::size_t j = a.size(); j-- > k;) a[i][j] -= a[i][k] / a[k][k] * a[k][j];
  }
  return result;
}

TEST(matrix, determinants_agree_with_elimination) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> entry(-1, 1);
  for (std::size_t n = 1; n <= 8; ++n) {
    ExprPool pool;
    Matrix a(n, n);
    Values values;
    std::vector<std::vector<double>> numbers(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        a(i, j) = unknown(pool, "a[" + std::to_string(i) + "," + std::to_string(j) + "]");
        numbers[i][j] = entry(engine);
        values[a(i, j).id()] = numbers[i][j];
      }
    const double expected = numeric_determinant(numbers);
    EXPECT_NEAR(evaluate(pool, determinant(a).id(), values), expected, 1e-13) << n;
  }
  ExprPool pool;
  const Expr x = unknown(pool, "x");
  EXPECT_TRUE(same(determinant(Matrix(0, 0)), 1));
  EXPECT_TRUE(same(determinant({{x, 2}, {3, 4}}), 4 * x - 6));
  EXPECT_TRUE(same(determinant({{0, x, 0}, {x, 0, 0}, {0, 0, x}}), -pow(x, 3)));
  EXPECT_TRUE(same(determinant(Matrix::identity(12)), 1));
}

TEST(matrix, algebra) {
  ExprPool pool;
  const Expr x = unknown(pool, "x");
  const Expr y = unknown(pool, "y");
  const Matrix a{{1, x}, {y, 2}};
  const Matrix b = a * Matrix{{0, 1}, {1, 0}};
  EXPECT_TRUE(same(b(0, 0), x));
  EXPECT_TRUE(same(b(1, 1), y));
  EXPECT_TRUE(same(transpose(a)(0, 1), y));
  EXPECT_TRUE(same((a + a)(0, 1), 2 * x));
  EXPECT_TRUE(same((a - a)(0, 1), 0));
  EXPECT_TRUE(same((y * a)(0, 1), x * y));
  EXPECT_TRUE(same(der(a)(1, 0), der(y)));
  EXPECT_TRUE(same(determinant(a * a), pow(determinant(a), 2)) ||
              evaluate(pool, (determinant(a * a) - pow(determinant(a), 2)).id(),
                       {{x.id(), 2.0}, {y.id(), 3.0}}) == 0.0);
  const std::vector<Expr> u = {x, y, 1};
  const std::vector<Expr> v = {1, 2, 3};
  EXPECT_TRUE(same(dot(u, v), x + 2 * y + 3));
  const auto w = cross(u, v);
  EXPECT_TRUE(same(w[0], 3 * y - 2));
  EXPECT_TRUE(same(w[1], 1 - 3 * x));
  EXPECT_TRUE(same(w[2], 2 * x - y));
  EXPECT_TRUE(same(outer(u, v)(1, 2), 3 * y));
  const Matrix j = jacobian({x * y, sin(x), 3}, {x, y});
  EXPECT_TRUE(same(j(0, 0), y));
  EXPECT_TRUE(same(j(0, 1), x));
  EXPECT_TRUE(same(j(1, 0), cos(x)));
  EXPECT_TRUE(same(j(2, 1), 0));
}

TEST(matrix, sizes_must_fit) {
  const Matrix a(2, 3);
  EXPECT_EQ(message([&] { a + transpose(a); }),
            "E008: cannot add matrices of sizes 2 x 3 and 3 x 2");
  EXPECT_EQ(message([&] { a - transpose(a); }),
            "E008: cannot subtract matrices of sizes 2 x 3 and 3 x 2");
  EXPECT_EQ(message([&] { a* a; }), "E008: cannot multiply matrices of sizes 2 x 3 and 2 x 3");
  EXPECT_EQ(message([&] { determinant(a); }),
            "E008: only a square matrix has a determinant; this one is 2 x 3");
  EXPECT_EQ(message([&] { determinant(Matrix(13, 13)); }),
            "E008: symbolic determinants are made up to 12 x 12; this one is 13 x 13");
  EXPECT_EQ(message([&] {
              Matrix({{1, 2}, {3}});
            }),
            "E008: the rows of a matrix must have one length, but there are 2 and 1");
  EXPECT_EQ(message([&] {
              dot({1, 2}, {1});
            }),
            "E008: a dot product needs vectors of one length, not 2 and 1");
  EXPECT_EQ(message([&] {
              cross({1, 2}, {1, 2});
            }),
            "E008: a cross product needs two vectors of length 3");
}

}  // namespace
}  // namespace alembert::symbolic
