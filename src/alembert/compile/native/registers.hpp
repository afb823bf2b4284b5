// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Where every value of a block is at this moment: register, memory, both. A
// register is taken from the value whose next use is furthest (Belady 1966), with a preference for
// one that needs no store. Values never change, so each is stored at most once, and those that came
// from memory never. In: reads and definitions, in order. Out: registers; loads and stores are
// emitted on the way.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "alembert/compile/native/block.hpp"
#include "alembert/compile/native/liveness.hpp"
#include "alembert/compile/native/slots.hpp"
#include "alembert/compile/native/vector_assembler.hpp"

namespace alembert::compile::native {

class Registers {
 public:
  Registers(const Block& block, const Liveness& liveness, SlotAllocator& slots,
            VectorAssembler& assembler);

  bool in_register(std::uint32_t value) const { return register_[value] >= 0; }
  int register_of(std::uint32_t value) const { return register_[value]; }
  Home home_of(std::uint32_t value) const { return home_[value]; }

  /// Before the first read of the node at `position`.
  void start_node(std::uint32_t position);
  /// The value's register, loaded if need be; not taken from it during this node.
  int read(std::uint32_t value);
  /// Register or memory, whichever costs less; `after` is the value's next use after this one.
  asmjit::Operand read_any(std::uint32_t value, std::uint32_t after);
  /// The reading of an operand is over; its next use is at `after`, or `never`.
  void retire(std::uint32_t value, std::uint32_t after);
  /// A register for a new value; operands that were retired for good may have it.
  int define(std::uint32_t value);
  void define_in(std::uint32_t value, int r);
  /// A new value that is in memory only.
  void define_at(std::uint32_t value, Home home) { home_[value] = home; }
  /// From now on the value is also at `home`, which outlives it.
  void keep_at(std::uint32_t value, Home home);
  /// A register for the length of one operation.
  int temporary();
  void release(int r);

  /// Before a call, which changes all registers: whatever is needed later gets a home.
  void save_for_call();
  void forget_registers();

 private:
  static constexpr std::uint32_t nobody = 0xffffffffu;

  int take();
  int victim() const;
  void evict(int r);
  void assign(std::uint32_t value, int r);
  void give_home(std::uint32_t value, int r);
  bool used_again_after(std::uint32_t value, std::uint32_t position) const;

  const Block& block_;
  const Liveness& liveness_;
  SlotAllocator& slots_;
  VectorAssembler& assembler_;
  std::vector<std::int8_t> register_;    // [values] or -1
  std::vector<Home> home_;               // [values]
  std::array<std::uint32_t, 32> owner_;  // [registers] value, or nobody
  std::array<std::uint32_t, 32> next_;   // [registers] next use of the owner
  std::uint32_t free_;                   // bit sets of registers
  std::uint32_t pinned_ = 0;
  std::uint32_t clean_ = 0;     // owner is also in memory
  std::uint32_t position_ = 0;  // of the node in hand
  // Slots that the node in hand may still read, though it is their last reader.
  std::array<std::uint32_t, 3> expiring_slots_;
  int n_expiring_slots_ = 0;
};

}  // namespace alembert::compile::native
