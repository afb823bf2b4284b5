// SPDX-License-Identifier: Apache-2.0
// What models print, from text to lines, against what they say.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "pipeline/printed_lines.hpp"

namespace alembert {
namespace {

TEST(Printing, EachEventPrintsOnceWithTheValuesOfThatInstant) {
  const std::string text = R"(
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -1;
  when sample(0.25, 0.5) then
    n = pre(n) + 1;
    print("n = " + String(n) + ", x = " + String(x, format = ".3f"));
  end when;
algorithm
  when x < 0.5 then
    print("half");
  elsewhen terminal() then
    print("the end");
  end when;
end M;
)";
  for (const char* method : {"auto", "tsit5", "cvode", "taylor"})
    EXPECT_EQ(lines_of(text, {.stop = 1, .method = method}),
              (Lines{"n = 1, x = 0.750", "half", "n = 2, x = 0.250", "the end"}))
        << method;
}

TEST(Printing, WhatTheStartHasInTheEndIsPrintedOnce) {
  const Lines lines = lines_of(R"(
  Real x(start = 5);
initial equation
  x^2 = 2;
initial algorithm
  print("from " + String(x));
equation
  der(x) = -x;
algorithm
  print("always from " + String(2*x));
end M;
)",
                               {.stop = 1});
  EXPECT_EQ(lines, (Lines{"from 1.41421", "always from 2.82843"}));
}

TEST(Printing, TextsOfTheRunAreWrittenByTheirTypesAndFormats) {
  const Lines lines = lines_of(R"(
  type Colour = enumeration(red, green);
  Colour colour = if time > 0.5 then Colour.green else Colour.red;
  Boolean late = time > 0.5;
  Integer n = if late then 7 else 8;
  Real x = time;
equation
  when time > 0.5 then
    print(String(colour) + " " + String(late) + " " + String(n, minimumLength = 3) + "|");
    print(String(colour, minimumLength = 7, leftJustified = false) + String(not late) +
      String(x, significantDigits = 2, minimumLength = 5) + "|");
  end when;
end M;
)",
                               {.stop = 1});
  EXPECT_EQ(lines, (Lines{"green true 7  |", "  greenfalse0.5  |"}));
}

TEST(Printing, ClocksPrintAtTheirTicks) {
  const Lines lines = lines_of(R"(
  Integer m(start = 0);
equation
  when Clock(1, 2) then
    m = previous(m) + 1;
    print("m = " + String(m));
    print("tick");
  end when;
end M;
)",
                               {.stop = 0.7});
  EXPECT_EQ(lines, (Lines{"m = 1", "tick", "m = 2", "tick"}));
}

TEST(Printing, FunctionsPrintAllThatTheySay) {
  const Lines lines = lines_of(R"(
  impure function tell
    input Integer n;
  algorithm
    for i in 1:n loop
      print("line " + String(i));
    end for;
  end tell;
equation
  when time > 0.5 then
    tell(integer(4*time));
  end when;
end M;
)",
                               {.stop = 1});
  EXPECT_EQ(lines, (Lines{"line 1", "line 2"}));
}

TEST(Printing, AFunctionThatEndsAtAnEventSaysWhy) {
  const integrate::SimulationResult result = run(R"(
model M
  impure function check
    input Real x;
  algorithm
    assert(x < 0.4, "x is " + String(x) + ", too large");
  end check;
equation
  when time > 0.5 then
    check(time);
  end when;
end M;
)",
                                                 {.stop = 1});
  EXPECT_EQ(result.outcome, integrate::Outcome::event_failed);
  EXPECT_NE(result.message.find("a function that is called at an event has no value: assertion in "
                                "'check' failed: x is 0.5, too large"),
            std::string::npos)
      << result.message;
}

TEST(Printing, AFileGetsLinesBehindThoseItHas) {
  const auto path = std::filesystem::temp_directory_path() / "alembert_printing_test.txt";
  std::ofstream(path) << "before\n";
  const Lines lines = lines_of(R"(
equation
  when time > 0.5 then
    print("behind", ")" + path.string() +
                                   R"(");
  end when;
end M;
)",
                               {.stop = 1});
  EXPECT_TRUE(lines.empty());
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(text, "before\nbehind\n");
  std::filesystem::remove(path);
}

TEST(Printing, AssertionsShowValuesByTheirTypesToo) {
  const integrate::SimulationResult result = run(R"(
model M
  Boolean late = time > 0.5;
equation
  assert(not late, "late is " + String(late) + " at " + String(time, format = ".2f"));
end M;
)",
                                                 {.stop = 1});
  EXPECT_NE(result.message.find("late is true at 0.50"), std::string::npos) << result.message;
}

}  // namespace
}  // namespace alembert
