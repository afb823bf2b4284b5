// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate, tables. MATLAB files of level 5, which versions 6 (as they
// are) and 7 (each variable compressed) write: matrices of numbers, also within structs, by name:
// "s.inner.table".
#pragma once

#include <string>

#include "alembert/frontend/modelica/evaluate/tables/curve.hpp"

namespace alembert::modelica::tables {

bool is_mat5(const std::string& bytes);

/// std::runtime_error with a sentence where there is no such table, or the file is damaged.
Matrix from_mat5(const std::string& bytes, const std::string& file, const std::string& table);

}  // namespace alembert::modelica::tables
