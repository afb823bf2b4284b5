// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/unit.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace alembert {
namespace {

Unit unit(std::string_view text) {
  const std::optional<Unit> parsed = parse_unit(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  return parsed.value_or(Unit{});
}

TEST(Units, the_same_quantity_in_other_words) {
  const std::pair<const char*, const char*> same[] = {
      {"N.m", "J"},      {"W", "kg.m2/s3"}, {"V.A", "W"},
      {"Pa", "N/m2"},    {"1/s", "Hz"},     {"J/(kg.K)", "m2/(s2.K)"},
      {"Wb", "V.s"},     {"F", "C/V"},      {"H", "Ohm.s"},
      {"km/h", "m.s-1"}, {"bar", "kPa"},    {"l/min", "m3/s"},
      {"rad/s", "1/s"},  {"T", "Wb/m2"},    {"mol/l", "mol/m3"},
      {"degC", "K"}};
  for (const auto& [a, b] : same) EXPECT_TRUE(unit(a).has_same_dimension(unit(b))) << a << " " << b;
  EXPECT_FALSE(unit("m").has_same_dimension(unit("s")));
  EXPECT_FALSE(unit("rad/s").measures_like(unit("Hz")));
  EXPECT_TRUE(unit("rpm").measures_like(unit("rad/s")));
}

TEST(Units, symbols_go_before_prefixes) {
  EXPECT_TRUE(unit("min").has_same_dimension(unit("s")));  // not milli-inches
  EXPECT_TRUE(unit("cd").has_same_dimension(unit("lm")));  // not centi-days
  EXPECT_TRUE(unit("Pa").has_same_dimension(unit("bar")));
  EXPECT_DOUBLE_EQ(unit("kg").factor, 1);
  EXPECT_DOUBLE_EQ(unit("mm2").factor, 1e-6);
  EXPECT_DOUBLE_EQ(unit("dam").factor, 10);
}

TEST(Units, values_are_converted) {
  EXPECT_NEAR(converted(std::numbers::pi, unit("rad"), unit("deg")), 180, 1e-12);
  EXPECT_NEAR(converted(293.15, unit("K"), unit("degC")), 20, 1e-12);
  EXPECT_NEAR(converted(212, unit("degF"), unit("degC")), 100, 1e-12);
  EXPECT_NEAR(converted(10, unit("m/s"), unit("km/h")), 36, 1e-12);
  EXPECT_NEAR(converted(2.5e5, unit("Pa"), unit("bar")), 2.5, 1e-14);
  EXPECT_NEAR(converted(1000, unit("rpm"), unit("rad/s")), 1000 * std::numbers::pi / 30, 1e-12);
}

TEST(Units, what_is_no_unit) {
  for (const char* text : {"", "foo", "m/", "/s", "m//s", "m2.", "kmin", "m/s.kg", "m999", "N*m"})
    EXPECT_FALSE(parse_unit(text).has_value()) << text;
}

TEST(Units, in_base_units) {
  EXPECT_EQ(base_unit_text(unit("W")), "kg.m2/s3");
  EXPECT_EQ(base_unit_text(unit("J/(kg.K)")), "m2/(s2.K)");
  EXPECT_EQ(base_unit_text(unit("rad")), "1");
  EXPECT_EQ(base_unit_text(*power(unit("m2"), 1, 2)), "m");
  EXPECT_FALSE(power(unit("m"), 1, 2).has_value());
}

}  // namespace
}  // namespace alembert
