// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/sweep.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "alembert/base/error.hpp"
#include "alembert/ensemble/journal.hpp"
#include "alembert/result/output_file.hpp"

#if __has_include(<mpi.h>)
#include <mpi.h>

#include "alembert/ensemble/open_mpi.hpp"
#endif

namespace alembert::ensemble {
namespace {

namespace fs = std::filesystem;

struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "alembert-sweep-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

CaseResult squares(std::uint64_t number) {
  if (number == 3) throw Error("X001", "three is no case");
  return {.end_time = 1, .values = {double(number), double(number * number)}};
}

std::vector<CaseResult> results_of(const SweepOptions& options) {
  const JournalReader reader(journals_of(options.output), options.fingerprint);
  std::vector<CaseResult> results;
  for (const auto& entry : reader.entries()) results.push_back(reader.read(entry));
  return results;
}

TEST(Sweep, SameResultsWithAnyNumberOfWorkers) {
  const Folder folder;
  std::vector<CaseResult> first;
  for (const std::uint32_t n_workers : {0u, 1u, 4u}) {
    const SweepOptions options{.output = folder.path / std::to_string(n_workers),
                               .fingerprint = 5,
                               .n_workers = n_workers};
    const SweepOutcome outcome = run_sweep(50, squares, options);
    EXPECT_EQ(outcome.progress.n_finished, 50u);
    EXPECT_EQ(outcome.progress.n_not_good, 1u);
    const auto results = results_of(options);
    ASSERT_EQ(results.size(), 50u);
    if (first.empty()) first = results;
    EXPECT_EQ(results, first);
    EXPECT_EQ(results[3].status, CaseStatus::failed);
    EXPECT_NE(results[3].message.find("three is no case"), std::string::npos);
    EXPECT_EQ(results[7].values[1], 49);
  }
}

TEST(Sweep, EndlessAndBrokenCasesAreOnlyTheirOwnFailure) {
  const Folder folder;
  const auto function = [](std::uint64_t number) -> CaseResult {
    if (number == 2)
      for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (number == 4) ::raise(SIGKILL);
    return {.values = {double(number)}};
  };
  const SweepOptions options{.output = folder.path / "r", .n_workers = 2, .time_limit = 0.2};
  run_sweep(8, function, options);
  const auto results = results_of(options);
  ASSERT_EQ(results.size(), 8u);
  EXPECT_EQ(results[2].status, CaseStatus::time_limit);
  EXPECT_EQ(results[4].status, CaseStatus::crashed);
  for (const std::uint64_t good : {0, 1, 3, 5, 6, 7}) EXPECT_TRUE(results[good].good()) << good;
}

/// Cuts a journal at every length: what is whole is kept, the rest is run, and nothing else.
TEST(Sweep, GoesOnFromAJournalCutAnywhere) {
  const Folder folder;
  SweepOptions options{.output = folder.path / "r", .fingerprint = 9, .n_workers = 0};
  run_sweep(5, squares, options);
  const auto expected = results_of(options);
  const fs::path journal = journal_path(options.output, 0);
  const std::string bytes = result::read_file(journal);
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    std::string part = bytes.substr(0, length);
    if (length % 3 == 1) part += "torn and wrong";
    result::write_file(journal, part);
    const std::size_t n_whole = results_of(options).size();
    std::vector<std::uint64_t> run;
    run_sweep(
        5,
        [&](std::uint64_t number) {
          run.push_back(number);
          return squares(number);
        },
        options);
    EXPECT_EQ(run.size(), 5 - n_whole) << length;
    EXPECT_EQ(results_of(options), expected) << length;
  }
}

TEST(Sweep, AJournalOfAnotherSweepDoesNotCount) {
  const Folder folder;
  SweepOptions options{.output = folder.path / "r", .fingerprint = 1, .n_workers = 0};
  run_sweep(4, squares, options);
  options.fingerprint = 2;
  EXPECT_EQ(run_sweep(4, squares, options).progress.n_resumed, 0u);
  EXPECT_EQ(run_sweep(4, squares, options).progress.n_resumed, 4u);
  options.fresh = true;
  EXPECT_EQ(run_sweep(4, squares, options).progress.n_resumed, 0u);
}

TEST(Sweep, OneWriterAtATime) {
  const Folder folder;
  const Journal journal(folder.path / "j", 1);
  EXPECT_THROW(Journal(folder.path / "j", 1), Error);
}

#if __has_include(<mpi.h>) && defined(OPEN_MPI)
TEST(Ranks, BinaryInterfaceAsInTheHeader) {
  EXPECT_EQ(sizeof(open_mpi::Status), sizeof(MPI_Status));
  EXPECT_EQ(offsetof(open_mpi::Status, source), offsetof(MPI_Status, MPI_SOURCE));
  EXPECT_EQ(offsetof(open_mpi::Status, tag), offsetof(MPI_Status, MPI_TAG));
  EXPECT_EQ(open_mpi::any, MPI_ANY_SOURCE);
  EXPECT_EQ(open_mpi::any, MPI_ANY_TAG);
  EXPECT_EQ(open_mpi::longest_version, MPI_MAX_LIBRARY_VERSION_STRING);
  EXPECT_EQ(sizeof(open_mpi::Handle), sizeof(MPI_Comm));
}
#endif

}  // namespace
}  // namespace alembert::ensemble
