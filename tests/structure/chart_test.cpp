// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/chart.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "alembert/graph/matching.hpp"
#include "alembert/structure/narrow_choices.hpp"
#include "alembert/structure/reduced_system.hpp"
#include "structure/random_structure.hpp"
#include "structure/text_model.hpp"

namespace alembert::structure {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

flat::FlatSystem unknowns_only(Index n) {
  flat::FlatSystem flat;
  flat.unknowns.resize(n);
  return flat;
}

/// Rows of a level against a set of columns: can every row have a column of its own?
bool can_be_matched(const StructuralPlan& plan, Index level, const std::vector<char>& columns) {
  graph::IndexLists rows;
  for (Index r = 0; r < plan.selection_rows.size(); ++r) {
    if (plan.differentiations[plan.selection_rows[r]] < level) continue;
    for (const Index j : plan.selection_incidence[r])
      if (columns[j]) rows.items.push_back(j);
    rows.end_list();
  }
  const Index n_rows = rows.size();
  const graph::BipartiteGraph graph(static_cast<Index>(columns.size()), std::move(rows));
  return graph::maximum_matching(graph).size == n_rows;
}

Index n_rows_of(const StructuralPlan& plan, Index level) {
  Index n = 0;
  for (const Index i : plan.selection_rows) n += plan.differentiations[i] >= level;
  return n;
}

std::vector<char> columns_of(const Chart& chart, Index level) {
  std::vector<char> columns;
  for (const Index n : chart.n_dummies) columns.push_back(n >= level);
  return columns;
}

/// As many dummies as rows on every level, matched to them, and none beyond the chain.
void expect_structurally_regular(const StructuralPlan& plan, const Chart& chart) {
  for (Index j = 0; j < chart.n_dummies.size(); ++j)
    ASSERT_LE(chart.n_dummies[j], plan.highest_order[j]);
  for (Index level = 1; level <= 10; ++level) {
    const std::vector<char> columns = columns_of(chart, level);
    ASSERT_EQ(std::count(columns.begin(), columns.end(), 1), n_rows_of(plan, level));
    ASSERT_TRUE(can_be_matched(plan, level, columns)) << "level " << level;
  }
}

StructuralPlan random_plan(const RandomShape& shape, std::mt19937& random) {
  return make_plan(structure_of(shape.n, shape.n, random_regular_signature(shape, random)));
}

std::vector<double> random_entries(const StructuralPlan& plan, std::mt19937& random) {
  std::vector<double> entries;
  for (std::size_t k = 0; k < plan.selection_incidence.items.size(); ++k)
    entries.push_back(std::uniform_real_distribution(-1.0, 1.0)(random));
  return entries;
}

flat::FlatSystem pendulum() {
  return text_model("x y lambda",
                    {"der(der(x)) = lambda*x", "der(der(y)) = lambda*y - g", "x^2 + y^2 = 1"}, "g");
}

TEST(StaticChart, IsStructurallyRegular) {
  std::mt19937 random(11);
  int n_with_choice = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const RandomShape shape{1 + Index(random() % 10), 1 + Index(random() % 3), Index(random() % 4)};
    const StructuralPlan plan = random_plan(shape, random);
    auto flat = unknowns_only(shape.n);
    for (auto& unknown : flat.unknowns) unknown.state_priority = double(random() % 3);
    expect_structurally_regular(plan, static_chart(flat, plan));
    if (HasFatalFailure()) FAIL() << "trial " << trial;
    n_with_choice += !plan.selection_rows.empty();
  }
  EXPECT_GT(n_with_choice, 2000);
}

TEST(StaticChart, NoOtherSetOfFirstDummiesHasLowerPriorities) {
  std::mt19937 random(12);
  for (int trial = 0; trial < 500; ++trial) {
    const RandomShape shape{1 + Index(random() % 7), 1 + Index(random() % 3), 2};
    const StructuralPlan plan = random_plan(shape, random);
    auto flat = unknowns_only(shape.n);
    for (auto& unknown : flat.unknowns) unknown.state_priority = double(random() % 100);
    const auto cost = [&](const std::vector<char>& columns) {
      double sum = 0;
      for (Index j = 0; j < shape.n; ++j)
        if (columns[j]) sum += flat.unknowns[j].state_priority;
      return sum;
    };
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t set = 0; set < (1u << shape.n); ++set) {
      if (Index(std::popcount(set)) != n_rows_of(plan, 1)) continue;
      std::vector<char> columns(shape.n);
      for (Index j = 0; j < shape.n; ++j) columns[j] = set >> j & 1;
      if (can_be_matched(plan, 1, columns)) least = std::min(least, cost(columns));
    }
    ASSERT_EQ(cost(columns_of(static_chart(flat, plan), 1)), least) << "trial " << trial;
  }
}

