// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/clocked_plan.hpp"

#include <algorithm>
#include <unordered_map>

#include "alembert/base/error.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/graph/strong_components.hpp"
#include "alembert/structure/block_maker.hpp"
#include "alembert/structure/hybrid_system.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

using flat::ClockedEquation;

class ClockedPlanner {
 public:
  explicit ClockedPlanner(const flat::FlatSystem& flat)
      : flat_(flat), part_(*flat.clocked), pool_(*flat.pool) {
    for (Index v = 0; v < part_.variables.size(); ++v) {
      place_of_.emplace(part_.variables[v].symbol, v);
      plan_.system.variables.push_back(part_.variables[v].symbol);
    }
    type_of_.resize(part_.variables.size());
    for (const flat::DiscreteVariable& variable : flat.discrete_variables)
      if (const auto found = place_of_.find(variable.symbol); found != place_of_.end())
        type_of_[found->second] = variable.type;
  }

  ClockedPlan run() {
    for (const ClockedEquation& equation : part_.equations) read(equation);
    const graph::BipartiteGraph graph(static_cast<Index>(part_.variables.size()),
                                      std::move(solvable_));
    const graph::Matching matching = graph::maximum_matching(graph);
    if (!matching.perfect()) report(matching);
    make_blocks(matching);
    return std::move(plan_);
  }

 private:
  /// What the equation needs, and what it can be solved for.
  void read(const ClockedEquation& equation) {
    const ExprId residual = pool_.sub(equation.left, equation.right);
    plan_.system.residuals.push_back(residual);
    std::vector<Index> used;
    std::vector<Index> solvable;
    const ExprId sides[] = {equation.left, equation.right};
    const symbolic::Reach reach(pool_,
                                equation.is_real ? std::span(&residual, 1) : std::span(sides));
    for (const ExprId node : reach.nodes())
      if (const auto found = place_of_.find(node); found != place_of_.end()) {
        used.push_back(found->second);
        if (equation.is_real && type_of_[found->second] == flat::ValueType::real)
          solvable.push_back(found->second);
      }
    if (!equation.is_real)
      for (const ExprId side : sides) {
        const DiscreteSide found = discrete_side(pool_, side);
        const auto variable = place_of_.find(found.symbol);
        if (variable == place_of_.end()) continue;
        const bool is_boolean = type_of_[variable->second] == flat::ValueType::boolean;
        if (found.symbol == side || is_boolean) solvable.push_back(variable->second);
      }
    std::sort(used.begin(), used.end());
    std::sort(solvable.begin(), solvable.end());
    solvable.erase(std::unique(solvable.begin(), solvable.end()), solvable.end());
    incidence_.items.insert(incidence_.items.end(), used.begin(), used.end());
    incidence_.end_list();
    for (const Index v : solvable)
      if (part_.variables[v].clock == equation.clock) solvable_.items.push_back(v);
    solvable_.end_list();
  }

  std::string name(Index v) const {
    return flat::in_quotes(pool_.symbol_text(part_.variables[v].symbol));
  }

  std::string text(Index e) const {
    return "equation " + flat::in_quotes(flat::clocked_text(flat_, part_.equations[e].left,
                                                            part_.equations[e].right));
  }

  [[noreturn]] void report(const graph::Matching& matching) const {
    std::vector<std::string> without;
    std::vector<Note> notes;
    Origin origin = flat_.origin;
    for (Index v = 0; v < part_.variables.size(); ++v) {
      if (matching.var_to_eq[v] != graph::none) continue;
      if (without.empty())
        for (const flat::DiscreteVariable& variable : flat_.discrete_variables)
          if (variable.symbol == part_.variables[v].symbol) origin = variable.origin;
      without.push_back(name(v));
    }
    for (Index e = 0; e < part_.equations.size(); ++e)
      if (matching.eq_to_var[e] == graph::none)
        notes.push_back(
            {text(e) + " gives nothing that another does not give", part_.equations[e].origin});
    throw Error(
        "S014",
        without.empty()
            ? "there are more clocked equations than clocked variables. Remove those that "
              "repeat others."
            : "no equation gives " + flat::listed(without) + " at the ticks of its clock. Add one.",
        origin, std::move(notes));
  }

