// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. The order of a block's nodes. In: a block in tape order. Out: the same
// block in an order that hides latency without more spills, and brings calls together.
#pragma once

#include "alembert/compile/native/block.hpp"

namespace alembert::compile::native {

/// `copies`: how many groups the block computes side by side.
void schedule(Block& block, int n_registers, std::uint32_t copies);

/// How many groups should be computed side by side, judging by the block of one: more where a chain
/// of dependent operations leaves the units idle.
std::uint32_t choose_copies(const Block& block);

}  // namespace alembert::compile::native
