// SPDX-License-Identifier: Apache-2.0
// Stage: compile/interpret, internal. Gives the values of a tape slots, reused after the last use,
// so that the working set is that of the values alive and not of the whole tape. In: a tape. Out: a
// slot for every instruction that computes; the slot of a dead operand is the first reused.
#pragma once

#include <cstdint>
#include <vector>

#include "alembert/compile/tape.hpp"

namespace alembert::compile::interpret {

struct SlotPlan {
  std::vector<std::uint32_t> value_to_slot;  // no_value for leaves and `solve`
  std::uint32_t n_slots = 0;
};

/// Slots below `first_free` are left to the caller. Values that nothing uses get a slot all the
/// same.
SlotPlan plan_slots(const Tape& tape, std::uint32_t first_free);

}  // namespace alembert::compile::interpret
