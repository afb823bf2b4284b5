// SPDX-License-Identifier: Apache-2.0
// Stage: result. The columns of a result, and what is known of their values before the first row. A
// file that has a place for it (MAT) holds what never varies, and what several columns share, once.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace alembert::result {

struct ColumnValues {
  static constexpr std::uint32_t its_own = std::numeric_limits<std::uint32_t>::max();

  bool constant = false;           ///< one value in all rows, as of a parameter
  std::uint32_t source = its_own;  ///< columns of one source have the same values, but for signs
  bool negated = false;            ///< against the source
};

/// Names without time.
struct Columns {
  std::vector<std::string> names;
  std::vector<ColumnValues> values = {};  // [n names], or none

  ColumnValues values_of(std::size_t column) const {
    return values.empty() ? ColumnValues() : values[column];
  }
};

inline Columns chosen(const Columns& columns, std::span<const std::size_t> choice) {
  Columns result;
  for (const std::size_t c : choice) {
    result.names.push_back(columns.names[c]);
    if (!columns.values.empty()) result.values.push_back(columns.values[c]);
  }
  return result;
}

}  // namespace alembert::result
