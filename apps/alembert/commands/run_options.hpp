// SPDX-License-Identifier: Apache-2.0
// How a model is run: times, tolerance, output, method.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "alembert/flat/flat_system.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert::commands {

struct RunOptions {
  std::optional<double> start, stop, tolerance, step;
  std::optional<std::uint32_t> intervals;
  std::string method = "auto";
  std::string formulation = "auto";
  std::string metric = "euclidean";
  std::string chattering = "stop";
  std::optional<double> baumgarte_omega, baumgarte_zeta;

  /// What is not given is taken from the model's experiment. Error U004 for what cannot be.
  integrate::SimulateOptions with(const flat::Experiment& experiment) const;
};

void add_run_options(CLI::App& command, RunOptions& options);

}  // namespace alembert::commands
