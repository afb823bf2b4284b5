// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/surplus.hpp"

#include <algorithm>
#include <functional>

#include "alembert/base/error.hpp"
#include "alembert/flat/derived_from.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/graph/disjoint_sets.hpp"
#include "alembert/structure/plan.hpp"
#include "alembert/structure/redundant_equations.hpp"
#include "alembert/structure/simplify.hpp"
#include "alembert/structure/singular_parts.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/node_walk.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using graph::none;

namespace {

/// A trial costs what the structure of the part does; messages should not be waited for.
constexpr std::size_t most_equations_tried = 2000;
constexpr int most_trials = 60;

enum class Verdict { wrong, regular, regular_with_starts };

struct Trial {
  Verdict verdict = Verdict::wrong;
  std::vector<Index> at_fault;  // of the equations tried, where it is wrong
};

std::size_t n_fixed(const flat::FlatSystem& flat) {
  const auto is_fixed = [](const auto& start) { return start.fixed; };
  return static_cast<std::size_t>(std::ranges::count_if(flat.unknowns, is_fixed) +
                                  std::ranges::count_if(flat.derivative_starts, is_fixed));
}

Trial try_system(const flat::FlatSystem& flat) {
  Trial trial;
  try {
    SimplifiedSystem simplified = simplify_or_contradict(flat);
    Structure structure = extract_structure(simplified.flat, simplified.residuals);
    const SingularParts parts = singular_parts(structure);
    if (parts.empty()) {
      const StructuralPlan plan = make_plan(std::move(structure));
      const bool fits = n_fixed(simplified.flat) <= plan.degrees_of_freedom;
      trial.verdict = fits ? Verdict::regular_with_starts : Verdict::regular;
    }
    for (const graph::SystemPart& part : parts.over)
      for (const Index e : part.equations) trial.at_fault.push_back(simplified.kept_equations[e]);
  } catch (const Contradiction& contradiction) {
    trial.at_fault = contradiction.equations;
  } catch (const Error&) {
    // Starts of aliases that differ: no repair either.
  }
  return trial;
}

/// The part of a system as one of its own.
flat::FlatSystem part_of_system(const flat::FlatSystem& flat, const graph::SystemPart& part) {
  flat::FlatSystem alone{.name = flat.name, .pool = flat.pool};
  alone.parameters = flat.parameters;
  symbolic::NodeIndex is_of_part(*flat.pool);
  for (const Index j : part.unknowns) {
    alone.unknowns.push_back(flat.unknowns[j]);
    is_of_part.set(flat.unknowns[j].symbol, j);
  }
  for (const flat::DerivativeStart& start : flat.derivative_starts)
    if (is_of_part.contains(flat.pool->symbol_of(start.symbol).base))
      alone.derivative_starts.push_back(start);
  for (const Index e : part.equations) alone.equations.push_back(flat.equations[e]);
  return alone;
}

bool gives_derivative(const flat::FlatSystem& flat, const flat::FlatEquation& equation) {
  const ExprId sides[] = {equation.left, equation.right};
  return symbolic::any_symbol(
      *flat.pool, sides, [&](ExprId symbol) { return flat.pool->symbol_of(symbol).order > 0; });
}

/// Tries sets of equations of a part.
class Removals {
 public:
  Removals(const flat::FlatSystem& flat, const graph::SystemPart& part)
      : part_(part), alone_(part_of_system(flat, part)), is_out_(part.equations.size(), 0) {}

  /// Each of them alone. Those that leave room for starts, if any does.
  std::vector<Index> single(std::vector<Index> candidates) {
    std::vector<Index> good[2];
    for (const Index k : candidates) {
      is_out_[k] = 1;
      const Verdict verdict = try_rest().verdict;
      is_out_[k] = 0;
      if (verdict == Verdict::wrong) continue;
      good[0].push_back(k);
      if (verdict == Verdict::regular_with_starts) good[1].push_back(k);
    }
    return as_given(good[1].empty() ? good[0] : good[1]);
  }

