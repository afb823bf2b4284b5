// SPDX-License-Identifier: Apache-2.0
#include "help_format.hpp"

#include <algorithm>
#include <sstream>

namespace alembert::commands {
namespace {

constexpr std::size_t page_width = 100;

/// `left` in the first column, the words of `right` in the second.
std::string two_columns(const std::string& left, const std::string& right, std::size_t indent) {
  std::string text = "  " + left;
  std::size_t used = text.size();
  const auto next_line = [&] {
    text += "\n" + std::string(indent, ' ');
    used = indent;
  };
  if (used + 2 > indent) {
    next_line();
  } else {
    text += std::string(indent - used, ' ');
    used = indent;
  }
  std::istringstream words(right);
  for (std::string word; words >> word;) {
    if (used > indent && used + 1 + word.size() > page_width) next_line();
    if (used > indent) {
      text += ' ';
      ++used;
    }
    text += word;
    used += word.size();
  }
  return text + "\n";
}

}  // namespace

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  const std::string text = command->get_description();
  return two_columns(command->get_display_name(true), text.substr(0, text.find('\n')),
                     column_width_);
}

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
  return two_columns(make_option_name(option, is_positional) + make_option_opts(option),
                     make_option_desc(option), column_width_);
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  if (option->get_type_size() == 0) return "";
  std::string type = option->get_type_name();
  type.resize(std::min(type.size(), type.find(':')));
  if (type == "FLOAT") type = "NUMBER";
  if (type == "UINT" || type == "INT") type = "N";
  std::string text = " " + type;
  if (!option->get_default_str().empty()) text += "=" + option->get_default_str();
  if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
  return text;
}

}  // namespace alembert::commands
