// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/settle_discrete_starts.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "alembert/graph/disjoint_sets.hpp"
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
    const std::uint32_t i = root(a);
    const std::uint32_t j = root(b);
    if (!sets_.unite(i, j)) return;
    const std::uint32_t stays = sets_.find(i);
    const std::uint32_t other = stays == i ? j : i;
    merge_value(stays, value_[other]);
    contradicts_[stays] = contradicts_[stays] || contradicts_[other];
  }

  void give(ExprId symbol, ExprId value) { merge_value(root(symbol), value); }

  /// None where nothing, or more than one thing, is said.
  ExprId value(ExprId symbol) {
    if (!place_.contains(symbol)) return ExprId::none();
    const std::uint32_t i = root(symbol);
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
  std::uint32_t root(ExprId symbol) {
    const auto [found, is_new] = place_.emplace(symbol, sets_.size());
    if (is_new) {
      sets_.grow(sets_.size() + 1);
      value_.push_back(ExprId::none());
      contradicts_.push_back(false);
    }
    return sets_.find(found->second);
  }

  void merge_value(std::uint32_t i, ExprId value) {
    if (!value.valid()) return;
    if (value_[i].valid() && value_[i] != value) contradicts_[i] = true;
    value_[i] = value;
  }

  const symbolic::ExprPool& pool_;
  std::unordered_map<ExprId, std::uint32_t> place_;  // looked up, never iterated
  graph::DisjointSets sets_;                         // of places
  std::vector<ExprId> value_;                        // [n places], of roots
  std::vector<bool> contradicts_;                    // the same
};

/// `y = q` with a discrete y and a parameter q that nothing else finds: it tells q, not y, and is
/// written so that it cannot be taken for the other.
void find_parameters(flat::FlatSystem& system) {
  symbolic::ExprPool& pool = *system.pool;
  std::unordered_map<ExprId, std::size_t> n_uses;  // of what is solved for; never iterated
  for (const flat::Parameter& parameter : system.parameters)
    if (parameter.solved_for) n_uses.emplace(parameter.symbol, 0);
  if (n_uses.empty()) return;
  for (const flat::FlatEquation& equation : system.initial_equations) {
    const ExprId sides[] = {equation.left, equation.right};
    const symbolic::Reach reach(pool, sides);
    for (const ExprId node : reach.nodes())
      if (const auto found = n_uses.find(node); found != n_uses.end()) ++found->second;
  }
  const auto is_variable = [&](ExprId id) {
    return pool.is_symbol(id) && pool.symbol_of(id).kind == SymbolKind::discrete &&
           !pool.symbol_of(id).previous_of.valid();
  };
  for (flat::FlatEquation& equation : system.initial_equations) {
    const bool on_left = is_variable(equation.left);
    if (!on_left && !is_variable(equation.right)) continue;
    const auto other = n_uses.find(on_left ? equation.right : equation.left);
    if (other == n_uses.end() || other->second != 1) continue;
    equation.left = pool.sub(equation.left, equation.right);
    equation.right = pool.integer(0);
  }
}

}  // namespace

void settle_discrete_starts(flat::FlatSystem& system) {
  find_parameters(system);
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
