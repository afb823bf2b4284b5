// SPDX-License-Identifier: Apache-2.0
// Strings that change in a run, from text to the messages that show them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "alembert/base/error.hpp"
#include "alembert/flat/to_text.hpp"
#include "pipeline/printed_lines.hpp"

namespace alembert {
namespace {

/// What stops a run of the model M.
std::string message_of(const std::string& text) { return run(text, {.stop = 1}).message; }

TEST(Texts, FollowConditionsInEquations) {
  EXPECT_EQ(lines_of(R"(
  Boolean b = time > 0.4;
  String s;
  String t = s + "!";
equation
  s = if b then "on" else "off";
  when {sample(0.25, 0.5), b} then
    print(s + t);
  end when;
end M;
)"),
            (Lines{"offoff!", "onon!", "onon!"}));
}

TEST(Texts, KeepWhatAWhenClauseGaveThem) {
  EXPECT_EQ(lines_of(R"(
  Real x(start = 1, fixed = true);
  String s(start = "nothing", fixed = true);
  String before(start = "", fixed = true);
equation
  der(x) = -1;
  when sample(0.25, 0.5) then
    s = "x = " + String(x, format = ".2f");
    before = pre(s);
  end when;
  when time > 0.5 then
    print(s + " after " + before);
  elsewhen terminal() then
    print(s + " after " + before);
  end when;
end M;
)"),
            (Lines{"x = 0.75 after nothing", "x = 0.25 after x = 0.75"}));
}

TEST(Texts, AreAssignedInAlgorithms) {
  EXPECT_EQ(lines_of(R"(
  Integer n(start = 0, fixed = true);
  String s[2];
  String all(start = "", fixed = true);
algorithm
  s := {"few", "x"};
  if n > 1 then
    s[1] := "many";
    s[2] := s[1] + "!";
  end if;
algorithm
  when sample(0, 0.3) then
    n := n + 1;
    all := all + String(n);
  elsewhen terminal() then
    print(s[1] + " " + s[2] + " " + all);
  end when;
end M;
)"),
            (Lines{"many many! 1234"}));
}

TEST(Texts, AreComparedInTheRun) {
  const integrate::SimulationResult result = run(R"(
model M
  String s = if time > 0.5 then "b" else "a";
  Boolean is_b = s == "b";
  Boolean is_less = s < "b";
  Integer n_changes(start = 0, fixed = true);
equation
  when change(s) then
    n_changes = pre(n_changes) + 1;
  end when;
end M;
)",
                                                 {.stop = 1});
  ASSERT_EQ(result.outcome, integrate::Outcome::done) << result.message;
  EXPECT_EQ(at_time(result, "is_b", 0.4), 0);
  EXPECT_EQ(at_time(result, "is_b", 0.6), 1);
  EXPECT_EQ(at_time(result, "is_less", 0.4), 1);
  EXPECT_EQ(at_time(result, "is_less", 0.6), 0);
  EXPECT_EQ(at_end(result, "n_changes"), 1);
  const auto& names = result.trajectory.names();
  EXPECT_EQ(std::count(names.begin(), names.end(), "s"), 0);  // no numbers for a result
}

TEST(Texts, ComeFromDeclarationsEquationsAndLoops) {
  const integrate::SimulationResult result = run(R"(
model A
  String s;
  Boolean is_told = s == "here";
end A;
model M
  A a;
  String x = "x", y, z, s[3];
  Boolean are_equal = y == "x and y" and z == x;
  Boolean is_each = s[1] == "u" and s[2] == "v" and s[3] == "w!";
equation
  y = x + " and y";
  "x" = z;
  a.s = "here";
  for i in {"u", "v", "w"} loop
    if i == "u" then
      s[1] = i;
    elseif i == "v" then
      s[2] = i;
    else
      s[3] = i + "!";
    end if;
  end for;
end M;
)",
                                                 {.stop = 1});
  ASSERT_EQ(result.outcome, integrate::Outcome::done) << result.message;
  for (const char* name : {"a.is_told", "are_equal", "is_each"})
    EXPECT_EQ(at_end(result, name), 1) << name;
}

