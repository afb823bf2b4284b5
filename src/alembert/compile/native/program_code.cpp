// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/native/program_code.hpp"

#include <asmjit/x86.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <map>

#include "alembert/compile/native/code_memory.hpp"
#include "alembert/compile/native/native.hpp"

namespace alembert::compile::native {
namespace {

namespace x86 = asmjit::x86;
using symbolic::Op;
using symbolic::Program;
using Code = Program::Code;
using Instruction = Program::Instruction;

// rbx: slots, r12: the program. xmm0 and xmm1 are scratch, the others hold results of late.
class Emitter {
 public:
  explicit Emitter(const Program& program) : program_(program) {
    failed_ = code_.init(asmjit::Environment::host()) != asmjit::kErrorOk ||
              code_.attach(&to_) != asmjit::kErrorOk;
  }

  /// Empty where something could not be emitted.
  CodeMemory run() {
    if (failed_) return {};
    out_ = to_.newLabel();
    find_targets();
    begin();
    const auto code = program_.code();
    for (std::uint32_t i = 0; i <= code.size(); ++i) {
      if (const auto target = targets_.find(i); target != targets_.end()) {
        check(to_.bind(target->second));
        forget();
      }
      if (i < code.size()) emit(code[i], i);
    }
    check(to_.mov(x86::eax, 1));
    check(to_.bind(out_));
    end();
    if (failed_) return {};
    const auto& buffer = code_.textSection()->buffer();
    const std::span<const std::uint8_t> bytes(buffer.data(), buffer.size());
    return CodeMemory::make({&bytes, 1});
  }

 private:
  static constexpr std::uint32_t nothing = 0xffffffffu;
  static constexpr int first_kept = 2;
  static constexpr int n_registers = 16;

  void check(asmjit::Error error) { failed_ = failed_ || error != asmjit::kErrorOk; }

  static bool is_jump(const Instruction& now) {
    return now.code == Code::jump_if || now.code == Code::jump_if_not;
  }

  void find_targets() {
    for (const Instruction& now : program_.code())
      if (is_jump(now) && !targets_.contains(now.result)) targets_[now.result] = to_.newLabel();
  }

  void begin() {
    check(to_.push(x86::rbx));
    check(to_.push(x86::r12));
    check(to_.sub(x86::rsp, 8));  // calls find the stack aligned
    check(to_.mov(x86::rbx, x86::rdi));
    check(to_.mov(x86::r12, x86::rsi));
    forget();
  }

  void end() {
    check(to_.add(x86::rsp, 8));
    check(to_.pop(x86::r12));
    check(to_.pop(x86::rbx));
    check(to_.ret());
  }

  static x86::Mem slot(std::uint32_t s) {
    return x86::qword_ptr(x86::rbx, static_cast<std::int32_t>(8 * s));
  }

  // ---- what registers hold ----

  void forget() { held_.fill(nothing); }

  int register_of(std::uint32_t s) const {
    for (int r = first_kept; r < n_registers; ++r)
      if (held_[static_cast<std::size_t>(r)] == s) return r;
    return -1;
  }

  /// A register with the value of the slot: its own, or `scratch`.
  x86::Xmm value(std::uint32_t s, int scratch) {
    const int r = register_of(s);
    if (r >= 0) return x86::xmm(static_cast<std::uint32_t>(r));
    const x86::Xmm loaded = x86::xmm(static_cast<std::uint32_t>(scratch));
    check(to_.vmovsd(loaded, slot(s)));
    return loaded;
  }

  /// The register that is to hold the slot, once `keep` is called; it may hold an operand still.
  x86::Xmm next_register() const { return x86::xmm(static_cast<std::uint32_t>(next_)); }

  void keep(std::uint32_t s) {
    for (std::uint32_t& held : held_)
      if (held == s) held = nothing;  // what it was before, in a chain
    held_[static_cast<std::size_t>(next_)] = s;
    check(to_.vmovsd(slot(s), next_register()));
    if (++next_ == n_registers) next_ = first_kept;
  }

