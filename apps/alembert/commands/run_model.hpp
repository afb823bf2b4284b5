// SPDX-License-Identifier: Apache-2.0
// A model from its text to the end of its run, for the commands that show it.
#pragma once

#include <memory>

#include "alembert/integrate/simulate.hpp"
#include "model_options.hpp"
#include "run_options.hpp"

namespace alembert::commands {

struct ModelRun {
  flat::FlatSystem as_read;
  std::unique_ptr<compile::CompiledModel> model;
  integrate::SimulateOptions options;
  integrate::SimulationResult result;
};

ModelRun run_model(const ModelOptions& files, const RunOptions& how, bool quiet);

/// Says on standard error why a run did not reach its end.
void tell_unfinished(const std::string& model, const integrate::SimulationResult& result);

/// 0, or 3 with a message on standard error where the run did not reach its end.
int exit_code_of(const ModelRun& run);

}  // namespace alembert::commands
