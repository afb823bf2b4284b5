// SPDX-License-Identifier: Apache-2.0
// `alembert demo`: the gallery.
#include <cstdio>
#include <memory>
#include <string>

#include "alembert/base/error.hpp"
#include "command.hpp"
#include "demos/demos.hpp"

namespace alembert::commands {

namespace {

struct Demo {
  const char* name;
  const char* what;
  int (*run)(const std::filesystem::path& folder);
};

constexpr Demo demos[] = {
    {"pendulum", "the Cartesian pendulum for 500 s, beside two ways of computing it that fail",
     demo_pendulum},
    {"double-pendulum", "a chaotic double pendulum: its path, and how well energy is kept",
     demo_double_pendulum},
    {"chain", "a hundred pendulums in a chain, with 2^100 choices of states", demo_chain},
    {"animation", "double pendulums in motion: a film with fading traces, and a page with twenty",
     demo_animation},
    {"snakeboard", "a board that moves by twisting: a film and a page with the paths of its wheels",
     demo_snakeboard},
    {"hydraulic", "a servo valve moves a piston with a load: structure, motion, balances",
     demo_hydraulic},
    {"engine", "inside the engine: from an expression to derivatives, tape and machine code",
     demo_engine},
};

struct DemoOptions {
  std::string name;  ///< empty: the first
  bool list = false;
  std::string folder = "alembert-demo";
};

int run(const DemoOptions& options) {
  if (options.list) {
    for (const Demo& demo : demos) std::printf("%-16s %s\n", demo.name, demo.what);
    return 0;
  }
  const std::string name = options.name.empty() ? demos[0].name : options.name;
  for (const Demo& demo : demos) {
    if (name != demo.name) continue;
    std::error_code failed;
    std::filesystem::create_directories(options.folder, failed);
    if (failed)
      throw Error("R015", "cannot make the folder '" + options.folder + "': " + failed.message() +
                              ". Choose another with --output.");
    return demo.run(options.folder);
  }
  std::string known;
  for (const std::string& demo : demo_names()) known += (known.empty() ? "" : ", ") + demo;
  throw Error("U001", "there is no demo named '" + name + "'. There are: " + known + ".");
}

}  // namespace

std::vector<std::string> demo_names() {
  std::vector<std::string> names;
  for (const Demo& demo : demos) names.emplace_back(demo.name);
  return names;
}

Command add_demo(CLI::App& app) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* parser = app.add_subcommand(
      "demo",
      "Run a demo; without a name, the Cartesian pendulum.\n\n"
      "  alembert demo --list                          what there is\n"
      "  alembert demo double-pendulum                 pictures and tables in alembert-demo\n"
      "  alembert demo chain --output here             in another folder\n");
  parser->add_option("NAME", options->name, "name of the demo; --list shows all");
  parser->add_flag("--list", options->list, "list the demos");
  parser->add_option("--output", options->folder, "folder for pictures and tables")
      ->capture_default_str();
  return {parser, [options] { return run(*options); }};
}

}  // namespace alembert::commands
