// SPDX-License-Identifier: Apache-2.0
// How a command tells what it did: --json, --quiet, --color.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace alembert::commands {

struct ReportOptions {
  bool json = false;
  bool quiet = false;
  std::string colour = "auto";

  /// Whether to use colours on standard error.
  bool colours() const;
};

void add_report_options(CLI::App& command, ReportOptions& options);

}  // namespace alembert::commands
