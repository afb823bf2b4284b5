// SPDX-License-Identifier: Apache-2.0
#include "report_options.hpp"

#include <unistd.h>

namespace alembert::commands {

bool ReportOptions::colours() const {
  return colour == "always" || (colour == "auto" && ::isatty(2) != 0);
}

void add_report_options(CLI::App& command, ReportOptions& options) {
  command.add_flag("--json", options.json, "the report as one JSON object on standard output");
  command.add_flag("--quiet", options.quiet, "no summary and no warnings");
  command.add_option("--color", options.colour, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
}

}  // namespace alembert::commands
