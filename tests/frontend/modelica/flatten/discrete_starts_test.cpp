// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/settle_discrete_starts.hpp"

#include <gtest/gtest.h>

namespace alembert::modelica {
namespace {

using flat::FlatSystem;
using symbolic::ExprId;
using symbolic::ExprPool;
using symbolic::SymbolKind;

FlatSystem system_of(std::initializer_list<const char*> names) {
  FlatSystem system;
  system.pool = std::make_shared<ExprPool>();
  for (const char* name : names)
    system.discrete_variables.push_back(
        {.symbol = system.pool->symbol(SymbolKind::discrete, name)});
  return system;
}

TEST(DiscreteStarts, AValueIsCarriedToThePreviousValueThatGivesIt) {
  FlatSystem system = system_of({"active", "local", "next"});
  ExprPool& pool = *system.pool;
  const ExprId active = system.discrete_variables[0].symbol;
  const ExprId local = system.discrete_variables[1].symbol;
  const ExprId next = system.discrete_variables[2].symbol;
  system.initial_equations = {
      {.left = pool.previous_symbol(next), .right = pool.previous_symbol(local)},
      {.left = active, .right = pool.integer(1)}};
  system.discrete_equations = {{.left = active, .right = local},
                               {.left = local, .right = pool.previous_symbol(next)}};
  settle_discrete_starts(system);
  EXPECT_FALSE(system.discrete_variables[0].start.valid());  // its own past is not asked for
  EXPECT_EQ(system.discrete_variables[1].start, pool.integer(1));
  EXPECT_EQ(system.discrete_variables[2].start, pool.integer(1));
}

TEST(DiscreteStarts, TwoValuesThatMeetSayNothing) {
  FlatSystem system = system_of({"a", "b"});
  ExprPool& pool = *system.pool;
  const ExprId a = system.discrete_variables[0].symbol;
  const ExprId before_b = pool.previous_symbol(system.discrete_variables[1].symbol);
  system.initial_equations = {{.left = a, .right = pool.integer(1)},
                              {.left = before_b, .right = pool.integer(0)}};
  system.discrete_equations = {{.left = a, .right = before_b}};
  settle_discrete_starts(system);
  EXPECT_FALSE(system.discrete_variables[1].start.valid());
}

}  // namespace
}  // namespace alembert::modelica
