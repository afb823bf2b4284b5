// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Where a value lives in memory while a kernel runs: one of five areas, and
// a slot in it. A slot is one vector (`lanes` doubles), so that a Home means the same for every
// vector width.
#pragma once

#include <cstdint>

namespace alembert::compile::native {

enum class Area : std::uint32_t {
  none,
  input,      // the caller's inputs, copy after copy
  parameter,  // the caller's parameters (frame slots instead where they must be broadcast first)
  constant,   // the kernel's constant pool
  frame,      // the caller's workspace: spills, arguments, results of calls
  output,     // the caller's outputs, copy after copy
};

struct Home {
  Area area : 3 = Area::none;
  std::uint32_t slot : 29 = 0;

  constexpr Home() = default;
  constexpr Home(Area in, std::uint32_t at) : area(in), slot(at) {}
  explicit operator bool() const { return area != Area::none; }
};

inline constexpr std::uint32_t max_slot = (1u << 29) - 1;

}  // namespace alembert::compile::native
