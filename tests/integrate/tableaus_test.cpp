// SPDX-License-Identifier: Apache-2.0
// Every coefficient is held against the order conditions it must satisfy.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "alembert/integrate/tableaus/dop853.hpp"
#include "alembert/integrate/tableaus/radau5.hpp"
#include "alembert/integrate/tableaus/rodas5p.hpp"
#include "alembert/integrate/tableaus/rodas6p.hpp"
#include "alembert/integrate/tableaus/tsit5.hpp"
#include "integrate/rooted_trees.hpp"

namespace alembert::integrate {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

TEST(RootedTrees, AreAsManyAsTheBooksSay) {
  const auto trees = rooted_trees(8);
  std::vector<int> count(9, 0);
  for (const auto& tree : trees) ++count[tree.order];
  EXPECT_EQ(count, (std::vector<int>{0, 1, 1, 2, 4, 9, 20, 48, 115}));
}

template <class Tableau>
class ExplicitTableau : public testing::Test {};
using ExplicitTableaus = testing::Types<tableaus::Tsit5, tableaus::Dop853>;
TYPED_TEST_SUITE(ExplicitTableau, ExplicitTableaus);

template <class Tableau>
Matrix stage_matrix() {
  Matrix a;
  for (const auto& row : Tableau::a) a.emplace_back(row.begin(), row.end());
  return a;
}

// Sums of products of coefficients up to 50 leave a few hundred units of rounding.
constexpr double rounding = 1e4 * eps;

TYPED_TEST(ExplicitTableau, NodesAreRowSums) {
  for (std::size_t i = 0; i < TypeParam::n_dense_stages; ++i) {
    double sum = 0;
    for (double a : TypeParam::a[i]) sum += a;
    EXPECT_NEAR(sum, TypeParam::c[i], 100 * eps) << "stage " << i;
  }
}

TYPED_TEST(ExplicitTableau, HasItsOrderAndNoMore) {
  const auto trees = rooted_trees(TypeParam::order + 1);
  const Matrix a = stage_matrix<TypeParam>();
  const auto phi = elementary_weights(trees, a, a);
  const auto& b = a[TypeParam::n_stages - 1];
  EXPECT_LT(order_defect(trees, phi, b, TypeParam::order), rounding);
  EXPECT_GT(order_defect(trees, phi, b, TypeParam::order + 1), 1e-6);
}

TYPED_TEST(ExplicitTableau, ErrorEstimateHasItsOrder) {
  // The embedded weights are b - error. For DOP853 the two estimates have orders 5 and 3.
  const auto trees = rooted_trees(6);
  const Matrix a = stage_matrix<TypeParam>();
  const auto phi = elementary_weights(trees, a, a);
  const auto embedded = [&](const auto& error) {
    std::vector<double> weights = a[TypeParam::n_stages - 1];
    for (std::size_t i = 0; i < error.size(); ++i) weights[i] -= error[i];
    return weights;
  };
  const std::size_t order = TypeParam::has_second_error ? 5 : TypeParam::error_order;
  EXPECT_LT(order_defect(trees, phi, embedded(TypeParam::error), order), rounding);
  EXPECT_GT(order_defect(trees, phi, embedded(TypeParam::error), order + 1), 1e-6);
  if constexpr (TypeParam::has_second_error) {
    EXPECT_LT(order_defect(trees, phi, embedded(TypeParam::second_error), 3), rounding);
    EXPECT_GT(order_defect(trees, phi, embedded(TypeParam::second_error), 4), 1e-6);
  }
}

TYPED_TEST(ExplicitTableau, DenseOutputHasItsOrderEverywhere) {
  const auto trees = rooted_trees(TypeParam::dense_order + 1);
  const Matrix a = stage_matrix<TypeParam>();
  const auto phi = elementary_weights(trees, a, a);
  double next_order = 0;
  for (double theta : {0.0, 0.1, 0.25, 0.5, 0.77, 1.0}) {
    std::vector<double> weights;
    for (const auto& polynomial : TypeParam::dense) {
      double sum = 0;
      for (std::size_t p = polynomial.size(); p-- > 0;) sum = (sum + polynomial[p]) * theta;
      weights.push_back(sum);
    }
    EXPECT_LT(order_defect(trees, phi, weights, TypeParam::dense_order, theta), rounding) << theta;
    next_order =
        std::max(next_order, order_defect(trees, phi, weights, TypeParam::dense_order + 1, theta));
  }
  EXPECT_GT(next_order, 1e-7);
}

// Back from the transformed variables: Gamma = (I / gamma - C)^-1, alpha = a Gamma, b = m Gamma.
struct RosenbrockCoefficients {
  Matrix alpha, beta, gamma;
  std::vector<double> m;
};

Matrix lower_triangular_inverse(const Matrix& lower) {
  const std::size_t n = lower.size();
  Matrix inverse(n, std::vector<double>(n, 0));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i < n; ++i) {
      double sum = i == j ? 1 : 0;
      for (std::size_t k = j; k < i; ++k) sum -= lower[i][k] * inverse[k][j];
      inverse[i][j] = sum / lower[i][i];
    }
  return inverse;
}

