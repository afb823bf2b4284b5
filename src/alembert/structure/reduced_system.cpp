// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/reduced_system.hpp"

#include <algorithm>
#include <numeric>

#include "alembert/base/error.hpp"
#include "alembert/flat/delayed.hpp"
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
  constexpr std::size_t stride = 16;  // what comes from anywhere is called for ahead
  for (std::size_t v = 0; v < s.variables.size(); ++v) {
    if (v + stride < s.variables.size())
      __builtin_prefetch(&flat.unknowns[s.variables[v + stride].unknown].symbol);
    // The symbol of a chain's next member is known to the member before.
    const Variable& variable = s.variables[v];
    const bool follows = v > 0 && s.variables[v - 1].derivative == v;
    ExprId symbol = follows ? system.variables.back() : flat.unknowns[variable.unknown].symbol;
    for (Index k = follows ? variable.order - 1 : 0; k < variable.order; ++k)
      symbol = pool.derivative_symbol(symbol);
    system.variables.push_back(symbol);
  }
  const std::vector<ExprId> delayed = flat::delayed_symbols(flat);
  // Equations come after those they are derivatives of.
  system.residuals.resize(s.equations.size());
  for (Index e = 0; e < s.equations.size(); ++e) {
    if (e + stride < s.n_sources) __builtin_prefetch(&residuals[s.equations[e + stride].source]);
    if (s.equations[e].order == 0) system.residuals[e] = residuals[s.equations[e].source];
    if (s.equations[e].derivative != none)
      system.residuals[s.equations[e].derivative] =
          time_derivative(pool, system.residuals[e], delayed);
  }
  for (ExprId& residual : system.residuals) residual = symbolic::inline_calls(pool, residual);
  if (plan.selection_rows.empty()) return system;

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

struct SolveOrder {
  std::vector<Index> eq_to_var;        // [n used]: place among the block unknowns
  graph::StrongComponents components;  // of places among the used
};

/// Where nothing was differentiated, the matching of highest derivatives is that of the blocks, and
/// place and equation are the same number.
bool has_matching(const Structure& s, std::span<const Index> used) {
  return used.size() == s.n_sources && s.equations.size() == s.n_sources &&
         std::ranges::is_sorted(used);
}

SolveOrder known_order(const Structure& s, std::span<const Index> column_of) {
  SolveOrder order;
  order.eq_to_var.assign(s.n_sources, none);
  graph::IndexLists needed;  // equations that give the other unknowns of each
  needed.begin.reserve(std::size_t{s.n_sources} + 1);
  needed.items.reserve(s.incidence.items.size());
  const std::span<const Index> items = s.incidence.items;
  for (Index e = 0; e < s.n_sources; ++e) {
    for (std::size_t k = s.incidence.begin[e]; k < s.incidence.begin[e + 1]; ++k) {
      constexpr std::size_t stride = 32;
      if (k + stride < items.size()) __builtin_prefetch(&s.var_to_eq[items[k + stride]]);
      // Where nothing was differentiated, the block unknowns are the highest derivatives, and these
      // are what is matched.
      const Index other = s.var_to_eq[items[k]];
      if (other == e)
        order.eq_to_var[e] = column_of[items[k]];
      else if (other != none)
        needed.items.push_back(other);
    }
    needed.end_list();
    ensure(order.eq_to_var[e] != none, "every equation is matched to a highest derivative");
  }
  order.components = graph::strong_components(needed);
  return order;
}

/// The graph is gone when expressions are made, which is when memory is at its peak.
SolveOrder solve_order(const Structure& s, std::span<const Index> used, Index n_block_unknowns,
                       std::vector<Index> column_of) {
  if (has_matching(s, used)) return known_order(s, column_of);
  graph::IndexLists rows;
  for (const Index e : used) {
    for (const Index v : s.incidence[e])
      if (column_of[v] != none) rows.items.push_back(column_of[v]);
    rows.end_list();
  }
  const graph::BipartiteGraph graph(n_block_unknowns, std::move(rows));
  graph::Matching matching = graph::maximum_matching(graph);
  ensure(matching.perfect(), "a chart leaves a system that can be matched");
  graph::StrongComponents components = graph::strong_components(graph, matching);
  return {std::move(matching.eq_to_var), std::move(components)};
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

  const auto [eq_to_var, components] =
      solve_order(s, used, static_cast<Index>(block_unknowns.size()), std::move(column_of));
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
      unknowns.push_back(block_unknowns[eq_to_var[row]]);
    }
    std::sort(unknowns.begin(), unknowns.end());
    reduced.blocks.push_back(blocks.make(equations, unknowns));
  }
  return reduced;
}

}  // namespace alembert::structure