/// What Mattsson and Soederlind prove: the unknowns of its own block are enough for each equation.
TEST(NarrowChoices, LeaveARegularChart) {
  std::mt19937 random(13);
  int n_narrowed = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const RandomShape shape{1 + Index(random() % 10), 1 + Index(random() % 3), Index(random() % 4)};
    StructuralPlan plan = random_plan(shape, random);
    const std::size_t n_wide = plan.selection_incidence.items.size();
    const auto flat = unknowns_only(shape.n);
    narrow_to_blocks(plan, std::vector<char>(plan.selection_rows.size(), 0));
    expect_structurally_regular(plan, static_chart(flat, plan));
    if (HasFatalFailure()) FAIL() << "trial " << trial;
    n_narrowed += plan.selection_incidence.items.size() < n_wide;
  }
  EXPECT_GT(n_narrowed, 500);
}

/// A blade on ice goes where it points to: that gives a velocity for every angle, but an angle only
/// while it moves. The angle is known before, from its own speed.
TEST(NarrowChoices, VelocitiesAreChosenWhereVelocitiesAreConstrained) {
  auto flat = text_model("x y phi u v w lambda",
                         {"der(x) = u", "der(y) = v", "der(phi) = w", "der(u) = lambda*sin(phi)",
                          "der(v) = -lambda*cos(phi)", "der(w) = 0", "u*sin(phi) = v*cos(phi)"});
  const auto choice = [&] {
    StructuralPlan plan = make_plan(flat);
    auto differentiated = differentiate(flat, plan);
    narrow_choices(flat, plan, differentiated.selection_jacobian);
    EXPECT_EQ(differentiated.selection_jacobian.size(), plan.selection_incidence.items.size());
    const auto row = plan.selection_incidence[0];
    return std::vector<Index>(row.begin(), row.end());
  };
  EXPECT_EQ(choice(), (std::vector<Index>{3, 4}));
  // A wish may be for what is known before.
  flat.unknowns[2].state_priority = -1;
  EXPECT_EQ(choice(), (std::vector<Index>{2, 3, 4}));
  // Nothing would be left to choose, and at x = 0 nothing gives y.
  flat = text_model("x y l", {"der(x) = -1", "der(y) = l", "x*y = 1"});
  EXPECT_EQ(choice(), (std::vector<Index>{0, 1}));
  flat = text_model("x y l", {"der(x) = -1", "der(y) = l", "sin(x) + 2*y = 1"});
  EXPECT_EQ(choice(), (std::vector<Index>{1}));
}

TEST(StaticChart, PriorityOutweighsTheName) {
  auto flat = pendulum();
  const StructuralPlan plan = make_plan(flat);
  EXPECT_EQ(static_chart(flat, plan).n_dummies, (std::vector<Index>{2, 0, 0}));
  flat.unknowns[0].state_priority = 0.5;
  EXPECT_EQ(static_chart(flat, plan).n_dummies, (std::vector<Index>{0, 2, 0}));
}

/// der(y) and v are one and the same; v has a name and perhaps a start value.
TEST(StaticChart, PrefersStatesWithoutDer) {
  const auto flat = text_model("x y u v lambda", {"der(x) = u", "der(y) = v", "der(u) = -lambda*x",
                                                  "der(v) = -lambda*y - 1", "x^2 + y^2 = 1"});
  const StructuralPlan plan = make_plan(flat);
  // x'', y'' and u' on the first level, x' on the second: y and v are left.
  EXPECT_EQ(static_chart(flat, plan).n_dummies, (std::vector<Index>{2, 1, 1, 0, 0}));
  const std::vector<double> point = {0.6, -0.8};
  std::vector<double> entries;
  for (Index r = 0; r < plan.selection_rows.size(); ++r)
    for (const Index j : plan.selection_incidence[r])
      entries.push_back(plan.selection_rows[r] == 4 ? 2 * point[j] : j < 2 ? 1 : -1);
  EXPECT_EQ(best_chart(flat, plan, SelectionEntries{entries}).chart.n_dummies,
            (std::vector<Index>{1, 2, 0, 1, 0}));
}

