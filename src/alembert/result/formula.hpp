// SPDX-License-Identifier: Apache-2.0
// Stage: result. Expressions of the columns of a result, as people type them: "E - E(0)",
// "sqrt(x^2 + y^2)", "(T + V) - (T + V)(0)". In: text, a Trajectory, constants such as the values
// of parameters. Out: one value a row. `v(t)` is what v was at time t, by interpolation; where v is
// a function (sin, max, ...) it is called. A text that is the name of a column as it stands is that
// column, whatever is in it; other odd names go in quotes: 'my column'.
//
// Operator precedence by two stacks (Dijkstra's shunting yard), so that depth costs no recursion.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/result/trajectory.hpp"

namespace alembert::result {

using NamedConstants = std::map<std::string, double, std::less<>>;

/// Error R004 for a name that neither the trajectory nor `constants` has, R011 for text that is no
/// expression.
std::vector<double> evaluate_formula(std::string_view text, const Trajectory& trajectory,
                                     const NamedConstants& constants = {});

/// The value of column `values` at `time`, linear between rows; at an event, the one after it.
double value_at_time(const std::vector<double>& times, const std::vector<double>& values,
                     double time);

}  // namespace alembert::result
