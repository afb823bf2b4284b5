// SPDX-License-Identifier: Apache-2.0
#include "alembert/flat/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "alembert/flat/wording.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::flat {

namespace {

using symbolic::ExprPool;
using symbolic::Op;
using symbolic::Reach;
using symbolic::SymbolKind;

/// A place where the user wrote an expression; parameters are looked at by examine_parameters.
struct Place {
  std::vector<ExprId> roots;
  std::string_view kind;  // "equation", "initial equation", "discrete equation"; else as it reads
                          // before a name: "observed quantity", "the start value of"
  const FlatEquation* equation = nullptr;
  std::string name = {};  // where it is not an equation
  const Origin* origin = nullptr;
};

struct Findings {
  const FlatSystem& system;
  const ExprPool& pool;
  std::vector<Diagnostic> list = {};

  void add(std::string code, std::string text, const Origin& origin, std::vector<Note> notes = {}) {
    list.push_back({std::move(code), std::move(text), origin, std::move(notes)});
  }
  std::string describe(const Place& place) const {
    if (place.equation == nullptr) return fmt::format("{} '{}'", place.kind, place.name);
    const std::string text = equation_text(system, *place.equation);
    return place.kind == "initial equation" ? "initial " + text : text;
  }
  const std::string& name(ExprId symbol) const { return pool.symbol_of(symbol).name; }
};

// ---- what front ends guarantee ------------------------------------------------------------------

void ensure_number(const ExprPool& pool, ExprId id) {
  ensure(id.valid() && !ExprPool::is_pending(id) && id.value < pool.size(),
         "a FlatSystem holds canonical ids of its own pool");
  ensure(!pool.is_condition(id), "a FlatSystem holds numbers, not conditions");
}

/// A condition, or a number that stands for one.
void ensure_expression(const ExprPool& pool, ExprId id) {
  ensure(id.valid() && !ExprPool::is_pending(id) && id.value < pool.size(),
         "a FlatSystem holds canonical ids of its own pool");
}

void ensure_symbol(const ExprPool& pool, ExprId id, SymbolKind kind, bool is_derivative) {
  ensure_number(pool, id);
  ensure(pool.is_symbol(id) && pool.symbol_of(id).kind == kind &&
             (pool.symbol_of(id).order > 0) == is_derivative,
         "a FlatSystem declares symbols of the right kind and order");
}

void ensure_events_well_formed(const FlatSystem& system) {
  const ExprPool& pool = *system.pool;
  for (const DiscreteVariable& variable : system.discrete_variables) {
    ensure_symbol(pool, variable.symbol, SymbolKind::discrete, false);
    if (variable.start.valid()) ensure_number(pool, variable.start);
  }
  for (const Reinit& reinit : system.reinits) {
    ensure_expression(pool, reinit.condition);
    ensure_number(pool, reinit.unknown);
    ensure(pool.is_symbol(reinit.unknown) &&
               pool.symbol_of(reinit.unknown).kind == SymbolKind::unknown,
           "what is reinitialised is an unknown");
    ensure_number(pool, reinit.value);
  }
  for (const Assertion& assertion : system.assertions) {
    ensure_expression(pool, assertion.condition);
    for (const ExprId value : assertion.values) ensure_number(pool, value);
  }
  for (const Termination& termination : system.terminations)
    ensure_expression(pool, termination.condition);
  for (const SampleClock& clock : system.samples) {
    ensure_symbol(pool, clock.symbol, SymbolKind::discrete, false);
    ensure_number(pool, clock.start);
    ensure_number(pool, clock.interval);
  }
  for (const Delay& delay : system.delays) {
    ensure_symbol(pool, delay.symbol, SymbolKind::discrete, false);
    ensure_number(pool, delay.value);
    ensure_number(pool, delay.delay);
    if (delay.longest.valid()) ensure_number(pool, delay.longest);
  }
  if (system.initial_symbol.valid())
    ensure_symbol(pool, system.initial_symbol, SymbolKind::discrete, false);
}

void ensure_well_formed(const FlatSystem& system) {
  ensure(system.pool != nullptr, "a FlatSystem has a pool");
  const ExprPool& pool = *system.pool;
  for (const Unknown& unknown : system.unknowns) {
    ensure_symbol(pool, unknown.symbol, SymbolKind::unknown, false);
    if (unknown.start.valid()) ensure_number(pool, unknown.start);
  }
  for (const Parameter& parameter : system.parameters) {
    ensure_symbol(pool, parameter.symbol, SymbolKind::parameter, false);
    if (parameter.value.valid()) ensure_number(pool, parameter.value);
  }
  for (const auto* equations :
       {&system.equations, &system.initial_equations, &system.discrete_equations}) {
    for (const FlatEquation& equation : *equations) {
      ensure_number(pool, equation.left);
      ensure_number(pool, equation.right);
    }
  }
  for (const DerivativeStart& start : system.derivative_starts) {
    ensure_symbol(pool, start.symbol, SymbolKind::unknown, true);
    ensure_number(pool, start.value);
  }
  for (const Observed& observed : system.observed) ensure_number(pool, observed.value);
  ensure_events_well_formed(system);
}

void add_event_places(const FlatSystem& system, std::vector<Place>& places) {
  const ExprPool& pool = *system.pool;
  for (const FlatEquation& equation : system.discrete_equations)
    places.push_back(
        {{equation.left, equation.right}, "discrete equation", &equation, {}, &equation.origin});
  for (const DiscreteVariable& variable : system.discrete_variables)
    if (variable.start.valid())
      places.push_back({{variable.start},
                        "the start value of",
                        nullptr,
                        pool.symbol_text(variable.symbol),
                        &variable.origin});
  for (const Reinit& reinit : system.reinits)
    places.push_back({{reinit.condition, reinit.unknown, reinit.value},
                      "reinit of",
                      nullptr,
                      pool.symbol_text(reinit.unknown),
                      &reinit.origin});
  for (const Assertion& assertion : system.assertions) {
    Place place{{assertion.condition}, "assertion", nullptr, assertion.message, &assertion.origin};
    place.roots.insert(place.roots.end(), assertion.values.begin(), assertion.values.end());
    places.push_back(std::move(place));
  }
  for (const Termination& end : system.terminations)
    places.push_back({{end.condition}, "termination", nullptr, end.message, &end.origin});
  for (const SampleClock& clock : system.samples)
    places.push_back({{clock.start, clock.interval},
                      "clock",
                      nullptr,
                      pool.symbol_text(clock.symbol),
                      &clock.origin});
  for (const Delay& delay : system.delays) {
    places.push_back({{delay.value, delay.delay},
                      "delayed value",
                      nullptr,
                      pool.symbol_text(delay.symbol),
                      &delay.origin});
    if (delay.longest.valid()) places.back().roots.push_back(delay.longest);
  }
}

std::vector<Place> places_of(const FlatSystem& system) {
  std::vector<Place> places;
  for (const FlatEquation& equation : system.equations)
    places.push_back(
        {{equation.left, equation.right}, "equation", &equation, {}, &equation.origin});
  for (const FlatEquation& equation : system.initial_equations)
    places.push_back(
        {{equation.left, equation.right}, "initial equation", &equation, {}, &equation.origin});
  for (const Observed& observed : system.observed)
    places.push_back(
        {{observed.value}, "observed quantity", nullptr, observed.name, &observed.origin});
  for (const Unknown& unknown : system.unknowns) {
    if (!unknown.start.valid()) continue;
    places.push_back({{unknown.start},
                      "the start value of",
                      nullptr,
                      system.pool->symbol_text(unknown.symbol),
                      &unknown.origin});
  }
  for (const DerivativeStart& start : system.derivative_starts) {
    places.push_back({{start.symbol, start.value},
                      "the start value of",
                      nullptr,
                      system.pool->symbol_text(start.symbol),
                      &start.origin});
  }
  add_event_places(system, places);
  return places;
}

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

// ---- counts and incidence -----------------------------------------------------------------------

void check_counts(Findings& findings, const std::vector<const Unknown*>& unused) {
  const FlatSystem& system = findings.system;
  const std::size_t n_equations = system.equations.size();
  const std::size_t n_unknowns = system.unknowns.size();
  if (n_equations >= n_unknowns) {
    for (const Unknown* unknown : unused) {
      findings.add("F002",
                   fmt::format("unknown '{}' is in none of the {} of model '{}', so nothing "
                               "determines it. Use it in an equation or remove it.",
                               findings.name(unknown->symbol), counted(n_equations, "equation"),
                               system.name),
                   unknown->origin);
    }
  }
  if (n_equations == n_unknowns) return;

  std::string text = fmt::format("model '{}' has {} for {}", system.name,
                                 counted(n_equations, "equation"), counted(n_unknowns, "unknown"));
  if (n_equations > n_unknowns) {
    const std::size_t surplus = n_equations - n_unknowns;
    text += fmt::format(". Remove {}, or make {} unknown{}.", counted(surplus, "equation"),
                        counted(surplus, "parameter"), surplus == 1 ? "" : "s");
    findings.add("F001", std::move(text), system.origin);
    return;
  }
  const std::size_t missing = n_unknowns - n_equations;
  std::vector<Note> notes;
  std::vector<std::string> names;
  for (const Unknown* unknown : unused) {
    names.push_back(located(findings.name(unknown->symbol), unknown->origin));
    constexpr std::size_t most_notes = 20;
    if (notes.size() < most_notes)
      notes.push_back(
          {fmt::format("'{}' is in no equation", findings.name(unknown->symbol)), unknown->origin});
  }
  if (unused.empty()) {
    for (const Unknown& unknown : system.unknowns)
      names.push_back(in_quotes(findings.name(unknown.symbol)));
    text += ", " + listed(names);
  } else {
    text += "; nothing determines " + listed(names);
  }
  text += fmt::format(". Add {}, or make {} {}.", counted(missing, "equation"),
                      counted(missing, "unknown"), missing == 1 ? "a parameter" : "parameters");
  findings.add("F001", std::move(text), system.origin, std::move(notes));
}

/// F014: one equation for each discrete variable.
void check_discrete_counts(Findings& findings) {
  const FlatSystem& system = findings.system;
  const std::size_t n_equations = system.discrete_equations.size();
  const std::size_t n_variables = system.discrete_variables.size();
  if (n_equations == n_variables) return;
  findings.add(
      "F014",
      fmt::format("model '{}' has {} for {} that change at events only. {}.", system.name,
                  counted(n_equations, "equation"), counted(n_variables, "variable"),
                  n_equations > n_variables ? "Remove what assigns a variable twice"
                                            : "Assign each of them in an equation or when-clause"),
      system.origin);
}

/// Terms of a side that hold an unknown, in canonical order.
std::vector<ExprId> varying_terms(const ExprPool& pool, ExprId side, const Reach& reach,
                                  const std::vector<char>& has_unknown) {
  std::vector<ExprId> terms;
  const auto keep = [&](ExprId term) {
    if (has_unknown[reach.index_of(term)]) terms.push_back(term);
  };
  if (pool.op(side) != Op::add)
    keep(side);
  else
    for (const ExprId term : pool.children(side)) keep(term);
  return terms;
}

void check_equation(Findings& findings, const Place& place, const Reach& reach,
                    const std::vector<char>& has_unknown) {
  const ExprPool& pool = findings.pool;
  const FlatEquation& equation = *place.equation;
  const auto left = varying_terms(pool, equation.left, reach, has_unknown);
  const auto right = varying_terms(pool, equation.right, reach, has_unknown);
  // Sums are canonical, so unknowns cancel exactly where both sides have the same varying terms.
  if (left != right) return;
  const std::string text = findings.describe(place);
  if (!left.empty()) {
    findings.add("F003",
                 fmt::format("the unknowns in {} cancel, so it determines nothing. Correct it or "
                             "remove it.",
                             text),
                 *place.origin);
    return;
  }
  std::vector<std::string> parameters;
  for (const ExprId symbol : symbolic::free_symbols(pool, place.roots))
    if (pool.symbol_of(symbol).kind == SymbolKind::parameter)
      parameters.push_back(in_quotes(pool.symbol_text(symbol)));
  std::string advice = "Remove it.";
  if (parameters.size() == 1)
    advice = fmt::format("Remove it, or make {} an unknown.", parameters.front());
  else if (parameters.size() > 1)
    advice = fmt::format("Remove it, or make one of {} an unknown.", listed(parameters));
  findings.add("F003",
               fmt::format("{} has no unknown in it, so it determines nothing. {}", text, advice),
               *place.origin);
}

/// An initial equation may give a discrete variable, or what it was before the start.
bool gives_discrete(const ExprPool& pool, const FlatEquation& equation) {
  const auto discrete = [&](ExprId side) {
    return pool.is_symbol(side) && pool.symbol_of(side).kind == SymbolKind::discrete;
  };
  return discrete(equation.left) || discrete(equation.right);
}

/// F001, F002, F003: which unknowns are in which equations, as far as the whole system can tell.
void check_incidence(Findings& findings, const std::vector<Place>& places) {
  const ExprPool& pool = findings.pool;
  std::vector<ExprId> roots;
  for (const Place& place : places)
    if (place.equation != nullptr)
      roots.insert(roots.end(), place.roots.begin(), place.roots.end());
  const Reach reach(pool, roots);
  std::unordered_set<ExprId> solved_at_start;  // looked up, never iterated
  for (const Parameter& parameter : findings.system.parameters)
    if (parameter.solved_for) solved_at_start.insert(parameter.symbol);
  std::vector<char> has_unknown(reach.size(), 0);
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const ExprId node = reach.nodes()[i];
    has_unknown[i] = pool.is_symbol(node) && (pool.symbol_of(node).kind == SymbolKind::unknown ||
                                              solved_at_start.contains(node));
    for (const ExprId child : pool.children(node))
      has_unknown[i] |= has_unknown[reach.index_of(child)];
  }
  for (const Place& place : places) {
    if (place.equation == nullptr || place.kind == "discrete equation") continue;
    if (place.kind == "initial equation" && gives_discrete(pool, *place.equation)) continue;
    check_equation(findings, place, reach, has_unknown);
  }

