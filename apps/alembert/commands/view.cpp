// SPDX-License-Identifier: Apache-2.0
// `alembert view`: a model or results as a page in the browser.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "alembert/base/error.hpp"
#include "alembert/result/files.hpp"
#include "alembert/visual/page_of_run.hpp"
#include "command.hpp"
#include "names.hpp"
#include "report_options.hpp"
#include "result_page.hpp"
#include "run_model.hpp"

extern char** environ;

namespace alembert::commands {

namespace {

struct ViewCommand {
  ModelOptions model;
  RunOptions run;
  std::string output;
  bool no_open = false;
  bool quiet = false;
};

/// Hands the page to the desktop's browser; says where it is in any case.
void open_in_browser(const std::filesystem::path& page) {
  std::string path = std::filesystem::absolute(page).string();
  std::printf("%s\n", path.c_str());
  const char* browser = std::getenv("BROWSER");
  const std::string program = browser != nullptr && *browser != 0 ? browser : "xdg-open";
  std::string name = program;
  char* arguments[] = {name.data(), path.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  if (::posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0 ||
      ::waitpid(child, &status, 0) < 0 || status != 0)
    std::fprintf(stderr, "No browser could be started (%s); open the page by hand.\n",
                 program.c_str());
}

int run(const ViewCommand& command) {
  const std::filesystem::path first =
      command.model.files.empty() ? "" : command.model.files.front();
  if (first.extension() == ".html") {
    if (!std::filesystem::exists(first))
      throw Error("U005", "there is no file '" + first.string() + "'.");
    if (!command.no_open) open_in_browser(first);
    return 0;
  }
  int code = 0;
  visual::Page page;
  std::filesystem::path output = command.output;
  if (result::has_known_ending(first)) {
    page = page_of_results(command.model.files);
    if (output.empty()) output = std::filesystem::path(first).replace_extension(".html");
  } else {
    const ModelRun ran = run_model(command.model, command.run, command.quiet);
    page = visual::page_of_run(*ran.model, ran.result, ran.options);
    page.structure = structure::explain(ran.as_read);
    if (page.scene) page.tab = "Animation";
    if (output.empty()) output = last_name(ran.as_read.name) + ".html";
    code = exit_code_of(ran);
  }
  visual::write_page(std::move(page), output);
  if (command.no_open)
    std::printf("%s\n", output.c_str());
  else
    open_in_browser(output);
  return code;
}

}  // namespace

Command add_view(CLI::App& app) {
  auto command = std::make_shared<ViewCommand>();
  CLI::App* parser = app.add_subcommand(
      "view",
      "Look at a model or at results in the browser.\n\n"
      "  alembert view pendulum.mo           runs it: plots, animation, structure, report\n"
      "  alembert view a.csv b.csv           results side by side\n"
      "  alembert view pendulum.html         a page that is there\n");
  add_model_options(*parser, command->model);
  parser->get_option("FILE")->description(
      "Modelica files and folders of packages, results, or a page; may be left out if --model "
      "names a model of a library");
  add_run_options(*parser, command->run);
  parser->add_option("--output", command->output,
                     "file for the page (default: named after the first file)");
  parser->add_flag("--no-open", command->no_open, "write the page, but do not start a browser");
  add_message_options(*parser, command->quiet, "print no warnings");
  return {parser, [command] { return run(*command); }};
}

}  // namespace alembert::commands
