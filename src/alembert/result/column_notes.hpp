// SPDX-License-Identifier: Apache-2.0
// Stage: result. What is known of columns beside their numbers. Files that can hold it do: MAT in
// the matrix `description` ("text [unit]" or "text [unit|display unit]", as other tools write and
// read it), HDF5 in datasets `units`, `display_units` and `descriptions`. CSV files hold numbers
// only.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace alembert::result {

struct ColumnNote {
  std::string unit;
  std::string description;
  std::string display_unit = {};  ///< what plots show it in; empty: in its unit

  friend bool operator==(const ColumnNote&, const ColumnNote&) = default;
};

/// By the name of the column; `time` too.
using ColumnNotes = std::map<std::string, ColumnNote, std::less<>>;

}  // namespace alembert::result
