// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. List scheduling by critical path with a limit on live values (after
// Goodman and Hsu 1988, "Code scheduling and register allocation in large basic blocks"). Only
// nodes close to the oldest one left are considered: the processor itself looks further ahead, and
// tapes are written with locality worth keeping. In: a block without calls. Out: an order of its
// nodes; the same for the same block.
#pragma once

#include <cstdint>
#include <vector>

#include "alembert/compile/native/block.hpp"

namespace alembert::compile::native {

struct ListScheduleOptions {
  std::uint32_t max_live = 14;   // beyond, nodes that free registers come first
  std::uint32_t lookahead = 32;  // nodes
};

struct ListSchedule {
  std::vector<std::uint32_t> order;  // nodes
  std::uint32_t peak_live = 0;       // the most values alive at once
};

ListSchedule list_schedule(const Block& block, const ListScheduleOptions& options);

}  // namespace alembert::compile::native
