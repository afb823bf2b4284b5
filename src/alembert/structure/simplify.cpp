// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/simplify.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/structure/alias_attributes.hpp"
#include "alembert/structure/alias_classes.hpp"
#include "alembert/structure/read_ahead.hpp"
#include "alembert/structure/redundant_equations.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/structure/trivial_equations.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using graph::none;
using symbolic::Number;

namespace {

/// A sum that cannot be x + y or x + constant, at one glance.
bool is_long(const symbolic::ExprPool& pool, ExprId sum) {
  std::size_t n_symbols = 0;
  for (const ExprId term : pool.children(sum))
    if (pool.is_symbol(term) && pool.symbol_of(term).kind == symbolic::SymbolKind::unknown &&
        ++n_symbols > 2)
      return true;
  return false;
}

/// a x + b y + c = 0 with numbers a and b, one of them or both absent, and nothing differentiated.
std::optional<NumberLinear> short_form(const symbolic::ExprPool& pool, ExprId zero) {
  if (is_long(pool, zero)) return std::nullopt;
  auto form = number_linear(pool, zero);
  if (!form || form->terms.size() > 2) return std::nullopt;
  for (const LinearTerm& term : form->terms)
    if (pool.symbol_of(term.variable).order > 0) return std::nullopt;
  return form;
}

/// Equations as they are written. Each is read once for all that is asked of it: a large model
/// does not fit into the caches, and what was just there is cheap to look at again.
struct FirstReading {
  std::vector<ExprId> residuals;             // [n equations]
  std::vector<Index> short_ones;             // equations that may tell an alias or a constant
  std::vector<RedundantEquation> redundant;  // what says nothing new

  explicit FirstReading(const flat::FlatSystem& flat) {
    residuals.reserve(flat.equations.size());
    ReadAhead left(*flat.pool), right(*flat.pool);
    const std::size_t n = flat.equations.size();
    redundant = redundant_equations(flat, n, [&](std::size_t k) {
      left.before(k, n, [&](std::size_t i) { return flat.equations[i].left; });
      right.before(k, n, [&](std::size_t i) { return flat.equations[i].right; });
      const auto e = static_cast<Index>(k);
      const ExprId zero = residual(*flat.pool, flat.equations[e]);
      residuals.push_back(zero);
      if (short_form(*flat.pool, zero)) short_ones.push_back(e);
      return CurrentEquation{e, zero};
    });
  }
};

/// Finds aliases and constants. First every short equation is looked at once; then those again in
/// which a constant or two members of a class have met, until nothing changes.
class TrivialUnknowns {
 public:
  /// Redundant equations are left aside.
  TrivialUnknowns(const flat::FlatSystem& flat, const FirstReading& reading)
      : flat_(flat),
        pool_(*flat.pool),
        unknown_of_(*flat.pool),
        classes_(static_cast<Index>(flat.unknowns.size())),
        constant_(flat.unknowns.size()),
        constant_by_(flat.unknowns.size(), none),
        highest_order_(flat.unknowns.size(), 0),
        consumed_(flat.equations.size(), 0),
        queued_(flat.equations.size(), 0),
        next_member_(flat.unknowns.size(), none),
        last_member_(flat.unknowns.size()) {
    for (Index j = 0; j < flat.unknowns.size(); ++j) {
      unknown_of_.set(flat.unknowns[j].symbol, j);
      last_member_[j] = j;
    }
    for (const flat::FlatEquation& equation : flat.equations)
      sides_.push_back({equation.left, equation.right});
    for (const RedundantEquation& r : reading.redundant) consumed_[r.equation] = 1;
    for (const Index e : reading.short_ones)
      if (!consumed_[e]) decide(e, reading.residuals[e]);
    look_again();
  }

  /// Neither redundant nor the definition of an alias or a constant.
  bool open(Index equation) const { return !consumed_[equation]; }
  bool has_constants() const { return n_constants_ > 0; }
  /// Equations that say 0 = 0.
  const std::vector<Index>& empty_equations() const { return empty_; }
  Index highest_order(Index unknown) const { return highest_order_[unknown]; }
  AliasClasses::Signed class_of(Index unknown) { return classes_.find(unknown); }
  ExprId constant(Index root) const { return constant_[root]; }
  Index next_member(Index unknown) const { return next_member_[unknown]; }

 private:
  struct Sides {
    ExprId left, right;
    bool changed = false;
  };

  struct AliasEquation {
    Index one, other;  // unknowns
    Index equation;
  };

  Index unknown_at(ExprId node) const {
    return pool_.is_symbol(node) ? unknown_of_[pool_.symbol_of(node).base] : none;
  }

  void look_again() {
    if (n_found_ == 0) return;
    read_occurrences();
    for (Index e = 0; e < sides_.size(); ++e)
      if (!consumed_[e] && meets(e)) push(e);
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      queued_[queue_[next]] = 0;
      look_at(queue_[next]);
    }
  }

