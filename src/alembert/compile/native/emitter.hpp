// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Machine code of one block: node by node, choosing the form of each
// instruction that saves moves and bytes, with registers given on the way. One pass, linear in the
// block. In: a block in its final order. Out: bytes in the assembler, and the frame slots they use.
#pragma once

#include "alembert/compile/native/block.hpp"
#include "alembert/compile/native/liveness.hpp"
#include "alembert/compile/native/registers.hpp"
#include "alembert/compile/native/slots.hpp"
#include "alembert/compile/native/trampolines.hpp"
#include "alembert/compile/native/vector_assembler.hpp"

namespace alembert::compile::native {

class Emitter {
 public:
  Emitter(const Block& block, const Layout& layout, const Sites& sites, VectorAssembler& assembler);

  void run();
  /// Frame slots that the block needs, fixed ones included.
  std::uint32_t n_frame_slots() const { return slots_.end(); }

 private:
  using Operand = asmjit::Operand;

  void emit(std::uint32_t i);
  void arithmetic(std::uint32_t i, const Node& node);
  void fused(std::uint32_t i, const Node& node);
  void fused_over(std::uint32_t i, const Node& node, int overwritten, int destination);
  void unary(std::uint32_t i, const Node& node);
  void sign(std::uint32_t i, const Node& node);
  void compare(std::uint32_t i, const Node& node);
  void logical(std::uint32_t i, const Node& node);
  void select(std::uint32_t i, const Node& node);
  void store(std::uint32_t i, const Node& node);
  void elementary(std::uint32_t i, const Node& node);
  void place_arguments(int a, int b, const Node& node, const Home homes[2]);
  void call(std::uint32_t i, const Node& node);
  void solve(const Node& node);
  asmjit::x86::Mem at_frame(std::uint32_t slot) const;
  void scratch_address(const asmjit::x86::Gp& d);

  /// Like Registers::read_any, for instructions that read a whole register from memory.
  Operand read_whole(std::uint32_t value, std::uint32_t after);
  void retire(std::uint32_t i, const Node& node);
  Operand mask(Mask mask) const;

  const Block& block_;
  const Layout& layout_;
  const Sites& sites_;
  VectorAssembler& assembler_;
  Liveness liveness_;
  SlotAllocator slots_;
  Registers registers_;
};

}  // namespace alembert::compile::native
