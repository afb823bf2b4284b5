// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/clock_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/graph/disjoint_sets.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::modelica {

namespace {

using Kind = ClockedCall::Kind;

/// Where something was said that makes a symbol clocked, or continuous.
struct Mark {
  ExprId symbol;
  const Origin* origin = nullptr;
  bool by_reinit = false;
};

/// Symbols are nodes; what has one clock is united.
class PartFinder {
 public:
  PartFinder(const flat::FlatSystem& system, const ClockRecords& records)
      : system_(system), records_(records), pool_(*system.pool) {}

  ClockParts run() {
    add_nodes();
    find_used();
    join_equations();
    mark_operators();
    number_parts();
    name_parts();
    hand_out();
    return std::move(result_);
  }

 private:
  void add_node(ExprId symbol) {
    const auto node = static_cast<std::uint32_t>(symbols_.size());
    if (node_of_.emplace(symbol, node).second) symbols_.push_back(symbol);
  }

  void add_nodes() {
    for (const flat::Unknown& unknown : system_.unknowns) add_node(unknown.symbol);
    for (const flat::DiscreteVariable& variable : system_.discrete_variables)
      add_node(variable.symbol);
    for (const ClockedOperator& one : records_.operators) {
      add_node(one.symbol);
      if (is_clock_argument(one)) result_.clock_symbols.insert(one.symbol);
    }
    for (const DefinedClock& clock : records_.definitions) {
      add_node(clock.symbol);
      result_.clock_symbols.insert(clock.symbol);
    }
    for (const auto& [symbol, origin] : records_.clock_variables) {
      add_node(symbol);
      result_.clock_symbols.insert(symbol);
    }
    together_.grow(static_cast<std::uint32_t>(symbols_.size()));
    clocked_.resize(symbols_.size());
    continuous_.resize(symbols_.size());
  }

  static bool is_clock_argument(const ClockedOperator& one) {
    return one.call.type == ValueKind::clock && one.call.kind != Kind::interval &&
           one.call.kind != Kind::first_tick;
  }

  /// The node of a symbol; of pre(x) and der(x) that of x.
  std::uint32_t node(ExprId symbol) const {
    const symbolic::Symbol& info = pool_.symbol_of(symbol);
    const ExprId variable = info.previous_of.valid() ? info.previous_of : symbol;
    const auto found = node_of_.find(pool_.symbol_of(variable).base);
    return found == node_of_.end() ? no_clock : found->second;
  }

  std::vector<std::uint32_t> nodes_in(std::initializer_list<ExprId> expressions) const {
    std::vector<std::uint32_t> nodes;
    const symbolic::Reach reach(pool_, std::span(expressions.begin(), expressions.size()));
    for (const ExprId id : reach.nodes())
      if (pool_.is_symbol(id))
        if (const std::uint32_t found = node(id); found != no_clock) nodes.push_back(found);
    return nodes;
  }

  void find_used() {
    std::vector<char> used(symbols_.size(), 0);
    const auto use = [&](std::initializer_list<ExprId> expressions) {
      for (const std::uint32_t found : nodes_in(expressions)) used[found] = 1;
    };
    for (const auto* list : {&system_.equations, &system_.discrete_equations})
      for (const flat::FlatEquation& equation : *list) use({equation.left, equation.right});
    for (const auto* list : {&records_.in_when, &records_.discrete_in_when})
      for (const auto& [equation, clock] : *list) use({clock});
    for (const flat::Assertion& assertion : system_.assertions) use({assertion.condition});
    for (const flat::Reinit& reinit : system_.reinits) use({reinit.condition, reinit.value});
    for (const flat::Termination& end : system_.terminations) use({end.condition});
    for (const flat::Delay& delay : system_.delays) use({delay.value});
    for (const flat::Transport& transport : system_.transports)
      use({transport.inputs[0], transport.inputs[1], transport.position, transport.forward});
    // What an operator looks at was made before it; clocks may look at operators and the other way.
    for (bool again = true; again;) {
      again = false;
      const auto use_new = [&](ExprId expression) {
        if (!expression.valid()) return;
        for (const std::uint32_t found : nodes_in({expression}))
          if (!std::exchange(used[found], 1)) again = true;
      };
      for (std::size_t i = records_.operators.size(); i-- > 0;) {
        const ClockedOperator& one = records_.operators[i];
        if (!used[node_of_.at(one.symbol)]) continue;
        use_new(one.call.argument);
        use_new(one.call.clock);
      }
      for (const DefinedClock& clock : records_.definitions) {
        if (!used[node_of_.at(clock.symbol)]) continue;
        use_new(clock.definition.clock);
        use_new(clock.definition.condition);
        if (interval_varies(pool_, clock.definition)) use_new(clock.definition.interval);
      }
    }
    for (const ClockedOperator& one : records_.operators)
      result_.is_operator_used.push_back(used[node_of_.at(one.symbol)]);
    for (const DefinedClock& clock : records_.definitions)
      result_.is_definition_used.push_back(used[node_of_.at(clock.symbol)]);
  }

