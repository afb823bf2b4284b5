// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/settle_clocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/flat/delayed.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/frontend/modelica/flatten/clock_inference.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/transplant.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::modelica {

namespace {

using symbolic::Op;
using symbolic::SymbolKind;
using CallKind = ClockedCall::Kind;

flat::ValueType value_type(ValueKind kind) {
  if (kind == ValueKind::boolean) return flat::ValueType::boolean;
  if (kind == ValueKind::string) return flat::ValueType::text;
  return kind == ValueKind::real ? flat::ValueType::real : flat::ValueType::integer;
}

/// The origin of a variable that nobody wrote, so that results do not show it.
Origin own(Origin origin, std::string_view of) {
  origin.derived_from = of;
  return origin;
}

class ClockSettler {
 public:
  ClockSettler(FlattenState& state, Events& events)
      : old_(state.system),
        records_(state.clocks),
        pool_(state.pool),
        events_(events),
        partition_(infer_clocks(state.system, state.clocks)),
        image_(pool_, *new_pool_, "") {}

  void run() {
    n_equations_ = old_.equations.size();
    n_discrete_ = old_.discrete_equations.size();
    count_events();
    for (const flat::Unknown& unknown : old_.unknowns) is_declared_.insert(unknown.symbol);
    for (const flat::DiscreteVariable& variable : old_.discrete_variables)
      is_declared_.insert(variable.symbol);
    find_arguments();
    name_symbols();
    new_.name = old_.name;
    new_.pool = new_pool_;
    move_variables();
    move_equations();
    move_the_rest();
    finish();
  }

 private:
  // ---- in the old pool --------------------------------------------------------------------------

  /// An event clock counts the events at which its condition becomes true. Before the start nothing
  /// holds: a condition that does at the start has become true there.
  void count_events() {
    for (std::size_t b = 0; b < partition_.bases.size(); ++b) {
      const std::uint32_t i = partition_.definition_of_base[b];
      if (i == no_clock || !records_.definitions[i].definition.condition.valid()) continue;
      const DefinedClock& clock = records_.definitions[i];
      const ExprId count = pool_.discrete(events_.unique_name("ticks", {clock.symbol}));
      const ExprId before = pool_.previous_symbol(count);
      const ExprId edge = events_.edge(clock.definition.condition, clock.place);
      old_.discrete_variables.push_back({.symbol = count,
                                         .type = flat::ValueType::integer,
                                         .origin = own(clock.origin, "a clock")});
      const ExprId zero = pool_.integer(0);
      const ExprId one = pool_.integer(1);
      const ExprId at_start = pool_.if_then_else(clock.definition.condition, one, zero);
      const ExprId later = pool_.if_then_else(edge, pool_.add(before, one), before);
      const ExprId is_start = pool_.apply(Op::not_equal, events_.initial(), zero);
      old_.discrete_equations.push_back({.left = count,
                                         .right = pool_.if_then_else(is_start, at_start, later),
                                         .origin = clock.origin});
      partition_.bases[b].count = count;
    }
  }

  struct Made {
    ExprId symbol;
    ExprId value;
    std::uint32_t clock;
    flat::ValueType type;
    Origin origin;
  };

  /// What operators look at has a name: where it is an expression, one is made.
  void find_arguments() {
    arguments_.assign(records_.operators.size(), {});
    for (std::size_t i = 0; i < records_.operators.size(); ++i) {
      const ClockedOperator& one = records_.operators[i];
      const bool looks = one.call.kind != CallKind::sample && one.call.kind != CallKind::interval &&
                         one.call.kind != CallKind::first_tick;
      if (!partition_.is_used[i] || !looks || partition_.clock_symbols.contains(one.symbol))
        continue;
      arguments_[i] = one.call.argument;
      const std::uint32_t clock = partition_.clock_of_argument[i];
      if (is_declared_.contains(one.call.argument) || clock == no_clock) continue;
      const ExprId symbol = pool_.discrete(events_.unique_name("clocked", {one.call.argument}));
      made_.push_back({symbol, one.call.argument, clock, value_type(one.call.type), one.origin});
      arguments_[i] = symbol;
    }
  }

  // ---- in the new pool --------------------------------------------------------------------------

