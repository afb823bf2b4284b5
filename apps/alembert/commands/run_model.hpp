// SPDX-License-Identifier: Apache-2.0
// A model from its text to the end of its run, for the commands that show it. When and how
// accurately is asked for in the same words everywhere.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>

#include "alembert/integrate/simulate.hpp"
#include "model_options.hpp"

namespace alembert::commands {

struct RunTimes {
  std::optional<double> start, stop, tolerance, step;
  std::optional<std::uint32_t> intervals;
};

void add_run_times(CLI::App& parser, RunTimes& times);

/// What is asked for, else what the model says, else the defaults. Error U004 for what cannot be.
integrate::SimulateOptions options_of(const RunTimes& times, const flat::Experiment& experiment);

struct ModelRun {
  flat::FlatSystem as_read;
  std::unique_ptr<compile::CompiledModel> model;
  integrate::SimulateOptions options;
  integrate::SimulationResult result;
};

ModelRun run_model(const ModelOptions& files, const RunTimes& times, bool quiet);

/// 0, or 3 with a message on standard error where the run did not reach its end.
int exit_code_of(const ModelRun& run);

}  // namespace alembert::commands
