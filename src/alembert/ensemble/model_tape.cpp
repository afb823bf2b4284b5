// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/model_tape.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/compile/interpret/interpreter.hpp"
#include "alembert/compile/model/compiled_index_one.hpp"
#include "alembert/compile/static_elimination.hpp"
#include "alembert/ensemble/append_tape.hpp"

namespace alembert::ensemble {

using compile::MatrixEntry;
using compile::no_value;
using compile::Pivot;
using compile::SolveRegion;
using compile::Tape;
using compile::TapeBuilder;
using compile::TapeOp;
using compile::ValueId;

namespace {

/// Larger systems stay regions: the code of their elimination would outgrow the caches.
constexpr std::uint32_t most_unknowns = 32;
/// A pivot smaller than this beside its row is not trusted.
constexpr double least_quality = 1e-4;

/// Which inputs [time, variables...] of a model's tape hold guesses of iterations, each once, and
/// the tape with what the iterations find as further outputs, in that order.
std::vector<std::uint32_t> add_solutions(Tape& tape) {
  std::vector<std::uint32_t> guessed;
  const auto n_code = static_cast<std::uint32_t>(tape.code.size());
  for (std::uint32_t i = 0; i < n_code; ++i) {
    if (tape.code[i].op != TapeOp::solve) continue;
    const SolveRegion& region = tape.regions[tape.code[i].a];
    for (std::uint32_t k = 0; k < region.guesses.size(); ++k) {
      const compile::Instruction& guess = tape.code[region.guesses[k]];
      ensure(guess.op == TapeOp::input, "a guess of a model is one of its variables");
      guessed.push_back(guess.a);
      tape.outputs.push_back(static_cast<ValueId>(tape.code.size()));
      tape.code.push_back({TapeOp::result, i, k});
    }
  }
  return guessed;
}

/// The matrix and the residuals of a linear region at zero, as values of the outer tape.
struct LinearSystem {
  std::vector<MatrixEntry> entries;
  std::vector<ValueId> values;  // [entries]
  std::vector<ValueId> right;   // [n]
};

LinearSystem written_out(TapeBuilder& builder, const SolveRegion& region) {
  std::vector<ValueId> inputs(region.n_unknowns, builder.constant(0));
  inputs.insert(inputs.end(), region.captured.begin(), region.captured.end());
  const auto outputs =
      append(builder, region.body, inputs, all_parameters(builder, region.body.n_parameters));
  LinearSystem system;
  for (std::uint32_t i = 0; i < region.n_unknowns; ++i)
    system.right.push_back(builder.apply(TapeOp::neg, outputs[i]));
  for (std::size_t e = 0; e < region.jacobian_rows.size(); ++e) {
    system.entries.push_back({region.jacobian_rows[e], region.jacobian_columns[e]});
    system.values.push_back(outputs[region.n_unknowns + e]);
  }
  return system;
}

bool is_eliminated(const SolveRegion& region) {
  return region.kind == SolveRegion::Kind::linear && region.n_unknowns <= most_unknowns;
}

/// Pivots of each region that is_eliminated, by the numbers of one point; none where they are no
/// good there.
std::vector<std::vector<Pivot>> pivots_at(const Tape& tape, std::span<const double> inputs,
                                          std::span<const double> parameters) {
  std::vector<LinearSystem> systems;
  std::vector<std::vector<char>> constant;
  TapeBuilder probe(tape.n_inputs, tape.n_parameters);
  append(probe, tape, all_inputs(probe, 0, tape.n_inputs), all_parameters(probe, tape.n_parameters),
         [&](TapeBuilder& builder, SolveRegion region) {
           if (is_eliminated(region)) {
             systems.push_back(written_out(builder, region));
             constant.emplace_back();
             for (const ValueId value : systems.back().values) {
               constant.back().push_back(builder.constant_value(value) != nullptr);
               builder.output(value);
             }
           }
           return builder.solve(std::move(region));
         });
  const compile::Kernel kernel = compile::interpret::make_kernel(std::move(probe).finish());
  std::vector<double> values(kernel.shape().n_outputs);
  compile::AlignedDoubles workspace(kernel.shape().workspace_size);
  kernel(inputs.data(), parameters.data(), values.data(), workspace.data());
  std::vector<std::vector<Pivot>> pivots;
  std::size_t first = 0;
  for (std::size_t k = 0; k < systems.size(); ++k) {
    const std::size_t n_entries = systems[k].entries.size();
    const std::span<const double> numbers(values.data() + first, n_entries);
    first += n_entries;
    const auto n = static_cast<std::uint32_t>(systems[k].right.size());
    pivots.emplace_back();
    if (!std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); })) continue;
    auto chosen = compile::choose_pivots(n, systems[k].entries, numbers, constant[k]);
    if (chosen.size() == n) pivots.back() = std::move(chosen);
  }
  return pivots;
}