  void name_symbols() {
    part_->bases = partition_.bases;
    part_->clocks = partition_.clocks;
    for (std::size_t k = 0; k < part_->clocks.size(); ++k) {
      part_->clocks[k].interval = new_pool_->discrete(fmt::format("interval of clock {}", k + 1));
      part_->clocks[k].first_tick =
          new_pool_->discrete(fmt::format("first tick of clock {}", k + 1));
    }
    for (const flat::Unknown& unknown : old_.unknowns) {
      const std::uint32_t clock = partition_.clock_of(unknown.symbol);
      if (clock == no_clock) continue;
      image_.set(unknown.symbol, new_pool_->discrete(pool_.symbol_text(unknown.symbol)));
      for (ExprId d = pool_.symbol_of(unknown.symbol).derivative; d.valid();
           d = pool_.symbol_of(d).derivative)
        image_.set(d, new_pool_->discrete(pool_.symbol_text(d)));
    }
    for (std::size_t i = 0; i < records_.operators.size(); ++i) {
      const ClockedOperator& one = records_.operators[i];
      if (!partition_.is_used[i] || partition_.clock_symbols.contains(one.symbol)) continue;
      if (one.call.kind == CallKind::sample) continue;  // a symbol of its own
      const std::uint32_t clock = partition_.clock_of(one.symbol);
      if (one.call.kind == CallKind::interval)
        image_.set(one.symbol, part_->clocks[clock].interval);
      else if (one.call.kind == CallKind::first_tick)
        image_.set(one.symbol, part_->clocks[clock].first_tick);
      else
        image_.set(one.symbol, image_(arguments_[i]));
    }
    for (flat::BaseClock& base : part_->bases) {
      base.interval = base.count.valid() ? ExprId::none() : image_(base.interval);
      base.count = image_(base.count);
      base.start_interval = image_(base.start_interval);
    }
  }

  void add_clocked_variable(flat::DiscreteVariable variable, flat::ClockedVariable clocked) {
    clocked.symbol = variable.symbol;
    part_->variables.push_back(clocked);
    new_.discrete_equations.push_back({.left = variable.symbol,
                                       .right = new_pool_->previous_symbol(variable.symbol),
                                       .origin = variable.origin});
    new_.discrete_variables.push_back(std::move(variable));
  }

  void move_variables() {
    for (flat::Unknown unknown : old_.unknowns) {
      const std::uint32_t clock = partition_.clock_of(unknown.symbol);
      const ExprId symbol = image_(unknown.symbol);
      unknown.start = image_(unknown.start);
      if (clock == no_clock) {
        unknown.symbol = symbol;
        new_.unknowns.push_back(std::move(unknown));
        continue;
      }
      add_clocked_variable(
          {.symbol = symbol,
           .start = unknown.start,
           .fixed = unknown.fixed,
           .unit = unknown.unit,
           .description = unknown.description,
           .origin = unknown.origin},
          {.symbol = {}, .clock = clock, .state_priority = unknown.state_priority});
    }
    for (flat::DiscreteVariable variable : old_.discrete_variables) {
      const std::uint32_t clock = partition_.clock_of(variable.symbol);
      variable.symbol = image_(variable.symbol);
      variable.start = image_(variable.start);
      if (clock == no_clock)
        new_.discrete_variables.push_back(std::move(variable));
      else
        add_clocked_variable(std::move(variable), {.symbol = {}, .clock = clock});
    }
    for (const Made& made : made_) {
      add_clocked_variable({.symbol = image_(made.symbol),
                            .type = made.type,
                            .origin = own(made.origin, "an operator of clocks")},
                           {.symbol = {}, .clock = made.clock});
      part_->equations.push_back({.left = image_(made.symbol),
                                  .right = image_(made.value),
                                  .clock = made.clock,
                                  .is_real = made.type == flat::ValueType::real,
                                  .origin = made.origin});
    }
    for (std::size_t i = 0; i < records_.operators.size(); ++i) {
      const ClockedOperator& one = records_.operators[i];
      if (!partition_.is_used[i] || one.call.kind != CallKind::sample) continue;
      part_->samples.push_back(
          {.symbol = image_(one.symbol), .value = image_(one.call.argument), .origin = one.origin});
    }
  }

  flat::FlatEquation image(const flat::FlatEquation& equation) {
    return {
        .left = image_(equation.left), .right = image_(equation.right), .origin = equation.origin};
  }

  bool is_clock_equation(const flat::FlatEquation& equation) const {
    return partition_.clock_symbols.contains(equation.left) ||
           partition_.clock_symbols.contains(equation.right);
  }

