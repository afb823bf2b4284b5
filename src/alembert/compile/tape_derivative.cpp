// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/tape_derivative.hpp"

#include <map>

#include "alembert/base/error.hpp"
#include "alembert/graph/column_colouring.hpp"
#include "alembert/symbolic/called_function.hpp"

namespace alembert::compile {
namespace {

/// A tape made again inside another; `no_value` as a tangent is zero.
struct Inlined {
  const Tape* tape = nullptr;
  std::vector<ValueId> value;         // [n_instructions]: in the builder
  std::map<ValueId, Inlined> bodies;  // of each solve instruction, at its solution
};

class TangentBuilder {
 public:
  explicit TangentBuilder(TapeBuilder& builder) : b_(builder) {}

  bool has_unknown_derivative() const { return unknown_derivative_; }

  /// As deep as regions are nested: a few levels.
  Inlined inline_tape(const Tape& tape, std::span<const ValueId> inputs) {
    Inlined in{&tape, std::vector<ValueId>(tape.code.size(), no_value), {}};
    std::map<ValueId, std::vector<ValueId>> results;  // of each solve instruction
    const auto renamed = [&in](std::vector<ValueId> values) {
      for (ValueId& value : values) value = in.value[value];
      return values;
    };
    for (ValueId id = 0; id < tape.code.size(); ++id) {
      const auto& [op, a, b, c] = tape.code[id];
      const int n = n_value_operands(op);
      switch (op) {
        case TapeOp::input: in.value[id] = inputs[a]; break;
        case TapeOp::parameter: in.value[id] = b_.parameter(a); break;
        case TapeOp::constant: in.value[id] = b_.constant(tape.constants[a]); break;
        case TapeOp::call:
          in.value[id] =
              b_.call(tape.functions[tape.calls[a].function], renamed(tape.calls[a].arguments));
          break;
        case TapeOp::call_many: break;  // made with its results
        case TapeOp::solve: {
          SolveRegion region = tape.regions[a];
          region.captured = renamed(std::move(region.captured));
          region.guesses = renamed(std::move(region.guesses));
          std::vector<ValueId> arguments = region.captured;
          std::vector<ValueId> found = b_.solve(std::move(region));
          arguments.insert(arguments.begin(), found.begin(), found.end());
          in.bodies.emplace(id, inline_tape(tape.regions[a].body, arguments));
          results.emplace(id, std::move(found));
          break;
        }
        case TapeOp::result:
          if (tape.code[a].op == TapeOp::solve) {
            in.value[id] = results.at(a)[b];
          } else {
            const Call& call = tape.calls[tape.code[a].a];
            in.value[id] =
                b_.call_output(tape.functions[call.function], renamed(call.arguments), b);
          }
          break;
        default:
          in.value[id] =
              b_.apply(op, in.value[a], n > 1 ? in.value[b] : 0, n > 2 ? in.value[c] : 0);
      }
    }
    return in;
  }

  /// Tangents of the outputs, from those of the inputs.
  std::vector<ValueId> tangents(const Inlined& in, std::span<const ValueId> input_tangents) {
    const Tape& tape = *in.tape;
    std::vector<ValueId> tangent(tape.code.size(), no_value);
    std::map<ValueId, std::vector<ValueId>> solved;  // tangents of each solve instruction's results
    for (ValueId id = 0; id < tape.code.size(); ++id) {
      const auto& [op, a, b, c] = tape.code[id];
      switch (op) {
        case TapeOp::input: tangent[id] = input_tangents[a]; break;
        case TapeOp::parameter:
        case TapeOp::constant: break;
        case TapeOp::call: tangent[id] = of_call(in, a, 0, tangent); break;
        case TapeOp::call_many: break;  // its results have tangents
        case TapeOp::solve: solved[id] = of_region(in, id, tangent); break;
        case TapeOp::result:
          tangent[id] = tape.code[a].op == TapeOp::solve ? solved.at(a)[b]
                                                         : of_call(in, tape.code[a].a, b, tangent);
          break;
        default: tangent[id] = of_operation(in, id, tangent);
      }
    }
    std::vector<ValueId> result;
    for (const ValueId output : tape.outputs) result.push_back(tangent[output]);
    return result;
  }

