// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/reduced_system.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/graph/strong_components.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/solve.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

DifferentiatedSystem differentiate(const flat::FlatSystem& flat, const StructuralPlan& plan) {
  symbolic::ExprPool& pool = *flat.pool;
  const Structure& s = plan.structure;
  DifferentiatedSystem system;
  for (const Variable& variable : s.variables) {
    ExprId symbol = flat.unknowns[variable.unknown].symbol;
    for (Index k = 0; k < variable.order; ++k) symbol = pool.derivative_symbol(symbol);
    system.variables.push_back(symbol);
  }
  // Equations come after those they are derivatives of.
  system.residuals.resize(s.equations.size());
  for (Index e = 0; e < s.equations.size(); ++e) {
    const flat::FlatEquation& source = flat.equations[s.equations[e].source];
    if (s.equations[e].order == 0) system.residuals[e] = residual(pool, source);
    if (s.equations[e].derivative != none)
      system.residuals[s.equations[e].derivative] = time_derivative(pool, system.residuals[e]);
  }

  const std::vector<Index> top_equation = highest_equations(s);
  const std::vector<Index> top_variable = highest_variables(s);
  for (Index r = 0; r < plan.selection_rows.size(); ++r) {
    std::vector<ExprId> by;
    for (const Index unknown : plan.selection_incidence[r])
      by.push_back(system.variables[top_variable[unknown]]);
    const auto row = gradient(pool, system.residuals[top_equation[plan.selection_rows[r]]], by);
    system.selection_jacobian.insert(system.selection_jacobian.end(), row.begin(), row.end());
  }
  return system;
}

namespace {

/// True if the expression is linear in the symbols that `in_block` names, by the degrees of its
/// nodes alone: no new expressions. What is linear only after expanding is not recognised.
template <class InBlock>
bool plainly_linear(const symbolic::ExprPool& pool, ExprId expression, InBlock in_block) {
  using symbolic::Op;
  const symbolic::Reach reach(pool, expression);
  std::vector<char> degree(reach.size(), 0);  // 0 or 1
  for (std::uint32_t i = 0; i < reach.size(); ++i) {
    const ExprId node = reach.nodes()[i];
    const Op op = pool.op(node);
    if (op == Op::symbol) {
      degree[i] = in_block(node) ? 1 : 0;
      continue;
    }
    std::size_t n_varying = 0;
    for (const ExprId child : pool.children(node)) n_varying += degree[reach.index_of(child)];
    if (n_varying > 0 && op != Op::add && !(op == Op::mul && n_varying == 1)) return false;
    degree[i] = n_varying > 0 ? 1 : 0;
  }
  return true;
}

/// Blocks of one system; an equation is asked about the unknowns that occur in it only, so that a
/// large sparse block costs its entries.
class BlockMaker {
 public:
  BlockMaker(symbolic::ExprPool& pool, const Structure& structure,
             const DifferentiatedSystem& system)
      : pool_(pool), s_(structure), system_(system), in_block_(structure.variables.size(), 0) {}

  Block make(std::vector<Index> equations, std::vector<Index> unknowns) {
    Block block;
    block.equations = std::move(equations);
    block.unknowns = std::move(unknowns);
    if (block.unknowns.size() == 1)
      if (const auto solution = solve_for(pool_, system_.residuals[block.equations[0]],
                                          pool_.number(0), system_.variables[block.unknowns[0]])) {
        block.solution = solution->value;
        return block;
      }
    for (const Index v : block.unknowns) in_block_[v] = 1;
    const bool linear = std::all_of(block.equations.begin(), block.equations.end(),
                                    [&](Index e) { return linear_in_block(e); });
    for (const Index v : block.unknowns) in_block_[v] = 0;
    block.kind = linear ? Block::Kind::linear : Block::Kind::nonlinear;
    return block;
  }

 private:
  bool linear_in_block(Index equation) {
    symbols_.clear();
    for (const Index v : s_.incidence[equation])
      if (in_block_[v]) symbols_.push_back(system_.variables[v]);
    const auto by_id = [](ExprId a, ExprId b) { return a.value < b.value; };
    std::sort(symbols_.begin(), symbols_.end(), by_id);
    const auto in_block = [&](ExprId symbol) {
      return std::binary_search(symbols_.begin(), symbols_.end(), symbol, by_id);
    };
    const ExprId residual = system_.residuals[equation];
    return plainly_linear(pool_, residual, in_block) ||
           linear_combination(pool_, residual, symbols_).has_value();
  }

  symbolic::ExprPool& pool_;
  const Structure& s_;
  const DifferentiatedSystem& system_;
  std::vector<char> in_block_;   // [n variables]; all 0 between blocks
  std::vector<ExprId> symbols_;  // of the equation asked about
};

}  // namespace

ReducedSystem apply_plan(const flat::FlatSystem& flat, const StructuralPlan& plan,
                         const DifferentiatedSystem& differentiated, const Chart& chart) {
  const Structure& s = plan.structure;
  ReducedSystem reduced;
  reduced.chart = chart;
  std::vector<Index> column_of(s.variables.size(), none);  // place among the block unknowns
  std::vector<Index> block_unknowns;
  for (Index v = 0; v < s.variables.size(); ++v) {
    const Variable& variable = s.variables[v];
    const bool state =
        variable.order + chart.n_dummies[variable.unknown] < plan.highest_order[variable.unknown];
    if (state) {
      reduced.states.push_back(v);
      reduced.derivatives.push_back(variable.derivative);
    } else {
      column_of[v] = static_cast<Index>(block_unknowns.size());
      block_unknowns.push_back(v);
    }
  }
  ensure(block_unknowns.size() == s.equations.size(),
         "a chart leaves as many unknowns as there are equations");

  graph::IndexLists rows;
  for (Index e = 0; e < s.equations.size(); ++e) {
    for (const Index v : s.incidence[e])
      if (column_of[v] != none) rows.items.push_back(column_of[v]);
    rows.end_list();
  }
  const graph::BipartiteGraph graph(static_cast<Index>(block_unknowns.size()), std::move(rows));
  const graph::Matching matching = graph::maximum_matching(graph);
  ensure(matching.perfect(), "a chart leaves a system that can be matched");
  const graph::StrongComponents components = graph::strong_components(graph, matching);
  BlockMaker blocks(*flat.pool, s, differentiated);
  for (Index c = 0; c < components.size(); ++c) {
    std::vector<Index> equations(components[c].begin(), components[c].end());
    std::vector<Index> unknowns;
    for (const Index e : equations) unknowns.push_back(block_unknowns[matching.eq_to_var[e]]);
    std::sort(unknowns.begin(), unknowns.end());
    reduced.blocks.push_back(blocks.make(std::move(equations), std::move(unknowns)));
  }
  return reduced;
}

}  // namespace alembert::structure
