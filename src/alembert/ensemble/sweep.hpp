// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. Many cases, each once. In: how many, a function that runs one, workers, ranks.
// Out: journals that hold the result of each. Rank 0 hands out numbers of cases, few at a time, so
// that all are busy to the end; every rank writes the results of its cases to a journal of its own,
// so that nothing but numbers goes through rank 0. Cases that a journal holds are not run again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "alembert/ensemble/ranks.hpp"
#include "alembert/ensemble/worker_pool.hpp"

namespace alembert::ensemble {

struct SweepProgress {
  std::uint64_t n_cases = 0;
  std::uint64_t n_resumed = 0;  ///< were there from an earlier run
  std::uint64_t n_finished = 0;
  std::uint64_t n_not_good = 0;  ///< of this run
  double seconds = 0;            ///< since the start of this run

  /// Of the time to go, from the cases of this run; negative before the first.
  double seconds_left() const;
};

struct SweepOptions {
  std::filesystem::path output;  ///< journals lie beside it
  std::uint64_t fingerprint = 0;
  std::uint32_t n_workers = 1;  ///< of each rank; 0: this process itself, without a time limit
  double time_limit = 0;        ///< seconds for a case; 0: none
  bool fresh = false;           ///< forget what an earlier run finished
  /// Called some times a second, on rank 0.
  std::function<void(const SweepProgress&)> progress = {};
};

struct SweepOutcome {
  int rank = 0;
  int n_ranks = 1;
  SweepProgress progress;
};

/// Returns when all cases are in journals. Errors of the journal end it; the next run goes on.
SweepOutcome run_sweep(std::uint64_t n_cases, const CaseFunction& function,
                       const SweepOptions& options);

}  // namespace alembert::ensemble
