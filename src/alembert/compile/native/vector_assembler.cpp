// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Instruction selection by vector width; see vector_assembler.hpp.
#include "alembert/compile/native/vector_assembler.hpp"

#include "alembert/base/error.hpp"

namespace alembert::compile::native {
namespace {

namespace x86 = asmjit::x86;
namespace Inst = x86::Inst;

struct Pair {
  asmjit::InstId scalar;
  asmjit::InstId packed;
};

constexpr Pair arithmetic_table[] = {
    {Inst::kIdVaddsd, Inst::kIdVaddpd}, {Inst::kIdVsubsd, Inst::kIdVsubpd},
    {Inst::kIdVmulsd, Inst::kIdVmulpd}, {Inst::kIdVdivsd, Inst::kIdVdivpd},
    {Inst::kIdVminsd, Inst::kIdVminpd}, {Inst::kIdVmaxsd, Inst::kIdVmaxpd}};

constexpr Pair fused_table[4][3] = {{{Inst::kIdVfmadd132sd, Inst::kIdVfmadd132pd},
                                     {Inst::kIdVfmadd213sd, Inst::kIdVfmadd213pd},
                                     {Inst::kIdVfmadd231sd, Inst::kIdVfmadd231pd}},
                                    {{Inst::kIdVfmsub132sd, Inst::kIdVfmsub132pd},
                                     {Inst::kIdVfmsub213sd, Inst::kIdVfmsub213pd},
                                     {Inst::kIdVfmsub231sd, Inst::kIdVfmsub231pd}},
                                    {{Inst::kIdVfnmadd132sd, Inst::kIdVfnmadd132pd},
                                     {Inst::kIdVfnmadd213sd, Inst::kIdVfnmadd213pd},
                                     {Inst::kIdVfnmadd231sd, Inst::kIdVfnmadd231pd}},
                                    {{Inst::kIdVfnmsub132sd, Inst::kIdVfnmsub132pd},
                                     {Inst::kIdVfnmsub213sd, Inst::kIdVfnmsub213pd},
                                     {Inst::kIdVfnmsub231sd, Inst::kIdVfnmsub231pd}}};

constexpr asmjit::InstId bitwise_table[] = {Inst::kIdVandpd, Inst::kIdVorpd, Inst::kIdVxorpd};

int arithmetic_row(TapeOp op) {
  if (op == TapeOp::min) return 4;
  if (op == TapeOp::max) return 5;
  return static_cast<int>(op) - static_cast<int>(TapeOp::add);
}

asmjit::OperandSignature signature_for(std::uint32_t lanes) {
  if (lanes == 8) return asmjit::OperandSignature{x86::Zmm::kSignature};
  if (lanes == 4) return asmjit::OperandSignature{x86::Ymm::kSignature};
  return asmjit::OperandSignature{x86::Xmm::kSignature};
}

}  // namespace

VectorAssembler::VectorAssembler(std::uint32_t lanes, const Addressing& addressing,
                                 std::size_t expected_bytes)
    : lanes_(lanes),
      signature_(signature_for(lanes)),
      load_(lanes == 1 ? Inst::kIdVmovsd : Inst::kIdVmovupd),
      addressing_(addressing) {
  if (code_.init(asmjit::Environment::host()) != asmjit::kErrorOk) fail();
  if (code_.attach(&assembler_) != asmjit::kErrorOk) fail();
  if (code_.reserveBuffer(&code_.textSection()->buffer(), expected_bytes) != asmjit::kErrorOk)
    fail();
}

void VectorAssembler::fail() {
  ensure(false, "every instruction that a kernel needs can be encoded");
  __builtin_unreachable();
}

std::span<const std::uint8_t> VectorAssembler::bytes() const {
  const asmjit::CodeBuffer& buffer = code_.textSection()->buffer();
  return {buffer.data(), buffer.size()};
}

void VectorAssembler::broadcast(int d, const x86::Mem& from) {
  emit(Inst::kIdVbroadcastsd, reg(d), from);
}

void VectorAssembler::arithmetic(TapeOp op, int d, int a, const Operand& b) {
  const Pair& pair = arithmetic_table[arithmetic_row(op)];
  emit(lanes_ == 1 ? pair.scalar : pair.packed, reg(d), reg(a), b);
}

void VectorAssembler::fused(TapeOp op, FusedForm form, int d, int x, const Operand& y) {
  const Pair& pair =
      fused_table[static_cast<int>(op) - static_cast<int>(TapeOp::fma)][static_cast<int>(form)];
  emit(lanes_ == 1 ? pair.scalar : pair.packed, reg(d), reg(x), y);
}

void VectorAssembler::sqrt(int d, const Operand& a) {
  if (lanes_ == 1) {
    // The upper half comes from the middle operand: the same register, lest another be waited for.
    emit(Inst::kIdVsqrtsd, reg(d), a, a);
  } else {
    emit(Inst::kIdVsqrtpd, reg(d), a);
  }
}

void VectorAssembler::round(TapeOp op, int d, const Operand& a) {
  // Direction, and bit 3: no inexact exception.
  const asmjit::Imm mode(op == TapeOp::floor ? 9 : op == TapeOp::ceil ? 10 : 11);
  if (lanes_ == 1) {
    emit(Inst::kIdVroundsd, reg(d), a, a, mode);
  } else {
    emit(lanes_ == 8 ? Inst::kIdVrndscalepd : Inst::kIdVroundpd, reg(d), a, mode);
  }
}

void VectorAssembler::bitwise(Bitwise op, int d, int a, const Operand& b) {
  emit(bitwise_table[static_cast<int>(op)], reg(d), reg(a), b);
}

void VectorAssembler::compare(Compare predicate, int d, int a, const Operand& b) {
  const asmjit::Imm code(static_cast<int>(predicate));
  if (lanes_ == 8) {
    // Conditions are kept as vectors, so that they spill like any value; k registers serve in
    // passing.
    emit(Inst::kIdVcmppd, x86::k1, reg(a), b, code);
    emit(Inst::kIdVpmovm2q, reg(d), x86::k1);
  } else {
    emit(lanes_ == 1 ? Inst::kIdVcmpsd : Inst::kIdVcmppd, reg(d), reg(a), b, code);
  }
}

void VectorAssembler::select(int d, int mask, const Operand& b, int c) {
  if (lanes_ == 8) {
    emit(Inst::kIdVpmovq2m, x86::k1, reg(mask));
    assembler_.k(x86::k1);
    emit(Inst::kIdVblendmpd, reg(d), reg(c), b);
  } else {
    emit(Inst::kIdVblendvpd, reg(d), reg(c), b, reg(mask));
  }
}

void VectorAssembler::address_of(const x86::Gp& d, const x86::Mem& memory) {
  emit(Inst::kIdLea, d, memory);
}

void VectorAssembler::copy(const x86::Gp& d, std::uint64_t value) {
  emit(Inst::kIdMov, d, asmjit::Imm(value));
}

void VectorAssembler::call(const void* function) {
  copy(x86::rax, reinterpret_cast<std::uintptr_t>(function));
  emit(Inst::kIdCall, x86::rax);
}

}  // namespace alembert::compile::native