  // ---- instructions ----

  template <class Emit>
  void of_two(const Instruction& now, Emit emit_it) {
    const x86::Xmm a = value(now.a, 0);
    const int b = register_of(now.b);
    if (b >= 0)
      check(emit_it(next_register(), a, x86::xmm(static_cast<std::uint32_t>(b))));
    else
      check(emit_it(next_register(), a, slot(now.b)));
    keep(now.result);
  }

  void constant(const x86::Xmm& to, double number) {
    check(to_.mov(x86::rax, std::bit_cast<std::uint64_t>(number)));
    check(to_.vmovq(to, x86::rax));
  }

  /// A mask in `to` becomes 1 or 0.
  void as_number(const x86::Xmm& to) {
    constant(x86::xmm0, 1.0);
    check(to_.vandpd(to, to, x86::xmm0));
  }

  void compare(const Instruction& now, std::uint32_t predicate) {
    of_two(now, [&](const auto& to, const auto& a, const auto& b) {
      check(to_.vcmpsd(to, a, b, predicate));
      as_number(to);
      return asmjit::kErrorOk;
    });
  }

  /// Whether the slot is not 0, as a mask; true for what is no number.
  void truth(const x86::Xmm& to, std::uint32_t s) {
    const x86::Xmm held = value(s, 1);
    check(to_.vxorpd(x86::xmm0, x86::xmm0, x86::xmm0));
    check(to_.vcmpsd(to, held, x86::xmm0, not_equal));
  }

  void logical(const Instruction& now, bool both) {
    truth(x86::xmm1, now.a);
    const x86::Xmm to = next_register();
    // The other mask comes after what `to` may still hold was read.
    const x86::Xmm b = value(now.b, 0);
    if (b.id() != to.id()) check(to_.vmovapd(to, b));
    check(to_.vxorpd(x86::xmm0, x86::xmm0, x86::xmm0));
    check(to_.vcmpsd(to, to, x86::xmm0, not_equal));
    check(both ? to_.vandpd(to, to, x86::xmm1) : to_.vorpd(to, to, x86::xmm1));
    as_number(to);
    keep(now.result);
  }

  void choose(const Instruction& now) {
    const auto operands = program_.operands().subspan(now.a, 3);
    truth(x86::xmm1, operands[0]);
    check(to_.vmovsd(x86::xmm0, slot(operands[2])));
    const int yes = register_of(operands[1]);
    x86::Xmm from = next_register();
    if (yes >= 0)
      from = x86::xmm(static_cast<std::uint32_t>(yes));
    else
      check(to_.vmovsd(from, slot(operands[1])));
    check(to_.vblendvpd(next_register(), x86::xmm0, from, x86::xmm1));
    keep(now.result);
  }

  /// The multiplications of integer_power, in its order.
  void power(const Instruction& now) {
    const auto exponent = static_cast<std::int32_t>(now.b);
    auto n = static_cast<std::uint32_t>(exponent < 0 ? -exponent : exponent);
    const x86::Xmm base = x86::xmm0;
    const x86::Xmm result = x86::xmm1;
    const x86::Xmm a = value(now.a, 0);
    if (a.id() != base.id()) check(to_.vmovapd(base, a));
    bool begun = false;
    for (; n > 0; n >>= 1) {
      if (n & 1u) {
        check(begun ? to_.vmulsd(result, result, base) : to_.vmovapd(result, base));
        begun = true;
      }
      if (n > 1) check(to_.vmulsd(base, base, base));
    }
    if (!begun) constant(result, 1.0);
    if (exponent < 0) {
      constant(base, 1.0);
      check(to_.vdivsd(next_register(), base, result));
    } else {
      check(to_.vmovapd(next_register(), result));
    }
    keep(now.result);
  }

