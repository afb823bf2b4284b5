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
      place_(structure.variables.size(), none) {}

Block BlockMaker::make(std::vector<Index> equations, std::vector<Index> unknowns) {
  Block block;
  block.equations = std::move(equations);
  block.unknowns = std::move(unknowns);
  if (block.unknowns.size() == 1 && assign_single(block)) return block;
  for (Index k = 0; k < block.unknowns.size(); ++k) place_[block.unknowns[k]] = k;
  std::vector<Row> rows;
  bool linear = true;
  for (const Index e : block.equations) {
    rows.push_back(read_row(e, block.unknowns.size() > 1));
    linear = linear && is_linear(e, rows.back());
  }
  for (const Index v : block.unknowns) place_[v] = none;
  block.kind = linear ? Block::Kind::linear : Block::Kind::nonlinear;
  if (linear && block.unknowns.size() <= small_size && assign_small_linear(block)) return block;
  tear_block(block, rows);
  return block;
}

bool BlockMaker::assign_single(Block& block) {
  const auto solution = solve_for(pool_, system_.residuals[block.equations[0]], pool_.number(0),
                                  system_.variables[block.unknowns[0]]);
  if (!solution) return false;
  block.assignments = {{block.unknowns[0], block.equations[0], solution->value}};
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

bool BlockMaker::assign_small_linear(Block& block) {
  std::vector<ExprId> residuals;
  std::vector<ExprId> symbols;
  for (const Index e : block.equations) residuals.push_back(system_.residuals[e]);
  for (const Index v : block.unknowns) symbols.push_back(system_.variables[v]);
  const auto solved = solve_small_linear(pool_, reader_, residuals, symbols);
  if (!solved) return false;
  block.kind = Block::Kind::assign;
  for (const SolvedUnknown& s : *solved)
    block.assignments.push_back({block.unknowns[s.unknown], block.equations[s.equation], s.value});
  return true;
}

void BlockMaker::tear_block(Block& block, const std::vector<Row>& rows) {
  block.tears = block.unknowns;
  block.residuals = block.equations;
  if (block.unknowns.size() == 1) return;
  TearingProblem problem;
  for (const Row& row : rows) {
    for (std::size_t k = 0; k < row.unknowns.size(); ++k) {
      problem.unknowns.items.push_back(row.unknowns[k]);
      problem.entries.push_back({std::abs(row.coefficients[k].safe_value)});
    }
    problem.unknowns.end_list();
  }
  const Tearing tearing = tear(problem);
  block.tears.clear();
  block.residuals.clear();
  for (const Index u : tearing.tears) block.tears.push_back(block.unknowns[u]);
  for (const Index e : tearing.residuals) block.residuals.push_back(block.equations[e]);
  for (const auto& [u, e] : tearing.assignments) {
    const Index unknown = block.unknowns[u];
    const Row& row = rows[e];
    const auto at = std::lower_bound(row.unknowns.begin(), row.unknowns.end(), u);
    const ExprId slope =
        row.coefficients[static_cast<std::size_t>(at - row.unknowns.begin())].slope;
    const ExprId symbol = system_.variables[unknown];
    const ExprId rest =
        substitute(pool_, system_.residuals[block.equations[e]], {{symbol, pool_.number(0)}});
    block.assignments.push_back({unknown, block.equations[e], pool_.neg(pool_.div(rest, slope))});
  }
}

}  // namespace alembert::structure
