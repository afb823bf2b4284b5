// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/timed_conditions.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "alembert/flat/delayed.hpp"
#include "alembert/structure/stepwise.hpp"
#include "alembert/symbolic/solve.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

using symbolic::ExprId;
using symbolic::ExprPool;
using symbolic::Op;
using symbolic::Replacements;
using symbolic::SymbolKind;

/// How many equations may stand between an unknown and time.
constexpr int longest_chain = 8;

class TimedConditions {
 public:
  explicit TimedConditions(const flat::FlatSystem& flat) : flat_(flat), pool_(*flat.pool) {
    for (const ExprId symbol : flat::delayed_symbols(flat)) delayed_.insert(symbol);
  }

  Replacements run(std::span<const ExprId> roots) {
    const symbolic::Reach reach(pool_, roots);
    std::vector<ExprId> conditions;
    for (const ExprId node : reach.nodes())
      if (is_comparison(pool_.op(node)) || is_stepwise(pool_.op(node))) conditions.push_back(node);
    Replacements result;
    if (conditions.empty()) return result;
    read_definitions(unknowns_in(conditions).symbols);
    if (by_time_.empty()) return result;
    for (const ExprId condition : conditions) {
      const ExprId timed = symbolic::substitute(pool_, condition, by_time_);
      if (timed != condition && is_linear_in_time(timed)) result.emplace(condition, timed);
    }
    return result;
  }

 private:
  struct Needs {
    std::vector<ExprId> symbols;  // unknowns
    bool is_plain = true;         // events are not ruled out in it, and it knows no past
    bool changes_at_events = false;
  };
  struct Definition {
    ExprId symbol;
    ExprId value;
    std::vector<ExprId> needs;
  };

  Needs unknowns_in(std::span<const ExprId> expressions) const {
    Needs needs;
    const symbolic::Reach reach(pool_, expressions);
    for (const ExprId node : reach.nodes()) {
      const Op op = pool_.op(node);
      if (op == Op::no_event || op == Op::smooth || delayed_.contains(node)) needs.is_plain = false;
      if (!pool_.is_symbol(node)) continue;
      const SymbolKind kind = pool_.symbol_of(node).kind;
      if (kind == SymbolKind::unknown) needs.symbols.push_back(node);
      if (kind == SymbolKind::discrete) needs.changes_at_events = true;
    }
    return needs;
  }

  /// Equations x = value for the unknowns that are asked for, and for those in their values.
  void read_definitions(std::vector<ExprId> asked) {
    std::unordered_multimap<ExprId, ExprId> values;  // looked up; of equal keys the order is kept
    for (const flat::FlatEquation& equation : flat_.equations)
      for (const auto& [x, value] :
           {std::pair(equation.left, equation.right), std::pair(equation.right, equation.left)})
        if (pool_.is_symbol(x) && pool_.symbol_of(x).kind == SymbolKind::unknown &&
            pool_.symbol_of(x).order == 0)
          values.emplace(x, value);
    std::vector<Definition> definitions;
    std::unordered_set<ExprId> seen(asked.begin(), asked.end());
    for (int depth = 0; depth < longest_chain && !asked.empty(); ++depth) {
      std::vector<ExprId> next;
      for (const ExprId symbol : asked) {
        const auto [first, last] = values.equal_range(symbol);
        for (auto at = first; at != last; ++at) {
          Needs needs = unknowns_in({&at->second, 1});
          // What an event sets reaches a condition by way of the unknown, after the event has
          // settled: s = time - t0 with when s > T then t0 = time would be a loop without it.
          if (!needs.is_plain || needs.changes_at_events) continue;
          for (const ExprId other : needs.symbols)
            if (seen.insert(other).second) next.push_back(other);
          definitions.push_back({symbol, at->second, std::move(needs.symbols)});
        }
      }
      asked = std::move(next);
    }
    settle(definitions);
  }

  /// Those whose needs are settled. Deeper ones come last, so that one way back is most of it.
  void settle(const std::vector<Definition>& definitions) {
    for (bool more = true; more;) {
      more = false;
      for (auto at = definitions.rbegin(); at != definitions.rend(); ++at) {
        if (by_time_.contains(at->symbol) ||
            !std::ranges::all_of(at->needs, [&](ExprId s) { return by_time_.contains(s); }))
          continue;
        by_time_.emplace(at->symbol, symbolic::substitute(pool_, at->value, by_time_));
        more = true;
      }
    }
  }

  /// Where what changes stepwise is held, as it is between events.
  bool is_linear_in_time(ExprId condition) {
    const Op kind = pool_.op(condition);
    if (!is_comparison(kind) && !is_stepwise(kind)) return false;  // decided by constants alone
    const Needs needs = unknowns_in({&condition, 1});
    if (!needs.symbols.empty() || !needs.is_plain) return false;
    const auto sides = pool_.children(condition);
    ExprId value = sides[0];
    if (is_comparison(kind)) {
      value = pool_.sub(sides[0], sides[1]);
    } else if (kind == Op::mod || kind == Op::rem) {
      value = pool_.div(sides[0], sides[1]);
    } else if (kind == Op::div) {
      return false;
    }
    Replacements held;
    const symbolic::Reach reach(pool_, value);
    for (const ExprId node : reach.nodes()) {
      const Op op = pool_.op(node);
      if (op == Op::mod)
        held.emplace(node, pool_.children(node)[0]);
      else if (is_stepwise(op) && op != Op::rem && op != Op::div)
        held.emplace(node, pool_.integer(0));
    }
    // From the innermost outwards: what is put in is not searched again.
    for (bool nested = true; nested;) {
      const ExprId before = value;
      value = symbolic::substitute(pool_, value, held);
      nested = value != before;
    }
    const auto linear = symbolic::linear_form(pool_, value, pool_.time());
    return linear && !pool_.is_zero(linear->slope) &&
           !symbolic::depends_on(pool_, linear->slope, pool_.time());
  }

  const flat::FlatSystem& flat_;
  ExprPool& pool_;
  std::unordered_set<ExprId> delayed_;  // looked up, never iterated
  Replacements by_time_;                // of unknowns
};

}  // namespace

Replacements timed_conditions(const flat::FlatSystem& flat, std::span<const ExprId> roots) {
  return TimedConditions(flat).run(roots);
}

}  // namespace alembert::structure
