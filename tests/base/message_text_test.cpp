// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/message_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "alembert/base/text_number.hpp"

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

TEST(MessageText, TextsAreNumbersThatAreEqualWhereTheyAre) {
  EXPECT_EQ(number_of_text(""), 0);
  const double on = number_of_text("on");
  EXPECT_EQ(on, std::floor(on));
  EXPECT_LT(on, 0x1p53);
  EXPECT_EQ(on, number_of_text("on"));
  EXPECT_NE(on, number_of_text("off"));
  EXPECT_EQ(text_of_number(on), "on");
  EXPECT_EQ(text_of_number(0.5), "");
}

TEST(MessageText, TextsAreFilledInAsTheyAre) {
  const double numbers[] = {number_of_text("{2} and {1}"), 7};
  EXPECT_EQ(with_numbers("{1:text}: {2}", numbers), "{2} and {1}: 7");
}

}  // namespace
}  // namespace alembert
