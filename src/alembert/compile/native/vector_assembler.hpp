// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. One instruction a function, for scalars (VEX on xmm), 4 lanes (AVX2) and 8
// lanes (AVX-512). In: register numbers and operands. Out: bytes in a buffer of its own, position
// independent.
#pragma once

#include <asmjit/x86.h>

#include <cstdint>
#include <span>

#include "alembert/compile/native/addressing.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile::native {

/// Which operand of a fused multiply-add its result overwrites: d = d*y + x, x*d + y, x*y + d.
enum class FusedForm : std::uint8_t { f132, f213, f231 };

enum class Bitwise : std::uint8_t { and_, or_, xor_ };

/// Predicates of vcmp, quiet.
enum class Compare : std::uint8_t {
  equal = 0x00,
  not_equal = 0x04,          // true for NaN
  ordered_not_equal = 0x0c,  // false for NaN
  less = 0x11,
  less_equal = 0x12,
  greater_equal = 0x1d,
  greater = 0x1e,
};

class VectorAssembler {
 public:
  using Operand = asmjit::Operand_;

  VectorAssembler(std::uint32_t lanes, const Addressing& addressing, std::size_t expected_bytes);
  VectorAssembler(const VectorAssembler&) = delete;
  VectorAssembler& operator=(const VectorAssembler&) = delete;

  std::uint32_t lanes() const { return lanes_; }
  int n_registers() const { return addressing_.n_registers(); }
  asmjit::x86::Vec reg(int r) const { return asmjit::x86::Vec(signature_, r); }
  asmjit::x86::Mem memory(Home home) const { return addressing_.address(home); }
  const Addressing& addressing() const { return addressing_; }

  void load(int d, Home from) { emit(load_, reg(d), memory(from)); }
  void store(Home to, int s) { emit(load_, memory(to), reg(s)); }
  void move(int d, int s) { emit(asmjit::x86::Inst::kIdVmovapd, reg(d), reg(s)); }
  void broadcast(int d, const asmjit::x86::Mem& from);

  /// add, sub, mul, div, min, max.
  void arithmetic(TapeOp op, int d, int a, const Operand& b);
  /// fma, fms, fnma, fnms.
  void fused(TapeOp op, FusedForm form, int d, int x, const Operand& y);
  void sqrt(int d, const Operand& a);
  /// floor, ceil, trunc.
  void round(TapeOp op, int d, const Operand& a);
  void bitwise(Bitwise op, int d, int a, const Operand& b);
  /// All ones or all zeros in each lane.
  void compare(Compare predicate, int d, int a, const Operand& b);
  /// Lane by lane: mask ? b : c.
  void select(int d, int mask, const Operand& b, int c);

  void zero_upper() { emit(asmjit::x86::Inst::kIdVzeroupper); }
  void address_of(const asmjit::x86::Gp& d, const asmjit::x86::Mem& memory);
  void copy(const asmjit::x86::Gp& d, std::uint64_t value);
  void call(const void* function);

  /// For what surrounds blocks: loops, entry and exit.
  asmjit::x86::Assembler& raw() { return assembler_; }
  std::span<const std::uint8_t> bytes() const;

 private:
  template <typename... Operands>
  void emit(asmjit::InstId id, const Operands&... operands) {
    if (assembler_.emit(id, operands...) != asmjit::kErrorOk) [[unlikely]]
      fail();
  }
  [[noreturn]] static void fail();

  std::uint32_t lanes_;
  asmjit::OperandSignature signature_;
  asmjit::InstId load_;
  const Addressing& addressing_;
  asmjit::CodeHolder code_;
  asmjit::x86::Assembler assembler_;
};

}  // namespace alembert::compile::native
