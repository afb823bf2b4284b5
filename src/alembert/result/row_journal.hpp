// SPDX-License-Identifier: Apache-2.0
// Stage: result. Rows beside a checkpoint, so that a run that is taken up again can give the whole
// result without having kept it in memory. In: rows as they come. Out: a file of plain numbers to
// which rows are appended, and which outlives the program; its first n rows again.
#pragma once

#include <cstdint>
#include <filesystem>

#include "alembert/result/row_sink.hpp"

namespace alembert::result {

class RowJournal final : public RowSink {
 public:
  /// n_kept: rows that are there already and stay; 0 begins a new file. Error R015 or R001 where
  /// the path cannot be written.
  RowJournal(std::filesystem::path path, std::uint64_t n_kept);
  ~RowJournal() override;
  RowJournal(const RowJournal&) = delete;
  RowJournal& operator=(const RowJournal&) = delete;

  /// Error R009 where the file has fewer rows than are to be kept.
  void begin(const Columns& columns) override;
  void append(double time, std::span<const double> row) override;
  /// What was appended is on its way to the disk.
  void flush();
  void commit() override { flush(); }
  /// Gives the rows that were kept to another sink; after `begin`.
  void replay(RowSink& sink) const;

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::uint64_t n_kept_;
  std::size_t n_columns_ = 0;
  int descriptor_ = -1;
  bool is_new_ = false;  // made here, and nothing is in it
  std::vector<double> buffer_;
};

}  // namespace alembert::result