/// The same with straight-line eliminations in place of regions that have pivots.
void straighten(OdeTape& ode, const std::vector<std::vector<Pivot>>& pivots) {
  const Tape& tape = ode.tape;
  TapeBuilder builder(tape.n_inputs, tape.n_parameters);
  std::size_t next = 0;
  ValueId quality = no_value;
  const auto outputs = append(
      builder, tape, all_inputs(builder, 0, tape.n_inputs),
      all_parameters(builder, tape.n_parameters), [&](TapeBuilder& b, SolveRegion region) {
        if (!is_eliminated(region)) return b.solve(std::move(region));
        const std::vector<Pivot>& order = pivots[next++];
        if (order.empty()) return b.solve(std::move(region));
        const LinearSystem system = written_out(b, region);
        compile::StaticElimination elimination(b, region.n_unknowns, system.entries, system.values,
                                               order);
        if (elimination.quality() != no_value)
          quality = quality == no_value ? elimination.quality()
                                        : b.apply(TapeOp::min, quality, elimination.quality());
        std::vector<ValueId> x = elimination.solve(system.right);
        for (ValueId& value : x)
          if (value == no_value) value = b.constant(0);
        return x;
      });
  for (const ValueId value : outputs) builder.output(value);
  ode.has_margin = quality != no_value && builder.constant_value(quality) == nullptr;
  if (ode.has_margin)
    builder.output(builder.apply(TapeOp::sub, quality, builder.constant(least_quality)));
  ode.tape = std::move(builder).finish();
}

/// y + G(t, y)' mu with mu such that all invariants g vanish there.
Tape projection_onto(const Tape& invariants, std::uint32_t n, Pivots pivots,
                     const std::string& model) {
  const auto m = static_cast<std::uint32_t>(invariants.outputs.size());
  std::vector<std::uint32_t> columns;
  for (std::uint32_t i = 0; i < n; ++i) columns.push_back(1 + i);
  const compile::ColumnSparsity sparsity = compile::tape_sparsity(invariants, columns);
  const auto gradient = compile::tape_jacobian(invariants, columns, sparsity);
  const auto n_entries = static_cast<std::uint32_t>(sparsity.row.size());
  // Where a multiplier [m], t, y and the entries of G are at hand.
  const auto moved = [&](TapeBuilder& b, std::span<const ValueId> mu, std::span<const ValueId> y,
                         std::span<const ValueId> entries) {
    std::vector<ValueId> point(y.begin(), y.end());
    for (std::uint32_t c = 0; c < n; ++c)
      for (std::uint32_t e = sparsity.column_start[c]; e < sparsity.column_start[c + 1]; ++e)
        point[c] = b.apply(TapeOp::fma, entries[e], mu[sparsity.row[e]], point[c]);
    return point;
  };
  const auto refuse = [&] {
    throw Error("B004", "the constraints of the model '" + model +
                            "' contain a function whose derivatives are not known, and its lanes "
                            "are kept on them by their derivatives.");
  };
  if (!gradient) refuse();
  TapeBuilder residual(m + 1 + n + n_entries, invariants.n_parameters);
  std::vector<ValueId> point{residual.input(m)};
  const auto there = moved(residual, all_inputs(residual, 0, m), all_inputs(residual, m + 1, n),
                           all_inputs(residual, m + 1 + n, n_entries));
  point.insert(point.end(), there.begin(), there.end());
  for (const ValueId value :
       append(residual, invariants, point, all_parameters(residual, invariants.n_parameters)))
    residual.output(value);
  auto region = newton_region(std::move(residual).finish());
  if (!region) refuse();

  TapeBuilder builder(1 + n, invariants.n_parameters);
  auto inputs = all_inputs(builder, 0, 1 + n);
  if (!reads_time(invariants)) inputs[0] = builder.constant(0);
  const auto entries =
      append(builder, *gradient, inputs, all_parameters(builder, invariants.n_parameters));
  region->captured = inputs;
  region->captured.insert(region->captured.end(), entries.begin(), entries.end());
  region->guesses.assign(m, builder.constant(0));
  // A step ends near the constraints.
  constexpr int n_newton_steps = 3;
  std::optional<UnrolledNewton> lines;
  if (pivots == Pivots::by_structure && m <= most_unknowns)
    lines = unrolled(builder, *region, n_newton_steps);
  const auto mu = lines ? lines->x : builder.solve(std::move(*region));
  for (const ValueId value :
       moved(builder, mu, std::span<const ValueId>(inputs).subspan(1), entries))
    builder.output(value);
  if (lines) builder.output(lines->margin);
  return std::move(builder).finish();
}

