// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. Finished cases on disk, so that a sweep that was killed goes on where it was.
// In: results as they come. Out: the same results after a restart. A journal is a header with the
// fingerprint of the sweep and records [length, checksum, bytes]; a record counts only if it is
// whole, and what follows a torn one is cut off before anything is added. One process writes a
// journal at a time; each rank of a sweep has its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/ensemble/case_result.hpp"

namespace alembert::ensemble {

/// A checksum of 64 bits; equal sweeps have equal fingerprints.
std::uint64_t fingerprint(std::string_view bytes, std::uint64_t seed = 0);

class Journal {
 public:
  /// Opens for adding; a journal of another sweep is begun anew. Error R001 where it cannot be
  /// written, U024 where another process writes it.
  Journal(const std::filesystem::path& path, std::uint64_t sweep);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Error R001 on a full disk; what was there before stays whole.
  void add(const CaseResult& result);
  /// To the disk itself, against a loss of power.
  void sync();

 private:
  [[noreturn]] void fail(int error_number);

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t end_ = 0;
};

/// Where a whole record lies.
struct JournalEntry {
  std::uint64_t number = 0;
  CaseStatus status = CaseStatus::done;
  std::uint32_t file = 0;
  std::uint64_t offset = 0;  ///< of the record's bytes
  std::uint64_t size = 0;
};

/// The finished cases of all journals of a sweep, read one at a time.
class JournalReader {
 public:
  /// Journals of other sweeps are passed over.
  JournalReader(const std::vector<std::filesystem::path>& paths, std::uint64_t sweep);
  ~JournalReader();
  JournalReader(const JournalReader&) = delete;
  JournalReader& operator=(const JournalReader&) = delete;

  /// By number, each once.
  const std::vector<JournalEntry>& entries() const { return entries_; }
  /// Files that are journals, but of another sweep.
  const std::vector<std::filesystem::path>& others() const { return others_; }
  CaseResult read(const JournalEntry& entry) const;

 private:
  std::vector<std::filesystem::path> paths_;
  std::vector<int> descriptors_;
  std::vector<JournalEntry> entries_;
  std::vector<std::filesystem::path> others_;
};

/// "out.csv.journal" and "out.csv.journal.N" of ranks, as far as they are there.
std::vector<std::filesystem::path> journals_of(const std::filesystem::path& output);
std::filesystem::path journal_path(const std::filesystem::path& output, int rank);

}  // namespace alembert::ensemble
