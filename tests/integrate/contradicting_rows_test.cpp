// SPDX-License-Identifier: Apache-2.0
// Sets that contradict each other, against systems whose answer is known by construction.
#include "alembert/integrate/contradicting_rows.hpp"

#include <gtest/gtest.h>

namespace alembert::integrate {
namespace {

using Rows = std::vector<std::size_t>;

TEST(ContradictingRows, ARegularSystemHasNone) {
  EXPECT_EQ(contradicting_rows(std::vector<double>{2, 0, 1, 3}, std::vector<double>{5, -7}),
            Rows());
}

TEST(ContradictingRows, RepetitionsThatAgreeAreNone) {
  // a + b = 1 and 2 a + 2 b = 2, at a = b = 0.
  EXPECT_EQ(contradicting_rows(std::vector<double>{1, 2, 1, 2}, std::vector<double>{-1, -2}),
            Rows());
}

TEST(ContradictingRows, OnlyThoseThatTakePartAreNamed) {
  // a + b = 3, d = 1, b + c = 4, a - c = 0 in a, b, c, d at zero: the second has no part in it.
  const std::vector<double> jacobian = {1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, -1, 0, 1, 0, 0};
  EXPECT_EQ(contradicting_rows(jacobian, std::vector<double>{-3, -1, -4, 0}), (Rows{0, 2, 3}));
}

}  // namespace
}  // namespace alembert::integrate