  /// The unknowns of each equation, and how often they are differentiated.
  void read_occurrences() {
    graph::IndexLists rows;
    for (const Sides& sides : sides_) {
      const ExprId roots[] = {sides.left, sides.right};
      const symbolic::Reach reach(pool_, roots);
      for (const ExprId node : reach.nodes()) {
        const Index j = unknown_at(node);
        if (j == none) continue;
        rows.items.push_back(j);
        highest_order_[j] = std::max(highest_order_[j], Index{pool_.symbol_of(node).order});
      }
      rows.end_list();
    }
    graph_ = graph::BipartiteGraph(static_cast<Index>(flat_.unknowns.size()), std::move(rows));
  }

  /// A constant, or two of one class, are in the equation.
  bool meets(Index e) {
    roots_.clear();
    for (const Index j : graph_.unknowns_of(e)) {
      const Index root = classes_.find(j).root;
      if (constant_[root].valid()) return true;
      roots_.push_back(root);
    }
    std::sort(roots_.begin(), roots_.end());
    return std::adjacent_find(roots_.begin(), roots_.end()) != roots_.end();
  }

  void push(Index e) {
    if (consumed_[e] || queued_[e]) return;
    queued_[e] = 1;
    queue_.push_back(e);
  }

  void look_at(Index e) {
    if (consumed_[e]) return;
    Sides& sides = sides_[e];
    const ExprId roots[] = {sides.left, sides.right};
    symbolic::Replacements replacements;
    {
      const symbolic::Reach reach(pool_, roots);
      nodes_.assign(reach.nodes().begin(), reach.nodes().end());
    }
    for (const ExprId node : nodes_) {
      const Index j = unknown_at(node);
      if (j == none) continue;
      const ExprId value = present_value(j, pool_.symbol_of(node).order);
      if (value != node) replacements.emplace(node, value);
    }
    if (!replacements.empty()) {
      const auto now = substitute(pool_, roots, replacements);
      sides = {now[0], now[1], true};
    }
    decide(e, residual(pool_, sides.left, sides.right));
  }

  ExprId present_value(Index unknown, Index order) {
    const auto [root, negative] = classes_.find(unknown);
    if (constant_[root].valid()) {
      if (order > 0) return pool_.number(0);
      return negative ? pool_.neg(constant_[root]) : constant_[root];
    }
    ExprId symbol = flat_.unknowns[root].symbol;
    for (Index k = 0; k < order; ++k) symbol = pool_.derivative_symbol(symbol);
    return negative ? pool_.neg(symbol) : symbol;
  }

  void decide(Index e, ExprId zero) {
    if (pool_.is_zero(zero)) {
      consumed_[e] = 1;
      empty_.push_back(e);
      return;
    }
    const auto form = short_form(pool_, zero);
    if (!form) return;
    if (form->terms.empty()) {
      // Before anything was put in, this is a mistake that `flat::check` names.
      if (sides_[e].changed) throw_contradiction(flat_, who_contradict(e), zero);
      return;
    }
    if (form->terms.size() == 1)
      decide_constant(e, *form);
    else if (form->known.empty())
      decide_alias(e, form->terms[0], form->terms[1]);
  }

  void decide_constant(Index e, const NumberLinear& form) {
    std::vector<ExprId> terms;
    for (const KnownTerm& known : form.known) {
      if (!is_constant_in_time(pool_, known.expression)) return;
      const Number factor = -known.coefficient / form.terms[0].coefficient;
      terms.push_back(pool_.mul(pool_.number(factor), known.expression));
    }
    const auto [root, negative] = classes_.find(unknown_at(form.terms[0].variable));
    if (constant_[root].valid()) return push(e);  // another equation was first
    const ExprId value = pool_.add(terms);
    constant_[root] = negative ? pool_.neg(value) : value;
    constant_by_[root] = e;
    ++n_constants_;
    consume(e);
    if (graph_.n_equations() == 0) return;
    for (Index j = root; j != none; j = next_member_[j])
      for (const Index other : graph_.equations_of(j)) push(other);
  }

  void decide_alias(Index e, const LinearTerm& a, const LinearTerm& b) {
    const bool opposite = a.coefficient == -b.coefficient;  // a - b = 0
    if (!opposite && !(a.coefficient == b.coefficient)) return;
    const auto x = classes_.find(unknown_at(a.variable));
    const auto y = classes_.find(unknown_at(b.variable));
    if (x.root == y.root || constant_[x.root].valid() || constant_[y.root].valid())
      return push(e);  // has to be read again with what is known now
    const bool negative = (x.negative != y.negative) != !opposite;
    const Index gone = classes_.join(x.root, y.root, negative);
    const Index root = gone == x.root ? y.root : x.root;
    alias_by_.push_back({unknown_at(a.variable), unknown_at(b.variable), e});
    consume(e);
    if (graph_.n_equations() > 0)
      for (Index j = gone; j != none; j = next_member_[j])
        for (const Index other : graph_.equations_of(j)) push(other);
    next_member_[last_member_[root]] = gone;
    last_member_[root] = last_member_[gone];
  }

