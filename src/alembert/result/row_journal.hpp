// SPDX-License-Identifier: Apache-2.0
// Stage: result. Rows beside a checkpoint, so that a run that is taken up again can give the whole
// result without having kept it in memory. In: rows as they come. Out: a file of plain numbers to
// which rows are appended, and which outlives the program; its first n rows again, if they are
// those that a checkpoint knows by their checksum. Until the first flush, what was there stays
// untouched.
#pragma once

#include <cstdint>
#include <filesystem>

#include "alembert/result/row_sink.hpp"

namespace alembert::result {

/// What a checkpoint knows of the rows before it.
struct JournalRows {
  std::uint64_t n = 0;
  std::uint64_t checksum = 14695981039346656037u;  ///< of all their numbers; this of none
};

class RowJournal final : public RowSink {
 public:
  /// kept: rows that are there already and stay; none begins a new file. Error R015 or R001 where
  /// the path cannot be written, R015 too for a file of something else.
  explicit RowJournal(std::filesystem::path path, JournalRows kept = {});
  ~RowJournal() override;
  RowJournal(const RowJournal&) = delete;
  RowJournal& operator=(const RowJournal&) = delete;

  /// Error R009 where the file has fewer rows than are to be kept.
  void begin(const Columns& columns) override;
  void append(double time, std::span<const double> row) override;
  /// What was appended is on its way to the disk.
  void flush();
  void commit() override { flush(); }
  /// Of all rows up to the last flush, those that were kept included.
  std::uint64_t checksum() const { return checksum_; }
  /// Gives the rows that were kept to another sink; after `begin`. Error R009 where they are not
  /// those that were to be kept.
  void replay(RowSink& sink) const;

 private:
  [[noreturn]] void fail() const;
  [[noreturn]] void fail_rows() const;
  /// After the rows that are kept nothing is left.
  void prepare();
  void write(const char* bytes, std::size_t n);

  std::filesystem::path path_;
  JournalRows kept_;
  std::uint64_t checksum_;
  std::size_t n_columns_ = 0;
  int descriptor_ = -1;
  bool is_new_ = false;       // made here, and nothing is in it
  bool is_prepared_ = false;  // to be written to
  std::vector<double> buffer_;
};

}  // namespace alembert::result