TEST(Texts, AreComparedByWhatTheyShow) {
  const integrate::SimulationResult result = run(R"(
type E = enumeration(one, two, three);
model M
  E e = if time < 0.5 then E.one else E.two;
  Integer n = if time < 0.5 then 1 else 2;
  Boolean is_two = "it is " + String(e) == "it is two";
  Boolean is_2 = String(n) == "2";
  Boolean is_word = String(n) == "two";
end M;
)",
                                                 {.stop = 1});
  ASSERT_EQ(result.outcome, integrate::Outcome::done) << result.message;
  for (const char* name : {"is_two", "is_2"}) {
    EXPECT_EQ(at_time(result, name, 0.4), 0) << name;
    EXPECT_EQ(at_time(result, name, 0.6), 1) << name;
  }
  EXPECT_EQ(at_end(result, "is_word"), 0);
}

TEST(Texts, AreMadeByFunctionsInTheRun) {
  EXPECT_EQ(lines_of(R"(
  function name_of
    input Integer k;
    output String name;
  algorithm
    if k > 2 then
      name := "many";
      return;
    end if;
    name := "";
    for i in 1:k loop
      name := name + "i";
    end for;
  end name_of;
  function length
    input String text;
    output Integer n;
    external "C" n = ModelicaStrings_length(text);
  end length;
  Integer n(start = 0, fixed = true);
  String s = name_of(n);
  Integer l = length(s);
equation
  when sample(0, 0.3) then
    n = pre(n) + 1;
  end when;
  when sample(0.2, 0.3) then
    print(s + String(l));
  end when;
end M;
)"),
            (Lines{"i1", "ii2", "many4"}));
}

TEST(Texts, GoThroughConnectors) {
  EXPECT_EQ(lines_of(R"(
  connector TextIn = input String;
  connector TextOut = output String;
  block Source
    TextOut y = if time > 0.5 then "late" else "early";
  end Source;
  block Sink
    TextIn u;
    String kept(start = "");
  equation
    when time > 0.7 then
      kept = u;
    end when;
  end Sink;
  Source source;
  Sink sink;
equation
  connect(source.y, sink.u);
  when terminal() then
    print(sink.kept);
  end when;
end M;
)"),
            (Lines{"late"}));
}

TEST(Texts, AreShownByTheMessagesThatEndARun) {
  const std::string model = R"(
model M
  String s(start = "none", fixed = true);
equation
  when time > 0.25 then
    s = "set at " + String(time, format = ".2f");
  end when;
)";
  EXPECT_EQ(message_of(model + R"(
  when time > 0.5 then
    terminate("enough: " + s + " before " + String(time, format = ".1f"));
  end when;
end M;
)"),
            "enough: set at 0.25 before 0.5");
  EXPECT_NE(message_of(model + "  assert(time < 0.5, \"too late: \" + s);\nend M;\n")
                .find("too late: set at 0.25"),
            std::string::npos);
}

TEST(Texts, AreReadableInTheFlatModel) {
  const std::string text = flat::to_text(modelica::flatten({.text = R"(
model M
  String s(start = "a \"b\"", fixed = true);
  String t = if time > 0.5 then "on" else "off";
equation
  when time > 0.25 then
    s = t + " at " + String(time, format = ".2f");
  end when;
end M;
)",
                                                            .model = "M"})
                                             .system);
  EXPECT_NE(text.find("discrete String s(start = \"a \\\"b\\\"\", fixed = true);"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("then \"on\" else \"off\";"), std::string::npos) << text;
  EXPECT_NE(text.find("t + \" at \" + String(time, format = \".2f\")"), std::string::npos) << text;
}

TEST(Texts, ThatWouldChangeAllTheTimeAreRefused) {
  try {
    compiled("model M\n  String s = String(time);\nend M;\n");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "M311");
    EXPECT_NE(std::string(error.what()).find("changes at events only"), std::string::npos);
  }
}

TEST(Texts, ThatNobodyGivesAreRefused) {
  try {
    compiled("model M\n  String s;\n  Boolean b = s == \"a\";\nend M;\n");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "F014");
    EXPECT_NE(std::string(error.what()).find("none gives 's'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace alembert
