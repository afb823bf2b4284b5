// SPDX-License-Identifier: Apache-2.0
// What a message proposes to remove is removed here: the second route is the plan of the rest.
#include "alembert/structure/surplus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "alembert/base/error.hpp"
#include "alembert/structure/plan.hpp"
#include "alembert/structure/simplify.hpp"
#include "text_model.hpp"

namespace alembert::structure {
namespace {

using graph::Index;

std::vector<Index> all_equations(const flat::FlatSystem& flat) {
  std::vector<Index> all(flat.equations.size());
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

std::string message(const flat::FlatSystem& flat) {
  try {
    make_plan(flat, simplify_system(flat));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

flat::FlatSystem without(flat::FlatSystem flat, const std::vector<Index>& removal) {
  for (auto e = removal.rbegin(); e != removal.rend(); ++e)
    flat.equations.erase(flat.equations.begin() + *e);
  return flat;
}

flat::FlatSystem five_for_three() {
  flat::FlatSystem flat =
      text_model("x y z", {"der(x) = -y", "y = x + 1", "y = 2*x", "z = 3*z - 6", "x = z"});
  flat.unknowns[0].start = flat.pool->number(1);
  flat.unknowns[0].fixed = true;
  return flat;
}

TEST(Surplus, TwoEquationsThatAreTooManyAreNamedTogether) {
  const flat::FlatSystem flat = five_for_three();
  const std::string told = message(flat);
  for (const char* words :
       {"S004", "2 equations are too many, 5 equations for 3 unknowns, 'x', 'y' and 'z'",
        "remove 'y = 2*x' (model.txt:3:1) and 'x = z' (model.txt:5:1), for example."})
    EXPECT_NE(told.find(words), std::string::npos) << words << "\n" << told;
  const auto surplus = find_surplus(flat, all_equations(flat));
  ASSERT_TRUE(surplus);
  ASSERT_EQ(surplus->removal.size(), 2u);
  const flat::FlatSystem rest = without(flat, surplus->removal);
  EXPECT_EQ(message(rest), "");
  // The fixed start of x has room: without both equations for y, x would be a constant, 3.
  EXPECT_EQ(make_plan(rest).degrees_of_freedom, 1u);
}

/// Of four equations that are one too many two cannot go: nothing else is about u and v.
TEST(Surplus, OnlyWhatCanGoIsNamed) {
  const flat::FlatSystem flat =
      text_model("x u v", {"x = sin(time)", "x = cos(time)", "u + v = x", "u - v = 1"});
  const auto surplus = find_surplus(flat, all_equations(flat));
  ASSERT_TRUE(surplus);
  EXPECT_EQ(surplus->removal, (std::vector<Index>{0, 1}));
}

TEST(Surplus, WhatIsRegularHasNone) {
  const flat::FlatSystem flat = text_model("x y", {"der(x) = y", "y = -x"});
  EXPECT_FALSE(find_surplus(flat, all_equations(flat)));
}

/// Random systems with one to three equations too many: what is proposed repairs them.
TEST(Surplus, EveryProposalLeavesARegularRest) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int n_proposed = 0;
  for (int round = 0; round < 200; ++round) {
    const int n = 2 + below(5), excess = 1 + below(3);
    std::string names;
    for (int j = 0; j < n; ++j) names += " x" + std::to_string(j);
    std::vector<std::string> equations;
    for (int e = 0; e < n + excess; ++e) {
      const std::string a = "x" + std::to_string(below(n)), b = "x" + std::to_string(below(n));
      equations.push_back(below(3) == 0 ? "der(" + a + ") = sin(" + b + ")"
                                        : a + " + " + std::to_string(1 + below(3)) + "*" + b +
                                              " = " + std::to_string(below(4)));
    }
    const flat::FlatSystem flat = text_model(names, equations);
    const auto surplus = find_surplus(flat, all_equations(flat));
    // The part is the whole system where all unknowns are in it: then the rest can be asked.
    if (!surplus || surplus->unknowns.size() != flat.unknowns.size() ||
        surplus->n_equations != flat.equations.size())
      continue;
    const bool together = surplus->excess() > 1;
    for (const Index e : together ? std::vector<Index>{0} : surplus->removal) {
      if (together && surplus->removal.empty()) break;
      const flat::FlatSystem rest =
          without(flat, together ? surplus->removal : std::vector<Index>{e});
      EXPECT_EQ(message(rest), "");
      ++n_proposed;
    }
  }
  EXPECT_GT(n_proposed, 20);
}

}  // namespace
}  // namespace alembert::structure
