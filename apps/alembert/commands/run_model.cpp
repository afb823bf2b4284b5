// SPDX-License-Identifier: Apache-2.0
#include "run_model.hpp"

#include <cstdio>

namespace alembert::commands {
ModelRun run_model(const ModelOptions& files, const RunOptions& how, bool quiet) {
  ModelRun run;
  run.as_read = read_model(files, quiet);
  run.options = how.with(run.as_read.experiment);
  run.model = std::make_unique<compile::CompiledModel>(run.as_read);
  run.result = integrate::simulate(*run.model, run.options);
  if (!quiet)
    for (const std::string& warning : run.result.warnings)
      std::fprintf(stderr, "warning: %s\n", warning.c_str());
  return run;
}

int exit_code_of(const ModelRun& run) {
  if (run.result.outcome == integrate::Outcome::done ||
      run.result.outcome == integrate::Outcome::terminated)
    return 0;
  std::fprintf(stderr, "%s: error[I010]: %s\n", run.as_read.name.c_str(),
               run.result.message.c_str());
  return 3;
}

}  // namespace alembert::commands
