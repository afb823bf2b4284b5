// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/block_maker.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/structure/small_linear.hpp"
#include "alembert/structure/tearing.hpp"
#include "alembert/symbolic/solve.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

/// Linear systems up to this size are solved by formulas.
constexpr std::size_t small_size = 3;
/// From so many tears on a linear system is looked at as a whole.
constexpr std::size_t many_tears = 64;
/// An entry of a sparse matrix, with those that elimination fills in for it, takes the time of so
/// many of a dense one.
constexpr std::size_t cost_of_sparse_entry = 4;

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

}  // namespace

BlockMaker::BlockMaker(const flat::FlatSystem& flat, const Structure& structure,
                       const DifferentiatedSystem& system)
    : pool_(*flat.pool),
      s_(structure),
      system_(system),
      reader_(flat),
      sample_(flat, system.variables),
      place_(structure.variables.size(), none) {}

Block BlockMaker::make(std::span<const Index> equations, std::span<const Index> unknowns) {
  Block block = solve(equations, unknowns);
  if (block.kind == Block::Kind::assign)
    for (const Assignment& assignment : block.assignments)
      sample_.assign(assignment.unknown, assignment.value);
  return block;
}

Block BlockMaker::solve(std::span<const Index> equations, std::span<const Index> unknowns) {
  const Component component{equations, unknowns};
  Block block;
  if (component.size() == 1 && assign_single(component, block)) return block;
  for (Index k = 0; k < component.size(); ++k) place_[component.unknowns[k]] = k;
  std::vector<Row> rows;
  bool linear = true;
  for (const Index e : component.equations) {
    rows.push_back(read_row(e, component.size() > 1));
    linear = linear && is_linear(e, rows.back());
  }
  for (const Index v : component.unknowns) place_[v] = none;
  block.kind = linear ? Block::Kind::linear : Block::Kind::nonlinear;
  if (linear && component.size() <= small_size && assign_small_linear(component, block))
    return block;
  tear_block(component, rows, block);
  return block;
}

bool BlockMaker::assign_single(const Component& component, Block& block) {
  const auto solution = solve_for(pool_, system_.residuals[component.equations[0]], pool_.number(0),
                                  system_.variables[component.unknowns[0]]);
  if (!solution) return false;
  block.assignments = {{component.unknowns[0], component.equations[0], solution->value}};
  return true;
}

BlockMaker::Row BlockMaker::read_row(Index equation, bool with_coefficients) {
  Row row;
  for (const Index v : s_.incidence[equation]) {
    if (place_[v] == none) continue;
    row.unknowns.push_back(place_[v]);
    row.symbols.push_back(system_.variables[v]);
  }
  if (with_coefficients) row.coefficients = reader_.read(system_.residuals[equation], row.symbols);
  return row;
}

bool BlockMaker::is_linear(Index equation, const Row& row) {
  std::vector<ExprId> symbols = row.symbols;
  const auto by_id = [](ExprId a, ExprId b) { return a.value < b.value; };
  std::sort(symbols.begin(), symbols.end(), by_id);
  const auto in_block = [&](ExprId symbol) {
    return std::binary_search(symbols.begin(), symbols.end(), symbol, by_id);
  };
  const ExprId residual = system_.residuals[equation];
  return plainly_linear(pool_, residual, in_block) ||
         linear_combination(pool_, residual, symbols).has_value();
}

bool BlockMaker::assign_small_linear(const Component& component, Block& block) {
  std::vector<ExprId> residuals;
  std::vector<ExprId> symbols;
  for (const Index e : component.equations) residuals.push_back(system_.residuals[e]);
  for (const Index v : component.unknowns) symbols.push_back(system_.variables[v]);
  const auto solved = solve_small_linear(pool_, reader_, residuals, symbols);
  if (!solved) return false;
  block.kind = Block::Kind::assign;
  for (const SolvedUnknown& s : *solved)
    block.assignments.push_back(
        {component.unknowns[s.unknown], component.equations[s.equation], s.value});
  return true;
}

void BlockMaker::tear_block(const Component& component, const std::vector<Row>& rows,
                            Block& block) {
  block.tears.assign(component.unknowns.begin(), component.unknowns.end());
  block.residuals.assign(component.equations.begin(), component.equations.end());
  if (component.size() == 1) return;
  TearingProblem problem;
  for (const Row& row : rows) {
    for (std::size_t k = 0; k < row.unknowns.size(); ++k) {
      problem.unknowns.items.push_back(row.unknowns[k]);
      // Where the block is nonlinear, slopes are other ones at its solution.
      const auto& [slope, safe_value] = row.coefficients[k];
      const bool varies = block.kind == Block::Kind::linear && safe_value == 0;
      problem.entries.push_back({std::abs(safe_value), varies ? sample_.size_of(slope) : 0.0});
    }
    problem.unknowns.end_list();
  }
  const Tearing tearing = tear(problem);
  // Tears are solved for densely, so that many of them cost more than the zeros that they save.
  const std::size_t n_tears = tearing.tears.size();
  if (block.kind == Block::Kind::linear && n_tears >= many_tears &&
      n_tears * n_tears > cost_of_sparse_entry * problem.entries.size())
    return;
  block.tears.clear();
  block.residuals.clear();
  for (const Index u : tearing.tears) block.tears.push_back(component.unknowns[u]);
  for (const Index e : tearing.residuals) block.residuals.push_back(component.equations[e]);
  for (const auto& [u, e] : tearing.assignments) {
    const Index unknown = component.unknowns[u];
    const Row& row = rows[e];
    const auto at = std::lower_bound(row.unknowns.begin(), row.unknowns.end(), u);
    const ExprId slope =
        row.coefficients[static_cast<std::size_t>(at - row.unknowns.begin())].slope;
    const ExprId symbol = system_.variables[unknown];
    const ExprId rest =
        substitute(pool_, system_.residuals[component.equations[e]], {{symbol, pool_.number(0)}});
    block.assignments.push_back(
        {unknown, component.equations[e], pool_.neg(pool_.div(rest, slope))});
  }
}

}  // namespace alembert::structure