  void join_equations() {
    const auto join_list = [&](const std::vector<flat::FlatEquation>& equations,
                               std::vector<std::uint32_t>& first) {
      for (const flat::FlatEquation& equation : equations) {
        const auto nodes = nodes_in({equation.left, equation.right});
        first.push_back(nodes.empty() ? no_clock : nodes.front());
        for (const std::uint32_t other : nodes) together_.unite(nodes.front(), other);
      }
    };
    join_list(system_.equations, node_of_equation_);
    join_list(system_.discrete_equations, node_of_discrete_);
    const auto join_when = [&](const auto& list, std::vector<std::uint32_t>& first) {
      for (const auto& [equation, clock] : list) {
        if (first[equation] == no_clock) first[equation] = node_of_.at(clock);
        together_.unite(first[equation], node_of_.at(clock));
      }
    };
    join_when(records_.in_when, node_of_equation_);
    join_when(records_.discrete_in_when, node_of_discrete_);
    for (std::size_t i = 0; i < records_.definitions.size(); ++i) {
      const DefinedClock& clock = records_.definitions[i];
      if (result_.is_definition_used[i] && clock.definition.clock.valid())
        together_.unite(node_of_.at(clock.symbol), node_of_.at(clock.definition.clock));
      // What the interval is computed from ticks with the clock.
      if (result_.is_definition_used[i] && interval_varies(pool_, clock.definition))
        for (const std::uint32_t other : nodes_in({clock.definition.interval}))
          together_.unite(node_of_.at(clock.symbol), other);
    }
    for (std::size_t i = 0; i < records_.operators.size(); ++i) {
      const ClockedOperator& one = records_.operators[i];
      if (!result_.is_operator_used[i]) continue;
      const std::uint32_t result = node_of_.at(one.symbol);
      if (one.call.clock.valid()) together_.unite(result, node_of_.at(one.call.clock));
      if (!one.call.argument.valid() || one.call.kind == Kind::sample) continue;
      const auto nodes = nodes_in({one.call.argument});
      for (const std::uint32_t other : nodes) together_.unite(nodes.front(), other);
      if (one.call.kind == Kind::interval || one.call.kind == Kind::first_tick)
        for (const std::uint32_t other : nodes) together_.unite(result, other);
    }
  }

  static void set(std::vector<Mark>& marks, std::uint32_t node, ExprId symbol, const Origin& origin,
                  bool by_reinit = false) {
    if (marks[node].origin == nullptr) marks[node] = {symbol, &origin, by_reinit};
  }

  void mark_operators() {
    for (std::size_t i = 0; i < records_.operators.size(); ++i) {
      const ClockedOperator& one = records_.operators[i];
      if (!result_.is_operator_used[i]) continue;
      const auto nodes =
          one.call.argument.valid() ? nodes_in({one.call.argument}) : std::vector<std::uint32_t>();
      set(one.call.kind == Kind::hold ? continuous_ : clocked_, node_of_.at(one.symbol), one.symbol,
          one.origin);
      for (const std::uint32_t other : nodes)
        set(one.call.kind == Kind::sample ? continuous_ : clocked_, other, symbols_[other],
            one.origin);
    }
    for (std::size_t i = 0; i < records_.definitions.size(); ++i) {
      const DefinedClock& clock = records_.definitions[i];
      if (!result_.is_definition_used[i]) continue;
      set(clocked_, node_of_.at(clock.symbol), clock.symbol, clock.origin);
      if (!clock.definition.condition.valid()) continue;
      for (const std::uint32_t other : nodes_in({clock.definition.condition}))
        set(continuous_, other, symbols_[other], clock.origin);
    }
    for (const auto& [symbol, origin] : records_.clock_variables)
      set(clocked_, node_of_.at(symbol), symbol, origin);
    for (const auto& [symbol, origin] : records_.previous)
      if (const std::uint32_t found = node(symbol); found != no_clock)
        set(clocked_, found, symbol, origin);
    // A state that an event changes goes on between ticks.
    for (const flat::Reinit& reinit : system_.reinits)
      if (const std::uint32_t found = node(reinit.unknown); found != no_clock)
        set(continuous_, found, reinit.unknown, reinit.origin, true);
  }

