// SPDX-License-Identifier: Apache-2.0
#include "run_output.hpp"

#include <algorithm>
#include <csignal>

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

extern "C" void note_signal(int signal) {
  if (interrupted.exchange(true)) {
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

void RunOutput::note_in(const std::string& journal, std::uint64_t n_kept) {
  journal_ = std::make_unique<result::RowJournal>(journal, n_kept);
}

void RunOutput::flush_journal() {
  if (journal_) journal_->flush();
}

void RunOutput::begin(const std::vector<std::string>& names) {
  columns_ = matching_columns(names, variables_);
  part_.resize(columns_.size());
  file_->begin(names_at(names, columns_));
  drawn_columns_ = columns_to_keep(names);
  drawn_ = result::Trajectory(names_at(names, drawn_columns_));
  if (!journal_) return;
  auto journal = std::move(journal_);  // what comes from it is not noted again
  journal->begin(names);
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

void RunOutput::append(double time, std::span<const double> row) {
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
  return interrupted;
}

}  // namespace alembert::commands
