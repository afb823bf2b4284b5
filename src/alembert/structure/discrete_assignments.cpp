// SPDX-License-Identifier: Apache-2.0
// Which discrete equation gives which discrete variable, and in which order. A side that is a
// discrete variable, or the negation of a Boolean one, can be solved for it.
#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "alembert/base/error.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/graph/strong_components.hpp"
#include "alembert/structure/hybrid_system.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/node_walk.hpp"

namespace alembert::structure {

namespace {

using symbolic::ExprPool;

struct Candidate {
  Index variable = graph::none;
  bool negated = false;
};

class Assignments {
 public:
  explicit Assignments(const flat::FlatSystem& flat) : flat_(flat), pool_(*flat.pool) {
    for (Index i = 0; i < flat.discrete_variables.size(); ++i)
      variable_of_.emplace(flat.discrete_variables[i].symbol, i);
  }

  std::vector<DiscreteAssignment> run() {
    std::vector<graph::Edge> edges;
    for (Index e = 0; e < flat_.discrete_equations.size(); ++e) {
      sides_.push_back({candidate(flat_.discrete_equations[e].left),
                        candidate(flat_.discrete_equations[e].right)});
      for (const Candidate& side : sides_.back())
        if (side.variable != graph::none) edges.push_back({e, side.variable});
      if (sides_[e][0].variable == graph::none && sides_[e][1].variable == graph::none)
        throw Error("S010",
                    flat::equation_text(flat_, flat_.discrete_equations[e]) +
                        " shall give a value that changes at events only, but neither side is such "
                        "a variable. Write it as 'variable = expression'.",
                    flat_.discrete_equations[e].origin);
    }
    const graph::BipartiteGraph graph(static_cast<Index>(flat_.discrete_equations.size()),
                                      static_cast<Index>(flat_.discrete_variables.size()), edges);
    const graph::Matching matching = graph::maximum_matching(graph);
    if (!matching.perfect()) report(matching);
    std::vector<DiscreteAssignment> assignments;
    for (Index v = 0; v < flat_.discrete_variables.size(); ++v) {
      const Index e = matching.var_to_eq[v];
      const bool on_left = sides_[e][0].variable == v;
      const flat::FlatEquation& equation = flat_.discrete_equations[e];
      ExprId value = on_left ? equation.right : equation.left;
      if (sides_[e][on_left ? 0 : 1].negated) value = pool_.sub(pool_.integer(1), value);
      assignments.push_back({v, e, value});
    }
    return ordered(assignments);
  }

 private:
  Candidate candidate(ExprId side) const {
    const DiscreteSide found = discrete_side(pool_, side);
    const auto variable = variable_of_.find(found.symbol);
    if (variable == variable_of_.end()) return {};
    const bool is_boolean =
        flat_.discrete_variables[variable->second].type == flat::ValueType::boolean;
    if (found.symbol != side && !is_boolean) return {};
    return {variable->second, found.negated};
  }

  [[noreturn]] void report(const graph::Matching& matching) const {
    std::vector<std::string> without;
    std::vector<Note> notes;
    for (Index v = 0; v < flat_.discrete_variables.size(); ++v)
      if (matching.var_to_eq[v] == graph::none)
        without.push_back(flat::in_quotes(pool_.symbol_text(flat_.discrete_variables[v].symbol)));
    for (Index e = 0; e < flat_.discrete_equations.size(); ++e)
      if (matching.eq_to_var[e] == graph::none)
        notes.push_back({flat::equation_text(flat_, flat_.discrete_equations[e]) +
                             " gives nothing that another does not give",
                         flat_.discrete_equations[e].origin});
    throw Error("S011",
                without.empty()
                    ? "there are more equations for discrete variables than such variables. Remove "
                      "those that repeat others."
                    : "no equation gives " + flat::listed(without) +
                          ", which changes at events only. Add one, or make it a parameter.",
                flat_.origin, std::move(notes));
  }

