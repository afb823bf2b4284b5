// SPDX-License-Identifier: Apache-2.0
// What goes to the terminal for people: what models print; on standard error messages, with colours
// where it is a terminal or they are asked for, and a bar while a run takes its time.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

namespace alembert::commands {

/// auto, always or never; auto, as it is at first, colours a terminal unless NO_COLOR is set.
void choose_colours(std::string_view mode);

/// The message and the end of its line.
void say(std::string_view message);

/// A message with the words that tell its weight, and the caret below the text, in colours.
std::string coloured(std::string_view message);

/// Where models print; a bar that is shown makes room.
void let_models_print_to(std::FILE* file);

/// Thirty characters, of which that share is filled.
std::string bar_of(double share);

/// How far a run has come, on a terminal, once it has taken a second.
class RunBar {
 public:
  RunBar(double from, double to, bool is_wanted);
  ~RunBar() { clear(); }
  RunBar(const RunBar&) = delete;
  RunBar& operator=(const RunBar&) = delete;

  void show(double time);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  double from_, to_;
  bool is_on_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace alembert::commands