  void move_equations() {
    const auto move = [&](const flat::FlatEquation& equation, std::uint32_t clock, bool is_real,
                          std::vector<flat::FlatEquation>& rest) {
      if (clock == no_clock) {
        rest.push_back(image(equation));
        return;
      }
      note_derivatives(equation, clock);
      part_->equations.push_back({.left = image_(equation.left),
                                  .right = image_(equation.right),
                                  .clock = clock,
                                  .is_real = is_real,
                                  .origin = equation.origin});
    };
    for (std::size_t i = 0; i < old_.equations.size(); ++i)
      move(old_.equations[i], i < n_equations_ ? partition_.clock_of_equation[i] : no_clock, true,
           new_.equations);
    for (std::size_t i = 0; i < old_.discrete_equations.size(); ++i)
      if (!is_clock_equation(old_.discrete_equations[i]))
        move(old_.discrete_equations[i],
             i < n_discrete_ ? partition_.clock_of_discrete[i] : no_clock, false,
             new_.discrete_equations);
    for (const flat::FlatEquation& equation : old_.initial_equations) {
      const std::uint32_t clock = clock_in(equation);
      if (clock == no_clock) {
        new_.initial_equations.push_back(image(equation));
        continue;
      }
      note_derivatives(equation, clock);
      part_->initial_equations.push_back({.left = image_(equation.left),
                                          .right = image_(equation.right),
                                          .clock = clock,
                                          .origin = equation.origin});
    }
  }

  std::uint32_t clock_in(const flat::FlatEquation& equation) const {
    for (const ExprId side : {equation.left, equation.right}) {
      const symbolic::Reach reach(pool_, side);
      for (const ExprId node : reach.nodes()) {
        if (!pool_.is_symbol(node)) continue;
        const ExprId of = pool_.symbol_of(node).previous_of;
        const ExprId base = pool_.symbol_of(of.valid() ? of : node).base;
        if (const std::uint32_t clock = partition_.clock_of(base); clock != no_clock) return clock;
      }
    }
    return no_clock;
  }

  /// der(x) in a clocked equation, and der(der(x)) brings der(x) along.
  void note_derivatives(const flat::FlatEquation& equation, std::uint32_t clock) {
    for (const ExprId side : {equation.left, equation.right}) {
      const symbolic::Reach reach(pool_, side);
      for (const ExprId node : reach.nodes()) {
        if (!pool_.is_symbol(node) || pool_.symbol_of(node).order == 0) continue;
        ExprId lower = pool_.symbol_of(node).base;
        while (lower != node) {
          const ExprId upper = pool_.symbol_of(lower).derivative;
          if (noted_.insert(upper).second) add_derivative(lower, upper, clock, equation.origin);
          lower = upper;
        }
      }
    }
  }

  void add_derivative(ExprId lower, ExprId upper, std::uint32_t clock, const Origin& origin) {
    part_->clocks[clock].method = solver_method(lower, clock, origin);
    flat::DiscreteVariable derivative{.symbol = image_(upper), .origin = origin};
    for (const flat::DerivativeStart& start : old_.derivative_starts) {
      if (start.symbol != upper) continue;
      derivative.start = image_(start.value);
      derivative.fixed = start.fixed;
    }
    add_clocked_variable(std::move(derivative),
                         {.symbol = {}, .clock = clock, .derivative_of = image_(lower)});
  }

  flat::SolverMethod solver_method(ExprId state, std::uint32_t clock, const Origin& origin) const {
    const std::string& method = partition_.solver_methods[clock];
    for (const flat::NamedSolverMethod& known : flat::solver_methods)
      if (known.name == method) return known.method;
    const std::string name = pool_.symbol_text(state);
    if (method.empty())
      throw Error("M354",
                  fmt::format("'{}' has a derivative and is clocked, but its clock has no solver "
                              "method. Give one: Clock(c, solverMethod = \"ImplicitEuler\").",
                              name),
                  origin);
    std::vector<std::string> names;
    for (const flat::NamedSolverMethod& known : flat::solver_methods)
      names.emplace_back(known.name);
    throw Error(
        "M354",
        fmt::format("the solver method '{}' of the clock of '{}' is not known. There are {}.",
                    method, name, flat::listed(names)),
        origin);
  }

