// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. Messages between the processes of one sweep. Alone, or the ranks that mpirun
// started. MPI is loaded when this process finds itself started by it, so that nobody else needs
// it, to build or to run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace alembert::ensemble {

struct Message {
  int from = 0;
  std::vector<std::uint64_t> words;
};

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(int to, const std::vector<std::uint64_t>& words) = 0;
  /// A message that is there, if one is.
  virtual std::optional<Message> receive() = 0;
  /// Ends all ranks at once.
  [[noreturn]] virtual void abort(int exit_code) = 0;
};

/// As mpirun says in the environment, before anything is loaded; 0 and 1 without it.
int announced_rank();
int announced_size();

/// The ranks of this run. Error U025 where mpirun started several and MPI cannot be loaded.
std::unique_ptr<Ranks> connect_ranks();

}  // namespace alembert::ensemble
