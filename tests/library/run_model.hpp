// SPDX-License-Identifier: Apache-2.0
// Models of the library by name or text, run from start to end.
#pragma once

#include <string>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert::library_test {

/// A model of the library, or, with a text, the last one in it. `changes`: "NAME=VALUE".
flat::FlatSystem flat_model(const std::string& name, const std::vector<std::string>& changes = {});
flat::FlatSystem flat_text(const std::string& text);

/// Runs as the model's experiment says; other options as given. The test fails where the run does
/// not reach the end.
integrate::SimulationResult run(flat::FlatSystem flat, integrate::SimulateOptions options = {},
                                double stop = 0);

/// The value at the last row whose time is at most `time`.
double at(const integrate::SimulationResult& result, const std::string& variable, double time);
double last(const integrate::SimulationResult& result, const std::string& variable);

}  // namespace alembert::library_test