TEST(BestChart, TakesTheLargerSideOfThePendulum) {
  const auto flat = pendulum();
  const StructuralPlan plan = make_plan(flat);
  ASSERT_EQ(plan.selection_rows, std::vector<Index>{2});
  for (int degrees = 0; degrees < 360; degrees += 10) {
    const double x = std::cos(degrees * M_PI / 180);
    const double y = std::sin(degrees * M_PI / 180);
    const std::vector<double> jacobian = {2 * x, 2 * y, 0};
    const ChartChoice best = best_chart(flat, plan, jacobian);
    EXPECT_EQ(best.chart.n_dummies[std::abs(x) > std::abs(y) ? 0 : 1], 2u) << degrees;
    EXPECT_NEAR(best.quality, std::max(std::abs(x), std::abs(y)), 4 * eps);
    EXPECT_NEAR(chart_quality(plan, {{2, 0, 0}}, jacobian), std::abs(x), 4 * eps);
    EXPECT_NEAR(chart_quality(plan, {{0, 2, 0}}, jacobian), std::abs(y), 4 * eps);
  }
}

TEST(BestChart, AWantedStateIsADummyOnlyWhereThatIsTwiceAsGood) {
  auto flat = pendulum();
  flat.unknowns[0].state_priority = 10;
  const StructuralPlan plan = make_plan(flat);
  EXPECT_EQ(best_chart(flat, plan, std::vector<double>{1.9, 1, 0}).chart.n_dummies[1], 2u);
  EXPECT_EQ(best_chart(flat, plan, std::vector<double>{2.1, 1, 0}).chart.n_dummies[0], 2u);
}

/// StateSelect.always, and never of the other one.
TEST(BestChart, ADemandedStateIsADummyOnlyWhereItMustBe) {
  for (const bool other : {false, true}) {
    auto flat = pendulum();
    flat.unknowns[other ? 1 : 0].state_priority = other ? -1000 : 1000;
    const StructuralPlan plan = make_plan(flat);
    EXPECT_EQ(best_chart(flat, plan, std::vector<double>{1, 0.01, 0}).chart.n_dummies[1], 2u);
    EXPECT_EQ(best_chart(flat, plan, std::vector<double>{1, 1e-4, 0}).chart.n_dummies[0], 2u);
  }
}

TEST(BestChart, IsRegularItsQualityIsThatOfItsChartAndLiesBetweenZeroAndOne) {
  std::mt19937 random(13);
  for (int trial = 0; trial < 3000; ++trial) {
    const RandomShape shape{1 + Index(random() % 10), 1 + Index(random() % 3), Index(random() % 4)};
    const StructuralPlan plan = random_plan(shape, random);
    const auto flat = unknowns_only(shape.n);
    const std::vector<double> entries = random_entries(plan, random);
    const ChartChoice best = best_chart(flat, plan, SelectionEntries{entries});
    expect_structurally_regular(plan, best.chart);
    if (HasFatalFailure()) FAIL() << "trial " << trial;
    ASSERT_GT(best.quality, 0);
    ASSERT_LE(best.quality, 1);
    ASSERT_NEAR(chart_quality(plan, best.chart, SelectionEntries{entries}), best.quality, 1e-4);
    const double other = chart_quality(plan, static_chart(flat, plan), SelectionEntries{entries});
    ASSERT_GE(other, 0);
    ASSERT_LE(other, 1);
  }
}

TEST(BestChart, DoesNotDependOnTheScaleOfEquations) {
  std::mt19937 random(14);
  for (int trial = 0; trial < 1000; ++trial) {
    const RandomShape shape{1 + Index(random() % 8), 1 + Index(random() % 3), Index(random() % 3)};
    const StructuralPlan plan = random_plan(shape, random);
    const auto flat = unknowns_only(shape.n);
    const std::vector<double> entries = random_entries(plan, random);
    std::vector<double> scaled = entries;  // by powers of two, which round nothing
    for (Index r = 0; r < plan.selection_rows.size(); ++r) {
      const double factor = std::ldexp(random() % 2 ? 1.0 : -1.0, int(random() % 200) - 100);
      for (Index k = plan.selection_incidence.begin[r]; k < plan.selection_incidence.begin[r + 1];
           ++k)
        scaled[k] *= factor;
    }
    const ChartChoice a = best_chart(flat, plan, SelectionEntries{entries});
    const ChartChoice b = best_chart(flat, plan, SelectionEntries{scaled});
    ASSERT_EQ(a.chart, b.chart);
    ASSERT_EQ(a.quality, b.quality);
  }
}

