// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/tearing.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <set>

namespace alembert::structure {
namespace {

/// Rows of (unknown, coefficient); 0 stands for what cannot be divided by.
TearingProblem problem(const std::vector<std::vector<std::pair<Index, double>>>& rows) {
  TearingProblem result;
  for (const auto& row : rows) {
    for (const auto& [unknown, coefficient] : row) {
      result.unknowns.items.push_back(unknown);
      result.entries.push_back({coefficient});
    }
    result.unknowns.end_list();
  }
  return result;
}

/// Every assignment can be made with what is known by then.
void expect_valid(const TearingProblem& p, const Tearing& t) {
  std::set<Index> known(t.tears.begin(), t.tears.end());
  std::set<Index> used(t.residuals.begin(), t.residuals.end());
  ASSERT_EQ(known.size(), t.residuals.size());
  for (const auto& [unknown, equation] : t.assignments) {
    for (Index k = p.unknowns.begin[equation]; k < p.unknowns.begin[equation + 1]; ++k) {
      const Index u = p.unknowns.items[k];
      if (u == unknown)
        ASSERT_GT(p.entries[k].coefficient, 0);
      else
        ASSERT_TRUE(known.contains(u));
    }
    ASSERT_TRUE(known.insert(unknown).second);
    ASSERT_TRUE(used.insert(equation).second);
  }
  ASSERT_EQ(known.size(), p.size());
  ASSERT_EQ(used.size(), p.size());
}

/// Fewest tears over all subsets: solve onwards from each.
std::size_t fewest_tears(const TearingProblem& p) {
  const Index n = p.size();
  std::size_t fewest = n;
  for (std::uint32_t set = 0; set < (1u << n); ++set) {
    if (static_cast<std::size_t>(std::popcount(set)) >= fewest) continue;
    std::uint32_t known = set;
    std::uint32_t used = 0;
    for (bool progress = true; progress;) {
      progress = false;
      for (Index e = 0; e < n; ++e) {
        if (used >> e & 1) continue;
        Index open = 0;
        Index at = 0;
        for (Index k = p.unknowns.begin[e]; k < p.unknowns.begin[e + 1]; ++k)
          if (!(known >> p.unknowns.items[k] & 1)) ++open, at = k;
        if (open != 1 || p.entries[at].coefficient == 0) continue;
        known |= 1u << p.unknowns.items[at];
        used |= 1u << e;
        progress = true;
      }
    }
    if (known == (1u << n) - 1) fewest = static_cast<std::size_t>(std::popcount(set));
  }
  return fewest;
}

TEST(Tearing, NearTheFewestOnRandomBlocks) {
  std::mt19937 random(8);
  std::size_t total = 0;
  std::size_t least = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const Index n = 3 + random() % 6;
    std::vector<std::vector<std::pair<Index, double>>> rows(n);
    for (Index e = 0; e < n; ++e)
      for (Index u = 0; u < n; ++u)
        if (u == e || u == (e + 1) % n || random() % (n + 2) < 2)
          rows[e].push_back({u, random() % 4 == 0 ? 0.0 : 1.0});
    const TearingProblem p = problem(rows);
    const Tearing t = tear(p);
    expect_valid(p, t);
    if (testing::Test::HasFatalFailure()) FAIL() << "trial " << trial;
    total += t.tears.size();
    least += fewest_tears(p);
  }
  EXPECT_GE(total, least);
  EXPECT_LT(static_cast<double>(total), 1.15 * static_cast<double>(least));
}

TEST(Tearing, ARingHasOneTear) {
  std::vector<std::vector<std::pair<Index, double>>> rows;
  for (Index e = 0; e < 1000; ++e) rows.push_back({{e, 1}, {(e + 1) % 1000, 1}});
  const TearingProblem p = problem(rows);
  const Tearing t = tear(p);
  expect_valid(p, t);
  EXPECT_EQ(t.tears, std::vector<Index>{0});
}

/// -x[i-1] + 4 x[i] - x[i+1]: one shot from the left would multiply errors by 3.7 at each step.
TEST(Tearing, LongChainsAreCutBeforeErrorsGrow) {
  constexpr Index n = 300;
  std::vector<std::vector<std::pair<Index, double>>> rows(n);
  for (Index e = 0; e < n; ++e)
    for (Index u = e > 0 ? e - 1 : 0; u < std::min(n, e + 2); ++u)
      rows[e].push_back({u, u == e ? 4.0 : 1.0});
  const TearingProblem p = problem(rows);
  const Tearing t = tear(p);
  expect_valid(p, t);
  EXPECT_GT(t.tears.size(), 20u);
  EXPECT_LT(t.tears.size(), 100u);
  const Tearing careless = tear(p, {.growth_limit = 1e300});
  expect_valid(p, careless);
  EXPECT_LT(careless.tears.size(), 5u);
}

TEST(Tearing, ChainsAreCutWhereCoefficientsThatVaryAreLargerThanThePivots) {
  constexpr Index n = 300;
  std::vector<std::vector<std::pair<Index, double>>> rows(n);
  for (Index e = 0; e < n; ++e)
    for (Index u = e > 0 ? e - 1 : 0; u < std::min(n, e + 2); ++u)
      rows[e].push_back({u, u == e ? 0.0 : 0.3});
  TearingProblem p = problem(rows);
  const Tearing careless = tear(p);
  expect_valid(p, careless);
  for (Index e = 0; e < n; ++e)
    for (Index k = p.unknowns.begin[e]; k < p.unknowns.begin[e + 1]; ++k)
      if (p.unknowns.items[k] == e) p.entries[k].typical = 1.6;
  const Tearing t = tear(p);
  expect_valid(p, t);
  EXPECT_GT(t.tears.size(), 40u);
  EXPECT_LT(t.tears.size(), 150u);
  EXPECT_GT(t.tears.size(), 2 * careless.tears.size());
}

}  // namespace
}  // namespace alembert::structure
