// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/csv.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "alembert/base/error.hpp"

namespace alembert::result {
namespace {

using namespace std::string_literals;

Trajectory small() {
  Trajectory trajectory({"x", "m[1,2]", "say \"hi\""});
  trajectory.append(0, std::vector<double>{0.1, -2, 1e300});
  trajectory.append(0.5, std::vector<double>{1.0 / 3, 5e-324, 123456789});
  return trajectory;
}

TEST(Csv, WritesTheShortestExactNumbersAndQuotesNames) {
  EXPECT_EQ(to_csv(small()),
            "time,x,\"m[1,2]\",\"say \"\"hi\"\"\"\n"
            "0,0.1,-2,1e+300\n"
            "0.5,0.3333333333333333,5e-324,123456789\n");
}

TEST(Csv, ReadsWhatItWrote) { EXPECT_EQ(parse_csv(to_csv(small())), small()); }

TEST(Csv, WritesAndReadsWhatIsNotFinite) {
  Trajectory trajectory({"x", "y", "z"});
  const double inf = std::numeric_limits<double>::infinity();
  trajectory.append(1, std::vector<double>{std::nan(""), inf, -inf});
  EXPECT_EQ(to_csv(trajectory), "time,x,y,z\n1,nan,inf,-inf\n");
  const Trajectory back = parse_csv(to_csv(trajectory));
  EXPECT_TRUE(std::isnan(back.value(0, 0)));
  EXPECT_EQ(back.value(0, 2), -inf);
}

TEST(Csv, TakesTheHabitsOfOtherPrograms) {
  const Trajectory expected = [] {
    Trajectory trajectory({"a"});
    trajectory.append(1, std::vector<double>{2});
    return trajectory;
  }();
  EXPECT_EQ(parse_csv("\"time\",\"a\"\r\n1,2\r\n"), expected);
  EXPECT_EQ(parse_csv("\xEF\xBB\xBFtime,a\n1, +2.0e0 "), expected);
  EXPECT_EQ(parse_csv("time,a\n\n\"1\",2\n\n"), expected);
  EXPECT_EQ(parse_csv("time\n").n_columns(), 0u);
}

RC_GTEST_PROP(Csv, RoundTripsAnyNamesAndBits, ()) {
  const auto unique_names = *rc::gen::unique<std::vector<std::string>>(
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab.[](),\"\n\r "))));
  Trajectory trajectory(unique_names);
  const auto n_rows = *rc::gen::inRange(0, 5);
  for (int i = 0; i < n_rows; ++i) {
    std::vector<double> row;
    for (std::size_t j = 0; j < unique_names.size(); ++j) {
      const double value = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
      row.push_back(std::isnan(value) ? 0 : value);
    }
    trajectory.append(i * 0.1, row);
  }
  RC_ASSERT(parse_csv(to_csv(trajectory)) == trajectory);
}

// Whatever the bytes, the answer is a table or an Error of this stage.
RC_GTEST_PROP(Csv, AnyTextIsATableOrAnError, ()) {
  const auto body =
      *rc::gen::container<std::string>(rc::gen::elementOf("time,,\"\n\r1e-+.naif \0x"s));
  const bool with_header = *rc::gen::arbitrary<bool>();
  try {
    parse_csv((with_header ? "time,x\n" : "") + body);
  } catch (const Error& error) {
    RC_ASSERT(error.code() == "R003");
  }
}

struct BadText {
  std::string text;
  std::uint32_t line, column;
  std::string says;
};

TEST(Csv, NamesLineAndColumnOfWhatIsWrong) {
  const std::vector<BadText> cases = {
      {"", 1, 1, "the file is empty"},
      {"time,x", 1, 6, "the file ends within its first line"},
      {"t,x\n", 1, 1, "the first column must be 'time', not 't'"},
      {"time,x,x\n", 1, 8, "columns 2 and 3 have the same name 'x'"},
      {"time,x\n0,1\n1,abc\n", 3, 3, "'abc' in column 'x' is not a number"},
      {"time,x\n0,\n", 2, 3, "'' in column 'x' is not a number"},
      {"time,x\n0,1e999\n", 2, 3, "outside the range of numbers"},
      {"time,x,y\n0,1\n", 2, 3, "after 2 of 3 values; 'y' is missing"},
      {"time,x\n0,1,2\n", 2, 5, "more values in this line than the 2 columns"},
      {"time,\"x\n0,1\n", 1, 6, "the quote that begins here is never closed"},
      {"time,\"x\"y\n0,1\n", 1, 9, "must follow a closing quote"},
      {"time,x\n0,1\"\n", 2, 4, "a quote inside a field"},
      {"time,\"a\nb\",c\n0,1,z\n", 3, 5, "'z' in column 'c' is not a number"},
  };
  for (const BadText& bad : cases) {
    try {
      parse_csv(bad.text, "run.csv");
      ADD_FAILURE() << "accepted: " << bad.text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "R003") << bad.text;
      const Diagnostic& diagnostic = error.diagnostics().front();
      EXPECT_EQ(diagnostic.origin.span.file, "run.csv");
      EXPECT_EQ(diagnostic.origin.span.line, bad.line) << bad.text;
      EXPECT_EQ(diagnostic.origin.span.column, bad.column) << bad.text;
      EXPECT_NE(diagnostic.text.find(bad.says), std::string::npos) << diagnostic.text;
    }
  }
}

}  // namespace
}  // namespace alembert::result
