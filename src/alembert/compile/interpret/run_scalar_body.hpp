// SPDX-License-Identifier: Apache-2.0
// The scalar loop, included by run_scalar.cpp and run_scalar_avx2.cpp: the same source, compiled
// without and with the fused multiply-add instruction. Every operation ends in a jump of its own to
// the next one, which the processor predicts from the operations before it; a common switch would
// give it one place for all.
#pragma once

#include <cmath>

#include "alembert/compile/interpret/code.hpp"

namespace alembert::compile::interpret {
namespace {

void scalar_loop(const ScalarCode* code, const Frame& frame) {
  static const void* const labels[] = {
      &&add,         &&sub,        &&mul,         &&div,    &&fma,        &&fms,   &&fnma,
      &&fnms,        &&neg,        &&abs,         &&sqrt,   &&min,        &&max,   &&floor,
      &&ceil,        &&trunc,      &&sign,        &&less,   &&less_equal, &&equal, &&not_equal,
      &&logical_and, &&logical_or, &&logical_not, &&number, &&select,     &&unary, &&binary,
      &&call,        &&call_many,  &&solve,       &&end};
  static_assert(sizeof labels / sizeof labels[0] == static_cast<std::size_t>(Opcode::end) + 1);

  double* const slots = frame.slots;
#define NEXT goto* labels[static_cast<std::uint32_t>(code->op)]
#define A slots[code->a]
#define B slots[code->b]
#define C slots[code->c]
#define OPERATION(label, expression) \
  label:                             \
  slots[code->to] = (expression);    \
  ++code;                            \
  NEXT;

  NEXT;
  OPERATION(add, A + B)
  OPERATION(sub, A - B)
  OPERATION(mul, A * B)
  OPERATION(div, A / B)
  OPERATION(fma, std::fma(A, B, C))
  OPERATION(fms, std::fma(A, B, -C))
  OPERATION(fnma, std::fma(-A, B, C))
  OPERATION(fnms, std::fma(-A, B, -C))
  OPERATION(neg, -A)
  OPERATION(abs, std::fabs(A))
  OPERATION(sqrt, std::sqrt(A))
  OPERATION(min, A < B ? A : B)
  OPERATION(max, A > B ? A : B)
  OPERATION(floor, std::floor(A))
  OPERATION(ceil, std::ceil(A))
  OPERATION(trunc, std::trunc(A))
  OPERATION(sign, A > 0.0 ? 1.0 : (A < 0.0 ? -1.0 : 0.0))
  OPERATION(less, A < B ? 1.0 : 0.0)
  OPERATION(less_equal, A <= B ? 1.0 : 0.0)
  OPERATION(equal, A == B ? 1.0 : 0.0)
  OPERATION(not_equal, A != B ? 1.0 : 0.0)
  // Conditions are 1 or 0, so these need no comparison.
  OPERATION(logical_and, A * B)
  OPERATION(logical_or, A > B ? A : B)
  OPERATION(logical_not, 1.0 - A)
  OPERATION(number, A)
  OPERATION(select, A != 0.0 ? B : C)
  OPERATION(unary, reinterpret_cast<double (*)(double)>(frame.functions[code->c])(A))
  OPERATION(binary, reinterpret_cast<double (*)(double, double)>(frame.functions[code->c])(A, B))
call:
  run_call(frame, code->a);
  ++code;
  NEXT;
call_many:
  run_call_many(frame, code->a);
  ++code;
  NEXT;
solve:
  run_solve(frame, code->a);
  ++code;
  NEXT;
end:
  return;
#undef OPERATION
#undef C
#undef B
#undef A
#undef NEXT
}

}  // namespace
}  // namespace alembert::compile::interpret
