// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/vanishing_terms.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <vector>

#include "alembert/flat/parameters.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::modelica {

namespace {

using flat::ExprId;
using flat::FlatEquation;
using symbolic::SymbolKind;

/// So many definitions one after the other, at most, are followed from a coefficient.
constexpr int max_depth = 4;

class VanishingTerms {
 public:
  VanishingTerms(flat::FlatSystem& system, std::span<const ExprId> final_parameters)
      : system_(system),
        pool_(*system.pool),
        final_(final_parameters.begin(), final_parameters.end()) {}

  void run() {
    find_numbers();
    if (numbers_.empty()) return;
    find_definitions();
    for (const flat::DerivativeStart& start : system_.derivative_starts)
      asked_for_.insert(start.symbol);
    for (FlatEquation& equation : system_.equations) {
      drop_unknowns(equation);
      drop_derivatives(equation);
    }
    flat::mark_structural(system_, std::vector<ExprId>(used_.begin(), used_.end()));
  }

 private:
  void find_numbers() {
    const std::vector<double> values = flat::examine_parameters(system_).values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const flat::Parameter& parameter = system_.parameters[i];
      if (parameter.type != flat::ValueType::real || parameter.solved_for ||
          !parameter.value.valid() || !std::isfinite(values[i]))
        continue;
      numbers_.emplace(parameter.symbol, pool_.real(values[i]));
      if (values[i] == 0) zeros_.emplace(parameter.symbol, pool_.integer(0));
    }
  }

  void find_definitions() {
    for (const FlatEquation& equation : system_.equations) {
      if (is_unknown(equation.left)) definitions_.emplace(equation.left, equation.right);
      if (is_unknown(equation.right)) definitions_.emplace(equation.right, equation.left);
    }
  }

  bool is_unknown(ExprId id) const {
    return pool_.is_symbol(id) && pool_.symbol_of(id).kind == SymbolKind::unknown &&
           pool_.symbol_of(id).order == 0;
  }

  FlatEquation without(const FlatEquation& equation, std::span<const ExprId> symbols) {
    symbolic::Replacements zero;
    for (const ExprId symbol : symbols) zero.emplace(symbol, pool_.integer(0));
    FlatEquation result = equation;
    result.left = symbolic::substitute(pool_, equation.left, zero);
    result.right = symbolic::substitute(pool_, equation.right, zero);
    return result;
  }

  template <class Condition>
  std::vector<ExprId> symbols_in(const FlatEquation& equation, Condition condition) const {
    const ExprId sides[] = {equation.left, equation.right};
    const symbolic::Reach reach(pool_, sides);
    std::vector<ExprId> found;
    for (const ExprId node : reach.nodes())
      if (pool_.is_symbol(node) && condition(node)) found.push_back(node);
    return found;
  }

  std::size_t n_unknowns(const FlatEquation& equation) const {
    return symbols_in(
               equation,
               [&](ExprId symbol) { return pool_.symbol_of(symbol).kind == SymbolKind::unknown; })
        .size();
  }

  /// i*R = v with a final R = 0: nothing here determines i.
  void drop_unknowns(FlatEquation& equation) {
    const std::vector<ExprId> reasons = symbols_in(equation, [&](ExprId symbol) {
      return zeros_.contains(symbol) && final_.contains(symbol);
    });
    if (reasons.empty()) return;
    const FlatEquation rest = without(equation, reasons);
    if (n_unknowns(rest) >= n_unknowns(equation)) return;
    equation = rest;
    used_.insert(reasons.begin(), reasons.end());
  }

  void drop_derivatives(FlatEquation& equation) {
    const std::vector<ExprId> derivatives = symbols_in(equation, [&](ExprId symbol) {
      return pool_.symbol_of(symbol).order > 0 && !asked_for_.contains(symbol);
    });
    if (derivatives.empty()) return;
    const ExprId difference =
        pool_.add(equation.left, pool_.mul(pool_.integer(-1), equation.right));
    const std::vector<ExprId> coefficients = symbolic::gradient(pool_, difference, derivatives);
    std::vector<ExprId> vanishing;
    std::set<ExprId> reasons;
    symbolic::Replacements values;
    for (std::size_t k = 0; k < derivatives.size(); ++k)
      if (!pool_.is_number(coefficients[k]) && vanishes(coefficients[k], 0, reasons, &values))
        vanishing.push_back(derivatives[k]);
    if (vanishing.empty()) return;
    // What compares or rounds a derivative has no slope, and depends on it still.
    const symbolic::Reach left_over(pool_, symbolic::substitute(pool_, difference, values));
    std::erase_if(vanishing, [&](ExprId derivative) { return left_over.contains(derivative); });
    if (vanishing.empty()) return;
    const FlatEquation rest = without(equation, vanishing);
    if (!has_finite_constants(rest)) return;
    equation = rest;
    used_.insert(reasons.begin(), reasons.end());
  }