 private:
  ValueId number(double value) { return b_.constant(value); }
  ValueId or_zero(ValueId tangent) { return tangent == no_value ? number(0) : tangent; }
  ValueId op1(TapeOp op, ValueId a) { return b_.apply(op, a); }
  ValueId op2(TapeOp op, ValueId a, ValueId b) { return b_.apply(op, a, b); }

  ValueId plus(ValueId x, ValueId y) {
    if (x == no_value) return y;
    return y == no_value ? x : op2(TapeOp::add, x, y);
  }
  ValueId minus(ValueId x) { return x == no_value ? x : op1(TapeOp::neg, x); }
  ValueId times(ValueId factor, ValueId x) {
    return x == no_value ? x : op2(TapeOp::mul, factor, x);
  }
  ValueId over(ValueId x, ValueId divisor) {
    return x == no_value ? x : op2(TapeOp::div, x, divisor);
  }
  /// 1 + sign * v^2
  ValueId one_and_square(double sign, ValueId v) {
    return b_.apply(sign > 0 ? TapeOp::fma : TapeOp::fnma, v, v, number(1));
  }

  ValueId of_operation(const Inlined& in, ValueId id, const std::vector<ValueId>& tangent) {
    const auto& [op, ia, ib, ic] = in.tape->code[id];
    const int n = n_value_operands(op);
    const bool is_select = op == TapeOp::select;
    const ValueId da = n > 0 && !is_select ? tangent[ia] : no_value;
    const ValueId db = n > 1 ? tangent[ib] : no_value;
    const ValueId dc = n > 2 ? tangent[ic] : no_value;
    if (da == no_value && db == no_value && dc == no_value) return no_value;
    const ValueId a = in.value[ia], b = n > 1 ? in.value[ib] : 0, v = in.value[id];
    if (is_select) return b_.apply(op, a, or_zero(db), or_zero(dc));
    switch (op) {
      case TapeOp::add: return plus(da, db);
      case TapeOp::sub: return plus(da, minus(db));
      case TapeOp::mul: return plus(times(b, da), times(a, db));
      case TapeOp::div: return over(plus(da, minus(times(v, db))), b);
      case TapeOp::fma: return plus(plus(times(b, da), times(a, db)), dc);
      case TapeOp::fms: return plus(plus(times(b, da), times(a, db)), minus(dc));
      case TapeOp::fnma: return plus(minus(plus(times(b, da), times(a, db))), dc);
      case TapeOp::fnms: return minus(plus(plus(times(b, da), times(a, db)), dc));
      case TapeOp::min:
      case TapeOp::max: {
        const ValueId first = op == TapeOp::min ? op2(TapeOp::less, a, b) : op2(TapeOp::less, b, a);
        return b_.apply(TapeOp::select, first, or_zero(da), or_zero(db));
      }
      case TapeOp::atan2: {
        const ValueId square = b_.apply(TapeOp::fma, a, a, op2(TapeOp::mul, b, b));
        return over(plus(times(b, da), minus(times(a, db))), square);
      }
      case TapeOp::pow: {
        const ValueId lower = op2(TapeOp::pow, a, op2(TapeOp::sub, b, number(1)));
        const ValueId by_base = times(op2(TapeOp::mul, b, lower), da);
        if (db == no_value) return by_base;
        return plus(by_base, times(op2(TapeOp::mul, v, op1(TapeOp::log, a)), db));
      }
      default: return of_function(op, a, v, da);
    }
  }

