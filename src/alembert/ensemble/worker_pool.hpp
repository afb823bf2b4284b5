// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. Workers that run cases side by side. In: numbers of cases. Out: their results.
// Workers are processes, forked from this one once the model is compiled: they share its memory as
// it was then, and a case that never ends or breaks down takes nobody with it. It is ended by
// force, told as its own failure, and a new worker takes its place.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "alembert/ensemble/case_result.hpp"

namespace alembert::ensemble {

/// Runs one case. Must not depend on which cases were run before it. What it throws becomes the
/// message of a failed case.
using CaseFunction = std::function<CaseResult(std::uint64_t number)>;

/// The same, and never throws.
CaseResult run_case(const CaseFunction& function, std::uint64_t number);

class WorkerPool {
 public:
  /// time_limit: seconds a case may take; 0: as long as it wants.
  WorkerPool(CaseFunction function, std::uint32_t n_workers, double time_limit);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  std::uint32_t size() const { return static_cast<std::uint32_t>(workers_.size()); }
  /// Cases that are being run or wait at a worker.
  std::uint64_t n_outstanding() const;
  /// How many cases to add now so that no worker waits for the next.
  std::uint64_t n_wanted() const;
  void add(std::uint64_t number);
  /// Results that are there within `milliseconds`, perhaps none.
  std::vector<CaseResult> wait(int milliseconds);

 private:
  struct Worker {
    int process = -1;
    int socket = -1;
    std::deque<std::uint64_t> cases = {};  // the first is being run
    double begin = 0;                      // of the first
    std::string received = {};
  };

  void start(Worker& worker);
  void stop(Worker& worker);
  std::size_t depth() const;
  void receive(Worker& worker, std::vector<CaseResult>& results);
  void take_results(Worker& worker, std::vector<CaseResult>& results);
  void replace(Worker& worker, CaseStatus status, std::string message,
               std::vector<CaseResult>& results);
  void end_overdue(std::vector<CaseResult>& results);

  CaseFunction function_;
  double time_limit_;
  std::vector<Worker> workers_;
  double average_seconds_ = 1;  // of a case, the last ones counting most
};

}  // namespace alembert::ensemble
