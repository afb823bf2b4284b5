// SPDX-License-Identifier: Apache-2.0
#include "alembert/flat/connection_sets.hpp"

#include <gtest/gtest.h>

namespace alembert::flat {
namespace {

using Set = std::vector<ConnectionElement>;

TEST(ConnectionSets, ChainsBecomeOneSet) {
  ConnectionSets sets;
  sets.connect({1, false}, {2, false});
  sets.connect({5, false}, {6, false});
  sets.connect({2, false}, {3, false});
  const ConnectionSets::Sets result = sets.sets();
  ASSERT_EQ(result.sets.size(), 2u);
  EXPECT_EQ(result.sets[0], (Set{{1, false}, {2, false}, {3, false}}));
  EXPECT_EQ(result.sets[1], (Set{{5, false}, {6, false}}));
}

TEST(ConnectionSets, TheTwoSidesOfAConnectorAreApart) {
  ConnectionSets sets;
  sets.connect({1, true}, {2, false});   // within the component that has connector 1
  sets.connect({1, false}, {3, false});  // around it
  const ConnectionSets::Sets result = sets.sets();
  ASSERT_EQ(result.sets.size(), 2u);
  EXPECT_EQ(result.find({1, true}), &result.sets[0]);
  EXPECT_EQ(result.find({1, false}), &result.sets[1]);
  EXPECT_EQ(result.find({2, true}), nullptr);
}

TEST(ConnectionSets, ALongChainIsQuick) {
  ConnectionSets sets;
  constexpr std::uint32_t n = 300'000;
  for (std::uint32_t i = n; i-- > 0;) sets.connect({i, false}, {i + 1, false});
  ASSERT_EQ(sets.sets().sets.size(), 1u);
  EXPECT_EQ(sets.sets().sets[0].size(), n + 1);
}

}  // namespace
}  // namespace alembert::flat
