// SPDX-License-Identifier: Apache-2.0
// Stage: base. What a model prints. In: lines, as functions of the model say them. Out: lines of
// the terminal or of files, in order. What is said at an instant of a run may be said again while
// the values of that instant are still being found: the last time counts.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace alembert {

/// Takes a line for the terminal, without its end.
using Printer = std::function<void(std::string_view line)>;

/// Who prints from now on; at first standard output does. For the whole process: set it before
/// models run.
void print_with(Printer printer);

/// A line for the terminal, or behind what the file has already. Error R001 where that cannot be
/// written.
void print_line(std::string text, std::string file = {});

/// While it lives, lines of this thread belong to `speaker` at `time` and wait; when the same
/// speaker speaks again at the same time, they are replaced.
class PrintingOnce {
 public:
  PrintingOnce(const void* speaker, double time);
  ~PrintingOnce();
  PrintingOnce(const PrintingOnce&) = delete;
  PrintingOnce& operator=(const PrintingOnce&) = delete;
};

/// The instant is over: lines of this thread that wait are printed.
void print_waiting();

}  // namespace alembert