  void move_the_rest() {
    new_.parameters = old_.parameters;
    for (flat::Parameter& parameter : new_.parameters) {
      parameter.symbol = image_(parameter.symbol);
      parameter.value = image_(parameter.value);
    }
    for (flat::DerivativeStart start : old_.derivative_starts) {
      if (partition_.clock_of(pool_.symbol_of(start.symbol).base) != no_clock) continue;
      start.symbol = image_(start.symbol);
      start.value = image_(start.value);
      new_.derivative_starts.push_back(std::move(start));
    }
    new_.reinits = old_.reinits;
    for (flat::Reinit& reinit : new_.reinits)
      reinit = {image_(reinit.condition), image_(reinit.unknown), image_(reinit.value),
                reinit.origin};
    new_.assertions = old_.assertions;
    for (flat::Assertion& assertion : new_.assertions) {
      assertion.condition = image_(assertion.condition);
      for (ExprId& value : assertion.values) value = image_(value);
    }
    new_.terminations = old_.terminations;
    for (flat::Termination& end : new_.terminations) {
      end.condition = image_(end.condition);
      for (ExprId& value : end.values) value = image_(value);
    }
    new_.samples = old_.samples;
    for (flat::SampleClock& clock : new_.samples)
      clock = {image_(clock.symbol), image_(clock.start), image_(clock.interval), clock.origin};
    new_.delays = old_.delays;
    for (flat::Delay& delay : new_.delays)
      delay = {image_(delay.symbol), image_(delay.value), image_(delay.delay),
               image_(delay.longest), delay.origin};
    new_.transports = old_.transports;
    for (flat::Transport& transport : new_.transports) {
      for (ExprId& output : transport.outputs) output = image_(output);
      for (ExprId* place : flat::places_in_run(transport)) *place = image_(*place);
      for (ExprId& point : transport.points) point = image_(point);
      for (ExprId& value : transport.values) value = image_(value);
    }
    new_.observed = old_.observed;
    for (flat::Observed& observed : new_.observed) observed.value = image_(observed.value);
    new_.initial_symbol = image_(old_.initial_symbol);
    new_.experiment = old_.experiment;
    new_.scene = old_.scene;
    new_.origin = old_.origin;
  }

  void finish() {
    new_.clocked = part_;
    old_ = std::move(new_);
  }

  flat::FlatSystem& old_;
  const ClockRecords& records_;
  symbolic::ExprPool& pool_;
  Events& events_;
  ClockPartition partition_;
  std::shared_ptr<symbolic::ExprPool> new_pool_ = std::make_shared<symbolic::ExprPool>();
  symbolic::Transplant image_;
  flat::FlatSystem new_;
  std::shared_ptr<flat::ClockedPart> part_ = std::make_shared<flat::ClockedPart>();
  std::size_t n_equations_ = 0;
  std::size_t n_discrete_ = 0;
  std::unordered_set<ExprId> is_declared_;  // looked up, never iterated
  std::vector<ExprId> arguments_;           // [n operators]
  std::vector<Made> made_;
  std::unordered_set<ExprId> noted_;  // looked up, never iterated
};

/// What operators of clocks give is there at ticks only: assertions about it become variables that
/// tick with it and are looked at as all others.
void name_what_is_asserted(FlattenState& state, Events& events) {
  symbolic::ExprPool& pool = state.pool;
  std::unordered_set<ExprId> at_ticks;  // looked up, never iterated
  for (const ClockedOperator& one : state.clocks.operators)
    if (one.call.kind != CallKind::hold) at_ticks.insert(one.symbol);
  for (const auto& [variable, origin] : state.clocks.previous)
    at_ticks.insert(pool.previous_symbol(variable));
  const auto ticks = [&](ExprId expression) {
    const auto symbols = symbolic::free_symbols(pool, expression);
    return std::any_of(symbols.begin(), symbols.end(),
                       [&](ExprId symbol) { return at_ticks.contains(symbol); });
  };
  for (flat::Assertion& assertion : state.system.assertions) {
    const auto named = [&](ExprId value, flat::ValueType type) {
      const ExprId symbol = pool.discrete(events.unique_name("assert", {value}));
      state.system.discrete_variables.push_back(
          {.symbol = symbol, .type = type, .origin = own(assertion.origin, "a condition of when")});
      state.system.discrete_equations.push_back(
          {.left = symbol, .right = value, .origin = assertion.origin});
      return symbol;
    };
    for (ExprId& value : assertion.values)
      if (ticks(value)) value = named(value, flat::ValueType::real);
    if (!ticks(assertion.condition)) continue;
    const ExprId fails =
        state.evaluator.number_of_condition(pool.apply(Op::logical_not, assertion.condition));
    assertion.condition =
        pool.apply(Op::equal, named(fails, flat::ValueType::boolean), pool.integer(0));
  }
}

}  // namespace

void settle_clocks(FlattenState& state, Events& events) {
  if (state.clocks.empty()) return;
  name_what_is_asserted(state, events);
  ClockSettler(state, events).run();
}

}  // namespace alembert::modelica
