// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. The order of a block's nodes. In: a block in tape order. Out: the same
// block in an order that hides latency without more spills, and brings calls together.
#pragma once

#include "alembert/compile/native/block.hpp"

namespace alembert::compile::native {

void schedule(Block& block, int n_registers);

}  // namespace alembert::compile::native