  /// Clocked parts get numbers, in the order of their first symbols.
  void number_parts() {
    part_of_root_.assign(symbols_.size(), no_clock);
    std::vector<Mark> continuous(symbols_.size());
    for (std::uint32_t node = 0; node < symbols_.size(); ++node) {
      const std::uint32_t at = together_.find(node);
      if (continuous_[node].origin != nullptr && continuous[at].origin == nullptr)
        continuous[at] = continuous_[node];
      if (clocked_[node].origin == nullptr || part_of_root_[at] != no_clock) continue;
      part_of_root_[at] = static_cast<std::uint32_t>(result_.parts.size());
      result_.parts.push_back({.symbol = clocked_[node].symbol, .origin = clocked_[node].origin});
    }
    for (std::uint32_t node = 0; node < symbols_.size(); ++node) {
      const std::uint32_t part = part_of(node);
      const Mark& mark = continuous[together_.find(node)];
      if (part != no_clock && mark.origin != nullptr) refuse(result_.parts[part], mark);
    }
  }

  [[noreturn]] void refuse(const ClockParts::Part& part, const Mark& continuous) const {
    const std::string name = pool_.symbol_text(continuous.symbol);
    if (continuous.by_reinit && clocked_[node(continuous.symbol)].origin != nullptr)
      throw Error("M350",
                  fmt::format("'{}' is clocked, so that it changes at the ticks of its clock only, "
                              "and reinit is for states that change continuously. Change it by its "
                              "own equation: {} = if condition then value else ...",
                              name, name),
                  *continuous.origin, {{"this is clocked", *part.origin}});
    throw Error(
        "M350",
        fmt::format("'{}' is clocked, and '{}' is continuous, but equations connect the "
                    "two. Put sample() or hold() between them.",
                    pool_.symbol_text(part.symbol), name),
        *part.origin,
        {{continuous.by_reinit ? "this is continuous, as reinit changes it" : "this is continuous",
          *continuous.origin}});
  }

  void name_parts() {
    for (std::uint32_t node = 0; node < symbols_.size(); ++node) {
      const std::uint32_t part = part_of(node);
      if (part == no_clock) continue;
      result_.of_symbol.emplace(symbols_[node], part);
      // Variables come first: one of them names the part.
      if (!result_.clock_symbols.contains(symbols_[node]) &&
          !std::exchange(result_.parts[part].has_quantities, true))
        result_.parts[part].symbol = symbols_[node];
    }
  }

  void hand_out() {
    for (const std::uint32_t node : node_of_equation_) result_.of_equation.push_back(part_of(node));
    for (const std::uint32_t node : node_of_discrete_)
      result_.of_discrete_equation.push_back(part_of(node));
    for (const DefinedClock& clock : records_.definitions)
      result_.of_definition.push_back(part_of(node_of_.at(clock.symbol)));
    for (std::size_t i = 0; i < records_.operators.size(); ++i) {
      const ClockedCall& call = records_.operators[i].call;
      result_.of_operator.push_back(part_of(node_of_.at(records_.operators[i].symbol)));
      result_.of_argument.push_back(no_clock);
      if (!result_.is_operator_used[i] || !call.argument.valid() || call.kind == Kind::sample)
        continue;
      const auto nodes = nodes_in({call.argument});
      if (!nodes.empty()) result_.of_argument.back() = part_of(nodes.front());
    }
  }

  std::uint32_t part_of(std::uint32_t node) {
    return node == no_clock ? no_clock : part_of_root_[together_.find(node)];
  }

  const flat::FlatSystem& system_;
  const ClockRecords& records_;
  const symbolic::ExprPool& pool_;
  ClockParts result_;
  std::unordered_map<ExprId, std::uint32_t> node_of_;  // looked up, never iterated
  std::vector<ExprId> symbols_;                        // [n nodes]
  graph::DisjointSets together_;                       // nodes
  std::vector<Mark> clocked_;                          // [n nodes]
  std::vector<Mark> continuous_;                       // [n nodes]
  std::vector<std::uint32_t> node_of_equation_;
  std::vector<std::uint32_t> node_of_discrete_;
  std::vector<std::uint32_t> part_of_root_;  // [n nodes]
};

}  // namespace

bool interval_varies(const symbolic::ExprPool& pool, const ClockDefinition& definition) {
  return definition.interval.valid() &&
         std::ranges::any_of(symbolic::free_symbols(pool, definition.interval), [&](ExprId symbol) {
           return pool.symbol_of(symbol).kind != symbolic::SymbolKind::parameter;
         });
}

ClockParts find_clock_parts(const flat::FlatSystem& system, const ClockRecords& records) {
  return PartFinder(system, records).run();
}

}  // namespace alembert::modelica
