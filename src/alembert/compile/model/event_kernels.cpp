// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/event_kernels.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "alembert/base/error.hpp"
#include "alembert/compile/lower.hpp"
#include "alembert/flat/clocked_part.hpp"
#include "alembert/flat/delayed.hpp"
#include "alembert/structure/delay_derivative.hpp"
#include "alembert/structure/hidden_kinks.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/node_walk.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::compile {

using structure::HybridSystem;
using symbolic::ExprId;

ConstantLayout::ConstantLayout(const HybridSystem& hybrid) {
  const flat::FlatSystem& flat = hybrid.flat;
  symbolic::ExprPool& pool = *flat.pool;
  const auto here = [&] { return static_cast<std::uint32_t>(symbols.size()); };
  for (const auto& parameter : flat.parameters) symbols.push_back(parameter.symbol);
  discretes = here();
  for (const auto& variable : flat.discrete_variables) symbols.push_back(variable.symbol);
  samples = here();
  for (const auto& clock : flat.samples) symbols.push_back(clock.symbol);
  delays = here();
  for (const ExprId symbol : flat::delayed_symbols(flat)) symbols.push_back(symbol);
  n_delayed = here() - delays;
  fronts = here();
  symbols.insert(symbols.end(), hybrid.fronts.begin(), hybrid.fronts.end());
  initial = here();
  symbols.push_back(flat.initial_symbol.valid() ? flat.initial_symbol : pool.discrete("initial()"));
  const auto place_if_asked = [&](std::string_view name) {
    const ExprId symbol = pool.find_symbol(name);
    if (!symbol.valid()) return nowhere;
    symbols.push_back(symbol);
    return here() - 1;
  };
  terminal = place_if_asked("terminal()");
  homotopy = place_if_asked("homotopy()");
  previous_discretes = here();
  for (const auto& variable : flat.discrete_variables)
    symbols.push_back(pool.previous_symbol(variable.symbol));
  previous_unknowns = here();
  for (const ExprId unknown : hybrid.previous_unknowns)
    symbols.push_back(pool.previous_symbol(unknown));
  modes = here();
  for (const structure::Mode& mode : hybrid.modes) symbols.push_back(mode.symbol);
  clocked_samples = clock_intervals = first_ticks = here();
  if (flat.clocked == nullptr) return;
  for (const auto& sample : flat.clocked->samples) symbols.push_back(sample.symbol);
  clock_intervals = here();
  for (const auto& clock : flat.clocked->clocks) symbols.push_back(clock.interval);
  first_ticks = here();
  for (const auto& clock : flat.clocked->clocks) symbols.push_back(clock.first_tick);
}

void ConstantLayout::add_delay_slopes(const flat::FlatSystem& flat) {
  const std::vector<ExprId> delayed = flat::delayed_symbols(flat);
  for (std::uint32_t k = 0; k < delayed.size(); ++k)
    for (std::uint32_t order = 1; order <= structure::most_delay_derivatives; ++order) {
      const ExprId symbol = structure::find_delay_derivative(*flat.pool, delayed[k], order);
      if (!symbol.valid()) continue;
      delay_slopes.push_back({static_cast<std::uint32_t>(symbols.size()), k, order});
      symbols.push_back(symbol);
    }
}

