// SPDX-License-Identifier: Apache-2.0
// How a command tells what it did: --json, --quiet, --color; the last two for every command that
// may have something to say.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace alembert::commands {

struct ReportOptions {
  bool json = false;
  bool quiet = false;
};

void add_report_options(CLI::App& command, ReportOptions& options);

/// --quiet, described by what it keeps away, and --color.
void add_message_options(CLI::App& command, bool& quiet, const std::string& what_is_left_out);

}  // namespace alembert::commands
