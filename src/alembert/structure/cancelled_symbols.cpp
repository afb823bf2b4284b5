// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/cancelled_symbols.hpp"

#include <algorithm>
#include <unordered_map>

#include "alembert/structure/null_combination.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using graph::Index;

namespace {

/// Symbols below what is not smooth in them.
std::vector<ExprId> below_kinks(const symbolic::ExprPool& pool, std::span<const ExprId> terms) {
  using symbolic::Op;
  const symbolic::Reach reach(pool, terms);
  std::vector<ExprId> kinks;
  for (const ExprId node : reach.nodes()) {
    const Op op = pool.op(node);
    const bool is_smooth =
        op <= Op::log10 || op == Op::atan2 || op == Op::no_event || op == Op::smooth;
    if (!is_smooth) kinks.push_back(node);
  }
  return free_symbols(pool, kinks);
}

}  // namespace

CancelledSymbols cancelled_symbols(symbolic::ExprPool& pool, const SumOfTerms& sum) {
  std::vector<ExprId> symbols;
  std::unordered_map<ExprId, Index> column_of;  // looked up, never iterated
  const std::vector<ExprId> kinked = below_kinks(pool, sum.terms);
  for (const ExprId symbol : free_symbols(pool, sum.terms)) {
    if (pool.symbol_of(symbol).kind != symbolic::SymbolKind::unknown) continue;
    if (std::ranges::find(kinked, symbol) != kinked.end()) continue;
    column_of.emplace(symbol, static_cast<Index>(symbols.size()));
    symbols.push_back(symbol);
  }
  std::vector<std::vector<ExprEntry>> slopes;
  for (const ExprId term : sum.terms) {
    std::vector<ExprId> own;
    for (const ExprId symbol : free_symbols(pool, term))
      if (column_of.contains(symbol)) own.push_back(symbol);
    const std::vector<ExprId> values = gradient(pool, term, own);
    std::vector<ExprEntry>& row = slopes.emplace_back();
    for (std::size_t k = 0; k < own.size(); ++k) row.push_back({column_of.at(own[k]), values[k]});
  }
  const auto n_columns = static_cast<Index>(symbols.size());
  const std::vector<Index> vanishing =
      vanishing_columns(pool, slopes, n_columns, sum.doubts, sum.known);
  CancelledSymbols result;
  for (const Index j : vanishing) result.symbols.push_back(symbols[j]);
  for (const auto& row : slopes)
    for (const ExprEntry& entry : row)
      if (std::ranges::binary_search(vanishing, entry.column)) result.slopes.push_back(entry.value);
  return result;
}

bool says_something(const symbolic::ExprPool& pool, const SumOfTerms& sum) {
  std::vector<std::vector<ExprEntry>> rows;
  for (const ExprId term : sum.terms) rows.push_back({{0, term}});
  return vanishing_columns(pool, rows, 1, sum.doubts, sum.known).empty();
}

}  // namespace alembert::structure
