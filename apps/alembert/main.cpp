// SPDX-License-Identifier: Apache-2.0
// The command line: parses arguments, calls stages, turns what they throw into messages and exit
// codes: 0 done, 1 the model is wrong, 2 the command is wrong, 3 the work could not be finished.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "alembert/base/error.hpp"
#include "demo.hpp"

namespace {

constexpr const char* description =
    "Alembert: modelling and simulation of constrained dynamics.\n"
    "\n"
    "  alembert demo            the flagship: a pendulum that goes on where a fixed choice of "
    "states stops\n"
    "  alembert demo --list     what else there is to see\n"
    "  alembert help demo       all options of a command\n";

int exit_code_of(const alembert::Error& error) {
  switch (error.code().front()) {
    case 'U': return 2;
    case 'I':
    case 'R': return 3;
    default: return 1;
  }
}

int run(int argc, char** argv) {
  CLI::App app(description, "alembert");
  app.set_version_flag("--version", "alembert " ALEMBERT_VERSION);
  app.require_subcommand(1);

  alembert::DemoOptions demo;
  CLI::App* demo_command = app.add_subcommand(
      "demo", "Run an example of the gallery; without a name, the flagship one.");
  demo_command->add_option("NAME", demo.name, "which one; see --list");
  demo_command->add_flag("--list", demo.list, "the demos, a line each");
  demo_command->add_option("--output", demo.folder, "folder for pictures and tables")
      ->capture_default_str();

  std::string help_about;
  CLI::App* help_command = app.add_subcommand("help", "Explain a command.");
  help_command->add_option("COMMAND", help_about, "the command to explain");

  const std::string overview = app.help();  // once parsed, `help` would speak of the subcommand
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::fprintf(stderr, "alembert: %s\nTry 'alembert help'.\n", error.what());
    return 2;
  }
  if (*help_command) {
    if (help_about.empty()) {
      std::fputs(overview.c_str(), stdout);
      return 0;
    }
    const auto commands = app.get_subcommands(
        [&](const CLI::App* command) { return command->get_name() == help_about; });
    if (commands.empty()) {
      std::fprintf(stderr, "alembert: there is no command '%s'. Try 'alembert help'.\n",
                   help_about.c_str());
      return 2;
    }
    std::fputs(commands.front()->help().c_str(), stdout);
    return 0;
  }
  return alembert::run_demo(demo);
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
