// SPDX-License-Identifier: Apache-2.0
// How help looks: two columns, the second wrapped so that it can be read in a terminal of a hundred
// columns.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace alembert::commands {

class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat() {
    label("SUBCOMMAND", "COMMAND");
    label("Positionals", "Arguments");
  }

  /// In the overview a command has one line; `help COMMAND` has its examples.
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  /// "NUMBER=1", "TEXT ...": without the list of choices, which the description explains.
  std::string make_option_opts(const CLI::Option* option) const override;
};

}  // namespace alembert::commands