namespace {

/// New values of the discrete variables: what is assigned is used from then on, what comes later in
/// a loop is as it was.
Tape assignment_tape(const HybridSystem& hybrid, const ConstantLayout& constants,
                     std::span<const ExprId> inputs) {
  TapeBuilder builder(static_cast<std::uint32_t>(inputs.size()),
                      static_cast<std::uint32_t>(constants.size()));
  Lowering lowering(*hybrid.flat.pool, builder);
  for (std::uint32_t i = 0; i < inputs.size(); ++i) lowering.bind(inputs[i], builder.input(i));
  // What an assignment gives is bound when it is there. Expressions that were lowered before keep
  // the value they had, so in a loop all members see the old value of what comes later.
  std::vector<char> pending(hybrid.flat.discrete_variables.size(), 1);
  for (std::uint32_t i = 0; i < constants.size(); ++i) {
    const bool assigned = i >= constants.discretes && i < constants.samples;
    if (!assigned) lowering.bind(constants.symbols[i], builder.parameter(i));
  }
  std::unordered_map<ExprId, std::uint32_t> variable_of;  // looked up, never iterated
  for (std::uint32_t v = 0; v < pending.size(); ++v)
    variable_of.emplace(hybrid.flat.discrete_variables[v].symbol, v);
  // What was met before is bound already.
  symbolic::NodeWalks walks(*hybrid.flat.pool);
  const auto bind_old = [&](ExprId node) {
    const auto found = variable_of.find(node);
    if (found != variable_of.end() && pending[found->second] == 1) {
      lowering.bind(node, builder.parameter(constants.discretes + found->second));
      pending[found->second] = 2;
    }
    return symbolic::Walk::down;
  };
  std::vector<ValueId> results(pending.size());
  for (const structure::DiscreteAssignment& assignment : hybrid.assignments) {
    walks.walk(assignment.value, bind_old);
    const ValueId value = lowering.lower(assignment.value);
    results[assignment.variable] = value;
    if (pending[assignment.variable] == 1)
      lowering.bind(hybrid.flat.discrete_variables[assignment.variable].symbol, value);
    pending[assignment.variable] = 0;
  }
  for (const ValueId value : results) builder.output(value);
  return std::move(builder).finish();
}

/// What is asserted holds also where it is missed by rounding alone: a tank that is full at the
/// start has a level that was computed from its mass.
ExprId up_to_rounding(symbolic::ExprPool& pool, ExprId condition) {
  using symbolic::Op;
  const ExprId rounding = pool.real(1e-14);
  const symbolic::Reach reach(pool, condition);
  std::vector<ExprId> wider(reach.nodes().begin(), reach.nodes().end());
  for (ExprId& node : wider) {
    const Op op = pool.op(node);
    std::vector<ExprId> operands(pool.children(node).begin(), pool.children(node).end());
    if (op == Op::less || op == Op::less_equal) {
      const ExprId sizes =
          pool.add(pool.apply(Op::abs, operands[0]), pool.apply(Op::abs, operands[1]));
      operands[1] = pool.add(operands[1], pool.mul(rounding, sizes));
    } else if (op == Op::logical_and || op == Op::logical_or) {
      for (ExprId& operand : operands) operand = wider[reach.index_of(operand)];
    } else {
      continue;  // what is denied stays as it is
    }
    node = pool.apply(op, operands);
  }
  return wider[reach.index_of(condition)];
}

/// Of a + b: |a| + |b|; of f (a + b): |f| (|a| + |b|). Rounding in them is a part of that.
ExprId size_of_terms(symbolic::ExprPool& pool, ExprId value) {
  using symbolic::Op;
  const auto terms_of = [&](ExprId sum) {
    std::vector<ExprId> sizes;
    for (const ExprId term : pool.children(sum)) sizes.push_back(term);
    ExprId size = pool.integer(0);
    for (const ExprId term : sizes) size = pool.add(size, pool.apply(Op::abs, term));
    return size;
  };
  if (pool.op(value) == Op::add) return terms_of(value);
  if (pool.op(value) != Op::mul) return pool.apply(Op::abs, value);
  const std::vector<ExprId> factors(pool.children(value).begin(), pool.children(value).end());
  ExprId size = pool.integer(1);
  for (const ExprId factor : factors)
    size =
        pool.mul(size, pool.op(factor) == Op::add ? terms_of(factor) : pool.apply(Op::abs, factor));
  return size;
}

/// Crossing functions that are to be searched for, and what unknowns in them are defined by.
std::vector<ExprId> searched_expressions(const HybridSystem& hybrid) {
  const flat::FlatSystem& flat = hybrid.flat;
  symbolic::ExprPool& pool = *flat.pool;
  std::unordered_map<ExprId, ExprId> definition_of;  // looked up, never iterated
  const auto define = [&](ExprId symbol, ExprId value) {
    if (pool.is_symbol(symbol) && pool.symbol_of(symbol).kind == symbolic::SymbolKind::unknown &&
        pool.symbol_of(symbol).order == 0)
      definition_of.emplace(symbol, value);
  };
  for (const flat::FlatEquation& equation : flat.equations) {
    define(equation.left, equation.right);
    define(equation.right, equation.left);
  }
  std::vector<ExprId> expressions;
  for (const structure::Mode& mode : hybrid.modes)
    if (!mode.change_time.valid())
      for (auto c = mode.first_crossing; c < mode.first_crossing + mode.n_crossings; ++c)
        expressions.push_back(hybrid.crossings[c]);
  std::unordered_map<ExprId, bool> met;  // looked up, never iterated
  for (std::size_t next = 0; next < expressions.size(); ++next)
    for (const ExprId symbol : symbolic::free_symbols(pool, expressions[next])) {
      const auto found = definition_of.find(symbol);
      if (found != definition_of.end() && met.emplace(symbol, true).second)
        expressions.push_back(found->second);
    }
  return expressions;
}

/// What they take a sine, cosine or tangent of, where that follows from unknowns: a state may pass
/// through many periods in one step. (For sources, see SourceKernels.)
std::vector<ExprId> angles_in(const symbolic::ExprPool& pool, std::span<const ExprId> expressions) {
  using symbolic::Op;
  std::vector<ExprId> angles;
  const symbolic::Reach reach(pool, expressions);
  for (const ExprId node : reach.nodes()) {
    const Op op = pool.op(node);
    if (op != Op::sin && op != Op::cos && op != Op::tan) continue;
    const ExprId angle = pool.children(node)[0];
    const auto is_unknown = [&](ExprId symbol) {
      return pool.symbol_of(symbol).kind == symbolic::SymbolKind::unknown;
    };
    if (std::ranges::find(angles, angle) == angles.end() &&
        std::ranges::any_of(symbolic::free_symbols(pool, angle), is_unknown))
      angles.push_back(angle);
  }
  return angles;
}

/// The derivative in time where that follows from what kernels have; else NaN.
ExprId rate_of(symbolic::ExprPool& pool, ExprId quantity, std::span<const ExprId> inputs,
               const ConstantLayout& constants, const std::vector<ExprId>& delayed) {
  const ExprId none = pool.real(std::numeric_limits<double>::quiet_NaN());
  const auto is_in = [](std::span<const ExprId> all) {
    return [all](ExprId symbol) { return std::ranges::find(all, symbol) != all.end(); };
  };
  if (std::ranges::any_of(symbolic::free_symbols(pool, quantity), is_in(delayed))) return none;
  try {
    const ExprId rate = symbolic::time_derivative(pool, quantity);
    const auto has = [&](ExprId symbol) {
      return is_in(inputs)(symbol) || is_in(constants.symbols)(symbol);
    };
    return std::ranges::all_of(symbolic::free_symbols(pool, rate), has) ? rate : none;
  } catch (const Error&) {  // a function without a derivative
    return none;
  }
}

// Outputs of kernels, as EventKernels tells them.

std::vector<ExprId> mode_outputs(const HybridSystem& hybrid) {
  std::vector<ExprId> outputs;
  for (const structure::Mode& mode : hybrid.modes) outputs.push_back(mode.value);
  outputs.insert(outputs.end(), hybrid.crossings.begin(), hybrid.crossings.end());
  return outputs;
}

/// `searched`: their corners, which make no events by themselves, are in abs, min and max.
std::vector<ExprId> term_outputs(const HybridSystem& hybrid, std::span<const ExprId> searched) {
  symbolic::ExprPool& pool = *hybrid.flat.pool;
  std::vector<ExprId> outputs;
  for (const ExprId crossing : hybrid.crossings) outputs.push_back(size_of_terms(pool, crossing));
  const std::vector<ExprId> corners =
      structure::hidden_kinks(pool, searched, flat::delayed_symbols(hybrid.flat));
  outputs.insert(outputs.end(), corners.begin(), corners.end());
  return outputs;
}

std::vector<ExprId> reinit_outputs(const flat::FlatSystem& flat) {
  std::vector<ExprId> outputs;
  for (const flat::Reinit& reinit : flat.reinits) outputs.push_back(reinit.condition);
  for (const flat::Reinit& reinit : flat.reinits) outputs.push_back(reinit.value);
  return outputs;
}

std::vector<ExprId> termination_outputs(const flat::FlatSystem& flat) {
  std::vector<ExprId> outputs;
  for (const flat::Termination& end : flat.terminations) outputs.push_back(end.condition);
  for (const flat::Termination& end : flat.terminations)
    outputs.insert(outputs.end(), end.values.begin(), end.values.end());
  return outputs;
}

std::vector<ExprId> assertion_outputs(const flat::FlatSystem& flat) {
  std::vector<ExprId> outputs;
  for (const flat::Assertion& assertion : flat.assertions)
    outputs.push_back(up_to_rounding(*flat.pool, assertion.condition));
  for (const flat::Assertion& assertion : flat.assertions)
    outputs.insert(outputs.end(), assertion.values.begin(), assertion.values.end());
  return outputs;
}

std::vector<ExprId> clock_outputs(const flat::FlatSystem& flat) {
  std::vector<ExprId> outputs;
  for (const flat::SampleClock& clock : flat.samples) outputs.push_back(clock.start);
  for (const flat::SampleClock& clock : flat.samples) outputs.push_back(clock.interval);
  return outputs;
}

std::vector<ExprId> delay_outputs(const flat::FlatSystem& flat) {
  std::vector<ExprId> outputs;
  for (const flat::Delay& delay : flat.delays) outputs.push_back(delay.value);
  for (const flat::Delay& delay : flat.delays) outputs.push_back(delay.delay);
  for (const flat::Delay& delay : flat.delays)
    outputs.push_back(delay.longest.valid() ? delay.longest : delay.delay);
  return outputs;
}

bool is_stepwise(const flat::FlatSystem& flat, const flat::Delay& delay) {
  const std::vector<ExprId> delayed = flat::delayed_symbols(flat);
  return std::ranges::all_of(symbolic::free_symbols(*flat.pool, delay.value), [&](ExprId symbol) {
    const symbolic::SymbolKind kind = flat.pool->symbol_of(symbol).kind;
    return kind != symbolic::SymbolKind::time && kind != symbolic::SymbolKind::unknown &&
           std::ranges::find(delayed, symbol) == delayed.end();
  });
}

std::vector<ExprId> transport_outputs(const flat::FlatSystem& flat, const ConstantLayout& constants,
                                      std::span<const ExprId> inputs) {
  symbolic::ExprPool& pool = *flat.pool;
  const std::vector<ExprId> delayed = flat::delayed_symbols(flat);
  const auto rate = [&](ExprId of) { return rate_of(pool, of, inputs, constants, delayed); };
  std::vector<ExprId> outputs;
  for (const flat::Transport& transport : flat.transports)
    outputs.insert(
        outputs.end(),
        {transport.inputs[0], transport.inputs[1], transport.position,
         pool.if_then_else(transport.forward, pool.integer(1), pool.integer(0)),
         rate(transport.position), rate(transport.inputs[0]), rate(transport.inputs[1])});
  return outputs;
}

std::vector<ExprId> transport_start_outputs(const flat::FlatSystem& flat) {
  std::vector<ExprId> outputs;
  for (const flat::Transport& transport : flat.transports) {
    outputs.insert(outputs.end(), transport.points.begin(), transport.points.end());
    outputs.insert(outputs.end(), transport.values.begin(), transport.values.end());
  }
  return outputs;
}

}  // namespace

