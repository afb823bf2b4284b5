// SPDX-License-Identifier: Apache-2.0
// The commands: each in a file of its own, which adds its options to the parser and runs it.
// A command returns the exit code (0 done, 3 not finished) or throws an Error, from whose code main
// tells the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace alembert::commands {

struct Command {
  CLI::App* parser = nullptr;
  std::function<int()> run;
};

Command add_simulate(CLI::App& app);
Command add_explain(CLI::App& app);
Command add_linearise(CLI::App& app);
Command add_check(CLI::App& app);
Command add_flatten(CLI::App& app);
Command add_plot(CLI::App& app);
Command add_sweep(CLI::App& app);
Command add_view(CLI::App& app);
Command add_animate(CLI::App& app);
Command add_demo(CLI::App& app);
Command add_completion(CLI::App& app);

std::vector<std::string> demo_names();

}  // namespace alembert::commands
