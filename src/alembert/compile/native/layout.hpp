// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. What must be settled before any block is emitted, so that blocks are
// independent of each other: how the tape is cut, which constants and parameters get which slot,
// where values that cross a cut and results of calls are kept. In: a tape. Out: tables. Depends on
// the tape and the options alone, never on threads.
#pragma once

#include <cstdint>
#include <vector>

#include "alembert/compile/native/home.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile::native {

/// Bit patterns that operations need beside the tape's constants.
enum class Mask : std::uint8_t { sign_bit, all_but_sign, ones, one, zero };
inline constexpr int n_masks = 5;

struct Layout {
  struct Chunk {
    ValueId begin = 0;
    ValueId end = 0;
  };
  /// A call or solve: its results are kept in frame slots of their own, [copy][n_results].
  struct Site {
    ValueId instruction = 0;
    std::uint32_t first_slot = 0;
    std::uint32_t n_results = 0;
  };
  struct Output {
    ValueId value = 0;
    std::uint32_t index = 0;
  };

  std::uint32_t lanes = 1;
  std::uint32_t copies = 1;  // the most groups that a block computes side by side
  bool parameters_per_lane = false;
  std::uint32_t n_parameters = 0;
  bool has_calls = false;  // anything that leaves the kernel's code

  std::vector<Chunk> chunks;
  std::vector<Output> outputs;  // by value, then index
  std::vector<Site> sites;      // by instruction
  std::vector<std::uint32_t>
      crossing_slot;  // [code] frame slot or no_value; empty if there is one chunk

  std::vector<std::uint32_t> constant_slot;         // [constants] pool slot
  std::uint32_t mask_slot[n_masks] = {};            // pool slot, where the tape needs the mask
  std::vector<std::uint64_t> pool;                  // [slots * lanes] bits
  std::vector<std::uint32_t> broadcast_parameters;  // parameters copied to frame slots 0, 1, ...
  std::vector<std::uint32_t> parameter_slot;        // [n_parameters] frame slot, if broadcast

  std::uint32_t argument_slot = 0;        // first frame slot for arguments of calls and solves
  std::uint32_t first_crossing_slot = 0;  // values that cross a cut keep their slots, from here on
  std::uint32_t n_fixed_slots = 0;        // frame slots before the spills

  const Site& site_of(ValueId instruction) const;
  bool broadcasts_parameters() const { return lanes > 1 && !parameters_per_lane; }
};

/// When and how a tape is cut into chunks. Tests use small ones.
struct CutOptions {
  std::uint32_t chunk_size = 1u << 14;  // instructions
  std::uint32_t threshold = 48u << 10;  // tapes up to this size stay whole
};

struct LayoutOptions {
  std::uint32_t lanes = 1;
  std::uint32_t copies = 1;
  bool parameters_per_lane = false;
  CutOptions cuts = {};
};

Layout make_layout(const Tape& tape, const LayoutOptions& options);

}  // namespace alembert::compile::native
