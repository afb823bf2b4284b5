// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/case_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "alembert/base/error.hpp"

namespace alembert::ensemble {
namespace {

std::string code_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return "none";
}

TEST(CaseTable, ListsHitTheirEnds) {
  const Variation g = parse_variation(" g = linspace(9, 10, 50)");
  EXPECT_EQ(g.name, "g");
  ASSERT_EQ(g.values.size(), 50u);
  EXPECT_EQ(g.values.front(), 9);
  EXPECT_EQ(g.values.back(), 10);
  EXPECT_EQ(parse_variation("k=logspace(0,3,4)").values, (std::vector<double>{1, 10, 100, 1000}));
  const auto k = parse_variation("k=geomspace(1,1000,4)").values;
  EXPECT_NEAR(k[1], 10, 1e-13);
  EXPECT_EQ(k[3], 1000);
  EXPECT_EQ(parse_variation("k={1,2.5}").values, (std::vector<double>{1, 2.5}));
  EXPECT_EQ(parse_variation("k=range(0,1,0.25)").values.size(), 5u);
  EXPECT_EQ(parse_variation("a.b[1,2]=3").name, "a.b[1,2]");
  EXPECT_EQ(parse_variation("b=true,false").labels, (std::vector<std::string>{"true", "false"}));
}

TEST(CaseTable, MistakesAreTold) {
  for (const char* text :
       {"", "g", "=1", "g=", "g=linspace(1,2)", "g=linspace(1,2,0)", "g=linspace(1,2,1.5)",
        "g=line(1,2,3)", "g=1,,2", "g=uniform(2,1)", "g=normal(1,-1)", "g=lognormal(0,1)",
        "g=logspace(1,1000,3)", "g=linspace(1,nan,3)", "g=range(0,1,0)", "g=range(0,1,-1)",
        "g=linspace(1,2,3", "g=geomspace(-1,1,3)", "g=1 2"})
    EXPECT_EQ(code_of([&] { parse_variation(text); }), "U020") << text;
  EXPECT_EQ(code_of([] { parse_case_table("a,b\n1,2\n3\n", "t.csv"); }), "U021");
  EXPECT_EQ(code_of([] { parse_case_table("a,b\n1,2\n3,x y\n", "t.csv"); }), "U021");
  EXPECT_EQ(code_of([] { parse_case_table("a,b\n", "t.csv"); }), "U021");
  const std::vector<Variation> twice = {parse_variation("g=1,2"), parse_variation("g=3")};
  EXPECT_EQ(code_of([&] { make_cases({}, twice, {}); }), "U022");
  EXPECT_EQ(code_of([] { make_cases({}, {}, {}); }), "U023");
  EXPECT_EQ(code_of([] { make_cases({}, {parse_variation("g=normal(1,2)")}, {}); }), "U022");
}

TEST(CaseTable, EveryCombinationOnce) {
  const CaseTable table = parse_case_table("a,\"b c\"\n1,2\n3,4\n", "t.csv");
  const CaseTable cases =
      make_cases(table, {parse_variation("x=1,2,3"), parse_variation("y=10,20")}, {});
  EXPECT_EQ(cases.names, (std::vector<std::string>{"a", "b c", "x", "y"}));
  ASSERT_EQ(cases.n_cases(), 12u);
  std::set<std::vector<double>> seen;
  for (std::uint64_t i = 0; i < cases.n_cases(); ++i)
    seen.insert({cases.value(i, 0), cases.value(i, 1), cases.value(i, 2), cases.value(i, 3)});
  EXPECT_EQ(seen.size(), 12u);
  EXPECT_EQ(cases.value(1, 3), 20);  // the last varies fastest
}

/// Mean and standard deviation within four standard errors.
TEST(CaseTable, DistributionsHaveTheirMoments) {
  constexpr std::uint64_t n = 20000;
  const CaseTable cases =
      make_cases({},
                 {parse_variation("u=uniform(2,4)"), parse_variation("g=normal(5,2)"),
                  parse_variation("l=lognormal(1,0.1)")},
                 {.n_samples = n, .seed = 7});
  ASSERT_EQ(cases.n_cases(), n);
  const double means[] = {3, 5, 1}, deviations[] = {1 / std::sqrt(3), 2, 0.1};
  for (std::size_t j = 0; j < 3; ++j) {
    double sum = 0, squares = 0;
    for (std::uint64_t i = 0; i < n; ++i) sum += cases.value(i, j);
    const double mean = sum / n;
    for (std::uint64_t i = 0; i < n; ++i) squares += std::pow(cases.value(i, j) - mean, 2);
    EXPECT_NEAR(mean, means[j], 4 * deviations[j] / std::sqrt(double(n))) << j;
    EXPECT_NEAR(std::sqrt(squares / n), deviations[j], 0.03 * deviations[j]) << j;
  }
}

TEST(PointSets, LatinHypercubeHasOnePointInEachPart) {
  constexpr std::uint64_t n = 97;
  const auto points = unit_points(PointSet::latin_hypercube, n, 3, 5);
  for (std::size_t j = 0; j < 3; ++j) {
    std::set<int> parts;
    for (std::uint64_t i = 0; i < n; ++i) parts.insert(int(points[i * 3 + j] * n));
    EXPECT_EQ(parts.size(), n);
  }
}

/// The property that defines it: 2^k points lie one in each of 2^k equal parts of every axis, and
/// of the first two axes also one in each box of 2^a by 2^b parts with a + b = k.
TEST(PointSets, SobolFillsBoxesEvenly) {
  constexpr std::uint64_t n = 256;
  constexpr std::uint32_t d = 60;  // beyond the table too
  const auto points = unit_points(PointSet::sobol, n, d, 11);
  for (std::size_t j = 0; j < d; ++j) {
    std::set<int> parts;
    for (std::uint64_t i = 0; i < n; ++i) parts.insert(int(points[i * d + j] * n));
    EXPECT_EQ(parts.size(), n) << j;
  }
  for (int a = 0; a <= 8; ++a) {
    std::set<std::pair<int, int>> boxes;
    for (std::uint64_t i = 0; i < n; ++i)
      boxes.emplace(int(points[i * d] * (1 << a)), int(points[i * d + 1] * (1 << (8 - a))));
    EXPECT_EQ(boxes.size(), n) << a;
  }
}

TEST(PointSets, NormalQuantileInvertsTheDistribution) {
  for (const double p : {1e-300, 1e-12, 0.001, 0.3, 0.5, 0.7, 0.999})
    EXPECT_NEAR(0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2)) / p, 1, 1e-12) << p;
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
}

}  // namespace
}  // namespace alembert::ensemble
