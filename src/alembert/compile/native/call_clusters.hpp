// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. A call to an elementary function empties all registers, so calls whose
// arguments can be had at the same time are brought together, and other work is moved out from
// between them. In: a block with elementary functions. Out: an order of its nodes, changed only
// inside windows of bounded size.
#pragma once

#include <cstdint>
#include <vector>

#include "alembert/compile/native/block.hpp"

namespace alembert::compile::native {

std::vector<std::uint32_t> cluster_calls(const Block& block);

}  // namespace alembert::compile::native
