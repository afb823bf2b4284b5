// SPDX-License-Identifier: Apache-2.0
#include "report_options.hpp"

#include "terminal.hpp"

namespace alembert::commands {

void add_report_options(CLI::App& command, ReportOptions& options) {
  command.add_flag_callback(
      "--json",
      [&options] {
        options.json = true;
        let_models_print_to(stderr);
      },
      "print the report as one JSON object on standard output");
  add_message_options(command, options.quiet, "print no summary and no warnings");
}

void add_message_options(CLI::App& command, bool& quiet, const std::string& what_is_left_out) {
  command.add_flag("--quiet", quiet, what_is_left_out);
  command
      .add_option_function<std::string>(
          "--color", [](const std::string& mode) { choose_colours(mode); },
          "colour messages: auto (on a terminal), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->default_str("auto");
}

}  // namespace alembert::commands
