// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/integer_rows.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <random>

namespace alembert::structure {
namespace {

/// Rank by Gaussian elimination in a prime field: a second route; the prime is large against the
/// minors of the small matrices here.
std::size_t rank_modulo_prime(std::vector<std::vector<std::int64_t>> a) {
  constexpr std::int64_t p = 2147483647;
  const auto inverse = [](std::int64_t x) {
    std::int64_t result = 1;
    for (std::int64_t e = p - 2; e > 0; e /= 2, x = x * x % p)
      if (e % 2 == 1) result = result * x % p;
    return result;
  };
  for (auto& row : a)
    for (auto& x : row) x = ((x % p) + p) % p;
  std::size_t rank = 0;
  const std::size_t n_columns = a.empty() ? 0 : a[0].size();
  for (std::size_t c = 0; c < n_columns && rank < a.size(); ++c) {
    std::size_t pivot = rank;
    while (pivot < a.size() && a[pivot][c] == 0) ++pivot;
    if (pivot == a.size()) continue;
    std::swap(a[pivot], a[rank]);
    const std::int64_t scale = inverse(a[rank][c]);
    for (std::size_t r = rank + 1; r < a.size(); ++r) {
      const std::int64_t factor = a[r][c] * scale % p;
      for (std::size_t k = c; k < n_columns; ++k)
        a[r][k] = ((a[r][k] - factor * a[rank][k]) % p + p) % p;
    }
    ++rank;
  }
  return rank;
}

TEST(IntegerRows, AsManyDependentRowsAsTheRankLacks) {
  std::mt19937 random(5);
  int n_dependent = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const std::size_t n_rows = 1 + random() % 9;
    const Index n_columns = 1 + random() % 8;
    std::vector<std::vector<std::int64_t>> dense(n_rows, std::vector<std::int64_t>(n_columns));
    std::vector<IntegerRow> rows(n_rows);
    for (std::size_t r = 0; r < n_rows; ++r)
      for (Index c = 0; c < n_columns; ++c) {
        if (random() % 3 != 0) continue;
        dense[r][c] = static_cast<std::int64_t>(random() % 5) - 2;
        if (dense[r][c] != 0) rows[r].push_back({c, dense[r][c]});
      }
    const auto dependent = dependent_rows(rows, n_columns);
    ASSERT_EQ(n_rows - dependent.size(), rank_modulo_prime(dense)) << "trial " << trial;
    n_dependent += static_cast<int>(dependent.size());
    for (const DependentRow& row : dependent) {
      ASSERT_TRUE(row.left_over.empty());
      // The rows of a combination are dependent among themselves.
      std::vector<std::vector<std::int64_t>> part;
      for (const Index r : row.combined) part.push_back(dense[r]);
      ASSERT_LT(rank_modulo_prime(part), part.size());
    }
  }
  EXPECT_GT(n_dependent, 1000);
}

TEST(IntegerRows, WhatStandsOnTheRightIsLeftOver) {
  // x + y = a, y + z = b, x - z = c: the third is the difference of the others.
  const auto dependent = dependent_rows(
      {{{0, 1}, {1, 1}, {3, -1}}, {{1, 1}, {2, 1}, {4, -1}}, {{0, 1}, {2, -1}, {5, -1}}}, 3);
  ASSERT_EQ(dependent.size(), 1u);
  EXPECT_EQ(dependent[0].combined, (std::vector<Index>{0, 1, 2}));
  const IntegerRow& left = dependent[0].left_over;  // a - b - c, up to sign
  ASSERT_EQ(left.size(), 3u);
  const std::int64_t sign = left[0].coefficient;
  EXPECT_EQ(left, (IntegerRow{{3, sign}, {4, -sign}, {5, -sign}}));
  EXPECT_EQ(std::abs(sign), 1);
}

/// Kirchhoff's current laws of a grid of nodes without ground: one too many, whatever the size.
TEST(IntegerRows, ALargeConnectionGraph) {
  constexpr Index n = 200;
  std::vector<IntegerRow> rows(n * n);
  Index n_edges = 0;
  const auto connect = [&](Index a, Index b) {
    rows[a].push_back({n_edges, 1});
    rows[b].push_back({n_edges, -1});
    ++n_edges;
  };
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      if (i + 1 < n) connect(i * n + j, (i + 1) * n + j);
      if (j + 1 < n) connect(i * n + j, i * n + j + 1);
    }
  const std::clock_t begin = std::clock();  // of the processor: other jobs are no cost of ours
  const auto dependent = dependent_rows(rows, n_edges);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  ASSERT_EQ(dependent.size(), 1u);
  EXPECT_EQ(dependent[0].combined.size(), rows.size());
  EXPECT_LT(seconds, 10.0);  // quadratic cost would be minutes
}

/// Numbers that outgrow 64 bits end the search, not the program.
TEST(IntegerRows, LongNumbersCountAsIndependent) {
  std::vector<IntegerRow> rows;
  for (Index k = 0; k < 40; ++k) rows.push_back({{k, 1000003}, {k + 1, -999983}});
  rows.push_back({{0, 1}, {40, 1}});
  EXPECT_TRUE(dependent_rows(rows, 41).empty());
}

}  // namespace
}  // namespace alembert::structure