  void make_blocks(const graph::Matching& matching) {
    const auto n = static_cast<Index>(part_.equations.size());
    graph::IndexLists needs;  // of equations: those that give what they use
    for (Index e = 0; e < n; ++e) {
      for (const Index v : incidence_[e])
        if (matching.var_to_eq[v] != e) needs.items.push_back(matching.var_to_eq[v]);
      needs.end_list();
    }
    Structure structure;
    structure.variables.resize(part_.variables.size());
    structure.incidence = incidence_;
    BlockMaker maker(flat_, structure, plan_.system);
    const graph::StrongComponents components = graph::strong_components(needs);
    std::vector<Block> blocks;
    std::vector<Index> block_of(n);
    for (Index c = 0; c < components.size(); ++c) {
      std::vector<Index> equations(components[c].begin(), components[c].end());
      std::sort(equations.begin(), equations.end());
      for (const Index e : equations) block_of[e] = c;
      blocks.push_back(make_block(equations, matching, maker));
    }
    order_segments(std::move(blocks), needs, block_of);
  }

  Block make_block(const std::vector<Index>& equations, const graph::Matching& matching,
                   BlockMaker& maker) const {
    const ClockedEquation& first = part_.equations[equations.front()];
    const Index unknown = matching.eq_to_var[equations.front()];
    if (equations.size() == 1 && !first.is_real) {
      const DiscreteSide left = discrete_side(pool_, first.left);
      const bool on_left = left.symbol == part_.variables[unknown].symbol;
      const bool negated = on_left ? left.negated : discrete_side(pool_, first.right).negated;
      const ExprId value = on_left ? first.right : first.left;
      Block block;
      block.assignments = {
          {unknown, equations.front(), negated ? pool_.sub(pool_.integer(1), value) : value}};
      return block;
    }
    std::vector<Index> unknowns;
    for (const Index e : equations) {
      unknowns.push_back(matching.eq_to_var[e]);
      if (part_.equations[e].is_real && part_.equations[e].clock == first.clock) continue;
      report_loop(equations, matching);
    }
    std::sort(unknowns.begin(), unknowns.end());
    return maker.make(equations, unknowns);
  }

  [[noreturn]] void report_loop(const std::vector<Index>& equations,
                                const graph::Matching& matching) const {
    std::vector<std::string> names;
    std::vector<Note> notes;
    for (const Index e : equations) {
      names.push_back(name(matching.eq_to_var[e]));
      notes.push_back({text(e), part_.equations[e].origin});
    }
    throw Error("S015",
                "at a tick " + flat::listed(names) +
                    " depend on each other, over Booleans or Integers or over several clocks. Use "
                    "previous() of one of them.",
                part_.equations[equations.front()].origin, std::move(notes));
  }

  /// Blocks whose needs are met, those of the present clock as long as there are any.
  void order_segments(std::vector<Block> blocks, const graph::IndexLists& needs,
                      const std::vector<Index>& block_of) {
    std::vector<Index> n_open(blocks.size(), 0);
    std::vector<std::vector<Index>> users(blocks.size());
    for (Index e = 0; e < needs.size(); ++e)
      for (const Index other : needs[e]) {
        if (block_of[other] == block_of[e]) continue;
        users[block_of[other]].push_back(block_of[e]);
        ++n_open[block_of[e]];
      }
    std::vector<std::vector<Index>> ready(part_.clocks.size());  // by clock
    std::vector<std::uint32_t> clock_of_block(blocks.size());
    for (Index e = 0; e < needs.size(); ++e) clock_of_block[block_of[e]] = part_.equations[e].clock;
    const auto clock_of = [&](Index b) { return clock_of_block[b]; };
    for (Index b = static_cast<Index>(blocks.size()); b-- > 0;)
      if (n_open[b] == 0) ready[clock_of(b)].push_back(b);
    for (std::size_t n_left = blocks.size(); n_left > 0;) {
      for (std::uint32_t clock = 0; clock < ready.size(); ++clock) {
        if (ready[clock].empty()) continue;
        plan_.segments.push_back({.clock = clock, .blocks = {}});
        while (!ready[clock].empty()) {
          const Index b = ready[clock].back();
          ready[clock].pop_back();
          --n_left;
          for (const Index user : users[b])
            if (--n_open[user] == 0) ready[clock_of(user)].push_back(user);
          plan_.segments.back().blocks.push_back(std::move(blocks[b]));
        }
      }
    }
  }

  const flat::FlatSystem& flat_;
  const flat::ClockedPart& part_;
  symbolic::ExprPool& pool_;
  ClockedPlan plan_;
  std::unordered_map<ExprId, Index> place_of_;  // looked up, never iterated
  std::vector<flat::ValueType> type_of_;        // [n variables]
  graph::IndexLists incidence_;                 // [n equations]: variables
  graph::IndexLists solvable_;                  // [n equations]: those it can be solved for
};

}  // namespace

ClockedPlan plan_clocked(const flat::FlatSystem& flat) { return ClockedPlanner(flat).run(); }

}  // namespace alembert::structure
