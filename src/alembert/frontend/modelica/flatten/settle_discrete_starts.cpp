// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/settle_discrete_starts.hpp"

#include <unordered_map>
#include <utility>
#include <vector>

#include "alembert/symbolic/traverse.hpp"

namespace alembert::modelica {

namespace {

using flat::ExprId;
using symbolic::SymbolKind;

/// Symbols that are equal at the start, and what they are equal to.
class EqualSymbols {
 public:
  explicit EqualSymbols(const symbolic::ExprPool& pool) : pool_(pool) {}

  void equate(ExprId a, ExprId b) {
    const std::size_t i = root(a);
    const std::size_t j = root(b);
    if (i == j) return;
    parent_[j] = i;
    merge_value(i, value_[j]);
    contradicts_[i] = contradicts_[i] || contradicts_[j];
  }

  void give(ExprId symbol, ExprId value) { merge_value(root(symbol), value); }

  /// None where nothing, or more than one thing, is said.
  ExprId value(ExprId symbol) {
    if (!place_.contains(symbol)) return ExprId::none();
    const std::size_t i = root(symbol);
    return contradicts_[i] ? ExprId::none() : value_[i];
  }

  bool is_discrete(ExprId id) const {
    return pool_.is_symbol(id) && pool_.symbol_of(id).kind == SymbolKind::discrete;
  }

  bool is_known(ExprId id) const {
    const symbolic::Reach reach(pool_, id);
    for (const ExprId node : reach.nodes())
      if (pool_.is_symbol(node) && pool_.symbol_of(node).kind != SymbolKind::parameter)
        return false;
    return true;
  }

 private:
  std::size_t root(ExprId symbol) {
    const auto [found, is_new] = place_.emplace(symbol, parent_.size());
    if (is_new) {
      parent_.push_back(found->second);
      value_.push_back(ExprId::none());
      contradicts_.push_back(false);
    }
    std::size_t i = found->second;
    while (parent_[i] != i) i = std::exchange(parent_[i], parent_[parent_[i]]);
    return i;
  }

  void merge_value(std::size_t i, ExprId value) {
    if (!value.valid()) return;
    if (value_[i].valid() && value_[i] != value) contradicts_[i] = true;
    value_[i] = value;
  }

  const symbolic::ExprPool& pool_;
  std::unordered_map<ExprId, std::size_t> place_;  // looked up, never iterated
  std::vector<std::size_t> parent_;
  std::vector<ExprId> value_;
  std::vector<bool> contradicts_;
};

}  // namespace

void settle_discrete_starts(flat::FlatSystem& system) {
  EqualSymbols equal(*system.pool);
  bool is_given = false;
  for (const flat::FlatEquation& equation : system.initial_equations) {
    const bool left = equal.is_discrete(equation.left);
    const bool right = equal.is_discrete(equation.right);
    if (left && right) {
      equal.equate(equation.left, equation.right);
    } else if (left != right) {
      const ExprId value = left ? equation.right : equation.left;
      if (!equal.is_known(value)) continue;
      equal.give(left ? equation.left : equation.right, value);
      is_given = true;
    }
  }
  if (!is_given) return;
  for (const flat::DiscreteEquation& equation : system.discrete_equations)
    if (equal.is_discrete(equation.left) && equal.is_discrete(equation.right))
      equal.equate(equation.left, equation.right);
  for (flat::DiscreteVariable& variable : system.discrete_variables) {
    const ExprId value = equal.value(system.pool->previous_symbol(variable.symbol));
    if (value.valid()) variable.start = value;
  }
}

}  // namespace alembert::modelica