EventKernels::EventKernels(const HybridSystem& hybrid, const ConstantLayout& constants,
                           std::span<const ExprId> inputs, Backend backend)
    : clocked(hybrid.flat, constants, inputs, backend) {
  const flat::FlatSystem& flat = hybrid.flat;
  const auto kernel = [&](const std::vector<ExprId>& outputs) {
    if (outputs.empty()) return Kernel{};
    return make_kernel(lower(*flat.pool, inputs, constants.symbols, outputs), backend);
  };
  modes = kernel(mode_outputs(hybrid));
  const std::vector<ExprId> searched = searched_expressions(hybrid);
  terms = kernel(term_outputs(hybrid, searched));
  angles = kernel(angles_in(*flat.pool, searched));
  std::vector<ExprId> times;
  for (std::uint32_t k = 0; k < hybrid.modes.size(); ++k) {
    if (!hybrid.modes[k].change_time.valid()) continue;
    timed_modes.push_back(k);
    times.push_back(hybrid.modes[k].change_time);
  }
  change_times = kernel(times);
  if (!hybrid.assignments.empty())
    assignments = make_kernel(assignment_tape(hybrid, constants, inputs), backend);
  reinits = kernel(reinit_outputs(flat));
  terminations = kernel(termination_outputs(flat));
  assertions = kernel(assertion_outputs(flat));
  clocks = kernel(clock_outputs(flat));
  for (const flat::Delay& delay : flat.delays) stepwise_delays.push_back(is_stepwise(flat, delay));
  delays = kernel(delay_outputs(flat));
  transports = kernel(transport_outputs(flat, constants, inputs));
  transport_starts = kernel(transport_start_outputs(flat));
}

}  // namespace alembert::compile
