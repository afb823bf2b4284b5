// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/settle_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "alembert/flat/wording.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::modelica {

namespace {

using flat::ExprId;
using flat::FlatEquation;
using symbolic::SymbolKind;

/// An initial equation that may give a parameter its value.
struct Candidate {
  std::size_t equation;
  std::size_t parameter;
  ExprId value;
  std::size_t n_open = 0;  // parameters in `value` that have no value yet
};

/// A fixed start that follows from a parameter to be solved for has its value with that: it is an
/// initial equation.
void settle_fixed_starts(flat::FlatSystem& system) {
  const symbolic::ExprPool& pool = *system.pool;
  std::unordered_set<ExprId> open;  // looked up, never iterated
  const auto is_open = [&](ExprId value) {
    if (!value.valid()) return false;
    const symbolic::Reach reach(pool, value);
    return std::any_of(reach.nodes().begin(), reach.nodes().end(),
                       [&](ExprId node) { return open.contains(node); });
  };
  for (bool grows = true; grows;) {
    grows = false;
    for (const flat::Parameter& parameter : system.parameters)
      if (!open.contains(parameter.symbol) && (parameter.solved_for || is_open(parameter.value)))
        grows = open.insert(parameter.symbol).second;
  }
  if (open.empty()) return;
  for (flat::Unknown& unknown : system.unknowns) {
    if (!unknown.fixed || !is_open(unknown.start)) continue;
    unknown.fixed = false;
    system.initial_equations.push_back(
        {.left = unknown.symbol, .right = unknown.start, .origin = unknown.origin});
  }
}

/// An initial equation about a parameter that another one gave its value determines nothing more,
/// and must agree.
void assert_what_is_said_twice(flat::FlatSystem& system,
                               const std::unordered_map<ExprId, std::size_t>& solved) {
  symbolic::ExprPool& pool = *system.pool;
  const auto is_said_twice = [&](const FlatEquation& equation) {
    bool is_about_solved = false;
    for (const ExprId symbol : symbolic::free_symbols(pool, std::array{equation.left,
                                                                       equation.right})) {
      const auto found = solved.find(symbol);
      is_about_solved = is_about_solved || found != solved.end();
      if (pool.symbol_of(symbol).kind != SymbolKind::parameter ||
          (found != solved.end() && system.parameters[found->second].solved_for))
        return false;
    }
    return is_about_solved;
  };
  const auto size = [&](ExprId value) { return pool.apply(symbolic::Op::abs, value); };
  std::erase_if(system.initial_equations, [&](const FlatEquation& equation) {
    if (!is_said_twice(equation)) return false;
    const ExprId allowed = pool.mul(
        pool.number(1e-9), pool.add(size(equation.left), size(equation.right)));
    system.assertions.push_back(
        {.condition = pool.apply(symbolic::Op::less_equal,
                                 size(pool.sub(equation.left, equation.right)), allowed),
         .message = fmt::format("an initial equation says that {} is {}, but another one gives it "
                                "another value",
                                flat::expression_text(system, equation.left),
                                flat::expression_text(system, equation.right)),
         .origin = equation.origin});
    return true;
  });
}

}  // namespace

void settle_parameters(flat::FlatSystem& system) {
  const symbolic::ExprPool& pool = *system.pool;
  std::unordered_map<ExprId, std::size_t> open;  // by symbol; looked up, never iterated
  for (std::size_t i = 0; i < system.parameters.size(); ++i)
    if (system.parameters[i].solved_for) open.emplace(system.parameters[i].symbol, i);
  if (open.empty()) return;

  std::vector<Candidate> candidates;
  std::unordered_map<ExprId, std::vector<std::size_t>> waiting;  // by open symbol
  for (std::size_t i = 0; i < system.initial_equations.size(); ++i) {
    const FlatEquation& equation = system.initial_equations[i];
    const bool is_left = open.contains(equation.left);
    if (!is_left && !open.contains(equation.right)) continue;
    const ExprId symbol = is_left ? equation.left : equation.right;
    Candidate candidate{.equation = i,
                        .parameter = open.at(symbol),
                        .value = is_left ? equation.right : equation.left};
    const symbolic::Reach reach(pool, candidate.value);
    std::vector<ExprId> needed;
    bool is_known = true;
    for (const ExprId node : reach.nodes()) {
      if (!pool.is_symbol(node)) continue;
      is_known = is_known && pool.symbol_of(node).kind == SymbolKind::parameter;
      if (open.contains(node)) needed.push_back(node);
    }
    if (!is_known) continue;
    candidate.n_open = needed.size();
    for (const ExprId node : needed) waiting[node].push_back(candidates.size());
    candidates.push_back(candidate);
  }

  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (candidates[i].n_open == 0) ready.push_back(i);
  std::vector<char> is_spent(system.initial_equations.size(), 0);
  for (std::size_t next = 0; next < ready.size(); ++next) {
    const Candidate& candidate = candidates[ready[next]];
    flat::Parameter& parameter = system.parameters[candidate.parameter];
    if (!parameter.solved_for) continue;  // given twice: the other equation stays
    parameter.solved_for = false;
    parameter.value = candidate.value;
    is_spent[candidate.equation] = 1;
    for (const std::size_t i : waiting[parameter.symbol])
      if (--candidates[i].n_open == 0) ready.push_back(i);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < system.initial_equations.size(); ++i) {
    if (is_spent[i]) continue;
    if (kept != i) system.initial_equations[kept] = std::move(system.initial_equations[i]);
    ++kept;
  }
  system.initial_equations.resize(kept);
  assert_what_is_said_twice(system, open);
  settle_fixed_starts(system);
}

}  // namespace alembert::modelica