// weights^T * matrix
std::vector<double> times(const std::vector<double>& weights, const Matrix& matrix) {
  std::vector<double> result(matrix.size(), 0);
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < matrix.size(); ++j) result[j] += weights[i] * matrix[i][j];
  return result;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

template <class T>
RosenbrockCoefficients rosenbrock_coefficients() {
  constexpr std::size_t n = T::n_dense_stages;
  RosenbrockCoefficients r;
  Matrix gamma_inverse(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      gamma_inverse[i][j] = (i == j ? 1 / T::gamma : 0) - T::C[i][j];
  r.gamma = lower_triangular_inverse(gamma_inverse);
  for (std::size_t i = 0; i < n; ++i) {
    r.alpha.push_back(times({T::a[i].begin(), T::a[i].end()}, r.gamma));
    r.beta.push_back(r.alpha[i]);
    for (std::size_t j = 0; j < n; ++j) r.beta[i][j] += r.gamma[i][j];
  }
  r.m.assign(T::a[T::n_stages - 1].begin(), T::a[T::n_stages - 1].end());
  r.m[T::n_stages - 1] = 1;
  return r;
}

template <class Tableau>
class RosenbrockTableau : public testing::Test {};
using RosenbrockTableaus = testing::Types<tableaus::Rodas5p, tableaus::Rodas6p>;
TYPED_TEST_SUITE(RosenbrockTableau, RosenbrockTableaus);

// Coefficients of Rodas6P are up to a thousand, and come with 16 digits.
template <class T>
constexpr double rosenbrock_rounding = T::n_stages > 8 ? 1e-10 : rounding;

TYPED_TEST(RosenbrockTableau, NodesAndTimeCoefficientsAreRowSums) {
  const RosenbrockCoefficients r = rosenbrock_coefficients<TypeParam>();
  for (std::size_t i = 0; i < TypeParam::n_dense_stages; ++i) {
    EXPECT_NEAR(sum_of(r.alpha[i]), TypeParam::c[i], rosenbrock_rounding<TypeParam>)
        << "stage " << i;
    EXPECT_NEAR(sum_of(r.gamma[i]), TypeParam::d[i], rosenbrock_rounding<TypeParam>)
        << "stage " << i;
  }
}

TYPED_TEST(RosenbrockTableau, HasItsOrderAndNoMore) {
  const RosenbrockCoefficients r = rosenbrock_coefficients<TypeParam>();
  constexpr std::size_t order = TypeParam::order;
  const double bound = rosenbrock_rounding<TypeParam>;
  const auto trees = rooted_trees(order + 1);
  const auto phi = elementary_weights(trees, r.alpha, r.beta);
  EXPECT_LT(order_defect(trees, phi, times(r.m, r.gamma), order), bound);
  EXPECT_GT(order_defect(trees, phi, times(r.m, r.gamma), order + 1), 1e-6);

  std::vector<double> embedded = r.m;
  embedded[TypeParam::n_stages - 1] = 0;
  EXPECT_LT(order_defect(trees, phi, times(embedded, r.gamma), order - 1), bound);
  EXPECT_GT(order_defect(trees, phi, times(embedded, r.gamma), order), 1e-6);
}

TYPED_TEST(RosenbrockTableau, DenseOutputHasItsOrderEverywhere) {
  using T = TypeParam;
  const RosenbrockCoefficients r = rosenbrock_coefficients<T>();
  const auto trees = rooted_trees(T::dense_order);
  const auto phi = elementary_weights(trees, r.alpha, r.beta);
  for (double theta : {0.0, 0.1, 0.25, 0.5, 0.77, 1.0}) {
    std::vector<double> m;
    for (std::size_t i = 0; i < T::n_dense_stages; ++i) {
      double correction = 0;
      for (std::size_t p = T::dense.size(); p-- > 0;)
        correction = correction * theta + T::dense[p][i];
      m.push_back(theta * (r.m[i] + (1 - theta) * correction));
    }
    EXPECT_LT(order_defect(trees, phi, times(m, r.gamma), T::dense_order, theta),
              rosenbrock_rounding<T>)
        << theta;
  }
}

// Stiffly accurate: alpha_s = beta_(s-1), b = beta_s; and the stability function vanishes at
// infinity: R(inf) = 1 - b^T B^-1 1 with B = (beta_ij).
TYPED_TEST(RosenbrockTableau, IsStifflyAccurateAndDampsAtInfinity) {
  const RosenbrockCoefficients r = rosenbrock_coefficients<TypeParam>();
  constexpr std::size_t s = TypeParam::n_stages;
  const std::vector<double> b = times(r.m, r.gamma);
  for (std::size_t j = 0; j < s; ++j) {
    EXPECT_NEAR(b[j], r.beta[s - 1][j], rosenbrock_rounding<TypeParam>);
    EXPECT_NEAR(r.alpha[s - 1][j], r.beta[s - 2][j], rosenbrock_rounding<TypeParam>);
  }
  EXPECT_NEAR(1 - sum_of(times(b, lower_triangular_inverse(r.beta))), 0,
              rosenbrock_rounding<TypeParam>);
}

// A from the collocation conditions sum_j a_ij c_j^(k-1) = c_i^k / k; then A T D = T, where D is
// the transformed inverse, and T T^-1 = 1.
TEST(Radau5Tableau, TransformationTurnsTheInverseIntoItsBlocks) {
  using R = tableaus::Radau5;
  const double s6 = R::root6;
  const double A[3][3] = {{(88 - 7 * s6) / 360, (296 - 169 * s6) / 1800, (-2 + 3 * s6) / 225},
                          {(296 + 169 * s6) / 1800, (88 + 7 * s6) / 360, (-2 - 3 * s6) / 225},
                          {(16 - s6) / 36, (16 + s6) / 36, 1.0 / 9}};
  const double D[3][3] = {{R::gamma, 0, 0}, {0, R::alpha, -R::beta}, {0, R::beta, R::alpha}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (int k = 1; k <= 3; ++k) {
      double sum = 0;
      for (std::size_t j = 0; j < 3; ++j) sum += A[i][j] * std::pow(R::c[j], k - 1);
      EXPECT_NEAR(sum, std::pow(R::c[i], k) / k, 10 * eps);
    }
    for (std::size_t j = 0; j < 3; ++j) {
      double atd = 0, unit = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        unit += R::T[i][k] * R::T_inverse[k][j];
        for (std::size_t l = 0; l < 3; ++l) atd += A[i][k] * R::T[k][l] * D[l][j];
      }
      EXPECT_NEAR(atd, R::T[i][j], 100 * eps);
      EXPECT_NEAR(unit, i == j ? 1 : 0, 100 * eps);
    }
  }
}

}  // namespace
}  // namespace alembert::integrate
