// SPDX-License-Identifier: Apache-2.0
// The command line: parses arguments, calls stages, turns what they throw into messages and exit
// codes: 0 done, 1 the model is wrong, 2 the command is wrong, 3 the work could not be finished.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/base/similar_names.hpp"
#include "commands/command.hpp"
#include "commands/help_format.hpp"
#include "commands/terminal.hpp"

namespace {

using alembert::commands::Command;

constexpr const char* description =
    "Alembert: modelling and simulation of constrained dynamics.\n"
    "\n"
    "  alembert demo                      see it work: a pendulum that no fixed states can follow\n"
    "  alembert simulate pendulum.mo      run a Modelica model and write its result\n"
    "  alembert explain pendulum.mo       show its structure: index, states, blocks\n"
    "  alembert linearise pendulum.mo     linearise it: matrices, eigenvalues, equilibria\n"
    "  alembert plot Pendulum.csv x y     draw variables of a result\n"
    "  alembert view pendulum.mo          run it and look at it in the browser\n"
    "  alembert sweep pendulum.mo --vary \"g=linspace(9,10,50)\"\n"
    "                                     run it many times, on all cores\n"
    "  alembert help simulate             show all options of a command, with examples\n"
    "  source <(alembert completion bash) let the shell complete commands and options\n";

constexpr const char* surroundings =
    "Exit codes:\n"
    "  0  done\n"
    "  1  the model is wrong\n"
    "  2  the command is wrong\n"
    "  3  the run did not reach its end; the result has what was computed until then\n"
    "\n"
    "Environment variables:\n"
    "  MODELICAPATH      folders that hold libraries, separated by colons\n"
    "  ALEMBERT_LIBRARY  the folder that holds Alembert's own library, if it was moved\n"
    "  CC                the compiler for functions that a model has in C\n"
    "  BROWSER           the program that opens pages\n";

int exit_code_of(const alembert::Error& error) {
  // A variable, method or model that is not there, a method or formulation that is not for this
  // model, a checkpoint of something else: mistakes in the command.
  for (const char* code :
       {"I003", "I010", "I012", "I014", "I020", "S013", "C003", "C004", "M330", "M331", "M332"})
    if (error.code() == code) return 2;
  // A wrong parameter, start values that contradict: the model, not the run.
  for (const char* code : {"I002", "I008", "I018"})
    if (error.code() == code) return 1;
  // Of files, what cannot be written or made; else the file that was named is not what it should
  // be.
  for (const char* code : {"R001", "R013", "R014", "R020"})
    if (error.code() == code) return 3;
  switch (error.code().front()) {
    case 'U':
    case 'R': return 2;
    case 'I': return 3;
    default: return 1;
  }
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::string no_command(const std::string& written, const std::vector<std::string>& names) {
  const std::string nearest = alembert::nearest_name(written, names);
  if (!nearest.empty())
    return "there is no command '" + written + "'; did you mean '" + nearest + "'?";
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  return "there is no command '" + written + "'. There are: " + known + ".";
}

int explain(const CLI::App& app, const std::string& overview, const std::string& about) {
  if (about.empty()) {
    std::fputs(overview.c_str(), stdout);
    return 0;
  }
  const auto found =
      app.get_subcommands([&](const CLI::App* command) { return command->get_name() == about; });
  if (found.empty()) {
    std::fprintf(stderr, "alembert: %s\n", no_command(about, command_names(app)).c_str());
    return 2;
  }
  std::fputs(found.front()->help(app.get_name()).c_str(), stdout);
  return 0;
}

/// "The following argument was not expected: --stopp": the option that may be meant is named.
std::string unknown_option(const CLI::App& app, const std::string& text) {
  const std::size_t colon = text.rfind(": ");
  const auto chosen = app.get_subcommands();
  if (colon == std::string::npos || chosen.empty()) return text;
  const std::string written = text.substr(colon + 2, text.find(' ', colon + 2) - colon - 2);
  if (!written.starts_with('-'))
    return "'" + written + "' is one word more than '" + chosen.front()->get_name() + "' takes.";
  std::vector<std::string> names;
  for (const CLI::Option* option : chosen.front()->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::string nearest = alembert::nearest_name(written, names);
  return "'" + chosen.front()->get_name() + "' has no option '" + written + "'" +
         (nearest.empty() ? "." : "; did you mean '" + nearest + "'?");
}

/// "--color: red not in {auto,always,never}": the word that may be meant is named.
std::string unknown_choice(const std::string& text) {
  const std::size_t colon = text.find(": ");
  const std::size_t between = text.find(" not in {");
  const std::size_t end = text.rfind('}');
  if (colon == std::string::npos || between == std::string::npos || end == std::string::npos)
    return text;
  const std::string written = text.substr(colon + 2, between - colon - 2);
  std::vector<std::string> choices(1);
  for (const char c : text.substr(between + 9, end - between - 9))
    if (c == ',')
      choices.emplace_back();
    else
      choices.back() += c;
  const std::string nearest = alembert::nearest_name(written, choices);
  if (!nearest.empty())
    return text.substr(0, colon) + " cannot be '" + written + "'; did you mean '" + nearest + "'?";
  std::string known;
  for (const std::string& choice : choices) known += (known.empty() ? "" : ", ") + choice;
  return text.substr(0, colon) + " cannot be '" + written + "'. There are: " + known + ".";
}

/// What is wrong with the words of the command, in words of ours.
std::string mistake(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (argc < 2) return "name a command.";
  const std::string first = argv[1];
  const std::vector<std::string> names = command_names(app);
  const bool is_known = std::find(names.begin(), names.end(), first) != names.end();
  if (!is_known && !first.starts_with('-')) return no_command(first, names);
  // "Could not convert: --stop = abc"
  const std::string text = error.what();
  const std::size_t option = text.find("--");
  const std::size_t equals = text.find(" = ");
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr && option != std::string::npos &&
      equals != std::string::npos && option < equals)
    return text.substr(option, equals - option) + " takes a number, and '" +
           text.substr(equals + 3) + "' is none that fits.";
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) return unknown_choice(text);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return unknown_option(app, text);
  return text;
}

int run(int argc, char** argv) {
  CLI::App app(description, "alembert");
  app.formatter(std::make_shared<alembert::commands::HelpFormat>());
  app.set_version_flag("-v,--version", "alembert " ALEMBERT_VERSION);
  app.require_subcommand(1);
  using namespace alembert::commands;
  const std::vector<Command> commands = {add_simulate(app), add_explain(app),   add_linearise(app),
                                         add_check(app),    add_flatten(app),   add_plot(app),
                                         add_sweep(app),    add_view(app),      add_animate(app),
                                         add_demo(app),     add_completion(app)};
  std::string help_about;
  CLI::App* help = app.add_subcommand("help", "Show the options of a command, with examples.");
  help->add_option("COMMAND", help_about, "the command to explain");

  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    command->group("Commands");

  app.footer(surroundings);  // behind the commands, which would inherit it

  const std::string overview = app.help();  // once parsed, `help` would speak of the subcommand
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const auto chosen = app.get_subcommands();
    std::fprintf(stderr, "alembert: %s\nTry 'alembert help%s'.\n",
                 mistake(app, error, argc, argv).c_str(),
                 chosen.empty() ? "" : (" " + chosen.front()->get_name()).c_str());
    return 2;
  }
  for (const Command& command : commands)
    if (command.parser->parsed()) return command.run();
  return explain(app, overview, help_about);
}

/// What was to be read there is lost if standard output took not all of it, as on a full disk.
int finish_output(int exit_code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  const alembert::Error error("R001",
                              std::string("cannot write standard output: ") +
                                  (errno == 0 ? "not all of it was taken" : std::strerror(errno)) +
                                  ". Free some space, or send it to another place.");
  alembert::commands::say(error.what());
  return exit_code == 0 ? exit_code_of(error) : exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  alembert::commands::let_models_print_to(stdout);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing it
  try {
    return finish_output(run(argc, argv));
  } catch (const alembert::Error& error) {
    alembert::commands::say(error.what());
    return exit_code_of(error);
  } catch (const std::bad_alloc&) {
    const alembert::Error error("U008",
                                "there is not enough memory for this model. Is an array, or the "
                                "number of components or connections, larger than it was meant "
                                "to be?");
    alembert::commands::say(error.what());
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "alembert: %s\n", error.what());
    return 3;
  }
}