  ValueId of_function(TapeOp op, ValueId a, ValueId v, ValueId da) {
    switch (op) {
      case TapeOp::neg: return minus(da);
      case TapeOp::abs: return times(op1(TapeOp::sign, a), da);
      case TapeOp::sqrt: return over(times(number(0.5), da), v);
      case TapeOp::sin: return times(op1(TapeOp::cos, a), da);
      case TapeOp::cos: return minus(times(op1(TapeOp::sin, a), da));
      case TapeOp::tan: return times(one_and_square(1, v), da);
      case TapeOp::asin: return over(da, op1(TapeOp::sqrt, one_and_square(-1, a)));
      case TapeOp::acos: return minus(over(da, op1(TapeOp::sqrt, one_and_square(-1, a))));
      case TapeOp::atan: return over(da, one_and_square(1, a));
      case TapeOp::sinh: return times(op1(TapeOp::cosh, a), da);
      case TapeOp::cosh: return times(op1(TapeOp::sinh, a), da);
      case TapeOp::tanh: return times(one_and_square(-1, v), da);
      case TapeOp::asinh: return over(da, op1(TapeOp::sqrt, one_and_square(1, a)));
      case TapeOp::acosh:
        return over(da, op1(TapeOp::sqrt, b_.apply(TapeOp::fms, a, a, number(1))));
      case TapeOp::atanh: return over(da, one_and_square(-1, a));
      case TapeOp::exp: return times(v, da);
      case TapeOp::log: return over(da, a);
      case TapeOp::log10: return over(times(number(0.43429448190325182765), da), a);
      default: return no_value;  // floor, sign, conditions: constant wherever they are continuous
    }
  }

  /// Of a function that makes its derivatives when asked for them.
  static ForeignPartial told_partial(const ForeignFunction& function, std::uint32_t output,
                                     std::size_t argument) {
    const auto* called = symbolic::CalledFunction::of(function.outputs, function.context.get());
    if (called == nullptr) return {};
    ForeignFunction slope{
        .name = "der(" + function.name + ", " + std::to_string(argument + 1) + ")",
        .context = called->partial(static_cast<std::uint32_t>(argument)),
        .outputs = symbolic::CalledFunction::run,
        .n_outputs = function.n_outputs};
    return {std::make_shared<const ForeignFunction>(std::move(slope)), output};
  }

  ValueId of_call(const Inlined& in, std::uint32_t index, std::uint32_t output,
                  const std::vector<ValueId>& tangent) {
    const Call& call = in.tape->calls[index];
    const ForeignFunction& function = in.tape->functions[call.function];
    const std::size_t arity = call.arguments.size();
    std::vector<ValueId> arguments = call.arguments;
    for (ValueId& argument : arguments) argument = in.value[argument];
    ValueId sum = no_value;
    for (std::size_t k = 0; k < arity; ++k) {
      const ValueId moves = tangent[call.arguments[k]];
      if (moves == no_value) continue;
      ForeignPartial partial =
          function.partials.empty() ? ForeignPartial{} : function.partials[output * arity + k];
      if (partial.function == nullptr) partial = told_partial(function, output, k);
      if (partial.function == nullptr) {
        unknown_derivative_ = true;
        return no_value;
      }
      const ForeignFunction& slope = *partial.function;
      sum = plus(sum,
                 times(slope.outputs == nullptr ? b_.call(slope, arguments)
                                                : b_.call_output(slope, arguments, partial.output),
                       moves));
    }
    return sum;
  }

  std::vector<ValueId> of_region(const Inlined& in, ValueId id,
                                 const std::vector<ValueId>& tangent) {
    const SolveRegion& region = in.tape->regions[in.tape->code[id].a];
    const std::uint32_t n = region.n_unknowns;
    std::vector<ValueId> arguments(n, no_value);  // the unknowns held
    bool moves = false;
    for (const ValueId captured : region.captured) {
      arguments.push_back(tangent[captured]);
      moves = moves || arguments.back() != no_value;
    }
    std::vector<ValueId> result(n, no_value);
    if (!moves) return result;
    const Inlined& body = in.bodies.at(id);
    std::vector<ValueId> residual = tangents(body, arguments);
    residual.resize(n);
    std::vector<ValueId> entries;  // of r_u
    for (std::size_t k = n; k < region.body.outputs.size(); ++k)
      entries.push_back(body.value[region.body.outputs[k]]);
    if (n == 1 && entries.size() == 1) {
      result[0] = minus(over(residual[0], entries[0]));
      return result;
    }
    for (ValueId& r : residual) r = or_zero(r);
    return b_.solve(linear_region(region, std::move(entries), residual));
  }