  std::vector<DiscreteAssignment> ordered(const std::vector<DiscreteAssignment>& all) const {
    graph::IndexLists needs;  // assignment v gives variable v; then one list for each wide call
    WideCalls wide(pool_, static_cast<Index>(all.size()));
    for (const DiscreteAssignment& assignment : all) add_needs(assignment.value, wide, needs);
    for (std::size_t i = 0; i < wide.calls.size(); ++i) add_needs(wide.calls[i], wide, needs);
    std::vector<DiscreteAssignment> result;
    for (const Index v : graph::strong_components(needs).items)
      if (v < all.size()) result.push_back(all[v]);
    return result;
  }

  /// Functions of whole arrays, one for each output: what they need is listed once for all that
  /// have the same arguments, since with arrays on both sides there would be as many edges as
  /// elements squared.
  struct WideCalls {
    WideCalls(const ExprPool& pool, Index first) : pool(pool), first(first) {}

    bool is_wide(ExprId node) const {
      constexpr std::size_t many = 64;
      return pool.op(node) == symbolic::Op::call && pool.children(node).size() > many;
    }
    /// The list of its arguments.
    Index list_of(ExprId call) {
      const auto arguments = pool.children(call);
      const auto next = static_cast<Index>(first + calls.size());
      const auto [found, is_new] =
          lists.emplace(std::vector<ExprId>(arguments.begin(), arguments.end()), next);
      if (is_new) calls.push_back(call);
      return found->second;
    }

    const ExprPool& pool;
    Index first;
    std::vector<ExprId> calls;  // one of those with the same arguments
    std::map<std::vector<ExprId>, Index> lists;
  };

  /// The list of what the expression needs; a wide call that is itself the expression is looked
  /// into where its own list is made.
  void add_needs(ExprId root, WideCalls& wide, graph::IndexLists& needs) const {
    const bool is_own_list = needs.size() >= wide.first;
    std::vector<std::pair<ExprId, Index>> found;
    symbolic::NodeWalks(pool_).walk(root, [&](ExprId node) {
      if (const auto variable = variable_of_.find(node); variable != variable_of_.end())
        found.emplace_back(node, variable->second);
      if (!wide.is_wide(node) || (is_own_list && node == root)) return symbolic::Walk::down;
      found.emplace_back(node, wide.list_of(node));
      return symbolic::Walk::past;
    });
    std::sort(found.begin(), found.end());
    for (const auto& [node, index] : found) needs.items.push_back(index);
    needs.end_list();
  }

  const flat::FlatSystem& flat_;
  ExprPool& pool_;
  std::unordered_map<ExprId, Index> variable_of_;  // looked up, never iterated
  std::vector<std::array<Candidate, 2>> sides_;    // [n discrete equations]: left, right
};

}  // namespace

DiscreteSide discrete_side(const symbolic::ExprPool& pool, ExprId side) {
  if (pool.is_symbol(side)) return {side, false};
  if (pool.is_number(side) || pool.height(side) > 4) return {};
  const std::vector<ExprId> symbols = symbolic::free_symbols(pool, side);
  if (symbols.size() != 1) return {};
  // Functions are not solved for, and may do something when they are called.
  const symbolic::Reach reach(pool, side);
  for (const ExprId node : reach.nodes())
    if (pool.op(node) == symbolic::Op::call) return {};
  const double at_0 = symbolic::evaluate(pool, side, {{symbols[0], 0.0}});
  const double at_1 = symbolic::evaluate(pool, side, {{symbols[0], 1.0}});
  if (at_0 == 0 && at_1 == 1) return {symbols[0], false};
  if (at_0 == 1 && at_1 == 0) return {symbols[0], true};
  return {};
}

std::vector<DiscreteAssignment> order_assignments(const flat::FlatSystem& flat) {
  return Assignments(flat).run();
}

}  // namespace alembert::structure
