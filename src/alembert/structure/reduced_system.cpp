// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/reduced_system.hpp"

#include <algorithm>
#include <numeric>

#include "alembert/base/error.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/graph/strong_components.hpp"
#include "alembert/structure/block_maker.hpp"
#include "alembert/structure/delay_derivative.hpp"
#include "alembert/structure/read_ahead.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/inline_calls.hpp"

namespace alembert::structure {

std::vector<Index> Block::unknowns() const {
  std::vector<Index> all = tears;
  for (const Assignment& assignment : assignments) all.push_back(assignment.unknown);
  return all;
}

std::vector<Index> Block::equations() const {
  std::vector<Index> all = residuals;
  for (const Assignment& assignment : assignments) all.push_back(assignment.equation);
  return all;
}

DifferentiatedSystem differentiate(const flat::FlatSystem& flat, const StructuralPlan& plan) {
  std::vector<ExprId> residuals;
  for (const flat::FlatEquation& equation : flat.equations)
    residuals.push_back(residual(*flat.pool, equation));
  return differentiate(flat, plan, residuals);
}

DifferentiatedSystem differentiate(const flat::FlatSystem& flat, const StructuralPlan& plan,
                                   std::span<const ExprId> residuals) {
  symbolic::ExprPool& pool = *flat.pool;
  const Structure& s = plan.structure;
  DifferentiatedSystem system;
  system.variables.reserve(s.variables.size());
  for (const Variable& variable : s.variables) {
    ExprId symbol = flat.unknowns[variable.unknown].symbol;
    for (Index k = 0; k < variable.order; ++k) symbol = pool.derivative_symbol(symbol);
    system.variables.push_back(symbol);
  }
  // Equations come after those they are derivatives of.
  system.residuals.resize(s.equations.size());
  for (Index e = 0; e < s.equations.size(); ++e) {
    if (s.equations[e].order == 0) system.residuals[e] = residuals[s.equations[e].source];
    if (s.equations[e].derivative != none)
      system.residuals[s.equations[e].derivative] =
          time_derivative(pool, system.residuals[e], flat.delays);
  }
  for (ExprId& residual : system.residuals) residual = symbolic::inline_calls(pool, residual);

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

ReducedSystem apply_plan(const flat::FlatSystem& flat, const StructuralPlan& plan,
                         const DifferentiatedSystem& differentiated, const Chart& chart) {
  std::vector<Index> all(plan.structure.equations.size());
  std::iota(all.begin(), all.end(), Index{0});
  return apply_plan(flat, plan, differentiated, chart, all);
}

namespace {

/// Where nothing was differentiated, the matching of highest derivatives is that of the blocks.
graph::Matching match_blocks(const graph::BipartiteGraph& graph, const Structure& s,
                             std::span<const Index> used, std::span<const Index> block_unknowns) {
  if (used.size() == s.n_sources && s.equations.size() == s.n_sources &&
      std::ranges::is_sorted(used)) {  // then place and equation are the same number
    graph::Matching known(graph.n_equations(), graph.n_unknowns());
    for (Index column = 0; column < block_unknowns.size(); ++column)
      if (const Index e = s.var_to_eq[block_unknowns[column]]; e != none) known.join(e, column);
    return graph::maximum_matching(graph, std::move(known));
  }
  return graph::maximum_matching(graph);
}

struct SolveOrder {
  graph::Matching matching;            // of places among the used and among the block unknowns
  graph::StrongComponents components;  // of places among the used
};

/// The graph is gone when expressions are made, which is when memory is at its peak.
SolveOrder solve_order(const Structure& s, std::span<const Index> used,
                       std::span<const Index> block_unknowns, std::vector<Index> column_of) {
  graph::IndexLists rows;
  for (const Index e : used) {
    for (const Index v : s.incidence[e])
      if (column_of[v] != none) rows.items.push_back(column_of[v]);
    rows.end_list();
  }
  const graph::BipartiteGraph graph(static_cast<Index>(block_unknowns.size()), std::move(rows));
  SolveOrder order{match_blocks(graph, s, used, block_unknowns), {}};
  ensure(order.matching.perfect(), "a chart leaves a system that can be matched");
  order.components = graph::strong_components(graph, order.matching);
  return order;
}

}  // namespace

ReducedSystem apply_plan(const flat::FlatSystem& flat, const StructuralPlan& plan,
                         const DifferentiatedSystem& differentiated, const Chart& chart,
                         std::span<const Index> used) {
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
  ensure(block_unknowns.size() == used.size(),
         "a chart leaves as many unknowns as there are equations");

  const auto [matching, components] = solve_order(s, used, block_unknowns, std::move(column_of));
  BlockMaker blocks(flat, s, differentiated);
  reduced.blocks.reserve(components.size());
  std::vector<Index> equations;
  std::vector<Index> unknowns;
  ReadAhead ahead(*flat.pool);
  for (Index c = 0; c < components.size(); ++c) {
    ahead.before(c, components.size(), [&](std::size_t i) {
      return differentiated.residuals[used[components[static_cast<Index>(i)].front()]];
    });
    equations.clear();
    unknowns.clear();
    for (const Index row : components[c]) {
      equations.push_back(used[row]);
      unknowns.push_back(block_unknowns[matching.eq_to_var[row]]);
    }
    std::sort(unknowns.begin(), unknowns.end());
    reduced.blocks.push_back(blocks.make(equations, unknowns));
  }
  return reduced;
}

}  // namespace alembert::structure