TEST(BestChart, DenseAndSparseNumbersGiveTheSame) {
  std::mt19937 random(15);
  const StructuralPlan plan = random_plan({12, 2, 2}, random);
  const auto flat = unknowns_only(12);
  const std::vector<double> entries = random_entries(plan, random);
  std::vector<double> dense(plan.selection_rows.size() * 12, 0.0);
  std::size_t k = 0;
  for (Index r = 0; r < plan.selection_rows.size(); ++r)
    for (const Index j : plan.selection_incidence[r]) dense[r * 12 + j] = entries[k++];
  const ChartChoice a = best_chart(flat, plan, SelectionEntries{entries});
  const ChartChoice b = best_chart(flat, plan, dense);
  EXPECT_EQ(a.chart, b.chart);
  EXPECT_EQ(a.quality, b.quality);
  EXPECT_EQ(chart_quality(plan, a.chart, SelectionEntries{entries}),
            chart_quality(plan, a.chart, dense));
}

TEST(BestChart, ASingularPointGivesAChartOfQualityZero) {
  const auto flat = pendulum();
  const StructuralPlan plan = make_plan(flat);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, nan, inf, -inf}) {
    const std::vector<double> jacobian = {bad, bad, 0};
    const ChartChoice best = best_chart(flat, plan, jacobian);
    EXPECT_EQ(best.quality, 0.0) << bad;
    EXPECT_EQ(best.chart, static_chart(flat, plan)) << bad;
    EXPECT_EQ(chart_quality(plan, best.chart, jacobian), 0.0) << bad;
  }
}

/// Two pendula: what happens to one is nothing to the other.
TEST(BestChart, MechanismsAreChosenOneByOne) {
  const auto flat =
      text_model("a b s x y t", {"der(der(a)) = s*a", "der(der(b)) = s*b - 1", "a^2 + b^2 = 1",
                                 "der(der(x)) = t*x", "der(der(y)) = t*y - 1", "x^2 + y^2 = 1"});
  const StructuralPlan plan = make_plan(flat);
  ASSERT_EQ(plan.selection_parts.size(), 2u);
  std::vector<double> jacobian(2 * 6, 0.0);
  for (Index r = 0; r < 2; ++r)
    if (plan.selection_rows[r] == 5) jacobian[r * 6 + 3] = 0.1, jacobian[r * 6 + 4] = 3;
  const ChartChoice best = best_chart(flat, plan, jacobian);  // the first pendulum has zeros
  EXPECT_EQ(best.quality, 0.0);
  EXPECT_EQ(best.chart.n_dummies, (std::vector<Index>{2, 0, 0, 0, 2, 0}));
}

TEST(Chart, ASystemWithoutConstraintsHasOneChart) {
  const auto flat = text_model("x", {"der(x) = -x"});
  const StructuralPlan plan = make_plan(flat);
  EXPECT_TRUE(plan.selection_parts.empty());
  EXPECT_EQ(static_chart(flat, plan).n_dummies, std::vector<Index>{0});
  const ChartChoice best = best_chart(flat, plan, SelectionEntries{});
  EXPECT_EQ(best.quality, 1.0);
  EXPECT_EQ(best.chart, static_chart(flat, plan));
}

/// A long chain of masses as one mechanism: searches in vain must not cost the chain each.
TEST(StaticChart, IsNearLinearInOneLargeMechanism) {
  constexpr Index n = 50'000;
  Signature sigma;
  for (Index k = 0; k < n; ++k)
    for (const Index axis : {0u, 1u}) {
      const Index i = 2 * k + axis;
      sigma[{i, i}] = 2;
      sigma[{i, 2 * n + k}] = 0;
      sigma[{2 * n + k, i}] = 0;
      if (k > 0) sigma[{2 * n + k, i - 2}] = 0;
      if (k + 1 < n) sigma[{i, 2 * n + k + 1}] = 0;
    }
  const StructuralPlan plan = make_plan(structure_of(3 * n, 3 * n, sigma));
  ASSERT_EQ(plan.selection_parts.size(), 1u);
  const Chart chart = static_chart(unknowns_only(3 * n), plan);
  EXPECT_EQ(std::accumulate(chart.n_dummies.begin(), chart.n_dummies.end(), Index{0}), 2 * n);
}

}  // namespace
}  // namespace alembert::structure
