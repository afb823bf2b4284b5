// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/append_tape.hpp"

#include <algorithm>
#include <numeric>

#include "alembert/base/error.hpp"
#include "alembert/compile/tape_derivative.hpp"
#include "alembert/ensemble/linear_elimination.hpp"

namespace alembert::ensemble {

using compile::Instruction;
using compile::no_value;
using compile::SolveRegion;
using compile::Tape;
using compile::TapeBuilder;
using compile::TapeOp;
using compile::ValueId;

namespace {

/// Copies one tape after the other.
class Copy {
 public:
  Copy(TapeBuilder& builder, const Tape& part, std::span<const ValueId> inputs,
       std::span<const ValueId> parameters, const SolveHook& on_solve)
      : builder_(builder),
        part_(part),
        inputs_(inputs),
        parameters_(parameters),
        on_solve_(on_solve) {}

  std::vector<ValueId> run() {
    values_.reserve(part_.code.size());
    results_.resize(part_.code.size());
    for (std::size_t i = 0; i < part_.code.size(); ++i) values_.push_back(copied(i));
    return mapped(part_.outputs);
  }

 private:
  std::vector<ValueId> mapped(std::span<const ValueId> ids) const {
    std::vector<ValueId> result;
    for (const ValueId id : ids) result.push_back(values_[id]);
    return result;
  }

  ValueId copied(std::size_t i) {
    const Instruction& instruction = part_.code[i];
    switch (instruction.op) {
      case TapeOp::input: return inputs_[instruction.a];
      case TapeOp::parameter: return parameters_[instruction.a];
      case TapeOp::constant: return builder_.constant(part_.constants[instruction.a]);
      case TapeOp::call: {
        const compile::Call& call = part_.calls[instruction.a];
        return builder_.call(part_.functions[call.function], mapped(call.arguments));
      }
      case TapeOp::call_many: return no_value;  // made where a result is asked for
      case TapeOp::solve: {
        SolveRegion region = part_.regions[instruction.a];
        region.captured = mapped(region.captured);
        region.guesses = mapped(region.guesses);
        results_[i] =
            on_solve_ ? on_solve_(builder_, std::move(region)) : builder_.solve(std::move(region));
        return no_value;
      }
      case TapeOp::result: {
        if (!results_[instruction.a].empty()) return results_[instruction.a][instruction.b];
        const compile::Call& call = part_.calls[part_.code[instruction.a].a];
        return builder_.call_output(part_.functions[call.function], mapped(call.arguments),
                                    instruction.b);
      }
      default: break;
    }
    const int n = compile::n_value_operands(instruction.op);
    return builder_.apply(instruction.op, n > 0 ? values_[instruction.a] : 0,
                          n > 1 ? values_[instruction.b] : 0, n > 2 ? values_[instruction.c] : 0);
  }

  TapeBuilder& builder_;
  const Tape& part_;
  std::span<const ValueId> inputs_, parameters_;
  const SolveHook& on_solve_;
  std::vector<ValueId> values_;
  std::vector<std::vector<ValueId>> results_;  // of solved regions
};

}  // namespace

std::vector<ValueId> append(TapeBuilder& builder, const Tape& part, std::span<const ValueId> inputs,
                            std::span<const ValueId> parameters, const SolveHook& on_solve) {
  ensure(inputs.size() == part.n_inputs && parameters.size() == part.n_parameters,
         "a tape is copied with all its inputs");
  return Copy(builder, part, inputs, parameters, on_solve).run();
}

std::vector<ValueId> all_inputs(TapeBuilder& builder, std::uint32_t first, std::uint32_t n) {
  std::vector<ValueId> values;
  for (std::uint32_t i = 0; i < n; ++i) values.push_back(builder.input(first + i));
  return values;
}

std::vector<ValueId> all_parameters(TapeBuilder& builder, std::uint32_t n) {
  std::vector<ValueId> values;
  for (std::uint32_t i = 0; i < n; ++i) values.push_back(builder.parameter(i));
  return values;
}

bool reads_time(const Tape& tape) {
  return std::ranges::any_of(tape.code, [](const Instruction& instruction) {
    return instruction.op == TapeOp::input && instruction.a == 0;
  });
}

std::optional<SolveRegion> newton_region(const Tape& residual) {
  const auto n = static_cast<std::uint32_t>(residual.outputs.size());
  std::vector<std::uint32_t> columns(n);
  std::iota(columns.begin(), columns.end(), 0u);
  const compile::ColumnSparsity sparsity = compile::tape_sparsity(residual, columns);
  const auto jacobian = compile::tape_jacobian(residual, columns, sparsity);
  if (!jacobian) return std::nullopt;
  SolveRegion region;
  region.kind = SolveRegion::Kind::newton;
  region.n_unknowns = n;
  TapeBuilder whole(residual.n_inputs, residual.n_parameters);
  const auto inputs = all_inputs(whole, 0, residual.n_inputs);
  const auto parameters = all_parameters(whole, residual.n_parameters);
  for (const Tape* part : {&residual, &*jacobian})
    for (const ValueId value : append(whole, *part, inputs, parameters)) whole.output(value);
  for (std::uint32_t c = 0; c < n; ++c)
    for (std::uint32_t e = sparsity.column_start[c]; e < sparsity.column_start[c + 1]; ++e) {
      region.jacobian_rows.push_back(sparsity.row[e]);
      region.jacobian_columns.push_back(c);
    }
  region.body = std::move(whole).finish();
  return region;
}

std::optional<UnrolledNewton> unrolled(TapeBuilder& builder, const SolveRegion& region,
                                       int n_steps) {
  /// Of a step this short the square, which is the size of the next, is below rounding.
  constexpr double short_step = 1e-8;
  const std::size_t n = region.n_unknowns;
  const auto parameters = all_parameters(builder, region.body.n_parameters);
  UnrolledNewton newton{region.guesses, no_value};
  const auto least = [&](ValueId a, ValueId b) {
    return a == no_value ? b : builder.apply(TapeOp::min, a, b);
  };
  for (int k = 0; k < n_steps; ++k) {
    std::vector<ValueId> inputs = newton.x;
    inputs.insert(inputs.end(), region.captured.begin(), region.captured.end());
    const auto outputs = append(builder, region.body, inputs, parameters);
    std::vector<Entry> matrix(n * n), right;
    for (std::size_t i = 0; i < n; ++i) right.push_back({outputs[i], true});
    for (std::size_t e = 0; e < region.jacobian_rows.size(); ++e)
      matrix[region.jacobian_rows[e] * n + region.jacobian_columns[e]] = {outputs[n + e], false};
    const auto step = eliminate(builder, std::move(matrix), std::move(right));
    if (!step) return std::nullopt;
    if (step->margin != no_value) newton.margin = least(newton.margin, step->margin);
    for (std::size_t i = 0; i < n; ++i) {
      newton.x[i] = builder.apply(TapeOp::add, newton.x[i], step->x[i]);
      if (k + 1 < n_steps) continue;
      const ValueId most =
          builder.apply(TapeOp::fma, builder.constant(short_step),
                        builder.apply(TapeOp::abs, newton.x[i]), builder.constant(short_step));
      newton.margin = least(
          newton.margin, builder.apply(TapeOp::sub, most, builder.apply(TapeOp::abs, step->x[i])));
    }
  }
  return newton;
}

}  // namespace alembert::ensemble