  /// As many together, the first of them a candidate.
  std::vector<Index> together(std::size_t n, std::vector<Index> candidates) {
    search(n, std::move(candidates));
    return as_given(best_);
  }

 private:
  Trial try_rest() {
    ++n_trials_;
    flat::FlatSystem rest = alone_;
    std::vector<Index> kept;
    rest.equations.clear();
    for (Index k = 0; k < is_out_.size(); ++k)
      if (!is_out_[k]) {
        kept.push_back(k);
        rest.equations.push_back(alone_.equations[k]);
      }
    Trial trial = try_system(rest);
    for (Index& e : trial.at_fault) e = kept[e];
    return trial;
  }

  bool is_done() const { return settled_ || n_trials_ >= most_trials; }

  /// What was written last is the likelier mistake, and what gives a derivative hardly ever.
  void put_in_order(std::vector<Index>& candidates) const {
    std::ranges::sort(candidates, std::greater{});
    std::ranges::stable_partition(
        candidates, [&](Index k) { return !gives_derivative(alone_, alone_.equations[k]); });
  }

  void search(std::size_t n_left, std::vector<Index> candidates) {
    put_in_order(candidates);
    for (const Index k : candidates) {
      if (is_done()) return;
      is_out_[k] = 1;
      chosen_.push_back(k);
      Trial trial = try_rest();
      if (n_left > 1) {
        search(n_left - 1, std::move(trial.at_fault));
      } else if (trial.verdict != Verdict::wrong) {
        settled_ = trial.verdict == Verdict::regular_with_starts;
        if (best_.empty() || settled_) best_ = chosen_;
      }
      chosen_.pop_back();
      is_out_[k] = 0;
    }
  }

  std::vector<Index> as_given(std::vector<Index> chosen) const {
    for (Index& k : chosen) k = part_.equations[k];
    std::ranges::sort(chosen);
    return chosen;
  }

  const graph::SystemPart& part_;
  flat::FlatSystem alone_;
  std::vector<char> is_out_;  // [n equations of the part]
  std::vector<Index> chosen_, best_;
  int n_trials_ = 0;
  bool settled_ = false;
};

/// What is before the first dot.
std::string_view top_of(std::string_view path) { return path.substr(0, path.find('.')); }

/// The system without a component. Nothing where equations of others are about its quantities.
std::optional<flat::FlatSystem> without_component(const flat::FlatSystem& flat,
                                                  std::string_view name) {
  symbolic::ExprPool& pool = *flat.pool;
  flat::FlatSystem rest{.name = flat.name, .pool = flat.pool};
  rest.parameters = flat.parameters;
  symbolic::NodeIndex gone(pool), kept(pool);
  for (Index j = 0; j < flat.unknowns.size(); ++j) {
    const flat::Unknown& unknown = flat.unknowns[j];
    const bool is_gone = top_of(pool.symbol_text(unknown.symbol)) == name;
    (is_gone ? gone : kept).set(unknown.symbol, j);
    if (!is_gone) rest.unknowns.push_back(unknown);
  }
  const auto is_gone = [&](ExprId symbol) { return gone.contains(pool.symbol_of(symbol).base); };
  graph::DisjointSets points(static_cast<Index>(flat.unknowns.size()));
  std::vector<Index> met;  // unknowns that connections are about
  const auto number_of = [&](ExprId symbol) {
    return gone.contains(symbol) ? gone[symbol] : kept.contains(symbol) ? kept[symbol] : none;
  };
  for (const flat::FlatEquation& equation : flat.equations) {
    const std::string_view made_from = equation.origin.derived_from;
    const ExprId sides[] = {equation.left, equation.right};
    const bool concerned = symbolic::any_symbol(pool, sides, is_gone);
    if (made_from == flat::from_connection) {
      const Index a = number_of(equation.left), b = number_of(equation.right);
      if (a != none && b != none) {
        points.unite(a, b);
        met.push_back(a);
        met.push_back(b);
        continue;
      }
    }
    if (!concerned) {
      if (top_of(equation.origin.path) != name) rest.equations.push_back(equation);
    } else if (made_from == flat::from_balance) {
      symbolic::Replacements zero;
      for (const ExprId symbol : symbolic::free_symbols(pool, sides))
        if (is_gone(symbol)) zero.emplace(symbol, pool.number(0));
      const auto now = substitute(pool, sides, zero);
      if (!symbolic::free_symbols(pool, now).empty())
        rest.equations.push_back({now[0], now[1], equation.origin});
    } else if (top_of(equation.origin.path) != name) {
      return std::nullopt;
    }
  }
  std::vector<Index> first(flat.unknowns.size(), none);  // of each class, that stays
  std::vector<char> is_done(flat.unknowns.size(), 0);
  for (const Index j : met) {
    if (is_done[j] || gone.contains(flat.unknowns[j].symbol)) continue;
    is_done[j] = 1;
    Index& leader = first[points.find(j)];
    if (leader == none)
      leader = j;
    else
      rest.equations.push_back({flat.unknowns[j].symbol, flat.unknowns[leader].symbol, {}});
  }
  return rest;
}

}  // namespace

