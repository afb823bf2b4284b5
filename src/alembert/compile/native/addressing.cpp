// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Choice of base registers; see addressing.hpp.
#include "alembert/compile/native/addressing.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"

namespace alembert::compile::native {
namespace {

enum Gp : std::uint8_t { ax, cx, dx, bx, sp, bp, si, di, r8, r9, r10, r11, r12, r13, r14, r15 };

/// Up to this many fixed slots share the windows with the spills; more would push the spills out.
constexpr std::uint32_t fixed_slots_in_windows = 16;

}  // namespace

Addressing::Addressing(const Layout& layout, std::size_t scratch_doubles)
    : stride_(8 * layout.lanes),
      // EVEX scales one-byte displacements by the size of the operand.
      reach_(layout.lanes == 8 ? 256 * 64 : 256),
      reach_shift_(layout.lanes == 8 ? 14 : 8),
      frame_begin_(static_cast<std::int64_t>(scratch_doubles) * 8),
      window_begin_(
          layout.n_fixed_slots <= fixed_slots_in_windows ? 0 : layout.n_fixed_slots * stride_) {
  if (layout.has_calls) {
    // Registers that survive a call.
    input_ = bx, output_ = r12, parameter_ = r14, constant_ = r13, counter_ = r15;
    windows_[0] = bp;
    n_windows_ = 1;
    return;
  }
  // The first eight registers allow the two-byte VEX prefix.
  input_ = si, output_ = cx, parameter_ = dx, constant_ = ax, counter_ = r9;
  windows_ = {di, bx, bp, r8, r10, r11, r12, r13, r14, r15};
  n_windows_ = max_windows;
}

void Addressing::out_of_reach() {
  ensure(false, "memory of a kernel is within 2 GB of its base");
  __builtin_unreachable();
}

int Addressing::windows_for(std::uint32_t n_slots) const {
  const std::int64_t bytes = n_slots * stride_ - window_begin_;
  return static_cast<int>(std::clamp<std::int64_t>((bytes + reach_ - 1) / reach_, 1, n_windows_));
}

std::size_t Addressing::workspace_size(std::uint32_t n_slots) const {
  return static_cast<std::size_t>(frame_begin_ + n_slots * stride_) / 8;
}

}  // namespace alembert::compile::native
