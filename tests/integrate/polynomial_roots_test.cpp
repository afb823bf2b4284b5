// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/polynomial_roots.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace alembert::integrate {
namespace {

/// Coefficients of the product of (x - r) over the roots.
std::vector<double> with_roots(const std::vector<double>& roots) {
  std::vector<double> c = {1};
  for (const double r : roots) {
    c.push_back(0);
    for (std::size_t k = c.size() - 1; k > 0; --k) c[k] = c[k - 1] - r * c[k];
    c[0] *= -r;
  }
  return c;
}

TEST(PolynomialRoots, AreSeparatedAndNoneIsMissed) {
  const std::vector<double> roots = {0.1, 0.1001, 0.5, 0.9, 1.5};
  const auto c = with_roots(roots);
  PolynomialRoots finder(c.size());
  std::vector<double> ends;
  finder.separate(c, 1.0, ends);
  ASSERT_EQ(ends.size(), 4u);
  double begin = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LE(begin, roots[i]);
    EXPECT_GE(ends[i], roots[i]);
    begin = ends[i];
  }
}

TEST(PolynomialRoots, FirstChangeIsExactAndSkipsATouch) {
  const auto touches = with_roots({0.3, 0.3, 0.625});
  PolynomialRoots finder(touches.size());
  const auto found = finder.first_change(touches, 1.0, -1);
  ASSERT_TRUE(found);
  EXPECT_NEAR(*found, 0.625, 1e-14);
  EXPECT_FALSE(finder.first_change(touches, 0.6, -1));
}

TEST(PolynomialRoots, SeriesOfCosine) {
  std::vector<double> c(25, 0.0);
  double term = 1;
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (k > 0) term /= double(k);
    if (k % 2 == 0) c[k] = k % 4 == 0 ? term : -term;
  }
  PolynomialRoots finder(c.size());
  const auto found = finder.first_change(c, 2.0, 1);
  ASSERT_TRUE(found);
  EXPECT_NEAR(*found, std::acos(-1.0) / 2, 1e-14);
}

}  // namespace
}  // namespace alembert::integrate
