// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/preferred_states.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "alembert/structure/passes.hpp"
#include "structure/text_model.hpp"

namespace alembert::structure {
namespace {

void prefer(flat::FlatSystem& flat, const std::string& names, double priority = 1) {
  for (const std::string& name : words(names))
    for (flat::Unknown& unknown : flat.unknowns)
      if (flat.pool->symbol_text(unknown.symbol) == name) unknown.state_priority = priority;
}

std::set<std::string> states_of(const flat::FlatSystem& flat) {
  const StructuralPhase phase = run_passes(flat);
  std::set<std::string> names;
  for (const Index v : phase.reduced.states)
    names.insert(flat.pool->symbol_text(phase.differentiated.variables[v]));
  return names;
}

using Names = std::set<std::string>;

const std::vector<std::string> gas_volume = {
    "der(m) = w",  "der(U) = w*u - T + 3", "m = 2*d",          "U = m*u",
    "d = p/(7*T)", "u = 5*T + 0.1*p/d",    "w = sin(time) - p"};

TEST(PreferredStates, WhatIsNotDifferentiatedBecomesAState) {
  auto flat = text_model("m U d u p T w", gas_volume);
  EXPECT_EQ(states_of(flat), (Names{"U", "m"}));
  prefer(flat, "p T");
  EXPECT_EQ(states_of(flat), (Names{"T", "p"}));
  const StructuralPhase phase = run_passes(flat);
  EXPECT_EQ(phase.plan.degrees_of_freedom, 2u);
  // All dummies follow from p and T one by one: no number need be asked, in whatever units.
  ASSERT_EQ(phase.plan.selection_parts.size(), 1u);
  EXPECT_TRUE(phase.plan.selection_parts[0].settled);
}

/// V and its rate follow from time alone: there is nothing to choose, whatever its slope is.
TEST(PreferredStates, WhatIsDrivenByTimeAloneIsSettled) {
  const auto driven = text_model("y V s", {"der(y) = der(V) - y", "V = s^3 + s", "s = sin(time)"});
  const StructuralPlan plan = run_passes(driven).plan;
  ASSERT_FALSE(plan.selection_parts.empty());
  EXPECT_TRUE(std::ranges::all_of(plan.selection_parts, &SelectionPart::settled));
  const auto free = text_model("V s", {"der(V) = 1 - s", "V = s^3 + s"});
  const StructuralPlan other = run_passes(free).plan;
  EXPECT_TRUE(std::ranges::none_of(other.selection_parts, &SelectionPart::settled));
}

/// From the current the flux would have to be iterated for, so the flux stays.
TEST(PreferredStates, NotWhereTheOthersDoNotFollowOneByOne) {
  auto flat = text_model("psi i", {"der(psi) = 1 - i", "i = psi + psi^3"});
  prefer(flat, "i");
  EXPECT_EQ(states_of(flat), (Names{"psi"}));
  auto other = text_model("psi i", {"der(psi) = 1 - i", "psi = i + i^3"});
  prefer(other, "i");
  EXPECT_EQ(states_of(other), (Names{"i"}));
}

TEST(PreferredStates, AStateOfTheSamePriorityStays) {
  auto flat = text_model("m U d u p T w", gas_volume);
  prefer(flat, "p T U m");
  EXPECT_EQ(states_of(flat), (Names{"U", "m"}));
  EXPECT_TRUE(run_passes(flat).plan.selection_rows.empty());
}

/// q is the pressure of a volume without a balance of its own: it follows from p, and both may be
/// wanted. Its own place is p's, which is nearer.
TEST(PreferredStates, WhatIsNearestToTheStatesComesFirst) {
  for (const char* far : {"q", "a"}) {
    auto equations = gas_volume;
    equations.back() = std::string("w = 1 - p + ") + far;
    equations.push_back(std::string("p - ") + far + " = (" + far + " - 1)*exp(" + far + ")");
    auto flat = text_model(std::string("m U d u p T w ") + far, equations);
    prefer(flat, std::string("p T ") + far);
    EXPECT_EQ(states_of(flat), (Names{"T", "p"})) << far;
  }
}

/// Two masses with a spring and damper between them: position and speed of either mass may go.
TEST(PreferredStates, LengthOfASpringAndItsDerivative) {
  auto flat = text_model("s1 v1 s2 v2 l u f",
                         {"der(s1) = v1", "der(s2) = v2", "2*der(v1) = f", "3*der(v2) = -f",
                          "l = s2 - s1", "u = der(l)", "f = 100*l + 7*u"});
  EXPECT_EQ(states_of(flat).size(), 4u);
  EXPECT_FALSE(states_of(flat).contains("u"));
  prefer(flat, "l u");
  prefer(flat, "s2 v2", 2);
  EXPECT_EQ(states_of(flat), (Names{"l", "s2", "u", "v2"}));
}

TEST(PreferredStates, NotWhereTimeDeterminesIt) {
  auto flat = text_model("x v", {"der(x) = -x + time", "v = der(x)^2"});
  prefer(flat, "v");
  EXPECT_EQ(states_of(flat), (Names{"x"}));
}

/// x = (1 + b)*y with b of events: y jumps with b, and x does not.
TEST(PreferredStates, NotWhereAnEventMovesIt) {
  auto flat = text_model("x y", {"der(x) = -y"});
  const ExprId b = flat.pool->discrete("b");
  const ExprId x = flat.unknowns[0].symbol, y = flat.unknowns[1].symbol;
  flat.equations.push_back({x, flat.pool->mul(flat.pool->add(flat.pool->integer(1), b), y)});
  flat.discrete_variables.push_back({.symbol = b, .type = flat::ValueType::integer});
  prefer(flat, "y");
  const auto with_case = [&](const std::string& condition) {
    auto copy = flat;
    copy.discrete_equations = {
        {b, flat.pool->if_then_else(symbolic::parse(*flat.pool, condition).id_in(*flat.pool),
                                    flat.pool->integer(1), flat.pool->integer(0))}};
    return states_of(copy);
  };
  EXPECT_EQ(with_case("time > 1"), (Names{"x"}));
  EXPECT_EQ(with_case("y > 1"), (Names{"y"}));  // a case that y tells itself, as a phase
}

TEST(PreferredStates, TheOrderOfWritingIsNothing) {
  auto flat = text_model("m U d u p T w", gas_volume);
  prefer(flat, "p T");
  std::ranges::reverse(flat.equations);
  std::ranges::reverse(flat.unknowns);
  EXPECT_EQ(states_of(flat), (Names{"T", "p"}));
}

}  // namespace
}  // namespace alembert::structure
