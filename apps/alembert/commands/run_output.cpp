// SPDX-License-Identifier: Apache-2.0
#include "run_output.hpp"

#include <time.h>

#include <algorithm>
#include <csignal>
#include <cstdint>

#include "alembert/result/files.hpp"
#include "alembert/result/formula.hpp"
#include "names.hpp"

namespace alembert::commands {
namespace {

std::vector<std::string> names_at(const std::vector<std::string>& names,
                                  const std::vector<std::size_t>& columns) {
  std::vector<std::string> chosen;
  for (const std::size_t c : columns) chosen.push_back(names[c]);
  return chosen;
}

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set by a signal");

std::atomic<std::int64_t> first_signal_at = 0;  // milliseconds
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "set by a signal");

/// The first asks for an end with all results; one that comes a second or more later ends at once.
/// Those in between are the same wish: `timeout` sends its signal to the program and to its group.
extern "C" void note_signal(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t milliseconds = std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
  if (!interrupted.exchange(true)) {
    first_signal_at = milliseconds;
  } else if (milliseconds - first_signal_at >= 1000) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

RunOutput::RunOutput(const std::string& file, std::string variables, std::string drawn,
                     bool keep_all, result::ColumnNotes notes)
    : file_(result::open_result(file, std::move(notes))),
      variables_(std::move(variables)),
      drawn_names_(std::move(drawn)),
      keep_all_(keep_all) {}

void RunOutput::note_in(const std::string& journal, result::JournalRows kept) {
  journal_ = std::make_unique<result::RowJournal>(journal, kept);
}

std::uint64_t RunOutput::flush_journal() {
  journal_->flush();
  return journal_->checksum();
}

void RunOutput::begin(const result::Columns& columns) {
  const std::vector<std::string>& names = names_ = columns.names;
  columns_ = matching_columns(names, variables_);
  part_.resize(columns_.size());
  file_->begin(result::chosen(columns, columns_));
  drawn_columns_ = columns_to_keep(names);
  drawn_ = result::Trajectory(names_at(names, drawn_columns_));
  if (!journal_) return;
  auto journal = std::move(journal_);  // what comes from it is not noted again
  journal->begin(columns);
  journal->replay(*this);
  journal_ = std::move(journal);
}

std::vector<std::size_t> RunOutput::columns_to_keep(const std::vector<std::string>& names) const {
  if (drawn_names_.empty())
    return keep_all_ ? matching_columns(names, "") : std::vector<std::size_t>();
  bool only_names = true;
  const result::Trajectory written(keep_all_ ? names : names_at(names, columns_));
  for (const std::string& name : split_names(drawn_names_)) {
    result::evaluate_formula(name, written);
    only_names = only_names && written.find(name);
  }
  if (keep_all_) return matching_columns(names, "");
  return only_names ? matching_columns(names, drawn_names_) : columns_;
}

std::optional<double> RunOutput::first_value(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end() || first_row_.empty()) return std::nullopt;
  return first_row_[static_cast<std::size_t>(found - names_.begin())];
}

void RunOutput::append(double time, std::span<const double> row) {
  if (first_row_.empty()) first_row_.assign(row.begin(), row.end());
  for (std::size_t k = 0; k < columns_.size(); ++k) part_[k] = row[columns_[k]];
  file_->append(time, part_);
  if (keep_all_ || !drawn_names_.empty()) {
    drawn_row_.clear();
    for (const std::size_t c : drawn_columns_) drawn_row_.push_back(row[c]);
    drawn_.append(time, drawn_row_);
  }
  if (journal_) journal_->append(time, row);
  if (on_row) on_row(time);
}

const std::atomic<bool>& interrupt_by_signal() {
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
  // A terminal that is gone; under nohup it is meant to go on.
  if (std::signal(SIGHUP, note_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  return interrupted;
}

}  // namespace alembert::commands
