// SPDX-License-Identifier: Apache-2.0
#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "alembert/base/printed.hpp"

namespace alembert::commands {

namespace {

enum class Colours { automatic, always, never };

Colours chosen = Colours::automatic;

bool bar_is_shown = false;

void clear_bar() {
  if (bar_is_shown) std::fputs("\r\033[K", stderr);
  bar_is_shown = false;
}

bool is_terminal() { return ::isatty(STDERR_FILENO) != 0; }

bool use_colours() {
  if (chosen != Colours::automatic) return chosen == Colours::always;
  const char* refused = std::getenv("NO_COLOR");
  return is_terminal() && (refused == nullptr || *refused == '\0');
}

constexpr std::string_view plain = "\033[0m";
constexpr std::string_view red = "\033[1;31m";
constexpr std::string_view yellow = "\033[1;33m";
constexpr std::string_view blue = "\033[1;34m";
constexpr std::string_view green = "\033[1;32m";

std::string painted(std::string_view line, std::size_t from, std::size_t to,
                    std::string_view colour) {
  return fmt::format("{}{}{}{}{}", line.substr(0, from), colour, line.substr(from, to - from),
                     plain, line.substr(to));
}

/// `error[CODE]`, `warning`, `note` as they begin a message, behind the place at most.
std::string painted(std::string_view line) {
  struct Weight {
    std::string_view word, colour;
  };
  for (const auto& [word, colour] : {Weight{"error[", red}, {"warning", yellow}, {"note:", blue}}) {
    const std::size_t at = line.find(word);
    if (at == std::string_view::npos) continue;
    const std::string_view before = line.substr(0, at);
    if (at > 0 && !before.ends_with(": ") && before.find_first_not_of(' ') != before.npos) continue;
    const std::size_t colon = line.find(':', at);
    return painted(line, at, colon == std::string_view::npos ? line.size() : colon, colour);
  }
  const std::size_t caret = line.find_first_not_of(' ');
  if (caret != std::string_view::npos && line.substr(caret).find_first_not_of("^~") == line.npos)
    return painted(line, caret, line.size(), green);
  return std::string(line);
}

}  // namespace

void choose_colours(std::string_view mode) {
  chosen = mode == "always"  ? Colours::always
           : mode == "never" ? Colours::never
                             : Colours::automatic;
}

std::string coloured(std::string_view message) {
  std::string result;
  while (true) {
    const std::size_t end = message.find('\n');
    result += painted(message.substr(0, end));
    if (end == std::string_view::npos) return result;
    result += '\n';
    message.remove_prefix(end + 1);
  }
}

void say(std::string_view message) {
  const std::string text = (use_colours() ? coloured(message) : std::string(message)) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void let_models_print_to(std::FILE* file) {
  print_with([file](std::string_view line) {
    clear_bar();
    std::fwrite(line.data(), 1, line.size(), file);
    std::fputc('\n', file);
    std::fflush(file);  // standard output and standard error in order
  });
}

std::string bar_of(double share) {
  constexpr std::size_t width = 30;
  std::string bar(static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * width), '=');
  if (bar.size() < width) bar += '>';
  bar.resize(width, ' ');
  return "[" + bar + "]";
}

RunBar::RunBar(double from, double to, bool is_wanted)
    : from_(from), to_(to), is_on_(is_wanted && to > from && is_terminal()) {}

void RunBar::show(double time) {
  using namespace std::chrono_literals;
  if (!is_on_) return;
  const auto now = Clock::now();
  if (now - begin_ < 1s || now - last_ < 100ms) return;
  last_ = now;
  bar_is_shown = true;
  const double share = (time - from_) / (to_ - from_);
  const std::string line = fmt::format("\r\033[K{} {:.4g} of {:.4g} s", bar_of(share), time, to_);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void RunBar::clear() { clear_bar(); }

}  // namespace alembert::commands
