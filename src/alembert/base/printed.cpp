// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/printed.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <utility>
#include <vector>

#include "alembert/base/error.hpp"

namespace alembert {

namespace {

struct Line {
  std::string text;
  std::string file;  // empty: the terminal
};

struct Speech {
  const void* speaker;
  double time;
  std::vector<Line> lines;
};

struct Waiting {
  std::vector<Speech> speeches;
  Speech* open = nullptr;  // where lines go; null: they are printed at once
};

thread_local Waiting waiting;

void print_to_standard_output(std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);  // beside what goes to standard error, in order
}

std::mutex one_at_a_time;
Printer printer = print_to_standard_output;

void print(const Line& line) {
  const std::lock_guard lock(one_at_a_time);
  if (line.file.empty()) {
    printer(line.text);
    return;
  }
  std::ofstream file(line.file, std::ios::app);
  file << line.text << '\n';
  if (!file.flush())
    throw Error("R001", "cannot write '" + line.file + "', to which the model prints.");
}

}  // namespace

void print_with(Printer chosen) {
  const std::lock_guard lock(one_at_a_time);
  printer = std::move(chosen);
}

void print_line(std::string text, std::string file) {
  Line line{std::move(text), std::move(file)};
  if (waiting.open != nullptr)
    waiting.open->lines.push_back(std::move(line));
  else
    print(line);
}

PrintingOnce::PrintingOnce(const void* speaker, double time) {
  auto& speeches = waiting.speeches;
  if (!speeches.empty() && speeches.front().time != time) print_waiting();
  const auto same = [&](const Speech& speech) { return speech.speaker == speaker; };
  auto found = std::find_if(speeches.begin(), speeches.end(), same);
  if (found == speeches.end()) found = speeches.insert(found, {speaker, time, {}});
  found->lines.clear();
  waiting.open = &*found;
}

PrintingOnce::~PrintingOnce() { waiting.open = nullptr; }

void print_waiting() {
  for (const Speech& speech : std::exchange(waiting.speeches, {}))
    for (const Line& line : speech.lines) print(line);
}

}  // namespace alembert