  /// False where a part without symbols has no finite value: log(0), 1/0.
  bool has_finite_constants(const FlatEquation& equation) const {
    const ExprId sides[] = {equation.left, equation.right};
    const symbolic::Reach reach(pool_, sides);
    std::vector<char> varies(reach.size(), 0);
    std::vector<ExprId> constants;
    for (std::uint32_t i = 0; i < reach.size(); ++i) {
      const ExprId node = reach.nodes()[i];
      varies[i] = pool_.is_symbol(node) ? 1 : 0;
      for (const ExprId child : pool_.children(node)) varies[i] |= varies[reach.index_of(child)];
      if (varies[i] == 0) constants.push_back(node);
    }
    const std::vector<double> values = symbolic::evaluate(pool_, constants, {});
    return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  }

  /// Whether the values of parameters make `expression` zero whatever the rest is; `reasons` gets
  /// them, those of value zero alone where they do it, and `values` what stood for the symbols.
  bool vanishes(ExprId expression, int depth, std::set<ExprId>& reasons,
                symbolic::Replacements* values = nullptr) {
    const symbolic::Reach reach(pool_, expression);
    symbolic::Replacements zeros;
    symbolic::Replacements all;
    for (const ExprId node : std::vector<ExprId>(reach.nodes().begin(), reach.nodes().end())) {
      if (zeros_.contains(node) ||
          (is_unknown(node) && depth < max_depth && is_zero_variable(node, depth)))
        zeros.emplace(node, pool_.integer(0));
      else if (const auto number = numbers_.find(node); number != numbers_.end())
        all.emplace(*number);
    }
    all.insert(zeros.begin(), zeros.end());
    for (const symbolic::Replacements* replacements : {&zeros, &all})
      if (is_zero_with(expression, *replacements, reasons)) {
        if (values != nullptr) values->insert(replacements->begin(), replacements->end());
        return true;
      }
    return false;
  }

  bool is_zero_with(ExprId expression, const symbolic::Replacements& replacements,
                    std::set<ExprId>& reasons) {
    if (replacements.empty() ||
        !pool_.is_zero(symbolic::substitute(pool_, expression, replacements)))
      return false;
    for (const auto& [symbol, value] : replacements) {
      if (const auto why = zero_variables_.find(symbol); why != zero_variables_.end())
        reasons.insert(why->second.begin(), why->second.end());
      else
        reasons.insert(symbol);
    }
    return true;
  }

  /// Depth is bounded, so the recursion of the two is.
  bool is_zero_variable(ExprId variable, int depth) {
    if (zero_variables_.contains(variable)) return true;
    const auto definition = definitions_.find(variable);
    if (definition == definitions_.end() || !looked_at_.insert(variable).second) return false;
    std::set<ExprId> reasons;
    if (!vanishes(definition->second, depth + 1, reasons)) return false;
    zero_variables_.emplace(variable, std::move(reasons));
    return true;
  }

  flat::FlatSystem& system_;
  symbolic::ExprPool& pool_;
  // Looked up, never iterated.
  std::set<ExprId> final_;
  symbolic::Replacements numbers_;  // values of parameters
  symbolic::Replacements zeros_;    // those of value zero
  std::unordered_map<ExprId, ExprId> definitions_;
  std::unordered_map<ExprId, std::set<ExprId>> zero_variables_;  // and the parameters behind
  std::unordered_map<ExprId, flat::Parameter*> values_;
  std::set<ExprId> looked_at_;
  std::set<ExprId> asked_for_;  // derivatives with start values
  std::set<ExprId> used_;
  std::set<ExprId> followed_;
};

}  // namespace

void remove_vanishing_terms(flat::FlatSystem& system, std::span<const ExprId> final_parameters) {
  VanishingTerms(system, final_parameters).run();
}

}  // namespace alembert::modelica