/// A tape of the model over [time, variables...] as one over [t, y..., memory...].
Tape over_states(const Tape& tape, const compile::CompiledChart& chart,
                 std::span<const std::uint32_t> guessed, std::span<const double> others) {
  const auto n = static_cast<std::uint32_t>(chart.states.size());
  TapeBuilder builder(1 + n + static_cast<std::uint32_t>(guessed.size()), tape.n_parameters);
  std::vector<ValueId> inputs{builder.input(0)};
  for (const double value : others) inputs.push_back(builder.constant(value));
  for (std::uint32_t i = 0; i < guessed.size(); ++i) inputs[guessed[i]] = builder.input(1 + n + i);
  for (std::uint32_t i = 0; i < n; ++i) inputs[1 + chart.states[i]] = builder.input(1 + i);
  for (const ValueId value :
       append(builder, tape, inputs, all_parameters(builder, tape.n_parameters)))
    builder.output(value);
  return std::move(builder).finish();
}

}  // namespace

void require_fit_for_lanes(const compile::CompiledModel& model) {
  if (model.hybrid().has_events() || model.constants().n_delayed > 0)
    throw Error("B001",
                "the model '" + model.flat().name +
                    "' has events or delays, and a batch in lanes has neither. Run its cases one "
                    "by one, as `alembert sweep` does.",
                model.flat().origin);
}

OdeTape ode_tape(const compile::CompiledModel& model, Pivots pivots) {
  require_fit_for_lanes(model);
  const compile::CompiledIndexOne* form = model.choice_varies() ? &model.index_one() : nullptr;
  const compile::CompiledChart& chart = form != nullptr ? form->chart : model.static_chart();
  Tape derivatives = model.right_hand_side(chart);
  const std::vector<std::uint32_t> guessed = add_solutions(derivatives);
  const auto start = model.start_point(model.parameter_values());
  OdeTape result;
  result.n_states = static_cast<std::uint32_t>(chart.states.size());
  result.tape = over_states(derivatives, chart, guessed, start.values);
  for (const std::uint32_t state : chart.states)
    result.names.push_back(model.variable_names()[state]);
  for (const std::uint32_t input : guessed) {
    result.memory.push_back(start.values[input - 1]);
    result.memory_names.push_back(model.variable_names()[input - 1]);
  }
  if (form != nullptr && !form->invariants.empty())
    result.projection =
        projection_onto(over_states(model.invariants(*form), chart, {}, start.values),
                        result.n_states, pivots, model.flat().name);
  if (pivots == Pivots::by_structure && std::ranges::any_of(result.tape.regions, is_eliminated)) {
    const SystemStart begin = system_start(model, result);
    std::vector<double> inputs{0};
    inputs.insert(inputs.end(), begin.states.begin(), begin.states.end());
    inputs.insert(inputs.end(), begin.memory.begin(), begin.memory.end());
    straighten(result, pivots_at(result.tape, inputs, begin.parameters));
  }
  result.velocity_of = velocities_in(result.tape, result.n_states);
  return result;
}

SystemStart system_start(const compile::CompiledModel& model, const OdeTape& ode,
                         const integrate::SimulateOptions::Values& parameters,
                         const integrate::SimulateOptions::Values& starts) {
  return system_start(model, ode.names, ode.memory_names, parameters, starts);
}

SystemStart system_start(const compile::CompiledModel& model, std::span<const std::string> states,
                         std::span<const std::string> memory,
                         const integrate::SimulateOptions::Values& parameters,
                         const integrate::SimulateOptions::Values& starts) {
  integrate::SimulateOptions options{.stop = 0, .intervals = 1};
  options.parameters = parameters;
  options.starts = starts;
  const auto run = integrate::simulate(model, options);
  SystemStart start;
  start.parameters = model.parameter_values(parameters);
  const auto value = [&](const std::string& name) { return run.trajectory.column(name).front(); };
  for (const std::string& name : states) start.states.push_back(value(name));
  for (const std::string& name : memory) start.memory.push_back(value(name));
  return start;
}

}  // namespace alembert::ensemble
