// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>

#include "alembert/base/error.hpp"
#include "alembert/ensemble/journal.hpp"

namespace alembert::ensemble {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

constexpr double seconds_between_reports = 0.1;
constexpr double seconds_between_syncs = 2;

/// What messages between ranks say: the first word, and what follows it.
enum Word : std::uint64_t {
  request,   // to 0: cases wanted, cases finished since the last, of them not good
  work,      // from 0: numbers; none: there is no more
  all_done,  // to 0: this rank's journal is complete; else as `request`
};

std::vector<std::uint64_t> open_cases(std::uint64_t n_cases, const JournalReader& finished) {
  std::vector<std::uint64_t> open;
  auto next = finished.entries().begin();
  for (std::uint64_t i = 0; i < n_cases; ++i) {
    while (next != finished.entries().end() && next->number < i) ++next;
    if (next == finished.entries().end() || next->number != i) open.push_back(i);
  }
  return open;
}

/// The part that all ranks share: workers and a journal.
class Rank {
 public:
  Rank(const CaseFunction& function, const SweepOptions& options)
      : function_(function),
        options_(options),
        pool_(function, options.n_workers, options.time_limit),
        ranks_(connect_ranks()) {}

  Ranks& ranks() { return *ranks_; }
  void open_journal() {
    journal_ = std::make_unique<Journal>(journal_path(options_.output, ranks_->rank()),
                                         options_.fingerprint);
  }
  void close_journal() { journal_.reset(); }

  std::uint64_t n_wanted() const {
    if (options_.n_workers > 0) return pool_.n_wanted();
    return inline_.empty() ? 1 : 0;
  }
  bool idle() const { return pool_.n_outstanding() == 0 && inline_.empty(); }
  std::uint32_t n_workers() const { return std::max(1u, options_.n_workers); }

  void add(std::uint64_t number) {
    if (options_.n_workers > 0)
      pool_.add(number);
    else
      inline_.push_back(number);
  }

  /// Waits for results, which go to the journal.
  void wait(SweepProgress& progress) {
    std::vector<CaseResult> results;
    if (options_.n_workers > 0) {
      results = pool_.wait(ranks_->size() > 1 ? 1 : 50);
    } else if (!inline_.empty()) {
      results.push_back(run_case(function_, inline_.front()));
      inline_.pop_front();
    }
    for (const CaseResult& result : results) {
      journal_->add(result);
      ++progress.n_finished;
      progress.n_not_good += !result.good();
    }
    if (!results.empty() && seconds_since(last_sync_) > seconds_between_syncs) {
      journal_->sync();
      last_sync_ = Clock::now();
    }
  }

 private:
  const CaseFunction& function_;
  const SweepOptions& options_;
  WorkerPool pool_;  // forks before MPI starts
  std::unique_ptr<Ranks> ranks_;
  std::unique_ptr<Journal> journal_;
  std::deque<std::uint64_t> inline_;
  Clock::time_point last_sync_ = Clock::now();
};

/// Rank 0: owns the numbers of the cases that nobody has taken.
class Source {
 public:
  Source(Rank& rank, std::uint64_t n_cases, const SweepOptions& options)
      : rank_(rank), options_(options) {
    const auto journals = journals_of(options.output);
    const JournalReader finished(journals, options.fingerprint);
    if (options.fresh)
      for (const auto& path : journals) std::filesystem::remove(path);
    progress_.n_cases = n_cases;
    if (options.fresh) {
      for (std::uint64_t i = 0; i < n_cases; ++i) open_.push_back(i);
    } else {
      const auto open = open_cases(n_cases, finished);
      open_.assign(open.begin(), open.end());
    }
    progress_.n_resumed = progress_.n_finished = n_cases - open_.size();
    rank_.open_journal();
  }

  SweepProgress run() {
    const int n_others = rank_.ranks().size() - 1;
    report(true);
    while (!open_.empty() || !rank_.idle() || n_done_ < n_others) {
      while (auto message = rank_.ranks().receive()) answer(*message);
      for (std::uint64_t n = rank_.n_wanted(); n > 0 && !open_.empty(); --n) rank_.add(take());
      rank_.wait(progress_);
      report(false);
    }
    rank_.close_journal();
    report(true);
    return progress_;
  }

 private:
  std::uint64_t take() {
    const std::uint64_t number = open_.front();
    open_.pop_front();
    return number;
  }

  void answer(const Message& message) {
    progress_.n_finished += message.words[2];
    progress_.n_not_good += message.words[3];
    if (message.words[0] == all_done) {
      ++n_done_;
      return;
    }
    // Less and less as the end comes near, so that all come to it together.
    const auto n_ranks = static_cast<std::uint64_t>(rank_.ranks().size());
    const std::uint64_t share =
        std::max<std::uint64_t>(1, open_.size() / (2 * n_ranks * rank_.n_workers()));
    std::vector<std::uint64_t> words = {work};
    for (std::uint64_t n = std::min(message.words[1], share * rank_.n_workers());
         n > 0 && !open_.empty(); --n)
      words.push_back(take());
    rank_.ranks().send(message.from, words);
  }

  void report(bool now) {
    if (!now && seconds_since(last_report_) < seconds_between_reports) return;
    last_report_ = Clock::now();
    progress_.seconds = seconds_since(begin_);
    if (options_.progress) options_.progress(progress_);
  }

  Rank& rank_;
  const SweepOptions& options_;
  std::deque<std::uint64_t> open_;
  SweepProgress progress_;
  int n_done_ = 0;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_report_ = begin_;
};

/// The other ranks ask for work before they run out of it.
SweepProgress follow(Rank& rank) {
  rank.open_journal();
  SweepProgress progress, told;
  bool asked = false, more = true;
  while (more || !rank.idle()) {
    while (auto message = rank.ranks().receive()) {
      asked = false;
      more = message->words.size() > 1;
      for (std::size_t i = 1; i < message->words.size(); ++i) rank.add(message->words[i]);
    }
    if (more && !asked && rank.n_wanted() > 0) {
      rank.ranks().send(0, {request, rank.n_wanted(), progress.n_finished - told.n_finished,
                            progress.n_not_good - told.n_not_good});
      told = progress;
      asked = true;
    }
    rank.wait(progress);
  }
  rank.close_journal();
  rank.ranks().send(0, {all_done, 0, progress.n_finished - told.n_finished,
                        progress.n_not_good - told.n_not_good});
  return progress;
}

}  // namespace

double SweepProgress::seconds_left() const {
  const std::uint64_t n_run = n_finished - n_resumed;
  if (n_run == 0) return -1;
  return seconds / double(n_run) * double(n_cases - n_finished);
}

SweepOutcome run_sweep(std::uint64_t n_cases, const CaseFunction& function,
                       const SweepOptions& options) {
  Rank rank(function, options);
  SweepOutcome outcome;
  outcome.rank = rank.ranks().rank();
  outcome.n_ranks = rank.ranks().size();
  try {
    outcome.progress = outcome.rank == 0 ? Source(rank, n_cases, options).run() : follow(rank);
  } catch (const Error& error) {
    if (outcome.n_ranks == 1) throw;
    // The other ranks would wait for this one.
    std::fprintf(stderr, "rank %d: %s\n", outcome.rank, error.what());
    rank.ranks().abort(3);
  }
  return outcome;
}

}  // namespace alembert::ensemble
