// SPDX-License-Identifier: Apache-2.0
// Stage: base. Units of measurement. In: texts as models write them, "kg.m2/s3", "J/(kg.K)", "bar".
// Out: powers of the SI base units, and what a value is in them. Angles count as numbers, as in the
// SI. Syntax: Modelica 3.6, chapter 19; symbols: SI brochure, 9th edition, tables 2 to 8.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace alembert {

/// A value v in this unit is `factor * v + offset` in base units.
struct Unit {
  std::array<std::int8_t, 7> powers = {};  ///< of m, kg, s, A, K, mol, cd
  double factor = 1;
  double offset = 0;       ///< of temperatures on a scale of their own
  std::int8_t angles = 0;  ///< power of what is measured in rad or deg; no dimension

  bool has_same_dimension(const Unit& other) const { return powers == other.powers; }
  /// Of the same kind as well: 1/s is no rad/s.
  bool measures_like(const Unit& other) const {
    return powers == other.powers && angles == other.angles;
  }
};

/// None for a text that is no unit, or one that is not known here.
std::optional<Unit> parse_unit(std::string_view text);

Unit operator*(const Unit& a, const Unit& b);
Unit operator/(const Unit& a, const Unit& b);
/// None where a power would not be whole.
std::optional<Unit> power(const Unit& unit, int numerator, int denominator = 1);

/// In base units: "kg.m2/s3"; "1" for a number.
std::string base_unit_text(const Unit& unit);

/// A value in another unit that measures alike.
double converted(double value, const Unit& from, const Unit& to);

}  // namespace alembert
