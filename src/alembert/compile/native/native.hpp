// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Machine code from a tape by direct emission; the only folder that includes
// AsmJit. In: a tape. Out: a Kernel of 1 lane or of the host's vector width; an empty Kernel where
// machine code cannot be made (other processors, no executable memory), and the interpreter takes
// over. The environment variable ALEMBERT_NATIVE=off makes every kernel empty.
#pragma once

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile::native {

struct NativeOptions {
  std::uint32_t lanes = 1;  ///< 1, 4, or 8 where widest_lanes() allows
  bool parameters_per_lane = false;
  std::uint32_t interleaved_groups =
      0;                      ///< groups computed side by side to hide latency; 0: chosen by size
  std::uint32_t threads = 0;  ///< emit large tapes in parts on several threads; 0: chosen by size
};

/// True if this host runs our machine code (x86-64 with AVX2 and FMA, executable memory allowed).
bool available();

/// The widest `lanes` that make_kernel accepts: 8 (AVX-512), 4 (AVX2), or 0 if not available().
/// The first call on a host with AVX-512 compares 8 lanes with scalar code, and settles for 4 if
/// bits differ.
std::uint32_t widest_lanes();

/// The kernel writes outputs as it goes, so they may not overlap inputs or parameters; user
/// functions must not throw. Empty if not available() or the host lacks the width.
Kernel make_kernel(const Tape& tape, const NativeOptions& options = {});

}  // namespace alembert::compile::native
