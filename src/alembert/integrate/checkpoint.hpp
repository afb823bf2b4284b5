// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. A running simulation, put aside. In: what `simulate` hands out between two
// steps. Out: a file that appears whole or not at all, and the same simulation again, which goes on
// with the same bits as if nothing had been. Numbers are as the machine has them, so a checkpoint
// belongs to the program and the kind of machine that made it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace alembert::integrate {

struct Checkpoint {
  double time = 0;           ///< reached so far
  std::uint64_t n_rows = 0;  ///< of the result so far
  std::string bytes = {};    ///< everything else
  /// Of those rows, where they are kept beside the checkpoint (result/row_journal.hpp).
  std::uint64_t rows_checksum = 0;
};

/// Error R015 where no checkpoint can be written there, or something else would be overwritten.
void require_place_for_checkpoint(const std::filesystem::path& path);

/// Error R015 or R001 where the path cannot be written.
void write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& path);

/// Error R002 where the file cannot be read, I012 where it is no checkpoint or is damaged.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace alembert::integrate
