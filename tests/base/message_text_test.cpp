// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/message_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace alembert {
namespace {

TEST(MessageText, MarksAreFilledInAsTheySay) {
  const double numbers[] = {1.0 / 3, 1, 12};
  EXPECT_EQ(with_numbers("{1} {1:%.2f} {2:0|no|yes} {3:%-4.0f}|{4}", numbers),
            "0.333333 0.33 yes 12  |{4}");
}

TEST(MessageText, NumbersAreToldApart) {
  std::vector<double> numbers(12, 0);
  numbers[0] = 1;
  numbers[11] = 12;
  EXPECT_EQ(with_numbers("{12} {1} {1:%.1f}", numbers), "12 1 1.0");
}

TEST(MessageText, WordsFillTheirWidthOnEitherSide) {
  const std::string words[] = {"", "red", "green"};
  EXPECT_EQ(written(1, choice_of_words(words, 6)), "red   ");
  EXPECT_EQ(written(2, choice_of_words(words, -6)), " green");
  EXPECT_EQ(choice_of_words(std::vector<std::string>{"a}b"}, 0), "");
}

TEST(MessageText, WhatIsNoNumberOfAWordIsShownAsItIs) {
  EXPECT_EQ(written(3, "0|no|yes"), "3");
  EXPECT_EQ(written(-1, "0|no|yes"), "-1");
  EXPECT_EQ(written(std::nan(""), "0|no|yes"), "nan");
}

}  // namespace
}  // namespace alembert
