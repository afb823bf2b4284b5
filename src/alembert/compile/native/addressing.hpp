// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. From homes to memory operands. Large tapes are bound by instruction fetch,
// so base registers point into the middle of the range that a one-byte displacement reaches, and
// spill slots have several bases ("windows") of adjoining ranges. In: layout. Out: base registers
// and addresses.
#pragma once

#include <asmjit/x86.h>

#include <array>
#include <cstdint>

#include "alembert/compile/native/home.hpp"
#include "alembert/compile/native/layout.hpp"

namespace alembert::compile::native {

class Addressing {
 public:
  static constexpr int max_windows = 10;

  Addressing(const Layout& layout, std::size_t scratch_doubles);

  asmjit::x86::Mem address(Home home) const {
    switch (home.area) {
      case Area::input: return at(input_, home.slot);
      case Area::output: return at(output_, home.slot);
      case Area::parameter: return at(parameter_, home.slot);
      case Area::constant: return at(constant_, home.slot);
      default: return frame(home.slot);
    }
  }

  asmjit::x86::Gp input() const { return asmjit::x86::gpq(input_); }
  asmjit::x86::Gp output() const { return asmjit::x86::gpq(output_); }
  asmjit::x86::Gp parameter() const { return asmjit::x86::gpq(parameter_); }
  asmjit::x86::Gp constant() const { return asmjit::x86::gpq(constant_); }
  asmjit::x86::Gp counter() const { return asmjit::x86::gpq(counter_); }
  asmjit::x86::Gp window(int i) const { return asmjit::x86::gpq(windows_[i]); }

  /// Vector registers of the host at this width.
  int n_registers() const { return reach_ > 256 ? 32 : 16; }
  /// Bytes of a slot.
  std::int64_t stride() const { return stride_; }
  /// Base registers point this many bytes beyond the start of their area.
  std::int64_t bias() const { return reach_ / 2; }
  /// Where window `i` points, in bytes from the start of the workspace.
  std::int64_t window_offset(int i) const {
    return frame_begin_ + window_begin_ + i * reach_ + bias();
  }
  /// Windows needed to reach the first n slots of the frame, at least one.
  int windows_for(std::uint32_t n_slots) const;
  /// Doubles of workspace when the frame has n slots.
  std::size_t workspace_size(std::uint32_t n_slots) const;

 private:
  asmjit::x86::Mem at(std::uint8_t base, std::uint32_t slot) const {
    return asmjit::x86::Mem(asmjit::x86::gpq(base), displacement(slot * stride_ - bias()));
  }
  asmjit::x86::Mem frame(std::uint32_t slot) const {
    const std::int64_t offset = slot * stride_ - window_begin_;
    const std::int64_t window = offset >> reach_shift_;
    if (window < 0 || window >= n_windows_)
      return asmjit::x86::Mem(asmjit::x86::gpq(windows_[0]), displacement(offset - bias()));
    return asmjit::x86::Mem(asmjit::x86::gpq(windows_[window]),
                            displacement(offset - window * reach_ - bias()));
  }
  static std::int32_t displacement(std::int64_t offset) {
    if (offset != static_cast<std::int32_t>(offset)) [[unlikely]]
      out_of_reach();
    return static_cast<std::int32_t>(offset);
  }
  [[noreturn]] static void out_of_reach();

  std::int64_t stride_;
  std::int64_t reach_;  // bytes reached with a one-byte displacement
  int reach_shift_;
  std::int64_t frame_begin_;   // bytes of workspace before the frame (scratch of the trampolines)
  std::int64_t window_begin_;  // bytes of frame before window 0
  std::uint8_t input_, output_, parameter_, constant_, counter_;
  std::array<std::uint8_t, max_windows> windows_{};
  int n_windows_ = 0;
};

}  // namespace alembert::compile::native
