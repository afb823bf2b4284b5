// SPDX-License-Identifier: Apache-2.0
// Stage: compile, internal to c_source. The region solver in C: region_solver.cpp and
// dense_solve.cpp statement by statement, so that the bits agree. NAME stands for the prefix of the
// source.
#pragma once

#include <string_view>

namespace alembert::compile {

extern const std::string_view c_dense_solver;   // for every source with a region
extern const std::string_view c_linear_solver;  // further, for those with a linear region
extern const std::string_view c_newton_solver;  // further, for those with a newton region

}  // namespace alembert::compile
