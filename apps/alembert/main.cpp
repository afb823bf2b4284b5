// SPDX-License-Identifier: Apache-2.0
// The command line: parses arguments, calls stages, turns what they throw into messages and exit
// codes: 0 done, 1 the model is wrong, 2 the command is wrong, 3 the work could not be finished.
#include <cstdio>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "commands/command.hpp"

namespace {

using alembert::commands::Command;

constexpr const char* description =
    "Alembert: modelling and simulation of constrained dynamics.\n"
    "\n"
    "  alembert demo                      the flagship: a pendulum that goes on where a fixed "
    "choice "
    "of states stops\n"
    "  alembert simulate pendulum.mo      a Modelica model, from text to result\n"
    "  alembert explain pendulum.mo       its structure: index, states, blocks, and why\n"
    "  alembert linearise pendulum.mo     near one point: matrices, eigenvalues, equilibria\n"
    "  alembert plot Pendulum.csv x y     a picture of variables of a result\n"
    "  alembert view pendulum.mo          the same in the browser: plots, animation, structure\n"
    "  alembert sweep pendulum.mo --vary \"g=linspace(9,10,50)\"\n"
    "                                     many runs, on all cores\n"
    "  alembert help simulate             all options of a command, with examples\n"
    "  source <(alembert completion bash) commands and options are completed by the shell\n";

int exit_code_of(const alembert::Error& error) {
  // A variable that a result does not have, an ending that means nothing: mistakes in the command.
  for (const char* code : {"R004", "R006", "R010", "R011", "I020", "M331", "M332"})
    if (error.code() == code) return 2;
  if (error.code() == "I018") return 1;  // a wrong parameter: the model, not the run
  switch (error.code().front()) {
    case 'U': return 2;
    case 'I':
    case 'R': return 3;
    default: return 1;
  }
}

int explain(const CLI::App& app, const std::string& overview, const std::string& about) {
  if (about.empty()) {
    std::fputs(overview.c_str(), stdout);
    return 0;
  }
  const auto found =
      app.get_subcommands([&](const CLI::App* command) { return command->get_name() == about; });
  if (found.empty()) {
    std::fprintf(stderr, "alembert: there is no command '%s'. Try 'alembert help'.\n",
                 about.c_str());
    return 2;
  }
  std::fputs(found.front()->help().c_str(), stdout);
  return 0;
}

int run(int argc, char** argv) {
  CLI::App app(description, "alembert");
  app.set_version_flag("--version", "alembert " ALEMBERT_VERSION);
  app.require_subcommand(1);
  using namespace alembert::commands;
  const std::vector<Command> commands = {add_simulate(app), add_explain(app),   add_linearise(app),
                                         add_check(app),    add_flatten(app),   add_plot(app),
                                         add_sweep(app),    add_view(app),      add_animate(app),
                                         add_demo(app),     add_completion(app)};
  std::string help_about;
  CLI::App* help = app.add_subcommand("help", "Explain a command.");
  help->add_option("COMMAND", help_about, "the command to explain");

  const std::string overview = app.help();  // once parsed, `help` would speak of the subcommand
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::fprintf(stderr, "alembert: %s\nTry 'alembert help'.\n", error.what());
    return 2;
  }
  for (const Command& command : commands)
    if (command.parser->parsed()) return command.run();
  return explain(app, overview, help_about);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const alembert::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return exit_code_of(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "alembert: %s\n", error.what());
    return 3;
  }
}