std::optional<Surplus> find_surplus(const flat::FlatSystem& flat, std::span<const Index> blamed) {
  Structure structure = extract_structure(flat);
  for (const graph::SystemPart& part : singular_parts(structure).over) {
    std::vector<Index> candidates;  // positions in the part
    for (Index k = 0; k < part.equations.size(); ++k)
      if (std::ranges::find(blamed, part.equations[k]) != blamed.end()) candidates.push_back(k);
    if (candidates.empty()) continue;
    Surplus surplus{.n_equations = part.equations.size(), .unknowns = part.unknowns, .removal = {}};
    if (part.equations.size() > most_equations_tried) return surplus;
    Removals removals(flat, part);
    if (surplus.excess() > 1)
      surplus.removal = removals.together(surplus.excess(), std::move(candidates));
    else if (candidates.size() <= most_trials)
      surplus.removal = removals.single(std::move(candidates));
    return surplus;
  }
  return std::nullopt;
}

std::vector<std::string> removable_parts(const flat::FlatSystem& flat,
                                         std::span<const std::string> parts) {
  std::vector<std::string> good;
  if (flat.equations.size() > most_equations_tried || parts.size() > most_trials) return good;
  for (const std::string& part : parts)
    if (const auto rest = without_component(flat, part))
      if (try_system(*rest).verdict != Verdict::wrong) good.push_back(part);
  return good;
}

std::string removal_text(const flat::FlatSystem& flat, const Surplus& surplus, std::size_t n_blamed,
                         std::string_view all) {
  constexpr std::size_t most_named = 5;
  if (surplus.excess() > 1) {
    std::vector<std::string> names;
    for (const Index j : surplus.unknowns)
      names.push_back(flat::in_quotes(flat.pool->symbol_text(flat.unknowns[j].symbol)));
    return std::to_string(surplus.excess()) + " equations are too many, " +
           flat::counted(surplus.n_equations, "equation") + " for " +
           flat::counted(surplus.unknowns.size(), "unknown") + ", " + flat::listed(names) +
           ": remove " +
           (surplus.removal.empty() || surplus.removal.size() > most_named
                ? "as many"
                : equations_listed(flat, surplus.removal, "and") + ", for example");
  }
  if (n_blamed == 1) return "Remove it";
  if (surplus.removal.empty() || surplus.removal.size() == n_blamed ||
      surplus.removal.size() > most_named)
    return "Remove " + std::string(all);
  return "Remove " + equations_listed(flat, surplus.removal, "or");
}

std::string equations_listed(const flat::FlatSystem& flat, std::span<const Index> equations,
                             std::string_view word) {
  std::string text;
  for (std::size_t k = 0; k < equations.size(); ++k) {
    const flat::FlatEquation& equation = flat.equations[equations[k]];
    const std::string place = to_string(equation.origin);
    if (k > 0) text += k + 1 == equations.size() ? " " + std::string(word) + " " : ", ";
    text += flat::equation_text(flat, equation).substr(std::string_view("equation ").size());
    if (!place.empty()) text += " (" + place + ")";
  }
  return text;
}

}  // namespace alembert::structure
