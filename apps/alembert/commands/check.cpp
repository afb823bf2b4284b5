// SPDX-License-Identifier: Apache-2.0
// `alembert check`: are the files right?
#include <cstdio>
#include <memory>

#include "alembert/base/error.hpp"
#include "command.hpp"
#include "model_files.hpp"

namespace alembert::commands {

namespace {

using modelica::ClassNode;

struct CheckOptions {
  ModelFiles models;
  bool parse_only = false;
  bool quiet = false;
};

struct Findings {
  std::size_t n_classes = 0;
  std::vector<Diagnostic> mistakes;
};

/// Reads every file of a package; a mistake in one does not hide those in others.
void read_all(ClassNode& node, Findings& findings) {
  try {
    node.definition();
    ++findings.n_classes;
    for (ClassNode* child : node.children()) read_all(*child, findings);
  } catch (const Error& error) {
    findings.mistakes.insert(findings.mistakes.end(), error.diagnostics().begin(),
                             error.diagnostics().end());
  }
}

int run(const CheckOptions& options) {
  modelica::ClassLibrary library;
  Findings findings;
  for (ClassNode* node : load_models(library, options.models)) read_all(*node, findings);
  if (!findings.mistakes.empty()) throw Error(std::move(findings.mistakes));
  if (!options.quiet)
    std::printf("%zu %s in %zu %s: no mistakes in the text%s\n", findings.n_classes,
                findings.n_classes == 1 ? "class" : "classes", library.files_read(),
                library.files_read() == 1 ? "file" : "files",
                options.parse_only ? "" : "; names and types are not checked yet");
  return 0;
}

}  // namespace

Command add_check(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* parser = app.add_subcommand(
      "check",
      "Tell whether Modelica files are right, without running them.\n\n"
      "  alembert check pendulum.mo                a file\n"
      "  alembert check Robots/ --parse-only       every file of a package, its text only\n");
  add_file_options(*parser, options->models);
  parser->add_flag("--parse-only", options->parse_only, "stop after reading the text");
  parser->add_flag("--quiet", options->quiet, "say nothing if all is well");
  return {parser, [options] { return run(*options); }};
}

}  // namespace alembert::commands
