// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Instruction selection and emission; see emitter.hpp.
#include "alembert/compile/native/emitter.hpp"

#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/compile/elementary.hpp"

namespace alembert::compile::native {

namespace x86 = asmjit::x86;

Emitter::Emitter(const Block& block, const Layout& layout, const Sites& sites,
                 VectorAssembler& assembler)
    : block_(block),
      layout_(layout),
      sites_(sites),
      assembler_(assembler),
      liveness_(find_liveness(block)),
      slots_(layout.n_fixed_slots),
      registers_(block, liveness_, slots_, assembler) {}

void Emitter::run() {
  const auto n = static_cast<std::uint32_t>(block_.nodes.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    registers_.start_node(i);
    emit(i);
  }
}

void Emitter::emit(std::uint32_t i) {
  const Node& node = block_.nodes[i];
  if (node.op == store_op) return store(i, node);
  // Results of these may be wanted by a later block only.
  if (node.op == TapeOp::solve) return solve(node);
  if (node.op == TapeOp::call || node.op == TapeOp::call_many) return call(i, node);
  if (liveness_.first_use[i] == never) return retire(i, node);  // nobody asked for it
  switch (node.op) {
    case TapeOp::add:
    case TapeOp::sub:
    case TapeOp::mul:
    case TapeOp::div:
    case TapeOp::min:
    case TapeOp::max: return arithmetic(i, node);
    case TapeOp::fma:
    case TapeOp::fms:
    case TapeOp::fnma:
    case TapeOp::fnms: return fused(i, node);
    case TapeOp::neg:
    case TapeOp::abs:
    case TapeOp::sqrt:
    case TapeOp::floor:
    case TapeOp::ceil:
    case TapeOp::trunc:
    case TapeOp::logical_not:
    case TapeOp::number: return unary(i, node);
    case TapeOp::sign: return sign(i, node);
    case TapeOp::less:
    case TapeOp::less_equal:
    case TapeOp::equal:
    case TapeOp::not_equal: return compare(i, node);
    case TapeOp::logical_and:
    case TapeOp::logical_or: return logical(i, node);
    case TapeOp::select: return select(i, node);
    case TapeOp::result: return registers_.define_at(i, {Area::frame, node.b});
    default: return elementary(i, node);
  }
}

void Emitter::retire(std::uint32_t i, const Node& node) {
  const int n = operand_count(node);
  if (n > 0) registers_.retire(node.a, liveness_.next_use[i][0]);
  if (n > 1) registers_.retire(node.b, liveness_.next_use[i][1]);
  if (n > 2) registers_.retire(node.c, liveness_.next_use[i][2]);
}

Emitter::Operand Emitter::read_whole(std::uint32_t value, std::uint32_t after) {
  // A scalar slot is 8 bytes and the instruction would read 16.
  if (layout_.lanes == 1) return assembler_.reg(registers_.read(value));
  return registers_.read_any(value, after);
}

Emitter::Operand Emitter::mask(Mask mask) const {
  return assembler_.memory({Area::constant, layout_.mask_slot[static_cast<int>(mask)]});
}

void Emitter::arithmetic(std::uint32_t i, const Node& node) {
  const auto& after = liveness_.next_use[i];
  std::uint32_t a = node.a, b = node.b, after_b = after[1];
  if (node.op == TapeOp::add || node.op == TapeOp::mul) {
    // Memory goes last; of two registers a low one goes last, for the short prefix.
    const int ra = registers_.register_of(a), rb = registers_.register_of(b);
    if ((ra < 0 && rb >= 0) || (ra >= 0 && ra < 8 && rb >= 8)) {
      std::swap(a, b);
      after_b = after[0];
    }
  }
  const int x = registers_.read(a);
  const Operand y = registers_.read_any(b, after_b);
  retire(i, node);
  assembler_.arithmetic(node.op, registers_.define(i), x, y);
}

void Emitter::fused(std::uint32_t i, const Node& node) {
  const auto& after = liveness_.next_use[i];
  const std::uint32_t operands[3] = {node.a, node.b, node.c};
  // Best: the result takes the place of an operand that dies here (the addend leaves most freedom).
  int dying_in_memory = -1, in_memory = -1;
  for (int k = 2; k >= 0; --k) {
    if (registers_.in_register(operands[k])) {
      if (after[k] == never) return fused_over(i, node, k, registers_.read(operands[k]));
    } else {
      in_memory = k;
      if (after[k] == never) dying_in_memory = k;
    }
  }
  // Next: an operand in memory is loaded where the result will be. Last: a move.
  if (dying_in_memory >= 0) in_memory = dying_in_memory;
  const int k = in_memory >= 0 ? in_memory : 2;
  const int source = in_memory >= 0 ? -1 : registers_.read(operands[k]);
  for (const std::uint32_t value : operands)
    if (registers_.in_register(value)) registers_.read(value);  // pinned: not to be evicted
  const int d = registers_.temporary();
  if (source >= 0)
    assembler_.move(d, source);
  else
    assembler_.load(d, registers_.home_of(operands[k]));
  fused_over(i, node, k, d);
}

/// The operand `overwritten` (0 a, 1 b, 2 c) is in register `destination`, which becomes the
/// result's.
void Emitter::fused_over(std::uint32_t i, const Node& node, int overwritten, int destination) {
  const auto& after = liveness_.next_use[i];
  const std::uint32_t operands[3] = {node.a, node.b, node.c};
  // x comes from a register, y from anywhere. The two others are {factor, addend}, or both factors.
  int x = overwritten == 0 ? 1 : 0;
  int y = overwritten == 2 ? 1 : 2;
  const auto in_destination = [&](int k) { return operands[k] == operands[overwritten]; };
  const auto available = [&](int k) {
    return in_destination(k) || registers_.in_register(operands[k]);
  };
  if (!available(x) && available(y)) std::swap(x, y);
  const FusedForm form = overwritten == 2 ? FusedForm::f231
                         : y == 2         ? FusedForm::f213
                                          : FusedForm::f132;
  const int rx = in_destination(x) ? destination : registers_.read(operands[x]);
  const Operand ry = in_destination(y) ? Operand(assembler_.reg(destination))
                                       : registers_.read_any(operands[y], after[y]);
  retire(i, node);
  registers_.define_in(i, destination);
  assembler_.fused(node.op, form, destination, rx, ry);
}

void Emitter::unary(std::uint32_t i, const Node& node) {
  const std::uint32_t after = liveness_.next_use[i][0];
  const bool packed_memory =
      layout_.lanes > 1 && (node.op == TapeOp::sqrt || node.op == TapeOp::floor ||
                            node.op == TapeOp::ceil || node.op == TapeOp::trunc);
  const Operand a = packed_memory ? registers_.read_any(node.a, after)
                                  : Operand(assembler_.reg(registers_.read(node.a)));
  const int ra = packed_memory ? -1 : registers_.register_of(node.a);
  retire(i, node);
  const int d = registers_.define(i);
  switch (node.op) {
    case TapeOp::neg: return assembler_.bitwise(Bitwise::xor_, d, ra, mask(Mask::sign_bit));
    case TapeOp::abs: return assembler_.bitwise(Bitwise::and_, d, ra, mask(Mask::all_but_sign));
    case TapeOp::logical_not: return assembler_.bitwise(Bitwise::xor_, d, ra, mask(Mask::ones));
    case TapeOp::number: return assembler_.bitwise(Bitwise::and_, d, ra, mask(Mask::one));
    case TapeOp::sqrt: return assembler_.sqrt(d, a);
    default: return assembler_.round(node.op, d, a);
  }
}

/// The sign bit with the bits of 1.0, where a is neither zero nor NaN.
void Emitter::sign(std::uint32_t i, const Node& node) {
  const int a = registers_.read(node.a);
  const int nonzero = registers_.temporary();
  assembler_.compare(Compare::ordered_not_equal, nonzero, a, mask(Mask::zero));
  retire(i, node);
  const int d = registers_.define(i);
  assembler_.bitwise(Bitwise::and_, d, a, mask(Mask::sign_bit));
  assembler_.bitwise(Bitwise::or_, d, d, mask(Mask::one));
  assembler_.bitwise(Bitwise::and_, d, d, assembler_.reg(nonzero));
  registers_.release(nonzero);
}

void Emitter::compare(std::uint32_t i, const Node& node) {
  const auto& after = liveness_.next_use[i];
  const bool turn = !registers_.in_register(node.a) && registers_.in_register(node.b);
  Compare predicate = Compare::equal;
  switch (node.op) {
    case TapeOp::less: predicate = turn ? Compare::greater : Compare::less; break;
    case TapeOp::less_equal: predicate = turn ? Compare::greater_equal : Compare::less_equal; break;
    case TapeOp::not_equal: predicate = Compare::not_equal; break;
    default: break;
  }
  const int x = registers_.read(turn ? node.b : node.a);
  const Operand y =
      turn ? registers_.read_any(node.a, after[0]) : registers_.read_any(node.b, after[1]);
  retire(i, node);
  assembler_.compare(predicate, registers_.define(i), x, y);
}

void Emitter::logical(std::uint32_t i, const Node& node) {
  const int a = registers_.read(node.a);
  const Operand b = read_whole(node.b, liveness_.next_use[i][1]);
  retire(i, node);
  assembler_.bitwise(node.op == TapeOp::logical_and ? Bitwise::and_ : Bitwise::or_,
                     registers_.define(i), a, b);
}

void Emitter::select(std::uint32_t i, const Node& node) {
  const int condition = registers_.read(node.a);
  const int otherwise = registers_.read(node.c);
  const Operand then = read_whole(node.b, liveness_.next_use[i][1]);
  retire(i, node);
  assembler_.select(registers_.define(i), condition, then, otherwise);
}

void Emitter::store(std::uint32_t i, const Node& node) {
  const Home target = block_.targets[node.b];
  assembler_.store(target, registers_.read(node.a));
  // What the caller's outputs or a crossing slot holds need not be spilled.
  if (target.area == Area::output || target.slot >= layout_.first_crossing_slot)
    registers_.keep_at(node.a, target);
  registers_.retire(node.a, liveness_.next_use[i][0]);
}

void Emitter::elementary(std::uint32_t i, const Node& node) {
  const int n = operand_count(node);
  const int a = registers_.register_of(node.a);
  const int b = n > 1 ? registers_.register_of(node.b) : -1;
  const Home homes[2] = {registers_.home_of(node.a), n > 1 ? registers_.home_of(node.b) : Home{}};
  retire(i, node);
  registers_.save_for_call();
  registers_.forget_registers();
  place_arguments(a, b, node, homes);
  const void* function = nullptr;
  if (layout_.lanes > 1)
    function = elementary_lanes(node.op, static_cast<int>(layout_.lanes));
  else if (n == 1)
    function = reinterpret_cast<const void*>(elementary_unary(node.op));
  else
    function = reinterpret_cast<const void*>(elementary_binary(node.op));
  ensure(function != nullptr, "every elementary function has an address");
  assembler_.call(function);
  registers_.define_in(i, 0);
}

/// Arguments to registers 0 and 1, from registers `a` and `b` or, where those are negative, from
/// memory.
void Emitter::place_arguments(int a, int b, const Node& node, const Home homes[2]) {
  const bool two = operand_count(node) > 1;
  if (two && b == 0) {
    if (a == 0) {
      assembler_.move(1, 0);
      return;
    }
    if (a == 1) {
      assembler_.move(2, 1);
      a = 2;
    }
    assembler_.move(1, 0);
    b = 1;
  }
  if (a < 0)
    assembler_.load(0, homes[0]);
  else if (a != 0)
    assembler_.move(0, a);
  if (!two || b == 1) return;
  if (b < 0)
    assembler_.load(1, homes[1]);
  else
    assembler_.move(1, b);
}

x86::Mem Emitter::at_frame(std::uint32_t slot) const {
  return assembler_.memory({Area::frame, slot});
}

/// The trampolines' scratch is at the start of the workspace.
void Emitter::scratch_address(const x86::Gp& d) {
  const Addressing& addressing = assembler_.addressing();
  assembler_.address_of(
      d, x86::Mem(addressing.window(0), static_cast<std::int32_t>(-addressing.window_offset(0))));
}

void Emitter::call(std::uint32_t i, const Node& node) {
  registers_.save_for_call();
  registers_.forget_registers();
  if (layout_.lanes > 1) assembler_.zero_upper();
  assembler_.copy(x86::rdi, reinterpret_cast<std::uintptr_t>(&sites_.calls[node.a]));
  assembler_.address_of(x86::rsi, at_frame(layout_.argument_slot));
  assembler_.address_of(x86::rdx, at_frame(node.b));
  scratch_address(x86::rcx);
  assembler_.call(reinterpret_cast<const void*>(&run_call));
  if (node.op == TapeOp::call) registers_.define_at(i, {Area::frame, node.b});
}

void Emitter::solve(const Node& node) {
  registers_.save_for_call();
  registers_.forget_registers();
  if (layout_.lanes > 1) assembler_.zero_upper();
  assembler_.copy(x86::rdi, reinterpret_cast<std::uintptr_t>(&sites_.solves[node.a]));
  assembler_.address_of(x86::rsi, at_frame(layout_.argument_slot));
  assembler_.address_of(x86::rdx, at_frame(node.b));
  // The parameters of this copy's group; slots count per lane, so only then do copies differ.
  const std::uint32_t slot = layout_.parameters_per_lane ? node.c * layout_.n_parameters : 0;
  assembler_.address_of(x86::rcx, assembler_.memory({Area::parameter, slot}));
  scratch_address(x86::r8);
  assembler_.call(reinterpret_cast<const void*>(&run_solve));
}

}  // namespace alembert::compile::native
