// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Operand counts as a table, because every pass asks for every operation,
// and the one operation that blocks have beside those of the tape.
#pragma once

#include <array>
#include <cstdint>

#include "alembert/compile/tape.hpp"

namespace alembert::compile::native {

/// An operation of blocks only: writes value `a` to Block::targets[b].
inline constexpr TapeOp store_op = static_cast<TapeOp>(n_tape_ops);

/// How many of a, b, c are values to be read from registers or memory; by operation.
inline constexpr std::array<std::uint8_t, n_tape_ops + 1> n_operands = [] {
  std::array<std::uint8_t, n_tape_ops + 1> table{};
  const auto fill = [&](TapeOp first, TapeOp last, std::uint8_t n) {
    for (int op = static_cast<int>(first); op <= static_cast<int>(last); ++op) table[op] = n;
  };
  fill(TapeOp::add, TapeOp::div, 2);
  fill(TapeOp::fma, TapeOp::fnms, 3);
  fill(TapeOp::neg, TapeOp::sqrt, 1);
  fill(TapeOp::min, TapeOp::max, 2);
  fill(TapeOp::floor, TapeOp::log10, 1);
  fill(TapeOp::atan2, TapeOp::logical_or, 2);
  fill(TapeOp::logical_not, TapeOp::number, 1);
  fill(TapeOp::select, TapeOp::select, 3);
  fill(store_op, store_op, 1);
  return table;
}();

inline constexpr bool calls_elementary(TapeOp op) { return op >= TapeOp::sin && op <= TapeOp::pow; }

}  // namespace alembert::compile::native
