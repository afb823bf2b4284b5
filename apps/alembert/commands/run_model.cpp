// SPDX-License-Identifier: Apache-2.0
#include "run_model.hpp"

#include "alembert/base/error.hpp"
#include "terminal.hpp"

namespace alembert::commands {

ModelRun run_model(const ModelOptions& files, const RunOptions& how, bool quiet) {
  ModelRun run;
  run.as_read = read_model(files, quiet);
  run.options = how.with(run.as_read.experiment);
  run.model = std::make_unique<compile::CompiledModel>(run.as_read);
  run.result = integrate::simulate(*run.model, run.options);
  if (!quiet)
    for (const std::string& warning : run.result.warnings) say("warning: " + warning);
  return run;
}

void tell_unfinished(const std::string& model, const integrate::SimulationResult& result) {
  say(model + ": " + Error("I004", result.message).what());
}

int exit_code_of(const ModelRun& run) {
  if (run.result.outcome == integrate::Outcome::done ||
      run.result.outcome == integrate::Outcome::terminated)
    return 0;
  tell_unfinished(run.as_read.name, run.result);
  return 3;
}

}  // namespace alembert::commands