  roots.clear();
  for (const FlatEquation& equation : findings.system.equations) {
    roots.push_back(equation.left);
    roots.push_back(equation.right);
  }
  std::unordered_set<ExprId> used;  // looked up, never iterated
  const Reach in_equations(pool, roots);
  for (const ExprId node : in_equations.nodes())
    if (pool.is_symbol(node)) used.insert(pool.symbol_of(node).base);
  std::vector<const Unknown*> unused;
  for (const Unknown& unknown : findings.system.unknowns)
    if (!used.contains(unknown.symbol)) unused.push_back(&unknown);
  check_counts(findings, unused);
  check_discrete_counts(findings);
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
  for (const Delay& delay : findings.system.delays) declared.insert(delay.symbol);
  if (findings.system.initial_symbol.valid()) declared.insert(findings.system.initial_symbol);
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

// ---- start values -------------------------------------------------------------------------------

void check_limits(Findings& findings, const Unknown& unknown) {
  const std::string& name = findings.name(unknown.symbol);
  if (unknown.min && unknown.max && *unknown.min > *unknown.max)
    findings.add("F005",
                 fmt::format("the range of '{}' is empty: its min {} is above its max {}. Exchange "
                             "or correct them.",
                             name, *unknown.min, *unknown.max),
                 unknown.origin);
  if (unknown.nominal && (!std::isfinite(*unknown.nominal) || *unknown.nominal == 0))
    findings.add("F005",
                 fmt::format("the nominal value of '{}' is {}, and no scale. Give its typical size "
                             "or leave it out.",
                             name, number_text(*unknown.nominal)),
                 unknown.origin);
}

/// The start's value where it has a finite one; F008 and F009 say why there is none.
std::optional<double> start_number(Findings& findings, const std::string& name, ExprId start,
                                   const Origin& origin, const symbolic::Values& values) {
  const ExprPool& pool = findings.pool;
  if (pool.is_number(start)) {
    const double value = pool.number_of(start).value();
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  }
  std::vector<ExprId> varying;
  std::vector<std::string> used;
  bool has_values = true;
  for (const ExprId symbol : symbolic::free_symbols(pool, start)) {
    if (pool.symbol_of(symbol).kind != SymbolKind::parameter) varying.push_back(symbol);
    const auto given = values.find(symbol);
    has_values = has_values && given != values.end() && std::isfinite(given->second);
    if (has_values) used.push_back(fmt::format("{} = {}", findings.name(symbol), given->second));
  }
  if (!varying.empty())
    findings.list.push_back(
        varying_definition(findings.system, fmt::format("the start value of '{}'", name), start,
                           varying, "Write an initial equation instead.", origin));
  if (!varying.empty() || !has_values) return std::nullopt;
  const double value = symbolic::evaluate(pool, start, values);
  if (std::isfinite(value)) return value;
  if (!used.empty())  // else check_constants has said so
    findings.add("F008",
                 fmt::format("the start value {} of '{}' is {} with {}. Change it or the values it "
                             "uses.",
                             expression_text(findings.system, start), name, number_text(value),
                             listed(used)),
                 origin);
  return std::nullopt;
}

/// F005, F009, F011.
void check_starts(Findings& findings, const symbolic::Values& values) {
  for (const Unknown& unknown : findings.system.unknowns) {
    check_limits(findings, unknown);
    const std::string& name = findings.name(unknown.symbol);
    if (!unknown.start.valid()) {
      if (unknown.fixed)
        findings.add("F011",
                     fmt::format("'{}' is fixed at the start but has no start value. Give it one, "
                                 "or do not fix it.",
                                 name),
                     unknown.origin);
      continue;
    }
    const auto value = start_number(findings, name, unknown.start, unknown.origin, values);
    if (!value) continue;
    const bool below = unknown.min && *value < *unknown.min;
    const bool above = unknown.max && *value > *unknown.max;
    if (!below && !above) continue;
    findings.add(
        "F005",
        fmt::format("the start value {} of '{}' is {} its {} {}. Change the start value or "
                    "the range.",
                    *value, name, below ? "below" : "above", below ? "min" : "max",
                    below ? *unknown.min : *unknown.max),
        unknown.origin);
  }
  for (const DerivativeStart& start : findings.system.derivative_starts)
    start_number(findings, findings.pool.symbol_text(start.symbol), start.value, start.origin,
                 values);
  for (const DiscreteVariable& variable : findings.system.discrete_variables)
    if (variable.start.valid())
      start_number(findings, findings.name(variable.symbol), variable.start, variable.origin,
                   values);
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