  /// The equation, and those that made of its unknowns what they are.
  std::vector<Index> who_contradict(Index e) {
    std::vector<std::vector<std::pair<Index, Index>>> aliases(flat_.unknowns.size());
    for (const AliasEquation& alias : alias_by_) {
      aliases[alias.one].emplace_back(alias.other, alias.equation);
      aliases[alias.other].emplace_back(alias.one, alias.equation);
    }
    std::vector<char> is_at_fault(flat_.equations.size(), 0);
    std::vector<Index> at_fault{e};
    is_at_fault[e] = 1;
    const auto blame = [&](Index equation) {
      if (is_at_fault[equation]) return;
      is_at_fault[equation] = 1;
      at_fault.push_back(equation);
    };
    for (std::size_t next = 0; next < at_fault.size(); ++next) {
      // Members of one class lead to each other, and to where the class got its value.
      std::vector<Index> met = unknowns_of(at_fault[next]);
      for (std::size_t i = 0, n = met.size(); i < n; ++i)
        if (const Index giver = constant_by_[classes_.find(met[i]).root]; giver != none) {
          blame(giver);
          for (const Index j : unknowns_of(giver)) met.push_back(j);
        }
      for (std::size_t i = 1; i < met.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
          if (met[i] != met[k] && classes_.find(met[i]).root == classes_.find(met[k]).root) {
            for (const Index equation : way(aliases, met[k], met[i])) blame(equation);
            break;
          }
    }
    std::sort(at_fault.begin(), at_fault.end());
    return at_fault;
  }

  std::vector<Index> unknowns_of(Index e) const {
    const ExprId roots[] = {flat_.equations[e].left, flat_.equations[e].right};
    std::vector<Index> unknowns;
    for (const ExprId symbol : symbolic::free_symbols(pool_, roots))
      if (const Index j = unknown_at(symbol); j != none) unknowns.push_back(j);
    return unknowns;
  }

  /// The alias equations between two members of a class.
  static std::vector<Index> way(const std::vector<std::vector<std::pair<Index, Index>>>& aliases,
                                Index from, Index to) {
    std::unordered_map<Index, std::pair<Index, Index>> came;  // looked up, never iterated
    std::vector<Index> queue{from};
    came.emplace(from, std::pair{none, none});
    for (std::size_t next = 0; next < queue.size() && !came.contains(to); ++next)
      for (const auto& [other, equation] : aliases[queue[next]])
        if (came.emplace(other, std::pair{queue[next], equation}).second) queue.push_back(other);
    std::vector<Index> equations;
    for (auto at = came.find(to); at != came.end() && at->second.first != none;
         at = came.find(at->second.first))
      equations.push_back(at->second.second);
    return equations;
  }

  void consume(Index e) {
    consumed_[e] = 1;
    ++n_found_;
  }

  const flat::FlatSystem& flat_;
  symbolic::ExprPool& pool_;
  symbolic::NodeIndex unknown_of_;  // by the symbol of order 0
  AliasClasses classes_;
  std::vector<ExprId> constant_;    // [n unknowns], of roots; none: not constant
  std::vector<Index> constant_by_;  // [n unknowns], of roots: the equation that said so
  std::vector<AliasEquation> alias_by_;
  std::vector<Index> highest_order_;  // [n unknowns]
  std::vector<Sides> sides_;          // [n equations], with what is known put in where looked at
  std::vector<char> consumed_;        // [n equations]
  std::vector<char> queued_;          // [n equations]
  std::vector<Index> next_member_;    // [n unknowns]: of the class, starting at its root
  std::vector<Index> last_member_;    // [n unknowns], of roots
  std::vector<Index> queue_;
  std::vector<Index> empty_;  // equations that say 0 = 0
  std::size_t n_found_ = 0;
  std::size_t n_constants_ = 0;
  graph::BipartiteGraph graph_;  // unknowns of each equation; empty during the first look
  std::vector<Index> roots_;
  std::vector<ExprId> nodes_;
};

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
    for (flat::Termination& termination : smaller.terminations)
      places.push_back(&termination.condition);
    for (flat::Delay& delay : smaller.delays) {
      places.push_back(&delay.value);
      places.push_back(&delay.delay);
    }
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
  // As written first, so that a message about a combination names all its equations.
  FirstReading reading(flat);
  TrivialUnknowns trivial(flat, reading);
  for (const Index e : trivial.empty_equations()) reading.redundant.push_back({e, {e}});
  SimplifiedSystem simplified = SmallerSystem(flat, trivial).make(std::move(reading.redundant));
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