  void jump(const Instruction& now) {
    const x86::Xmm condition = value(now.a, 1);
    check(to_.vxorpd(x86::xmm0, x86::xmm0, x86::xmm0));
    check(to_.vucomisd(condition, x86::xmm0));
    const asmjit::Label target = targets_.at(now.result);
    if (now.code == Code::jump_if) {
      check(to_.jne(target));
      check(to_.jp(target));
      return;
    }
    const asmjit::Label past = to_.newLabel();
    check(to_.jp(past));
    check(to_.je(target));
    check(to_.bind(past));
  }

  void call(const void* function) {
    check(to_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(function)));
    check(to_.call(x86::rax));
    forget();
  }

  void operation(const Instruction& now) {
    const auto op = static_cast<Op>(now.n);
    if (op == Op::min)
      return of_two(
          now, [&](const auto& to, const auto& a, const auto& b) { return to_.vminsd(to, a, b); });
    if (op == Op::max)
      return of_two(
          now, [&](const auto& to, const auto& a, const auto& b) { return to_.vmaxsd(to, a, b); });
    check(to_.vmovsd(x86::xmm0, slot(now.a)));
    check(to_.vmovsd(x86::xmm1, slot(now.b)));
    call(reinterpret_cast<const void*>(Program::function_of(op)));
    check(to_.vmovapd(next_register(), x86::xmm0));
    keep(now.result);
  }

  void step(std::uint32_t i) {
    check(to_.mov(x86::rdi, x86::r12));
    check(to_.mov(x86::rsi, x86::rbx));
    check(to_.mov(x86::edx, i));
    call(reinterpret_cast<const void*>(&Program::step));
    check(to_.movzx(x86::eax, x86::al));
    check(to_.test(x86::eax, x86::eax));
    check(to_.je(out_));
  }

  void emit(const Instruction& now, std::uint32_t i) {
    switch (now.code) {
      case Code::add:
        return of_two(now, [&](const auto& to, const auto& a, const auto& b) {
          return to_.vaddsd(to, a, b);
        });
      case Code::multiply:
        return of_two(now, [&](const auto& to, const auto& a, const auto& b) {
          return to_.vmulsd(to, a, b);
        });
      case Code::square: {
        const x86::Xmm a = value(now.a, 0);
        check(to_.vmulsd(next_register(), a, a));
        return keep(now.result);
      }
      case Code::reciprocal: {
        const x86::Xmm a = value(now.a, 0);
        constant(x86::xmm1, 1.0);
        check(to_.vdivsd(next_register(), x86::xmm1, a));
        return keep(now.result);
      }
      case Code::power: return power(now);
      case Code::less: return compare(now, less);
      case Code::less_equal: return compare(now, less_equal);
      case Code::equal: return compare(now, equal);
      case Code::not_equal: return compare(now, not_equal);
      case Code::both: return logical(now, true);
      case Code::either: return logical(now, false);
      case Code::choose: return choose(now);
      case Code::operation: return operation(now);
      case Code::jump_if:
      case Code::jump_if_not: return jump(now);
      case Code::semi_linear:
      case Code::call:
      case Code::call_family: return step(i);
    }
  }

  // Predicates of vcmpsd, quiet.
  static constexpr std::uint32_t equal = 0x00;
  static constexpr std::uint32_t not_equal = 0x04;  // true for what is no number
  static constexpr std::uint32_t less = 0x11;
  static constexpr std::uint32_t less_equal = 0x12;

  const Program& program_;
  asmjit::CodeHolder code_;
  x86::Assembler to_;
  asmjit::Label out_;
  std::map<std::uint32_t, asmjit::Label> targets_;  // by instruction
  std::array<std::uint32_t, n_registers> held_{};   // slots
  int next_ = first_kept;
  bool failed_ = false;
};

}  // namespace

Program::Translation translate_program(const Program& program) {
  if (!available()) return {};
  auto code = std::make_shared<CodeMemory>(Emitter(program).run());
  if (!*code) return {};
  const auto entry = reinterpret_cast<decltype(Program::Translation::entry)>(
      reinterpret_cast<std::uintptr_t>(code->data()));
  return {entry, std::move(code)};
}

}  // namespace alembert::compile::native
