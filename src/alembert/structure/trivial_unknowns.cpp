// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/trivial_unknowns.hpp"

#include <algorithm>
#include <optional>

#include "alembert/structure/read_ahead.hpp"
#include "alembert/structure/redundant_equations.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/symbolic/evaluate.hpp"

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

}  // namespace

FirstReading::FirstReading(const flat::FlatSystem& flat) {
  residuals.reserve(flat.equations.size());
  const symbolic::ExprPool& pool = *flat.pool;
  ReadAhead left(pool), right(pool);
  const auto look_at_kind = [&](ExprId symbol) {
    return static_cast<unsigned>(pool.symbol_of(symbol).kind);
  };
  // Terms are put in order: what tells the place of a symbol is read with any other one.
  const ExprId other = flat.unknowns.empty() ? ExprId::none() : flat.unknowns.front().symbol;
  const auto look_at_place = [&](ExprId symbol) {
    return other.valid() && pool.precedes(symbol, other) ? 1u : 0u;
  };
  const std::size_t n = flat.equations.size();
  redundant = redundant_equations(flat, n, [&](std::size_t k) {
    left.before(
        k, n, [&](std::size_t i) { return flat.equations[i].left; }, look_at_kind, look_at_place);
    right.before(
        k, n, [&](std::size_t i) { return flat.equations[i].right; }, look_at_kind, look_at_place);
    const auto e = static_cast<Index>(k);
    const ExprId zero = residual(*flat.pool, flat.equations[e]);
    residuals.push_back(zero);
    if (short_form(*flat.pool, zero)) short_ones.push_back(e);
    return CurrentEquation{e, zero};
  });
}

TrivialUnknowns::TrivialUnknowns(const flat::FlatSystem& flat, const FirstReading& reading)
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

Index TrivialUnknowns::unknown_at(ExprId node) const {
  return pool_.is_symbol(node) ? unknown_of_[pool_.symbol_of(node).base] : none;
}

void TrivialUnknowns::look_again() {
  if (n_found_ == 0) return;
  read_occurrences();
  for (Index e = 0; e < sides_.size(); ++e)
    if (!consumed_[e] && meets(e)) push(e);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    queued_[queue_[next]] = 0;
    look_at(queue_[next]);
  }
}

void TrivialUnknowns::read_occurrences() {
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

bool TrivialUnknowns::meets(Index e) {
  roots_.clear();
  for (const Index j : graph_.unknowns_of(e)) {
    const Index root = classes_.find(j).root;
    if (constant_[root].valid()) return true;
    roots_.push_back(root);
  }
  std::sort(roots_.begin(), roots_.end());
  return std::adjacent_find(roots_.begin(), roots_.end()) != roots_.end();
}

void TrivialUnknowns::push(Index e) {
  if (consumed_[e] || queued_[e]) return;
  queued_[e] = 1;
  queue_.push_back(e);
}

void TrivialUnknowns::look_at(Index e) {
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

ExprId TrivialUnknowns::present_value(Index unknown, Index order) {
  const auto [root, negative] = classes_.find(unknown);
  if (constant_[root].valid()) {
    if (order > 0) return pool_.number(0);
    return negative ? pool_.neg(constant_[root]) : constant_[root];
  }
  ExprId symbol = flat_.unknowns[root].symbol;
  for (Index k = 0; k < order; ++k) symbol = pool_.derivative_symbol(symbol);
  return negative ? pool_.neg(symbol) : symbol;
}

void TrivialUnknowns::decide(Index e, ExprId zero) {
  if (pool_.is_zero(zero)) {
    consumed_[e] = 1;
    empty_.push_back(e);
    return;
  }
  const auto form = short_form(pool_, zero);
  if (!form) return;
  if (form->terms.empty()) {
    // Before anything was put in, this is a mistake that `flat::check` names.
    if (sides_[e].changed) throw Contradiction{who_contradict(e), zero};
    return;
  }
  if (form->terms.size() == 1)
    decide_constant(e, *form);
  else if (form->known.empty())
    decide_alias(e, form->terms[0], form->terms[1]);
}

void TrivialUnknowns::decide_constant(Index e, const NumberLinear& form) {
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

void TrivialUnknowns::decide_alias(Index e, const LinearTerm& a, const LinearTerm& b) {
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

std::vector<Index> TrivialUnknowns::who_contradict(Index e) {
  const AliasPaths paths(flat_.unknowns.size(), alias_by_);
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
          for (const Index equation : paths.between(met[k], met[i])) blame(equation);
          break;
        }
  }
  std::sort(at_fault.begin(), at_fault.end());
  return at_fault;
}

std::vector<Index> TrivialUnknowns::unknowns_of(Index e) const {
  const ExprId roots[] = {flat_.equations[e].left, flat_.equations[e].right};
  std::vector<Index> unknowns;
  for (const ExprId symbol : symbolic::free_symbols(pool_, roots))
    if (const Index j = unknown_at(symbol); j != none) unknowns.push_back(j);
  return unknowns;
}

void TrivialUnknowns::consume(Index e) {
  consumed_[e] = 1;
  ++n_found_;
}

}  // namespace alembert::structure
