// SPDX-License-Identifier: Apache-2.0
// Published systems against both routes: Pantelides' algorithm and the Sigma-method.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "alembert/structure/reduced_system.hpp"
#include "alembert/structure/sigma_method.hpp"
#include "structure/text_model.hpp"
#include "structure/validation_problems.hpp"

namespace alembert::structure {

std::ostream& operator<<(std::ostream& out, const Problem& problem) { return out << problem.name; }

namespace {

std::vector<Index> descending_sizes(const graph::IndexLists& blocks) {
  std::vector<Index> sizes;
  for (Index b = 0; b < blocks.size(); ++b) sizes.push_back(static_cast<Index>(blocks[b].size()));
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}

/// Blocks of the reduced system that are solved for highest derivatives.
std::vector<Index> descending_top_block_sizes(const flat::FlatSystem& flat,
                                              const StructuralPlan& plan) {
  const ReducedSystem reduced =
      apply_plan(flat, plan, differentiate(flat, plan), static_chart(flat, plan));
  std::vector<Index> sizes;
  for (const Block& block : reduced.blocks)
    if (plan.structure.is_highest(block.unknowns()[0]))
      sizes.push_back(static_cast<Index>(block.size()));
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}

class Validation : public testing::TestWithParam<Problem> {
 protected:
  const Problem& problem() const { return GetParam(); }
  const flat::FlatSystem flat =
      text_model(GetParam().unknowns, GetParam().equations, GetParam().parameters);
};

TEST_P(Validation, Pantelides) {
  const StructuralPlan plan = make_plan(flat);
  EXPECT_EQ(plan.differentiations, problem().c);
  EXPECT_EQ(plan.highest_order, problem().d);
  EXPECT_EQ(plan.structural_index, problem().structural_index);
  EXPECT_EQ(plan.degrees_of_freedom, problem().degrees_of_freedom);
}

TEST_P(Validation, SigmaMethod) {
  const SigmaAnalysis sigma = analyse(signature_matrix(extract_structure(flat)));
  ASSERT_TRUE(sigma.structurally_regular);
  EXPECT_EQ(sigma.equation_offsets, problem().c);
  EXPECT_EQ(sigma.unknown_offsets, problem().d);
  EXPECT_EQ(sigma.structural_index, problem().structural_index);
  EXPECT_EQ(sigma.value, problem().degrees_of_freedom);
  EXPECT_EQ(descending_sizes(sigma.coarse_blocks), problem().coarse);
  EXPECT_EQ(descending_sizes(sigma.fine_blocks), problem().fine);
}

TEST_P(Validation, TopBlocksAreTheFineBlocks) {
  EXPECT_EQ(descending_top_block_sizes(flat, make_plan(flat)), problem().fine);
}

INSTANTIATE_TEST_SUITE_P(Structure, Validation, testing::ValuesIn(validation_problems()),
                         [](const auto& info) {
                           std::string name;
                           for (const char letter : info.param.name)
                             name +=
                                 std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
                           return name;
                         });

/// What the tables of large problems say: how many equations (unknowns) have an offset of 0, 1, ...
std::map<Index, int> histogram(const std::vector<Index>& offsets) {
  std::map<Index, int> counts;
  for (const Index offset : offsets) ++counts[offset];
  return counts;
}

struct LargeProblem {
  flat::FlatSystem flat;
  Index structural_index;
  Index degrees_of_freedom;
  std::map<Index, int> c;
  std::map<Index, int> d;
  Index largest_coarse;
  Index largest_fine;
};

void expect_structure(const LargeProblem& problem) {
  const StructuralPlan plan = make_plan(problem.flat);
  const SigmaAnalysis sigma = analyse(signature_matrix(extract_structure(problem.flat)));
  ASSERT_TRUE(sigma.structurally_regular);
  EXPECT_EQ(plan.differentiations, sigma.equation_offsets);
  EXPECT_EQ(plan.highest_order, sigma.unknown_offsets);
  EXPECT_EQ(plan.structural_index, problem.structural_index);
  EXPECT_EQ(plan.degrees_of_freedom, problem.degrees_of_freedom);
  EXPECT_EQ(sigma.structural_index, problem.structural_index);
  EXPECT_EQ(sigma.value, problem.degrees_of_freedom);
  EXPECT_EQ(histogram(plan.differentiations), problem.c);
  EXPECT_EQ(histogram(plan.highest_order), problem.d);
  EXPECT_EQ(descending_sizes(sigma.coarse_blocks).front(), problem.largest_coarse);
  EXPECT_EQ(descending_sizes(sigma.fine_blocks).front(), problem.largest_fine);
  EXPECT_EQ(descending_top_block_sizes(problem.flat, plan), descending_sizes(sigma.fine_blocks));
}

/// IVP test set, fekete: 20 particles on a sphere, stabilised, 160 equations.
TEST(Validation, FeketePoints) {
  constexpr int n = 20;
  std::string unknowns;
  std::vector<std::string> equations;
  for (int i = 0; i < n; ++i) {
    for (const char axis : {'x', 'y', 'z'}) unknowns += fmt::format("p{0}{1} q{0}{1} ", axis, i);
    unknowns += fmt::format("lambda{0} mu{0} ", i);
    for (const char axis : {'x', 'y', 'z'}) {
      std::string repulsion;
      for (int j = 0; j < n; ++j)
        if (j != i)
          repulsion += fmt::format(
              " + (p{2}{0} - p{2}{1})/((px{0} - px{1})^2 + (py{0} - py{1})^2 + (pz{0} - pz{1})^2)",
              i, j, axis);
      equations.push_back(fmt::format("der(p{1}{0}) = q{1}{0} + 2*mu{0}*p{1}{0}", i, axis));
      equations.push_back(
          fmt::format("der(q{1}{0}) = -q{1}{0}/2 + 2*lambda{0}*p{1}{0}{2}", i, axis, repulsion));
    }
    equations.push_back(fmt::format("0 = px{0}^2 + py{0}^2 + pz{0}^2 - 1", i));
    equations.push_back(fmt::format("0 = 2*(px{0}*qx{0} + py{0}*qy{0} + pz{0}*qz{0})", i));
  }
  expect_structure({.flat = text_model(unknowns, equations),
                    .structural_index = 2,
                    .degrees_of_freedom = 80,
                    .c = {{0, 120}, {1, 40}},
                    .d = {{0, 40}, {1, 120}},
                    .largest_coarse = 160,
                    .largest_fine = 4});
}

using symbolic::Expr;

/// IVP test set, crank (B. Simeon): a slider crank with a flexible rod, 24 equations. Numbers that
/// are not zero do not matter for the structure and are put simply.
flat::FlatSystem flexible_slider_crank(bool constraints_on_positions) {
  flat::FlatSystem flat{.name = "crank", .pool = std::make_shared<symbolic::ExprPool>()};
  const auto unknown = [&](const std::string& name) {
    flat.unknowns.push_back({.symbol = flat.pool->unknown(name)});
    return Expr(*flat.pool, flat.unknowns.back().symbol);
  };
  const auto equation = [&](const Expr& left, const Expr& right) {
    flat.equations.push_back({left.id_in(*flat.pool), right.id_in(*flat.pool)});
  };
  std::vector<Expr> p, v, w, lambda;
  for (int i = 1; i <= 7; ++i) p.push_back(unknown(fmt::format("p{}", i)));
  for (int i = 1; i <= 7; ++i) v.push_back(unknown(fmt::format("v{}", i)));
  for (int i = 1; i <= 7; ++i) w.push_back(unknown(fmt::format("w{}", i)));
  for (int i = 1; i <= 3; ++i) lambda.push_back(unknown(fmt::format("lambda{}", i)));

  const double mq[4][4] = {{0.5, 0, 0, 0}, {0, 0.5, 0, 0}, {0, 0, 8, 1}, {0, 0, 1, 2}};
  const double kq[4][4] = {{4, 0, 0, 0}, {0, 65, 0, 0}, {0, 0, 5, -3}, {0, 0, -3, 2}};
  const double bq[4][4] = {
      {0, 0, -0.52, -0.06}, {0, 0, 0, 0.16}, {0.52, 0, 0, 0}, {0.06, -0.16, 0, 0}};
  const double c1[4] = {0, 0, 0.67, 0.17};
  const double c2[4] = {0.64, 0, 0, 0};
  const double c12[4] = {0, 0, 0.1, 0.05};
  const double c21[4] = {0.1, -0.05, 0, 0};
  const auto dot = [](const double* a, const std::vector<Expr>& x) {
    Expr sum = 0;
    for (int k = 0; k < 4; ++k) sum += a[k] * x[3 + k];
    return sum;
  };
  const Expr s12 = sin(p[0] - p[1]);
  const Expr c = cos(p[0] - p[1]);
  Expr q_mq_q = 0, dq_mq_q = 0, dq_bq_dq = 0;
  for (int i = 0; i < 4; ++i) {
    q_mq_q += p[3 + i] * dot(mq[i], p);
    dq_mq_q += v[3 + i] * dot(mq[i], p);
    dq_bq_dq += v[3 + i] * dot(bq[i], v);
  }

  std::vector<std::vector<Expr>> mass(7, std::vector<Expr>(7, Expr(0)));
  mass[0][0] = 1.5;
  mass[0][1] = mass[1][0] = c + s12 * dot(c2, p) + c * dot(c1, p);
  mass[1][1] = 1 + q_mq_q + 2 * dot(c12, p);
  mass[2][2] = 0.75;
  std::vector<Expr> force(7, Expr(0));
  force[0] = -v[1] * v[1] * s12 + v[1] * v[1] * (-s12 * dot(c1, p) + c * dot(c2, p)) -
             2 * v[1] * (c * dot(c1, v) + s12 * dot(c2, v));
  force[1] = v[0] * v[0] * s12 + v[0] * v[0] * (s12 * dot(c1, p) - c * dot(c2, p)) -
             2 * v[1] * dot(c12, v) - 2 * v[1] * dq_mq_q - dq_bq_dq;
  for (int i = 0; i < 4; ++i) {
    Expr q_bq = 0;
    for (int k = 0; k < 4; ++k) q_bq += p[3 + k] * bq[k][i];
    mass[0][3 + i] = mass[3 + i][0] = -s12 * c1[i] + c * c2[i];
    mass[1][3 + i] = mass[3 + i][1] = c21[i] + q_bq;
    for (int k = 0; k < 4; ++k) mass[3 + i][3 + k] = mq[i][k];
    force[3 + i] = v[1] * v[1] * dot(mq[i], p) + v[1] * v[1] * c12[i] +
                   v[0] * v[0] * (c * c1[i] + s12 * c2[i]) + 2 * v[1] * dot(bq[i], v) -
                   dot(kq[i], p);
  }
  const Expr rod = 2 + p[6];
  const std::vector<std::vector<Expr>> jacobian = {
      {cos(p[0]), rod * cos(p[1]), 0, 0, 0, 0, sin(p[1])},
      {sin(p[0]), rod * sin(p[1]), 1, 0, 0, 0, -cos(p[1])},
      {1, 0, 0, 0, 0, 0, 0}};

  for (int i = 0; i < 7; ++i) equation(der(p[i]), v[i]);
  for (int i = 0; i < 7; ++i) equation(der(v[i]), w[i]);
  for (int i = 0; i < 7; ++i) {
    Expr inertia = 0;
    Expr reaction = 0;
    for (int k = 0; k < 7; ++k) inertia += mass[i][k] * w[k];
    for (int k = 0; k < 3; ++k) reaction += jacobian[k][i] * lambda[k];
    equation(inertia, force[i] - reaction);
  }
  if (constraints_on_positions) {
    equation(sin(p[0]) + rod * sin(p[1]), 0);
    equation(p[2] - cos(p[0]) - rod * cos(p[1]), 0);
    equation(p[0], 150 * symbolic::time(*flat.pool));
    return flat;
  }
  for (int k = 0; k < 3; ++k) {
    Expr rate = 0;
    for (int i = 0; i < 7; ++i) rate += jacobian[k][i] * v[i];
    equation(rate, k == 2 ? 150 : 0);
  }
  return flat;
}

/// Five unknowns can be had one by one: v1, p1 and w1 first, p3 and lambda3 last. The published 20
/// is what M(p) and f(p, v) have as functions of all coordinates: then p3 is among the others.
TEST(Validation, FlexibleSliderCrankOfIndexTwo) {
  expect_structure({.flat = flexible_slider_crank(false),
                    .structural_index = 2,
                    .degrees_of_freedom = 11,
                    .c = {{0, 21}, {1, 3}},
                    .d = {{0, 10}, {1, 14}},
                    .largest_coarse = 19,
                    .largest_fine = 11});
}

TEST(Validation, FlexibleSliderCrankWithFunctionsOfAllCoordinates) {
  flat::FlatSystem flat = flexible_slider_crank(false);
  symbolic::ExprPool& pool = *flat.pool;
  const symbolic::ExprId x3 = pool.apply(symbolic::Op::sin, pool.unknown("p3"));
  for (int i = 14; i < 21; ++i) flat.equations[i].right = pool.add(flat.equations[i].right, x3);
  expect_structure({.flat = std::move(flat),
                    .structural_index = 2,
                    .degrees_of_freedom = 11,
                    .c = {{0, 21}, {1, 3}},
                    .d = {{0, 10}, {1, 14}},
                    .largest_coarse = 20,
                    .largest_fine = 11});
}

TEST(Validation, FlexibleSliderCrankOfIndexThree) {
  const auto flat = flexible_slider_crank(true);
  const StructuralPlan plan = make_plan(flat);
  EXPECT_EQ(plan.structural_index, 3u);
  EXPECT_EQ(plan.degrees_of_freedom, 8u);
  EXPECT_EQ(histogram(plan.differentiations), (std::map<Index, int>{{0, 17}, {1, 4}, {2, 3}}));
  const SigmaAnalysis sigma = analyse(signature_matrix(extract_structure(flat)));
  EXPECT_EQ(sigma.equation_offsets, plan.differentiations);
  EXPECT_EQ(sigma.unknown_offsets, plan.highest_order);
}

}  // namespace
}  // namespace alembert::structure
