// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/ode_tape.hpp"

#include "alembert/base/error.hpp"
#include "alembert/compile/lower.hpp"
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
       std::span<const ValueId> parameters)
      : builder_(builder), part_(part), inputs_(inputs), parameters_(parameters) {}

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
        results_[i] = builder_.solve(std::move(region));
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
  std::vector<ValueId> values_;
  std::vector<std::vector<ValueId>> results_;  // of solved regions
};

/// For each state whose derivative is another state the place of that one, n_states for the others;
/// empty where not every state is either a position or the velocity of one.
std::vector<std::uint32_t> velocities_in(const Tape& tape, std::uint32_t n_states) {
  std::vector<std::uint32_t> velocity_of(n_states, n_states);
  std::vector<std::uint32_t> n_positions(n_states, 0);
  for (std::uint32_t i = 0; i < n_states; ++i) {
    const Instruction& made_by = tape.code[tape.outputs[i]];
    if (made_by.op != TapeOp::input || made_by.a == 0) continue;
    velocity_of[i] = made_by.a - 1;
    ++n_positions[made_by.a - 1];
  }
  for (std::uint32_t i = 0; i < n_states; ++i) {
    const bool is_position = velocity_of[i] < n_states;
    if (n_positions[i] != (is_position ? 0u : 1u)) return {};
  }
  return velocity_of;
}

/// A dense linear region over the entries given.
std::vector<ValueId> solve_by_size(TapeBuilder& builder, std::uint32_t n_parameters,
                                   const std::vector<ValueId>& a, const std::vector<ValueId>& b) {
  const auto n = static_cast<std::uint32_t>(b.size());
  SolveRegion region;
  region.kind = SolveRegion::Kind::linear;
  region.n_unknowns = n;
  for (const std::vector<ValueId>* list : {&a, &b})
    for (const ValueId value : *list)
      if (value != no_value) region.captured.push_back(value);
  TapeBuilder body(n + static_cast<std::uint32_t>(region.captured.size()), n_parameters);
  std::uint32_t next = n;
  std::vector<ValueId> rows(n, no_value), entries;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      if (a[i * n + j] == no_value) continue;
      const ValueId entry = body.input(next++), unknown = body.input(j);
      rows[i] = rows[i] == no_value ? body.apply(TapeOp::mul, entry, unknown)
                                    : body.apply(TapeOp::fma, entry, unknown, rows[i]);
      region.jacobian_rows.push_back(i);
      region.jacobian_columns.push_back(j);
      entries.push_back(entry);
    }
  for (std::uint32_t i = 0; i < n; ++i)
    body.output(b[i] == no_value ? rows[i] : body.apply(TapeOp::sub, rows[i], body.input(next++)));
  for (const ValueId entry : entries) body.output(entry);
  region.body = std::move(body).finish();
  return builder.solve(std::move(region));
}

}  // namespace

std::vector<ValueId> append(TapeBuilder& builder, const Tape& part, std::span<const ValueId> inputs,
                            std::span<const ValueId> parameters) {
  ensure(inputs.size() == part.n_inputs && parameters.size() == part.n_parameters,
         "a tape is copied with all its inputs");
  return Copy(builder, part, inputs, parameters).run();
}

OdeTape ode_tape(const compile::CompiledModel& model) {
  if (model.hybrid().has_events() || !model.flat().delays.empty())
    throw Error("B001",
                "the model '" + model.flat().name +
                    "' has events or delays, and a batch in lanes has neither. Run its "
                    "cases one by one, as `alembert sweep` does.",
                model.flat().origin);
  const compile::CompiledChart& chart = model.static_chart();
  const Tape derivatives = model.right_hand_side(chart);
  OdeTape result;
  result.n_states = static_cast<std::uint32_t>(chart.states.size());
  TapeBuilder builder(1 + result.n_states, derivatives.n_parameters);
  // What is no state is a guess of an inner iteration: it begins where the model starts.
  const auto start = model.start_point(model.parameter_values());
  std::vector<ValueId> inputs(derivatives.n_inputs);
  inputs[0] = builder.input(0);
  for (std::uint32_t i = 1; i < derivatives.n_inputs; ++i)
    inputs[i] = builder.constant(start.values[i - 1]);
  for (std::uint32_t i = 0; i < result.n_states; ++i) {
    inputs[1 + chart.states[i]] = builder.input(1 + i);
    result.names.push_back(model.variable_names()[chart.states[i]]);
  }
  std::vector<ValueId> parameters;
  for (std::uint32_t i = 0; i < derivatives.n_parameters; ++i)
    parameters.push_back(builder.parameter(i));
  for (const ValueId value : append(builder, derivatives, inputs, parameters))
    builder.output(value);
  result.tape = std::move(builder).finish();
  result.velocity_of = velocities_in(result.tape, result.n_states);
  return result;
}

OdeTape ode_tape(const ConstrainedSystem& system, Pivots pivots) {
  const auto n = static_cast<std::uint32_t>(system.q.size());
  const auto size = static_cast<std::uint32_t>(system.right.size());
  ensure(system.v.size() == n && system.matrix.size() == std::size_t{size} * size && size >= n,
         "the matrix of a constrained system has its size");
  const auto n_parameters = static_cast<std::uint32_t>(system.parameters.size());
  TapeBuilder builder(1 + 2 * n, n_parameters);
  compile::Lowering lowering(system.pool, builder);
  lowering.bind(system.pool.time(), builder.input(0));
  for (std::uint32_t i = 0; i < n; ++i) {
    lowering.bind(system.q[i], builder.input(1 + i));
    lowering.bind(system.v[i], builder.input(1 + n + i));
  }
  for (std::uint32_t i = 0; i < n_parameters; ++i)
    lowering.bind(system.parameters[i], builder.parameter(i));
  const auto entries = [&](const std::vector<symbolic::ExprId>& expressions) {
    std::vector<ValueId> values = lowering.lower(expressions);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (system.pool.is_zero(expressions[i])) values[i] = no_value;
    return values;
  };
  std::vector<ValueId> a = entries(system.matrix), b = entries(system.right);

  OdeTape result;
  result.n_states = 2 * n;
  for (std::uint32_t i = 0; i < n; ++i) builder.output(builder.input(1 + n + i));
  if (pivots == Pivots::by_structure) {
    const auto solution = eliminate(builder, a, b);
    if (!solution)
      throw Error("B002",
                  "the constraints of the system leave no order of elimination: some "
                  "coordinate has no mass, or some constraint no coordinate.");
    for (std::uint32_t i = 0; i < n; ++i) builder.output(solution->x[i]);
    result.has_margin = solution->margin != no_value;
    if (result.has_margin) builder.output(solution->margin);
  } else {
    const auto x = solve_by_size(builder, n_parameters, a, b);
    for (std::uint32_t i = 0; i < n; ++i) builder.output(x[i]);
  }
  result.tape = std::move(builder).finish();
  for (std::uint32_t i = 0; i < 2 * n; ++i) {
    result.names.push_back(system.pool.symbol_text(i < n ? system.q[i] : system.v[i - n]));
  }
  result.velocity_of = velocities_in(result.tape, result.n_states);
  return result;
}

}  // namespace alembert::ensemble
