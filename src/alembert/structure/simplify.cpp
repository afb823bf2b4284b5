// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/simplify.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/flat/delayed.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/structure/alias_attributes.hpp"
#include "alembert/structure/redundant_equations.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/structure/trivial_unknowns.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using graph::none;

namespace {

/// Puts the decisions into effect.
class SmallerSystem {
 public:
  SmallerSystem(const flat::FlatSystem& flat, TrivialUnknowns& trivial)
      : flat_(flat), pool_(*flat.pool), trivial_(trivial), numbers_(flat) {}

  SimplifiedSystem make(std::vector<RedundantEquation> redundant) {
    result_.redundant = std::move(redundant);
    choose_representatives();
    copy_equations();
    copy_derivative_starts();
    lend_starts();
    copy_the_rest();
    return std::move(result_);
  }

 private:
  struct Stand {
    Index representative = none;  // none: constant
    bool negative = false;
  };

  void choose_representatives() {
    const auto n = static_cast<Index>(flat_.unknowns.size());
    stand_.resize(n);
    std::vector<ClassMember> members;
    for (Index j = 0; j < n; ++j) {
      const auto [root, negative] = trivial_.class_of(j);
      if (root != j) continue;
      members.clear();
      for (Index m = root; m != none; m = trivial_.next_member(m))
        members.push_back({m, trivial_.class_of(m).negative});
      const ExprId constant = trivial_.constant(root);
      if (constant.valid())
        for (const ClassMember& member : members) {
          const ExprId value = member.negative ? pool_.neg(constant) : constant;
          check_constant_start(flat_, flat_.unknowns[member.unknown], value, numbers_);
          eliminate(member.unknown, value, true);
        }
      else
        keep_best(members);
    }
    const auto by_unknown = [](const auto& a, const auto& b) { return a.unknown < b.unknown; };
    std::sort(result_.eliminated.begin(), result_.eliminated.end(), by_unknown);
    std::sort(merged_.begin(), merged_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    result_.flat.unknowns.reserve(n - result_.eliminated.size());
    auto merged = merged_.begin();
    for (Index j = 0; j < n; ++j) {
      if (stand_[j].representative != j) continue;
      result_.kept_unknowns.push_back(j);
      if (merged != merged_.end() && merged->first == j)
        result_.flat.unknowns.push_back(std::move((merged++)->second));
      else
        result_.flat.unknowns.push_back(flat_.unknowns[j]);
    }
  }

  void keep_best(std::vector<ClassMember>& members) {
    if (members.size() > 1) put_best_first(flat_, members);
    const Index best = members.front().unknown;
    const ExprId symbol = flat_.unknowns[best].symbol;
    for (const ClassMember& member : members) stand_[member.unknown] = {best, member.negative};
    for (const ClassMember& member : std::span(members).subspan(1))
      eliminate(member.unknown, member.negative ? pool_.neg(symbol) : symbol, false);
    if (members.size() > 1) merged_.emplace_back(best, merged_unknown(flat_, members, numbers_));
  }

  void eliminate(Index unknown, ExprId value, bool constant) {
    result_.eliminated.push_back({unknown, value, constant, trivial_.highest_order(unknown)});
  }

  /// Every symbol of every eliminated chain.
  symbolic::Replacements replacements() {
    symbolic::Replacements all;
    for (const EliminatedUnknown& eliminated : result_.eliminated) {
      ExprId symbol = flat_.unknowns[eliminated.unknown].symbol;
      for (Index order = 0; symbol.valid(); ++order) {
        all.emplace(symbol, eliminated_value(pool_, eliminated, order));
        symbol = pool_.symbol_of(symbol).derivative;
      }
    }
    return all;
  }

  void copy_equations() {
    replacements_ = replacements();
    for (Index e = 0; e < flat_.equations.size(); ++e) {
      if (!trivial_.open(e)) continue;
      result_.kept_equations.push_back(e);
    }
    result_.flat.equations.reserve(result_.kept_equations.size());
    for (const Index e : result_.kept_equations)
      result_.flat.equations.push_back(flat_.equations[e]);
    put_in(result_.flat.equations);
  }

  void put_in(std::vector<flat::FlatEquation>& equations) {
    std::vector<ExprId*> places;
    for (flat::FlatEquation& equation : equations) {
      places.push_back(&equation.left);
      places.push_back(&equation.right);
    }
    put_in(places);
  }

  void put_in(const std::vector<ExprId*>& places) {
    if (replacements_.empty() || places.empty()) return;
    std::vector<ExprId> expressions;
    expressions.reserve(places.size());
    for (const ExprId* place : places) expressions.push_back(*place);
    const auto now = substitute(pool_, expressions, replacements_);
    for (std::size_t k = 0; k < now.size(); ++k) *places[k] = now[k];
  }

  void copy_derivative_starts() {
    std::vector<MovedStart> moved;
    symbolic::NodeIndex unknown_of(pool_);
    for (Index j = 0; j < flat_.unknowns.size(); ++j) unknown_of.set(flat_.unknowns[j].symbol, j);
    for (const flat::DerivativeStart& start : flat_.derivative_starts) {
      const symbolic::Symbol& symbol = pool_.symbol_of(start.symbol);
      const Index j = unknown_of[symbol.base];
      const Stand& stand = stand_[j];
      MovedStart now{start, ExprId::none(), stand.negative};
      if (stand.representative != none) {
        const std::uint32_t order = symbol.order;
        now.symbol = flat_.unknowns[stand.representative].symbol;
        for (std::uint32_t k = 0; k < order; ++k) now.symbol = pool_.derivative_symbol(now.symbol);
      }
      moved.push_back(std::move(now));
    }
    // What was said about the symbol itself comes first; else names decide, not the order.
    std::stable_sort(moved.begin(), moved.end(), [&](const MovedStart& a, const MovedStart& b) {
      const bool own_a = a.symbol == a.start.symbol;
      const bool own_b = b.symbol == b.start.symbol;
      if (own_a || own_b) return own_a && !own_b;
      return pool_.precedes(a.start.symbol, b.start.symbol);
    });
    result_.flat.derivative_starts = merged_starts(flat_, moved, numbers_);
  }

  /// v = der(x) or v = -der(x), where der(x) is differentiated again: what was said about the start
  /// of v, which follows from x, is a guess for der(x), unless that has one.
  void lend_starts() {
    std::vector<flat::DerivativeStart>& starts = result_.flat.derivative_starts;
    // Looked up, never iterated.
    std::unordered_set<ExprId> has_start;
    for (const flat::DerivativeStart& start : starts) has_start.insert(start.symbol);
    std::unordered_map<ExprId, const flat::Unknown*> unknown_of;
    for (const flat::FlatEquation& equation : result_.flat.equations)
      for (const auto& [v, slope] :
           {std::pair(equation.left, equation.right), std::pair(equation.right, equation.left)}) {
        const auto factors = pool_.children(slope);
        const bool negative = pool_.op(slope) == symbolic::Op::mul && factors.size() == 2 &&
                              pool_.is_number(factors[0]) &&
                              pool_.number_of(factors[0]).value() == -1;
        const ExprId symbol = negative ? factors[1] : slope;
        if (!pool_.is_symbol(v) || !pool_.is_symbol(symbol) || pool_.symbol_of(v).order > 0 ||
            pool_.symbol_of(symbol).order == 0 || !pool_.symbol_of(symbol).derivative.valid() ||
            has_start.contains(symbol))
          continue;
        if (unknown_of.empty())
          for (const flat::Unknown& unknown : result_.flat.unknowns)
            unknown_of.emplace(unknown.symbol, &unknown);
        const auto lender = unknown_of.find(v);
        if (lender == unknown_of.end() || !lender->second->start.valid()) continue;
        const ExprId start = lender->second->start;
        has_start.insert(symbol);
        starts.push_back({.symbol = symbol,
                          .value = negative ? pool_.neg(start) : start,
                          .origin = lender->second->origin});
      }
  }

  void copy_the_rest() {
    flat::FlatSystem& smaller = result_.flat;
    smaller.name = flat_.name;
    smaller.pool = flat_.pool;
    smaller.origin = flat_.origin;
    smaller.experiment = flat_.experiment;
    smaller.parameters = flat_.parameters;
    smaller.discrete_variables = flat_.discrete_variables;
    smaller.samples = flat_.samples;
    smaller.initial_symbol = flat_.initial_symbol;
    smaller.initial_equations = flat_.initial_equations;
    smaller.discrete_equations = flat_.discrete_equations;
    smaller.reinits = flat_.reinits;
    smaller.assertions = flat_.assertions;
    smaller.terminations = flat_.terminations;
    smaller.delays = flat_.delays;
    smaller.transports = flat_.transports;
    smaller.observed = flat_.observed;
    put_in(smaller.initial_equations);
    put_in(smaller.discrete_equations);
    std::vector<ExprId*> places;
    for (flat::Reinit& reinit : smaller.reinits) {
      places.push_back(&reinit.condition);
      places.push_back(&reinit.value);
      places.push_back(&reinit.unknown);
    }
    for (flat::Assertion& assertion : smaller.assertions) {
      places.push_back(&assertion.condition);
      for (ExprId& value : assertion.values) places.push_back(&value);
    }
    for (flat::Termination& termination : smaller.terminations) {
      places.push_back(&termination.condition);
      for (ExprId& value : termination.values) places.push_back(&value);
    }
    for (ExprId* place : flat::delayed_places(smaller)) places.push_back(place);
    for (flat::Observed& observed : smaller.observed) places.push_back(&observed.value);
    put_in(places);
    for (flat::Reinit& reinit : smaller.reinits) turn_round(reinit);
  }

  /// -x := value is x := -value.
  void turn_round(flat::Reinit& reinit) {
    if (pool_.is_symbol(reinit.unknown)) return;
    const ExprId symbol = pool_.neg(reinit.unknown);
    if (!pool_.is_symbol(symbol)) return;  // a constant, for which no new value makes sense
    reinit.unknown = symbol;
    reinit.value = pool_.neg(reinit.value);
  }

  const flat::FlatSystem& flat_;
  symbolic::ExprPool& pool_;
  TrivialUnknowns& trivial_;
  StartNumbers numbers_;
  std::vector<Stand> stand_;                             // [n unknowns]
  std::vector<std::pair<Index, flat::Unknown>> merged_;  // classes of several, by who stays
  symbolic::Replacements replacements_;
  SimplifiedSystem result_;
};

std::vector<ExprId> residuals_of(const flat::FlatSystem& flat) {
  std::vector<ExprId> residuals;
  residuals.reserve(flat.equations.size());
  for (const flat::FlatEquation& equation : flat.equations)
    residuals.push_back(residual(*flat.pool, equation));
  return residuals;
}

/// What became redundant when constants were put in, as products with them may have vanished.
void drop_repeated(const flat::FlatSystem& given, SimplifiedSystem& simplified) {
  const auto repeated = redundant_equations(given, simplified.residuals.size(), [&](std::size_t k) {
    return CurrentEquation{simplified.kept_equations[k], simplified.residuals[k]};
  });
  if (repeated.empty()) return;
  std::vector<char> dropped(given.equations.size(), 0);
  for (const RedundantEquation& r : repeated) dropped[r.equation] = 1;
  std::size_t n_kept = 0;
  for (std::size_t k = 0; k < simplified.kept_equations.size(); ++k) {
    if (dropped[simplified.kept_equations[k]]) continue;
    simplified.kept_equations[n_kept] = simplified.kept_equations[k];
    simplified.residuals[n_kept] = simplified.residuals[k];
    std::swap(simplified.flat.equations[n_kept], simplified.flat.equations[k]);
    ++n_kept;
  }
  simplified.kept_equations.resize(n_kept);
  simplified.residuals.resize(n_kept);
  simplified.flat.equations.resize(n_kept);
  simplified.redundant.insert(simplified.redundant.end(), repeated.begin(), repeated.end());
}

}  // namespace

SimplifiedSystem simplify_system(const flat::FlatSystem& flat) {
  try {
    return simplify_or_contradict(flat);
  } catch (const Contradiction& contradiction) {
    throw contradiction_error(flat, contradiction);
  }
}

SimplifiedSystem simplify_or_contradict(const flat::FlatSystem& flat) {
  // As written first, so that a message about a combination names all its equations.
  FirstReading reading(flat);
  TrivialUnknowns trivial(flat, reading);
  for (const Index e : trivial.empty_equations()) reading.redundant.push_back({e, {e}});
  SimplifiedSystem simplified = SmallerSystem(flat, trivial).make(std::move(reading.redundant));
  simplified.alias_equations = trivial.alias_equations();
  if (simplified.eliminated.empty())
    for (const Index e : simplified.kept_equations)
      simplified.residuals.push_back(reading.residuals[e]);
  else
    simplified.residuals = residuals_of(simplified.flat);
  if (trivial.has_constants()) drop_repeated(flat, simplified);
  std::sort(simplified.redundant.begin(), simplified.redundant.end(),
            [](const auto& a, const auto& b) { return a.equation < b.equation; });
  return simplified;
}

std::string text_as_given(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                          Index equation) {
  const Index number = simplified.kept_equations[equation];
  return number < given.equations.size()
             ? flat::equation_text(given, given.equations[number])
             : flat::equation_text(simplified.flat, simplified.flat.equations[equation]);
}

ExprId eliminated_value(symbolic::ExprPool& pool, const EliminatedUnknown& eliminated,
                        Index order) {
  if (order == 0) return eliminated.value;
  if (eliminated.constant) return pool.number(0);
  const bool negative = !pool.is_symbol(eliminated.value);
  ExprId symbol = negative ? pool.neg(eliminated.value) : eliminated.value;
  for (Index k = 0; k < order; ++k) symbol = pool.derivative_symbol(symbol);
  return negative ? pool.neg(symbol) : symbol;
}

}  // namespace alembert::structure
