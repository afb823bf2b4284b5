// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Lanes against scalars; see self_check.hpp.
#include "alembert/compile/native/self_check.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "alembert/compile/native/compile.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile::native {
namespace {

constexpr std::uint32_t n_inputs = 3;

/// All operations, with enough values alive at the end for registers to run out.
Tape tape_of_all_operations() {
  TapeBuilder builder(n_inputs, 1);
  const ValueId x[n_inputs] = {builder.input(0), builder.input(1), builder.input(2)};
  const ValueId p = builder.parameter(0);
  const ValueId condition = builder.apply(
      TapeOp::logical_or, builder.apply(TapeOp::less, x[0], x[1]),
      builder.apply(TapeOp::logical_and, builder.apply(TapeOp::not_equal, x[1], x[2]),
                    builder.apply(TapeOp::logical_not, builder.apply(TapeOp::equal, x[0], p))));
  std::vector<ValueId> values;
  for (int k = 0; k <= static_cast<int>(TapeOp::select); ++k) {
    const auto op = static_cast<TapeOp>(k);
    const bool logical = op >= TapeOp::logical_and && op <= TapeOp::logical_not;
    if (op <= TapeOp::constant || logical) continue;
    if (op == TapeOp::number) {
      values.push_back(builder.apply(op, condition));
    } else if (op == TapeOp::select) {
      values.push_back(builder.apply(op, condition, x[2], x[0]));
    } else {
      const ValueId value = builder.apply(op, x[0], x[1], x[2]);
      values.push_back(is_condition(op) ? builder.apply(TapeOp::select, value, p, x[1]) : value);
    }
  }
  ValueId sum = builder.constant(0.1);
  for (std::size_t k = values.size(); k-- > 0;) {
    sum = builder.apply(TapeOp::fma, values[k], p, sum);
    builder.output(sum);
  }
  for (const ValueId value : values) builder.output(value);
  return std::move(builder).finish();
}

std::vector<double> awkward_numbers() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {0.0, -0.0, 1.0, -1.0, 0.75, -2.5, 1e-310, -1e-310, 3.7e300, -1e22, inf, -inf, nan};
}

bool same(double x, double y) {
  if (std::isnan(x)) return std::isnan(y);
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

}  // namespace

bool lanes_agree_with_scalar(std::uint32_t lanes) {
  const Tape tape = tape_of_all_operations();
  const Kernel scalar = compile(tape, {});
  const Kernel wide = compile(tape, {.lanes = lanes});
  if (!scalar || !wide) return false;
  const std::vector<double> numbers = awkward_numbers();
  const std::size_t n_cases = numbers.size() * numbers.size();
  const std::size_t n_groups = (n_cases + lanes - 1) / lanes, n_outputs = tape.outputs.size();

  const auto number = [&](std::size_t i, std::uint32_t k) {
    const std::size_t n = numbers.size();
    const std::size_t index[n_inputs] = {i % n, i / n % n, (i * 7 + i / n) % n};
    return numbers[index[k]];
  };
  AlignedDoubles inputs(n_groups * n_inputs * lanes), outputs(n_groups * n_outputs * lanes);
  AlignedDoubles workspace(std::max(scalar.shape().workspace_size, wide.shape().workspace_size));
  const double parameter = 0.75;
  for (std::size_t i = 0; i < n_groups * lanes; ++i)
    for (std::uint32_t k = 0; k < n_inputs; ++k)
      inputs[(i / lanes * n_inputs + k) * lanes + i % lanes] = number(i, k);
  wide(inputs.data(), &parameter, outputs.data(), workspace.data(), n_groups);

  std::vector<double> expected(n_outputs);
  for (std::size_t i = 0; i < n_groups * lanes; ++i) {
    const double x[n_inputs] = {number(i, 0), number(i, 1), number(i, 2)};
    scalar(x, &parameter, expected.data(), workspace.data());
    for (std::size_t k = 0; k < n_outputs; ++k)
      if (!same(expected[k], outputs[(i / lanes * n_outputs + k) * lanes + i % lanes]))
        return false;
  }
  return true;
}

}  // namespace alembert::compile::native
