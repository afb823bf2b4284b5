// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. How long operations take, in cycles, rounded from the tables for current
// processors; only proportions matter. In: an operation. Out: latency, and for how long it keeps
// its unit.
#pragma once

#include <cstdint>

#include "alembert/compile/native/block.hpp"

namespace alembert::compile::native {

/// From operands to result.
inline std::uint32_t latency(TapeOp op) {
  switch (op) {
    case TapeOp::add:
    case TapeOp::sub:
    case TapeOp::mul: return 3;
    case TapeOp::fma:
    case TapeOp::fms:
    case TapeOp::fnma:
    case TapeOp::fnms: return 4;
    case TapeOp::div: return 13;
    case TapeOp::sqrt: return 20;
    case TapeOp::floor:
    case TapeOp::ceil:
    case TapeOp::trunc: return 6;
    case TapeOp::sign: return 4;
    default: return 1;
  }
}

/// For so long the divider accepts nothing else.
inline std::uint32_t occupancy(TapeOp op) {
  if (op == TapeOp::div) return 7;
  if (op == TapeOp::sqrt) return 9;
  return 0;
}

}  // namespace alembert::compile::native
