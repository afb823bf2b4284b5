// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/shared_kernels.hpp"

#include <algorithm>
#include <bit>

namespace alembert::compile {
namespace {

/// 0 and -0 are different constants, and a NaN is equal to itself.
bool have_equal_bits(double x, double y) {
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

bool are_equal(const ForeignFunction& x, const ForeignFunction& y) {
  return x.function == y.function && x.outputs == y.outputs && x.context == y.context &&
         x.n_outputs == y.n_outputs && x.name == y.name;
}

bool are_equal(const Call& x, const Call& y) {
  return x.function == y.function && x.arguments == y.arguments;
}

bool are_equal(const SolveRegion& x, const SolveRegion& y) {
  return x.kind == y.kind && x.n_unknowns == y.n_unknowns && x.captured == y.captured &&
         x.guesses == y.guesses && x.jacobian_rows == y.jacobian_rows &&
         x.jacobian_columns == y.jacobian_columns &&
         (x.elimination == nullptr) == (y.elimination == nullptr) &&
         compile::are_equal(x.body, y.body);
}

/// Of what most tapes differ in.
std::uint64_t hash(const Tape& tape) {
  std::uint64_t h = tape.n_inputs;
  const auto add = [&h](std::uint64_t value) {
    h = (h ^ value) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  };
  for (const Instruction& i : tape.code) {
    add(static_cast<std::uint64_t>(i.op) << 32 | i.a);
    add(static_cast<std::uint64_t>(i.b) << 32 | i.c);
  }
  for (const double constant : tape.constants) add(std::bit_cast<std::uint64_t>(constant));
  for (const ValueId value : tape.outputs) add(value);
  return h;
}

}  // namespace

bool are_equal(const Tape& x, const Tape& y) {
  const auto same = [](const auto& a, const auto& b) { return are_equal(a, b); };
  return x.n_inputs == y.n_inputs && x.n_parameters == y.n_parameters && x.code == y.code &&
         x.outputs == y.outputs && std::ranges::equal(x.constants, y.constants, have_equal_bits) &&
         std::ranges::equal(x.calls, y.calls, same) &&
         std::ranges::equal(x.functions, y.functions, same) &&
         std::ranges::equal(x.regions, y.regions, same);
}

Kernel SharedKernels::of(const Tape& tape) {
  std::vector<Made>& alike = made_[hash(tape)];
  for (const Made& made : alike)
    if (are_equal(made.tape, tape)) return made.kernel;
  alike.push_back({tape, make_(tape)});
  return alike.back().kernel;
}

}  // namespace alembert::compile
