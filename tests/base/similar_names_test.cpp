// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/similar_names.hpp"

#include <gtest/gtest.h>

namespace alembert {
namespace {

TEST(SimilarNames, CountSlips) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("mass", "mass"), 0u);
  EXPECT_EQ(edit_distance("mass", "masse"), 1u);
  EXPECT_EQ(edit_distance("sitting", "kitten"), 3u);
  EXPECT_EQ(edit_distance("form", "from"), 1u);  // neighbours swapped
  EXPECT_EQ(edit_distance("sitting", "kitten", 1), 2u);
  EXPECT_EQ(edit_distance("a", "abcdef", 2), 3u);
}

TEST(SimilarNames, FindTheOneThatWasMeant) {
  const std::string_view names[] = {"position", "velocity", "option"};
  EXPECT_EQ(nearest_name("Postion", names), "position");
  EXPECT_EQ(nearest_name("VELOCITY", names), "velocity");
  EXPECT_EQ(nearest_name("force", names), "");
  EXPECT_EQ(nearest_name("p", names), "");
}

}  // namespace
}  // namespace alembert