  /// r_u du + rest = 0 over captured [entries of r_u, rest].
  static SolveRegion linear_region(const SolveRegion& like, std::vector<ValueId> entries,
                                   const std::vector<ValueId>& rest) {
    const std::uint32_t n = like.n_unknowns;
    const auto n_entries = static_cast<std::uint32_t>(entries.size());
    TapeBuilder body(n + n_entries + n, 0);
    std::vector<ValueId> sums;
    for (std::uint32_t i = 0; i < n; ++i) sums.push_back(body.input(n + n_entries + i));
    for (std::uint32_t e = 0; e < n_entries; ++e) {
      ValueId& sum = sums[like.jacobian_rows[e]];
      sum = body.apply(TapeOp::fma, body.input(n + e), body.input(like.jacobian_columns[e]), sum);
    }
    for (const ValueId sum : sums) body.output(sum);
    for (std::uint32_t e = 0; e < n_entries; ++e) body.output(body.input(n + e));
    SolveRegion region;
    region.kind = SolveRegion::Kind::linear;
    region.n_unknowns = n;
    region.captured = std::move(entries);
    region.captured.insert(region.captured.end(), rest.begin(), rest.end());
    region.jacobian_rows = like.jacobian_rows;
    region.jacobian_columns = like.jacobian_columns;
    region.body = std::move(body).finish();
    region.body.n_parameters = like.body.n_parameters;
    return region;
  }

  TapeBuilder& b_;
  bool unknown_derivative_ = false;
};

graph::Colouring colour_columns(const ColumnSparsity& sparsity, std::uint32_t n_rows) {
  std::vector<graph::Edge> edges;
  const auto n_columns = static_cast<std::uint32_t>(sparsity.column_start.size() - 1);
  for (std::uint32_t j = 0; j < n_columns; ++j)
    for (auto e = sparsity.column_start[j]; e < sparsity.column_start[j + 1]; ++e)
      edges.push_back({sparsity.row[e], j});
  return graph::column_colouring(graph::BipartiteGraph(n_rows, n_columns, edges));
}

}  // namespace

std::optional<Tape> tape_jacobian(const Tape& tape, std::span<const std::uint32_t> inputs,
                                  const ColumnSparsity& sparsity) {
  ensure(sparsity.column_start.size() == inputs.size() + 1, "a column for each input that counts");
  TapeBuilder builder(tape.n_inputs, tape.n_parameters);
  TangentBuilder tangent_builder(builder);
  std::vector<ValueId> all_inputs;
  for (std::uint32_t i = 0; i < tape.n_inputs; ++i) all_inputs.push_back(builder.input(i));
  const Inlined in = tangent_builder.inline_tape(tape, all_inputs);

  const auto n_rows = static_cast<std::uint32_t>(tape.outputs.size());
  const graph::Colouring colouring = colour_columns(sparsity, n_rows);
  std::vector<ValueId> entries(sparsity.row.size(), no_value);
  for (graph::Index colour = 0; colour < colouring.n_colours; ++colour) {
    std::vector<ValueId> seeds(tape.n_inputs, no_value);
    for (std::uint32_t j = 0; j < inputs.size(); ++j)
      if (colouring.colour[j] == colour) seeds[inputs[j]] = builder.constant(1);
    const std::vector<ValueId> rows = tangent_builder.tangents(in, seeds);
    for (std::uint32_t j = 0; j < inputs.size(); ++j) {
      if (colouring.colour[j] != colour) continue;
      for (auto e = sparsity.column_start[j]; e < sparsity.column_start[j + 1]; ++e)
        entries[e] = rows[sparsity.row[e]];
    }
  }
  if (tangent_builder.has_unknown_derivative()) return std::nullopt;
  for (const ValueId entry : entries)
    builder.output(entry == no_value ? builder.constant(0) : entry);
  return std::move(builder).finish();
}

}  // namespace alembert::compile
