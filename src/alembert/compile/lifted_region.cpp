// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/lifted_region.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "alembert/compile/sparse_solve.hpp"
#include "alembert/compile/tape_derivative.hpp"
#include "alembert/compile/tape_part.hpp"

namespace alembert::compile {
namespace {

/// Beyond it nothing physical is left of an exponential, but a branch that is not taken may go
/// there: the exponent is a line again, lest s overflow.
constexpr double last_exponent = 46.0;
const double last_place = std::exp(last_exponent) - 1.0;
/// A block with more exponentials than these costs more than it is worth.
constexpr std::size_t most_exponentials = 256;

struct Curve {
  ValueId exponent, power;
};

Curve curve_at(TapeBuilder& builder, ValueId s) {
  const ValueId one = builder.constant(1.0);
  // At 0 itself too: the maximum below has no slope there.
  const ValueId blocks = builder.apply(TapeOp::less_equal, s, builder.constant(0.0));
  const ValueId beyond = builder.apply(TapeOp::less, builder.constant(last_place), s);
  // Arguments of both branches have values everywhere.
  const ValueId grown =
      builder.apply(TapeOp::add, one, builder.apply(TapeOp::max, s, builder.constant(0.0)));
  const ValueId line = builder.apply(
      TapeOp::add, builder.constant(last_exponent),
      builder.apply(TapeOp::div, builder.apply(TapeOp::sub, s, builder.constant(last_place)),
                    builder.constant(1.0 + last_place)));
  const ValueId conducting =
      builder.apply(TapeOp::select, beyond, line, builder.apply(TapeOp::log, grown));
  const ValueId exponent = builder.apply(TapeOp::select, blocks, s, conducting);
  const ValueId power =
      builder.apply(TapeOp::select, builder.apply(TapeOp::logical_or, blocks, beyond),
                    builder.apply(TapeOp::exp, exponent), grown);
  return {exponent, power};
}

/// Which values of a tape depend on the first `n` inputs.
std::vector<char> depends_on_first(const Tape& tape, std::uint32_t n) {
  std::vector<char> depends(tape.code.size(), 0);
  for (std::size_t id = 0; id < tape.code.size(); ++id) {
    const auto& [op, a, b, c] = tape.code[id];
    if (op == TapeOp::input) {
      depends[id] = a < n;
    } else if (op == TapeOp::call || op == TapeOp::call_many) {
      depends[id] = std::ranges::any_of(tape.calls[a].arguments,
                                        [&](ValueId value) { return depends[value] != 0; });
    } else {
      const int count = n_value_operands(op);
      depends[id] =
          (count > 0 && depends[a]) || (count > 1 && depends[b]) || (count > 2 && depends[c]);
    }
  }
  return depends;
}

/// Which exponentials of the residuals are those of unknowns, ascending.
std::vector<ValueId> exponentials_of_unknowns(const Tape& residuals, std::uint32_t n) {
  const std::vector<char> depends = depends_on_first(residuals, n);
  std::vector<ValueId> found;
  for (ValueId id = 0; id < residuals.code.size(); ++id)
    if (residuals.code[id].op == TapeOp::exp && depends[id]) found.push_back(id);
  return found;
}

/// Copies a tape without regions, value by value; `replace(id, operand)` may give a value for an
/// instruction of one operand in place of its own. Returns the values of its outputs.
template <class Replace>
std::vector<ValueId> copy(TapeBuilder& builder, const Tape& from, std::span<const ValueId> inputs,
                          Replace replace) {
  std::vector<ValueId> renamed(from.code.size(), no_value);
  const auto rename = [&renamed](std::vector<ValueId> values) {
    for (ValueId& value : values) value = renamed[value];
    return values;
  };
  for (ValueId id = 0; id < from.code.size(); ++id) {
    const auto& [op, a, b, c] = from.code[id];
    const int n = n_value_operands(op);
    switch (op) {
      case TapeOp::input: renamed[id] = inputs[a]; break;
      case TapeOp::parameter: renamed[id] = builder.parameter(a); break;
      case TapeOp::constant: renamed[id] = builder.constant(from.constants[a]); break;
      case TapeOp::call: {
        const Call& call = from.calls[a];
        renamed[id] = builder.call(from.functions[call.function], rename(call.arguments));
        break;
      }
      case TapeOp::call_many: break;  // made again with its results
      case TapeOp::result: {
        const Call& call = from.calls[from.code[a].a];
        renamed[id] = builder.call_output(from.functions[call.function], rename(call.arguments), b);
        break;
      }
      default:
        if (n == 1) renamed[id] = replace(id, renamed[a]);
        if (renamed[id] == no_value)
          renamed[id] =
              builder.apply(op, renamed[a], n > 1 ? renamed[b] : 0, n > 2 ? renamed[c] : 0);
    }
  }
  return rename(from.outputs);
}

std::vector<ValueId> inputs_of(TapeBuilder& builder, std::uint32_t n) {
  std::vector<ValueId> inputs;
  for (std::uint32_t i = 0; i < n; ++i) inputs.push_back(builder.input(i));
  return inputs;
}

constexpr auto as_it_is = [](ValueId, ValueId) { return no_value; };

/// Residuals of [u..., s..., captured...]: those of u, then those of s.
Tape lifted_residuals(const Tape& residuals, std::span<const ValueId> lifted, std::uint32_t n) {
  const auto n_lifted = static_cast<std::uint32_t>(lifted.size());
  TapeBuilder builder(residuals.n_inputs + n_lifted, residuals.n_parameters);
  std::vector<ValueId> inputs;
  for (std::uint32_t i = 0; i < residuals.n_inputs; ++i)
    inputs.push_back(builder.input(i < n ? i : i + n_lifted));
  std::vector<ValueId> more;
  const auto lift = [&](ValueId id, ValueId exponent) {
    if (more.size() == lifted.size() || lifted[more.size()] != id) return no_value;
    const auto k = static_cast<std::uint32_t>(more.size());
    const Curve curve = curve_at(builder, builder.input(n + k));
    more.push_back(builder.apply(TapeOp::sub, curve.exponent, exponent));
    return curve.power;
  };
  for (const ValueId value : copy(builder, residuals, inputs, lift)) builder.output(value);
  for (const ValueId value : more) builder.output(value);
  return std::move(builder).finish();
}

Tape exponents_of(const Tape& residuals, std::span<const ValueId> lifted) {
  TapeBuilder builder(residuals.n_inputs, residuals.n_parameters);
  std::vector<ValueId> exponents;
  copy(builder, residuals, inputs_of(builder, residuals.n_inputs),
       [&](ValueId id, ValueId exponent) {
         if (exponents.size() < lifted.size() && lifted[exponents.size()] == id)
           exponents.push_back(exponent);
         return no_value;
       });
  for (const ValueId value : exponents) builder.output(value);
  return std::move(builder).finish();
}

/// With the entries of the Jacobian behind the residuals; none where a derivative is not known.
std::optional<SolveRegion> with_jacobian(const Tape& residuals) {
  const auto n = static_cast<std::uint32_t>(residuals.outputs.size());
  std::vector<std::uint32_t> columns(n);
  std::iota(columns.begin(), columns.end(), 0u);
  const ColumnSparsity sparsity = tape_sparsity(residuals, columns);
  const auto jacobian = tape_jacobian(residuals, columns, sparsity);
  if (!jacobian) return std::nullopt;
  SolveRegion region;
  region.kind = SolveRegion::Kind::newton;
  region.n_unknowns = n;
  for (std::uint32_t column = 0; column < n; ++column)
    for (auto e = sparsity.column_start[column]; e < sparsity.column_start[column + 1]; ++e) {
      region.jacobian_rows.push_back(sparsity.row[e]);
      region.jacobian_columns.push_back(column);
    }
  TapeBuilder builder(residuals.n_inputs, residuals.n_parameters);
  const std::vector<ValueId> inputs = inputs_of(builder, residuals.n_inputs);
  for (const Tape* part : {&residuals, &*jacobian})
    for (const ValueId value : copy(builder, *part, inputs, as_it_is)) builder.output(value);
  region.body = std::move(builder).finish();
  region.elimination = SparseElimination::make(n, region.jacobian_rows, region.jacobian_columns);
  return region;
}

}  // namespace

std::shared_ptr<const LiftedRegion> lift_exponentials(
    const SolveRegion& region, const std::function<Kernel(const Tape&)>& make_kernel) {
  if (region.kind != SolveRegion::Kind::newton) return nullptr;
  const std::uint32_t n = region.n_unknowns;
  const Tape residuals = tape_part(region.body, 0, n);
  if (!residuals.regions.empty()) return nullptr;
  const std::vector<ValueId> lifted = exponentials_of_unknowns(residuals, n);
  if (lifted.empty() || lifted.size() > most_exponentials) return nullptr;
  auto whole = with_jacobian(lifted_residuals(residuals, lifted, n));
  if (!whole) return nullptr;
  whole->captured.resize(region.captured.size());  // the solver counts them
  auto result = std::make_shared<LiftedRegion>();
  result->body = make_kernel(whole->body);
  result->exponents = make_kernel(exponents_of(residuals, lifted));
  result->region = std::move(*whole);
  return result;
}

double lifted_place(double exponent) {
  if (!std::isfinite(exponent)) return 0.0;
  // From further along the curve it would come back by one power of e in each step.
  return exponent <= 0.0 ? exponent : std::exp(std::min(exponent, last_exponent)) - 1.0;
}

}  // namespace alembert::compile
