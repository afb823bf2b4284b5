// SPDX-License-Identifier: Apache-2.0
// `alembert completion`: what a shell needs to complete commands, options and their values. The
// scripts are written from the parser itself, so that they know what the program knows.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "alembert/integrate/stepper.hpp"
#include "command.hpp"

namespace alembert::commands {

namespace {

struct OptionWords {
  std::vector<std::string> flags = {};    ///< "--set", "-s"
  std::vector<std::string> choices = {};  ///< values, where they are a list
  std::string about = {};
  bool takes_value = false;
};

struct CommandWords {
  std::string name = {};
  std::string about = {};
  std::vector<OptionWords> options = {};
  std::vector<std::string> arguments = {};  ///< words in place of files; empty: files
};

/// "{a,b}" of a type's name, where the parser checks that a value is one of a list.
std::vector<std::string> listed_choices(const std::string& type) {
  std::vector<std::string> choices;
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return choices;
  std::string inside = type.substr(open + 1, close - open - 1) + ",";
  for (std::size_t comma; (comma = inside.find(',')) != std::string::npos;
       inside.erase(0, comma + 1))
    choices.push_back(inside.substr(0, comma));
  return choices;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names = {"auto"};
  for (const auto methods : {integrate::all_methods(), integrate::model_methods()})
    for (const integrate::MethodInfo* method : methods)
      if (method->name != names.front()) names.emplace_back(method->name);
  return names;
}

/// The first sentence or clause, on one line.
std::string first_line(const std::string& text) {
  return text.substr(0, text.find_first_of("\n;"));
}

OptionWords words_of(const CLI::Option& option) {
  OptionWords words{.about = first_line(option.get_description()),
                    .takes_value = option.get_items_expected_max() > 0};
  for (const std::string& name : option.get_lnames()) words.flags.push_back("--" + name);
  for (const std::string& name : option.get_snames()) words.flags.push_back("-" + name);
  words.choices = listed_choices(option.get_type_name());
  if (option.check_lname("method")) words.choices = method_names();
  return words;
}

std::vector<CommandWords> all_words(const CLI::App& app) {
  std::vector<CommandWords> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    CommandWords words{.name = command->get_name(),
                       .about = first_line(command->get_description())};
    for (const CLI::Option* option : command->get_options())
      if (!option->get_lnames().empty()) words.options.push_back(words_of(*option));
    commands.push_back(std::move(words));
  }
  std::vector<std::string> names;
  for (const CommandWords& command : commands) names.push_back(command.name);
  for (CommandWords& command : commands) {
    if (command.name == "help") command.arguments = names;
    if (command.name == "completion") command.arguments = {"bash", "zsh", "fish"};
    if (command.name == "demo") command.arguments = demo_names();
  }
  return commands;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string bash_script(const std::vector<CommandWords>& commands) {
  std::string text =
      "# Completion of alembert in bash. In ~/.bashrc: source <(alembert completion bash)\n"
      "_alembert() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
      "  case ${COMP_WORDS[1]},$before,$word in\n";
  std::vector<std::string> names;
  for (const CommandWords& command : commands) {
    names.push_back(command.name);
    std::vector<std::string> flags;
    for (const OptionWords& option : command.options) {
      flags.insert(flags.end(), option.flags.begin(), option.flags.end());
      if (!option.takes_value) continue;
      for (const std::string& flag : option.flags)
        text += "    " + command.name + "," + flag + ",*) words=\"" + joined(option.choices) +
                "\" ;;\n";
    }
    text += "    " + command.name + ",*,-*) words=\"" + joined(flags) + "\" ;;\n";
    if (!command.arguments.empty())
      text += "    " + command.name + ",*) words=\"" + joined(command.arguments) + "\" ;;\n";
  }
  return text +
         "  esac\n"
         "  [ \"$COMP_CWORD\" = 1 ] && words=\"" +
         joined(names) +
         " --help --version\"\n"
         "  COMPREPLY=()\n"
         "  [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o default -F _alembert alembert\n";
}

/// Inside of '...': a quote ends the text, and brackets and colons mean something to _arguments.
std::string zsh_text(const std::string& about) {
  std::string text;
  for (const char c : about) {
    if (c == '[' || c == ']' || c == ':') text += '\\';
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return text;
}

std::string zsh_script(const std::vector<CommandWords>& commands) {
  std::string text =
      "#compdef alembert\n"
      "# Completion of alembert in zsh. In ~/.zshrc, after compinit: source <(alembert completion "
      "zsh)\n"
      "_alembert() {\n"
      "  local -a commands=(\n";
  for (const CommandWords& command : commands)
    text += "    '" + command.name + ":" + zsh_text(command.about) + "'\n";
  text +=
      "  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=${words[2]}\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n";
  for (const CommandWords& command : commands) {
    text += "    " + command.name + ")\n      _arguments \\\n";
    for (const OptionWords& option : command.options)
      for (const std::string& flag : option.flags)
        text += "        '*" + flag + "[" + zsh_text(option.about) + "]" +
                (!option.takes_value      ? std::string()
                 : option.choices.empty() ? std::string(":value:_files")
                                          : ":value:(" + joined(option.choices) + ")") +
                "' \\\n";
    text += command.arguments.empty() ? "        '*:file:_files'\n"
                                      : "        '*:name:(" + joined(command.arguments) + ")'\n";
    text += "      ;;\n";
  }
  return text +
         "  esac\n"
         "}\n"
         "compdef _alembert alembert\n";
}

std::string fish_text(const std::string& about) {
  std::string text;
  for (const char c : about) {
    if (c == '\'' || c == '\\') text += '\\';
    text += c;
  }
  return "'" + text + "'";
}

std::string fish_script(const std::vector<CommandWords>& commands) {
  std::string text =
      "# Completion of alembert in fish. In config.fish: alembert completion fish | source\n";
  for (const CommandWords& command : commands) {
    text += "complete -c alembert -n __fish_use_subcommand -f -a " + command.name + " -d " +
            fish_text(command.about) + "\n";
    const std::string here =
        "complete -c alembert -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const OptionWords& option : command.options) {
      text += here;
      for (const std::string& flag : option.flags)
        text += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
      if (option.takes_value) text += " -r";
      if (!option.choices.empty()) text += " -f -a '" + joined(option.choices) + "'";
      text += " -d " + fish_text(option.about) + "\n";
    }
    if (!command.arguments.empty()) text += here + " -f -a '" + joined(command.arguments) + "'\n";
  }
  return text;
}

}  // namespace

Command add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* parser = app.add_subcommand(
      "completion",
      "Print a script that lets the shell complete commands and options.\n\n"
      "  source <(alembert completion bash)           now; in ~/.bashrc: always\n"
      "  source <(alembert completion zsh)            the same in zsh, after compinit\n"
      "  alembert completion fish | source            in fish\n");
  parser->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  return {parser, [shell, &app] {
            const std::vector<CommandWords> commands = all_words(app);
            const std::string text = *shell == "bash"  ? bash_script(commands)
                                     : *shell == "zsh" ? zsh_script(commands)
                                                       : fish_script(commands);
            std::fputs(text.c_str(), stdout);
            return 0;
          }};
}

}  // namespace alembert::commands
