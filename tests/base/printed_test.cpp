// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/printed.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "alembert/base/error.hpp"

namespace alembert {
namespace {

class Printed : public ::testing::Test {
 protected:
  Printed() {
    print_with([this](std::string_view line) { lines.emplace_back(line); });
  }
  ~Printed() override {
    print_with([](std::string_view) {});
  }

  void say(const void* speaker, double time, std::vector<std::string> texts) {
    const PrintingOnce printing(speaker, time);
    for (std::string& text : texts) print_line(std::move(text));
  }

  std::vector<std::string> lines;
};

using Lines = std::vector<std::string>;

TEST_F(Printed, TheLastTimeOfAnInstantCounts) {
  const int first = 0, second = 0;
  say(&first, 1, {"a", "b"});
  say(&second, 1, {"c"});
  say(&first, 1, {"d"});
  EXPECT_TRUE(lines.empty());
  print_waiting();
  EXPECT_EQ(lines, (Lines{"d", "c"}));
}

TEST_F(Printed, AnotherTimeEndsTheInstant) {
  const int speaker = 0;
  say(&speaker, 1, {"a"});
  say(&speaker, 2, {"b"});
  EXPECT_EQ(lines, Lines{"a"});
  print_line("now");
  print_waiting();
  EXPECT_EQ(lines, (Lines{"a", "now", "b"}));
}

TEST_F(Printed, AFileThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(print_line("a", "nowhere/at/all.txt"), Error);
}

}  // namespace
}  // namespace alembert
