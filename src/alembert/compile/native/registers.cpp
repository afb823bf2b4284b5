// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Register assignment by furthest next use; see registers.hpp.
#include "alembert/compile/native/registers.hpp"

#include <algorithm>
#include <bit>

#include "alembert/base/error.hpp"

namespace alembert::compile::native {

Registers::Registers(const Block& block, const Liveness& liveness, SlotAllocator& slots,
                     VectorAssembler& assembler)
    : block_(block),
      liveness_(liveness),
      slots_(slots),
      assembler_(assembler),
      register_(block.n_values(), -1),
      home_(block.n_values()),
      free_(assembler.n_registers() == 32 ? 0xffffffffu : 0xffffu) {
  owner_.fill(nobody);
  next_.fill(never);
  for (std::size_t k = 0; k < block.imports.size(); ++k)
    home_[block.nodes.size() + k] = block.imports[k];
}

void Registers::assign(std::uint32_t value, int r) {
  const std::uint32_t bit = 1u << r;
  free_ &= ~bit;
  pinned_ |= bit;
  clean_ = home_[value] ? clean_ | bit : clean_ & ~bit;
  owner_[r] = value;
  register_[value] = static_cast<std::int8_t>(r);
}

void Registers::give_home(std::uint32_t value, int r) {
  home_[value] = {Area::frame, slots_.take()};
  assembler_.store(home_[value], r);
}

void Registers::start_node(std::uint32_t position) {
  position_ = position;
  pinned_ = 0;
  while (n_expiring_slots_ > 0) slots_.release(expiring_slots_[--n_expiring_slots_]);
}

int Registers::victim() const {
  const std::uint32_t candidates = ~(pinned_ | free_);
  // Distance above, register below: one maximum finds both, without a branch that cannot be
  // predicted.
  std::uint64_t furthest = 0, furthest_clean = 0;
  const int n = assembler_.n_registers();
  for (int r = 0; r < n; ++r) {
    const std::uint64_t key =
        std::uint64_t{next_[r] - position_} << 8 | 0x80u | static_cast<unsigned>(r);
    const std::uint64_t candidate = (candidates >> r & 1u) != 0 ? key : 0;
    const std::uint64_t clean = (clean_ >> r & 1u) != 0 ? candidate : 0;
    furthest = std::max(furthest, candidate);
    furthest_clean = std::max(furthest_clean, clean);
  }
  ensure(furthest != 0, "an operation pins fewer registers than there are");
  // To drop a clean value costs one load at most, to spill another a store as well.
  const bool prefer_clean = furthest_clean != 0 && (furthest_clean >> 8) >= (furthest >> 9);
  return static_cast<int>((prefer_clean ? furthest_clean : furthest) & 0x1fu);
}

void Registers::evict(int r) {
  const std::uint32_t value = owner_[r];
  if (!home_[value]) give_home(value, r);
  register_[value] = -1;
  owner_[r] = nobody;
  free_ |= 1u << r;
}

int Registers::take() {
  if (free_ == 0) evict(victim());
  return std::countr_zero(free_);
}

int Registers::read(std::uint32_t value) {
  if (register_[value] >= 0) {
    pinned_ |= 1u << register_[value];
    return register_[value];
  }
  const int r = take();
  assembler_.load(r, home_[value]);
  assign(value, r);
  next_[r] = position_;
  return r;
}

bool Registers::used_again_after(std::uint32_t value, std::uint32_t position) const {
  const Node& node = block_.nodes[position];
  const std::uint32_t operands[3] = {node.a, node.b, node.c};
  const int n = operand_count(node);
  for (int k = 0; k < n; ++k)
    if (operands[k] == value) return liveness_.next_use[position][k] != never;
  return false;
}

asmjit::Operand Registers::read_any(std::uint32_t value, std::uint32_t after) {
  if (register_[value] >= 0) return assembler_.reg(read(value));
  // A memory operand costs next to nothing; a register pays from the third use on, and only a free
  // one.
  if (after != never && free_ != 0 && used_again_after(value, after))
    return assembler_.reg(read(value));
  return assembler_.memory(home_[value]);
}

void Registers::retire(std::uint32_t value, std::uint32_t after) {
  const int r = register_[value];
  if (after != never) {
    if (r >= 0) next_[r] = after;
    return;
  }
  if (r >= 0) {
    register_[value] = -1;
    release(r);
  }
  if (home_[value].area == Area::frame && slots_.owns(home_[value].slot)) {
    expiring_slots_[n_expiring_slots_++] = home_[value].slot;
    home_[value] = {};
  }
}

int Registers::define(std::uint32_t value) {
  const int r = take();
  define_in(value, r);
  return r;
}

void Registers::define_in(std::uint32_t value, int r) {
  assign(value, r);
  next_[r] = liveness_.first_use[value];
}

void Registers::keep_at(std::uint32_t value, Home home) {
  if (home_[value]) return;
  home_[value] = home;
  if (register_[value] >= 0) clean_ |= 1u << register_[value];
}

int Registers::temporary() {
  const int r = take();
  free_ &= ~(1u << r);
  pinned_ |= 1u << r;
  return r;
}

void Registers::release(int r) {
  owner_[r] = nobody;
  free_ |= 1u << r;
  pinned_ &= ~(1u << r);
}

void Registers::save_for_call() {
  for (int r = 0; r < assembler_.n_registers(); ++r) {
    const std::uint32_t value = owner_[r];
    if (value != nobody && !home_[value] && next_[r] != never) give_home(value, r);
  }
}

void Registers::forget_registers() {
  for (int r = 0; r < assembler_.n_registers(); ++r) {
    if (owner_[r] != nobody) register_[owner_[r]] = -1;
    owner_[r] = nobody;
  }
  free_ = assembler_.n_registers() == 32 ? 0xffffffffu : 0xffffu;
  pinned_ = 0;
}

}  // namespace alembert::compile::native
