// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate, tables. Tables in files: the text form of the standard
// library ("#1", then "double name(rows, columns)" and the numbers), CSV, and MATLAB files of
// versions 4, 6 and 7.
#pragma once

#include <string>

#include "alembert/frontend/modelica/evaluate/tables/curve.hpp"

namespace alembert::modelica::tables {

struct FileOptions {
  std::string delimiter = ",";  ///< of CSV
  int n_header_lines = 0;
};

/// std::runtime_error with a sentence if the file cannot be read or has no such table.
Matrix read_table(const std::string& file, const std::string& table, const FileOptions& options);

}  // namespace alembert::modelica::tables
