// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. When each value of a block is used next: what register assignment by
// furthest next use (Belady 1966) reads. In: a block in its final order. Out: positions, found in
// one pass from the end.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "alembert/compile/native/block.hpp"

namespace alembert::compile::native {

inline constexpr std::uint32_t never = 0xffffffffu;

struct Liveness {
  std::vector<std::uint32_t> first_use;                // [values] position of the first use
  std::vector<std::array<std::uint32_t, 3>> next_use;  // [nodes] of each operand, after this node
};

Liveness find_liveness(const Block& block);

}  // namespace alembert::compile::native
