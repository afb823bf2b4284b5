// SPDX-License-Identifier: Apache-2.0
#include "alembert/flat/check.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "alembert/flat/delayed.hpp"
#include "alembert/flat/findings.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::flat {

using symbolic::ExprPool;
using symbolic::Op;
using symbolic::Reach;
using symbolic::SymbolKind;

namespace {

// ---- names --------------------------------------------------------------------------------------

void check_names(Findings& findings) {
  const FlatSystem& system = findings.system;
  struct First {
    std::string_view kind;
    const Origin* origin;
  };
  const Origin nowhere;
  std::unordered_map<std::string_view, First> first;  // looked up, never iterated
  first.emplace("time", First{"time", &nowhere});
  const auto declare = [&](std::string_view name, std::string_view kind, const Origin& origin) {
    const auto [place, is_new] = first.try_emplace(name, First{kind, &origin});
    if (!is_new)
      findings.list.push_back(
          duplicate_name(name, kind, origin, place->second.kind, *place->second.origin));
  };
  for (const Unknown& unknown : system.unknowns)
    declare(findings.name(unknown.symbol), "unknown", unknown.origin);
  for (const Parameter& parameter : system.parameters)
    declare(findings.name(parameter.symbol), "parameter", parameter.origin);
  for (const DiscreteVariable& variable : system.discrete_variables)
    declare(findings.name(variable.symbol), "discrete variable", variable.origin);
  for (const Observed& observed : system.observed) {
    declare(observed.name, "observed quantity", observed.origin);
    if (observed.name.empty())
      findings.add("F010",
                   fmt::format("the observed quantity {} has no name. Give it one.",
                               expression_text(system, observed.value)),
                   observed.origin);
  }

  std::unordered_map<ExprId, const Origin*> started;  // looked up, never iterated
  for (const DerivativeStart& start : system.derivative_starts) {
    const auto [place, is_new] = started.try_emplace(start.symbol, &start.origin);
    if (is_new) continue;
    findings.add("F004",
                 fmt::format("'{}' has two start values. Remove one of them.",
                             findings.pool.symbol_text(start.symbol)),
                 start.origin, {{"the first one is here", *place->second}});
  }
}

// ---- symbols and constants ----------------------------------------------------------------------

/// Calls report(place, node) for each place and each of the nodes in it.
template <class Report>
void for_each_use(const ExprPool& pool, const std::vector<Place>& places,
                  const std::vector<ExprId>& nodes, Report report) {
  if (nodes.empty()) return;  // the usual case: places need not be walked one by one
  for (const Place& place : places) {
    const Reach reach(pool, place.roots);
    for (const ExprId node : nodes)
      if (reach.contains(node)) report(place, node);
  }
}

/// F006, one finding a name however often it is used.
void check_declared(Findings& findings, const std::vector<Place>& places, const Reach& reach) {
  const ExprPool& pool = findings.pool;
  std::unordered_set<ExprId> declared;  // looked up, never iterated
  for (const Unknown& unknown : findings.system.unknowns) declared.insert(unknown.symbol);
  for (const Parameter& parameter : findings.system.parameters) declared.insert(parameter.symbol);
  for (const DiscreteVariable& variable : findings.system.discrete_variables)
    declared.insert(variable.symbol);
  for (const SampleClock& clock : findings.system.samples) declared.insert(clock.symbol);
  for (const ExprId symbol : delayed_symbols(findings.system)) declared.insert(symbol);
  if (findings.system.initial_symbol.valid()) declared.insert(findings.system.initial_symbol);
  // What the run itself says about its start and its end.
  for (const char* name : {"homotopy()", "terminal()"})
    if (const ExprId symbol = pool.find_symbol(name); symbol.valid()) declared.insert(symbol);
  std::vector<ExprId> undeclared;
  for (const ExprId node : reach.nodes()) {
    if (!pool.is_symbol(node) || pool.symbol_of(node).kind == SymbolKind::time) continue;
    const ExprId previous_of = pool.symbol_of(node).previous_of;
    const ExprId declaration = pool.symbol_of(previous_of.valid() ? previous_of : node).base;
    if (!declared.contains(declaration)) undeclared.push_back(node);
  }
  struct Uses {
    const Place* first;
    std::size_t count = 0;
    const Place* last = nullptr;
  };
  std::vector<ExprId> order;
  std::unordered_map<ExprId, Uses> uses;  // by chain; looked up, never iterated
  for_each_use(pool, places, undeclared, [&](const Place& place, ExprId symbol) {
    const ExprId base = pool.symbol_of(symbol).base;
    const auto [entry, is_new] = uses.try_emplace(base, Uses{&place});
    if (is_new) order.push_back(base);
    if (entry->second.last != &place)
      ++entry->second.count;  // x and der(x) in one place count once
    entry->second.last = &place;
  });
  for (const ExprId base : order) {
    const Uses& use = uses.at(base);
    std::string where = findings.describe(*use.first);
    if (use.count > 1) where += fmt::format(" and in {}", counted(use.count - 1, "more place"));
    findings.list.push_back(undeclared_symbol(findings.system, base, where, *use.first->origin));
  }
}

/// What is evaluated in any case: not the branches of a choice, of which one may never be taken.
std::vector<char> certain_nodes(const ExprPool& pool, const std::vector<Place>& places,
                                const Reach& reach) {
  std::vector<char> is_certain(reach.size(), 0);
  for (const Place& place : places)
    for (const ExprId root : place.roots) is_certain[reach.index_of(root)] = 1;
  for (std::size_t i = reach.size(); i-- > 0;) {
    if (!is_certain[i]) continue;
    const auto children = pool.children(reach.nodes()[i]);
    const bool is_choice = pool.op(reach.nodes()[i]) == Op::if_then_else;
    for (std::size_t k = 0; k < (is_choice ? 1 : children.size()); ++k)
      is_certain[reach.index_of(children[k])] = 1;
  }
  return is_certain;
}

/// F008: the largest parts without symbols, evaluated; where one is not finite, the part that makes
/// it so is named.
void check_constants(Findings& findings, const std::vector<Place>& places, const Reach& reach) {
  const ExprPool& pool = findings.pool;
  std::vector<char> has_symbol(reach.size(), 0);
  std::vector<char> is_top(reach.size(),
                           0);  // without symbols, directly below something with them or a root
  for (const Place& place : places)
    for (const ExprId root : place.roots) is_top[reach.index_of(root)] = 1;
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const ExprId node = reach.nodes()[i];
    has_symbol[i] = pool.is_symbol(node);
    for (const ExprId child : pool.children(node))
      has_symbol[i] |= has_symbol[reach.index_of(child)];
    if (!has_symbol[i]) continue;
    for (const ExprId child : pool.children(node)) is_top[reach.index_of(child)] = 1;
  }
  const std::vector<char> is_certain = certain_nodes(pool, places, reach);
  std::vector<ExprId> parts;
  for (std::size_t i = 0; i < reach.size(); ++i)
    if (is_top[i] && !has_symbol[i]) parts.push_back(reach.nodes()[i]);
  const std::vector<double> values = symbolic::evaluate(pool, parts, {});
  std::vector<ExprId> culprits;
  std::unordered_map<ExprId, double> value_of;  // looked up, never iterated
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    const Reach below(pool, parts[i]);
    const std::vector<double> inner = symbolic::evaluate(pool, below.nodes(), {});
    const auto first = std::find_if(inner.begin(), inner.end(),
                                    [](double value) { return !std::isfinite(value); });
    const ExprId culprit = below.nodes()[static_cast<std::size_t>(first - inner.begin())];
    if (!is_certain[reach.index_of(parts[i])] && !pool.is_number(culprit)) continue;
    if (value_of.emplace(culprit, *first).second) culprits.push_back(culprit);
  }
  for_each_use(pool, places, culprits, [&](const Place& place, ExprId culprit) {
    const bool divides_by_zero =
        pool.op(culprit) == Op::pow && pool.is_zero(pool.children(culprit)[0]);
    const std::string text =
        divides_by_zero ? fmt::format("{} divides by the constant 0. Correct the divisor.",
                                      findings.describe(place))
                        : fmt::format(
                              "the constant part {} of {} is {}. Write it so that it has a "
                              "finite value.",
                              expression_text(findings.system, culprit), findings.describe(place),
                              number_text(value_of.at(culprit)));
    findings.add("F008", text, *place.origin);
  });
}

}  // namespace

