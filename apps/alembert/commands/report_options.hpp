// SPDX-License-Identifier: Apache-2.0
// How a command tells what it did: --json, --quiet, --color.
#pragma once

#include <CLI/CLI.hpp>

namespace alembert::commands {

struct ReportOptions {
  bool json = false;
  bool quiet = false;
};

void add_report_options(CLI::App& command, ReportOptions& options);

}  // namespace alembert::commands
