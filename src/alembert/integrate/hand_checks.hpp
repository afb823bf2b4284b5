// SPDX-License-Identifier: Apache-2.0
// Stage: integrate, for solve.cpp. What is said of equations written by hand, held against what
// they do: numbers of values, names, times and tolerances; velocities by trying the function near
// its start.
#pragma once

#include <string>
#include <vector>

#include "alembert/integrate/solve.hpp"

namespace alembert::integrate {

/// [n]: as they are given, or u[1], u[2], ...
std::vector<std::string> names_of(const HandProblem& problem);

/// Error I011: sizes, names, masses, starts, times or options that cannot be meant.
void check_sizes(const HandProblem& problem);
void check_options(const HandProblem& problem, const SolveOptions& options);

/// Error I011: a row that f leaves as it finds it, at the start.
void check_function(const HandProblem& problem);

/// Error I003: a method that there is not, or not for equations by hand; I010: one that needs
/// velocities, and is told of none, or accelerations that do not depend on them, and they do; I011:
/// velocities that are none.
void check_method(const HandProblem& problem, const SolveOptions& options);

}  // namespace alembert::integrate