Diagnostic duplicate_name(std::string_view name, std::string_view kind, const Origin& origin,
                          std::string_view first_kind, const Origin& first_origin) {
  const auto with_article = [](std::string_view noun) {
    return fmt::format("{} {}", noun.starts_with('u') || noun.starts_with('o') ? "an" : "a", noun);
  };
  if (first_kind == "time")
    return {.code = "F004",
            .text = fmt::format("'{}' is the time of every model and cannot be the name of {}. "
                                "Choose another one.",
                                name, with_article(kind)),
            .origin = origin,
            .notes = {}};
  return {.code = "F004",
          .text = fmt::format("'{}' is declared twice, as {} and as {}. Give one of them another "
                              "name.",
                              name, with_article(first_kind), with_article(kind)),
          .origin = origin,
          .notes = {{"the first declaration is here", first_origin}}};
}

std::vector<Diagnostic> diagnose(const FlatSystem& system, const ParameterOverrides& overrides) {
  ensure_well_formed(system);
  Findings findings{.system = system, .pool = *system.pool};
  const std::vector<Place> places = places_of(system);
  std::vector<ExprId> roots;
  for (const Place& place : places)
    roots.insert(roots.end(), place.roots.begin(), place.roots.end());

  check_names(findings);
  check_incidence(findings, places);
  {
    const Reach reach(*system.pool, roots);
    check_declared(findings, places, reach);
    check_constants(findings, places, reach);
  }
  ParameterReport parameters = examine_parameters(system, overrides);
  check_starts(findings, values_by_symbol(system, parameters.values));
  findings.list.insert(findings.list.end(), parameters.diagnostics.begin(),
                       parameters.diagnostics.end());
  return std::move(findings.list);
}

void check(const FlatSystem& system, const ParameterOverrides& overrides) {
  std::vector<Diagnostic> diagnostics = diagnose(system, overrides);
  if (!diagnostics.empty()) throw Error(std::move(diagnostics));
}

}  // namespace alembert::flat
