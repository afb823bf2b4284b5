// SPDX-License-Identifier: Apache-2.0
// Where the rows of a run of `simulate` go: the columns asked for to the result file, those to be
// drawn are kept, all of them to the journal of a checkpoint. Nothing else is held in memory.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alembert/result/column_notes.hpp"
#include "alembert/result/row_journal.hpp"
#include "alembert/result/row_sink.hpp"

namespace alembert::commands {

class RunOutput final : public result::RowSink {
 public:
  /// variables: names or patterns with commas, all if empty; drawn: names or expressions with
  /// commas; keep_all: every column is kept, for a page. Error R015 or R001 where the file
  /// cannot be written.
  RunOutput(const std::string& file, std::string variables, std::string drawn, bool keep_all,
            result::ColumnNotes notes);

  /// Rows are noted in a journal too, and those of it that are kept come before all others.
  void note_in(const std::string& journal, result::JournalRows kept = {});
  /// The checksum of all rows in the journal.
  std::uint64_t flush_journal();

  void begin(const result::Columns& columns) override;
  void append(double time, std::span<const double> row) override;
  void commit() override { file_->commit(); }
  std::optional<double> keep_part() override { return file_->keep_part(); }

  /// Told the time of every row, if set.
  std::function<void(double time)> on_row;

  /// What the first row has in that column; nothing where there is none.
  std::optional<double> first_value(const std::string& name) const;

  /// What is kept for pictures.
  const result::Trajectory& drawn() const { return drawn_; }

 private:
  std::unique_ptr<result::RowSink> file_;
  std::unique_ptr<result::RowJournal> journal_;
  /// Columns that the pictures need; error R004 or R011, before the run, for what cannot be drawn.
  std::vector<std::size_t> columns_to_keep(const std::vector<std::string>& names) const;

  std::string variables_, drawn_names_;
  bool keep_all_ = false;
  std::vector<std::size_t> columns_, drawn_columns_;
  std::vector<std::string> names_;  // of all columns
  std::vector<double> first_row_;   // likewise; empty: none yet
  std::vector<double> part_, drawn_row_;
  result::Trajectory drawn_;
};

/// True from the first Ctrl-C (or request to end) on; a second one ends the program at once.
const std::atomic<bool>& interrupt_by_signal();

}  // namespace alembert::commands
