// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/tape.hpp"

#include <cstddef>

namespace alembert::compile {
namespace {

struct OpTraits {
  TapeOp op;
  std::string_view name;
  std::uint8_t n_operands = 0;
  std::uint8_t condition_operands = 0;  // bit i: operand i is a condition
  bool elementary = false;
  bool condition = false;
  bool commutative = false;
};

using enum TapeOp;

constexpr std::array<OpTraits, n_tape_ops> traits_of = {{
    {.op = input, .name = "input"},
    {.op = parameter, .name = "parameter"},
    {.op = constant, .name = "constant"},
    {.op = add, .name = "add", .n_operands = 2, .commutative = true},
    {.op = sub, .name = "sub", .n_operands = 2},
    {.op = mul, .name = "mul", .n_operands = 2, .commutative = true},
    {.op = div, .name = "div", .n_operands = 2},
    {.op = fma, .name = "fma", .n_operands = 3, .commutative = true},
    {.op = fms, .name = "fms", .n_operands = 3, .commutative = true},
    {.op = fnma, .name = "fnma", .n_operands = 3, .commutative = true},
    {.op = fnms, .name = "fnms", .n_operands = 3, .commutative = true},
    {.op = neg, .name = "neg", .n_operands = 1},
    {.op = abs, .name = "abs", .n_operands = 1},
    {.op = sqrt, .name = "sqrt", .n_operands = 1},
    {.op = min, .name = "min", .n_operands = 2},
    {.op = max, .name = "max", .n_operands = 2},
    {.op = floor, .name = "floor", .n_operands = 1},
    {.op = ceil, .name = "ceil", .n_operands = 1},
    {.op = trunc, .name = "trunc", .n_operands = 1},
    {.op = sign, .name = "sign", .n_operands = 1},
    {.op = sin, .name = "sin", .n_operands = 1, .elementary = true},
    {.op = cos, .name = "cos", .n_operands = 1, .elementary = true},
    {.op = tan, .name = "tan", .n_operands = 1, .elementary = true},
    {.op = asin, .name = "asin", .n_operands = 1, .elementary = true},
    {.op = acos, .name = "acos", .n_operands = 1, .elementary = true},
    {.op = atan, .name = "atan", .n_operands = 1, .elementary = true},
    {.op = sinh, .name = "sinh", .n_operands = 1, .elementary = true},
    {.op = cosh, .name = "cosh", .n_operands = 1, .elementary = true},
    {.op = tanh, .name = "tanh", .n_operands = 1, .elementary = true},
    {.op = asinh, .name = "asinh", .n_operands = 1, .elementary = true},
    {.op = acosh, .name = "acosh", .n_operands = 1, .elementary = true},
    {.op = atanh, .name = "atanh", .n_operands = 1, .elementary = true},
    {.op = exp, .name = "exp", .n_operands = 1, .elementary = true},
    {.op = log, .name = "log", .n_operands = 1, .elementary = true},
    {.op = log10, .name = "log10", .n_operands = 1, .elementary = true},
    {.op = atan2, .name = "atan2", .n_operands = 2, .elementary = true},
    {.op = pow, .name = "pow", .n_operands = 2, .elementary = true},
    {.op = less, .name = "less", .n_operands = 2, .condition = true},
    {.op = less_equal, .name = "less_equal", .n_operands = 2, .condition = true},
    {.op = equal, .name = "equal", .n_operands = 2, .condition = true, .commutative = true},
    {.op = not_equal, .name = "not_equal", .n_operands = 2, .condition = true, .commutative = true},
    {.op = logical_and,
     .name = "and",
     .n_operands = 2,
     .condition_operands = 0b11,
     .condition = true,
     .commutative = true},
    {.op = logical_or,
     .name = "or",
     .n_operands = 2,
     .condition_operands = 0b11,
     .condition = true,
     .commutative = true},
    {.op = logical_not,
     .name = "not",
     .n_operands = 1,
     .condition_operands = 0b1,
     .condition = true},
    {.op = number, .name = "number", .n_operands = 1, .condition_operands = 0b1},
    {.op = select, .name = "select", .n_operands = 3, .condition_operands = 0b1},
    {.op = call, .name = "call"},
    {.op = call_many, .name = "call_many"},
    {.op = solve, .name = "solve"},
    {.op = result, .name = "result", .n_operands = 1},
}};

constexpr bool in_order() {
  for (int i = 0; i < n_tape_ops; ++i)
    if (traits_of[i].op != static_cast<TapeOp>(i)) return false;
  return true;
}
static_assert(in_order(), "the table is indexed by TapeOp");

constexpr const OpTraits& traits(TapeOp op) { return traits_of[static_cast<std::size_t>(op)]; }

}  // namespace

int n_value_operands(TapeOp op) { return traits(op).n_operands; }
bool is_elementary(TapeOp op) { return traits(op).elementary; }
bool is_condition(TapeOp op) { return traits(op).condition; }
bool has_results(TapeOp op) { return op == call_many || op == solve; }
bool is_commutative(TapeOp op) { return traits(op).commutative; }
bool takes_condition(TapeOp op, int operand) {
  return (traits(op).condition_operands >> operand & 1) != 0;
}
std::string_view name(TapeOp op) { return traits(op).name; }

namespace {

/// Of the tape and the bodies of its regions, in no order.
template <class Fits>
std::size_t count_instructions(const Tape& tape, Fits fits) {
  std::size_t count = 0;
  std::vector<const Tape*> to_count = {&tape};
  while (!to_count.empty()) {
    const Tape& next = *to_count.back();
    to_count.pop_back();
    for (const Instruction& instruction : next.code) count += fits(instruction.op) ? 1 : 0;
    for (const SolveRegion& region : next.regions) to_count.push_back(&region.body);
  }
  return count;
}

}  // namespace

std::size_t operation_count(const Tape& tape) {
  // A result only names a value that another instruction has computed.
  return count_instructions(tape, [](TapeOp op) { return op > constant && op != result; });
}

bool calls_functions(const Tape& tape) {
  return count_instructions(tape, [](TapeOp op) { return op == call || op == call_many; }) > 0;
}

}  // namespace alembert::compile
