// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/hidden_singularity.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/graph/strong_components.hpp"
#include "alembert/structure/null_combination.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/structure/trivial_equations.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

/// Equations and unknowns of the flat system, as many of both.
struct JacobianBlock {
  std::vector<Index> equations;
  std::vector<Index> unknowns;
};

/// Strong components, two equations or more, of the highest versions by the highest derivatives.
std::vector<JacobianBlock> jacobian_blocks(const StructuralPlan& plan) {
  const Structure& s = plan.structure;
  const std::vector<Index> top = highest_equations(s);
  graph::IndexLists rows;
  std::vector<Index> source;  // in canonical order
  for (Index e = 0; e < s.n_sources; ++e) {
    source.push_back(s.equations[e].source);
    for (const Index v : s.incidence[top[source.back()]])
      if (s.is_highest(v)) rows.items.push_back(s.variables[v].unknown);
    rows.end_list();
  }
  const graph::BipartiteGraph graph(s.n_unknowns, std::move(rows));
  const graph::Matching matching = graph::maximum_matching(graph);
  const graph::StrongComponents components = graph::strong_components(graph, matching);
  std::vector<JacobianBlock> blocks;
  for (Index c = 0; c < components.size(); ++c) {
    if (components[c].size() < 2 || components[c].size() > largest_tested) continue;
    JacobianBlock block;
    for (const Index row : components[c]) {
      block.equations.push_back(source[row]);
      block.unknowns.push_back(matching.eq_to_var[row]);
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

/// Values may come from choices or from outside, so that two points tell little.
bool is_smooth(const symbolic::ExprPool& pool, const ExprMatrix& matrix) {
  using symbolic::Op;
  for (const auto& row : matrix) {
    const symbolic::Reach reach(pool, row);
    for (const ExprId node : reach.nodes()) {
      const Op op = pool.op(node);
      const bool kink = op == Op::if_then_else || op == Op::call || op == Op::min ||
                        op == Op::max || op == Op::sign || op == Op::semi_linear;
      if (kink ||
          (pool.is_symbol(node) && pool.symbol_of(node).kind == symbolic::SymbolKind::discrete))
        return false;
    }
  }
  return true;
}

class Repair {
 public:
  Repair(SimplifiedSystem& simplified, StructuralPlan& plan)
      : flat_(simplified.flat), residuals_(simplified.residuals), pool_(*flat_.pool), plan_(plan) {}

  std::vector<CombinedEquation> run() {
    std::vector<CombinedEquation> repairs;
    while (auto repair = repair_one()) repairs.push_back(std::move(*repair));
    return repairs;
  }

 private:
  std::optional<CombinedEquation> repair_one() {
    for (const JacobianBlock& block : jacobian_blocks(plan_)) {
      const ExprMatrix matrix = system_jacobian(block);
      if (!is_smooth(pool_, matrix) || !is_identically_singular(pool_, matrix)) continue;
      const auto u = null_combination(pool_, matrix);
      if (!u) throw_singular(block, block.equations);
      return combine(block, *u);
    }
    return std::nullopt;
  }

  ExprId derivative(ExprId symbol, Index order) {
    for (Index k = 0; k < order; ++k) symbol = pool_.derivative_symbol(symbol);
    return symbol;
  }

  /// d f_i / d x_j^(d_j - c_i), which is d f_i^(c_i) / d x_j^(d_j) (Griewank).
  ExprMatrix system_jacobian(const JacobianBlock& block) {
    ExprMatrix matrix;
    for (const Index i : block.equations) {
      const Index c = plan_.differentiations[i];
      std::vector<ExprId> row(block.unknowns.size(), pool_.number(0));
      std::vector<ExprId> symbols;
      std::vector<std::size_t> columns;
      for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
        const Index d = plan_.highest_order[block.unknowns[j]];
        if (d < c) continue;
        symbols.push_back(derivative(flat_.unknowns[block.unknowns[j]].symbol, d - c));
        columns.push_back(j);
      }
      const auto slopes = gradient(pool_, residuals_[i], symbols);
      for (std::size_t k = 0; k < slopes.size(); ++k) row[columns[k]] = slopes[k];
      matrix.push_back(std::move(row));
    }
    return matrix;
  }

  /// True if u holds no derivative as high as those that are to cancel.
  bool is_low(std::span<const ExprId> u, Index least) {
    std::vector<ExprId> all(u.begin(), u.end());
    for (const ExprId symbol : free_symbols(pool_, all)) {
      const symbolic::Symbol& data = pool_.symbol_of(symbol);
      if (data.kind != symbolic::SymbolKind::unknown) continue;
      for (Index j = 0; j < flat_.unknowns.size(); ++j)
        if (flat_.unknowns[j].symbol == data.base && data.order + least >= plan_.highest_order[j])
          return false;
    }
    return true;
  }

  CombinedEquation combine(const JacobianBlock& block, const std::vector<ExprId>& u) {
    std::vector<Index> combined;
    Index least = none;
    for (std::size_t k = 0; k < u.size(); ++k)
      if (!pool_.is_zero(u[k])) {
        combined.push_back(block.equations[k]);
        least = std::min(least, plan_.differentiations[block.equations[k]]);
      }
    // The equation that gives way: differentiated least, its factor a constant; the last of them.
    Index gone = none;
    for (std::size_t k = 0; k < u.size(); ++k)
      if (!pool_.is_zero(u[k]) && plan_.differentiations[block.equations[k]] == least &&
          is_constant_in_time(pool_, u[k]))
        gone = block.equations[k];
    if (gone == none || !is_low(u, least)) throw_singular(block, combined);

    std::vector<ExprId> terms;
    for (std::size_t k = 0; k < u.size(); ++k) {
      if (pool_.is_zero(u[k])) continue;
      ExprId f = residuals_[block.equations[k]];
      for (Index d = least; d < plan_.differentiations[block.equations[k]]; ++d)
        f = time_derivative(pool_, f);
      terms.push_back(pool_.mul(u[k], f));
    }
    flat::FlatEquation& equation = flat_.equations[gone];
    const flat::FlatEquation before = equation;
    equation.left = residual(pool_, pool_.add(terms), pool_.number(0));
    equation.right = pool_.number(0);
    equation.origin.derived_from = "combination of " + flat::counted(combined.size(), "equation") +
                                   " whose derivatives cancel";
    const ExprId residual_before = std::exchange(residuals_[gone], equation.left);
    if (!replan()) {
      equation = before;
      residuals_[gone] = residual_before;
      throw_singular(block, combined);
    }
    std::sort(combined.begin(), combined.end());
    return {gone, std::move(combined)};
  }

  /// The degrees of freedom fall with every repair that is one, which is why there is an end.
  bool replan() {
    Structure structure = extract_structure(flat_, residuals_);
    try {
      require_structurally_regular(flat_, structure);
    } catch (const Error&) {
      return false;
    }
    StructuralPlan plan = make_plan(std::move(structure));
    if (plan.degrees_of_freedom >= plan_.degrees_of_freedom) return false;
    plan_ = std::move(plan);
    return true;
  }

  [[noreturn]] void throw_singular(const JacobianBlock& block, std::vector<Index> equations) {
    std::vector<std::string> names;
    for (const Index j : block.unknowns)
      names.push_back(flat::in_quotes(
          pool_.symbol_text(derivative(flat_.unknowns[j].symbol, plan_.highest_order[j]))));
    std::sort(names.begin(), names.end());
    std::sort(equations.begin(), equations.end());
    std::vector<Note> notes;
    constexpr std::size_t most = 10;
    for (std::size_t k = 0; k < std::min(most, equations.size()); ++k)
      notes.push_back({flat::equation_text(flat_, flat_.equations[equations[k]]),
                       flat_.equations[equations[k]].origin});
    throw Error("S003",
                "singular, though the structure does not show it: " +
                    flat::counted(equations.size(), "equation") + " leave " + flat::listed(names) +
                    " undetermined at every point, because their terms cancel or one repeats "
                    "others. Remove the equation that repeats others, or put a combination in "
                    "which the derivatives cancel in place of one of them.",
                flat_.equations[equations.front()].origin, std::move(notes));
  }

  flat::FlatSystem& flat_;  // simplified
  std::vector<ExprId>& residuals_;
  symbolic::ExprPool& pool_;
  StructuralPlan& plan_;
};

}  // namespace

std::vector<CombinedEquation> resolve_hidden_singularities(SimplifiedSystem& simplified,
                                                           StructuralPlan& plan) {
  return Repair(simplified, plan).run();
}

}  // namespace alembert::structure
