// SPDX-License-Identifier: Apache-2.0
// Ranges and start values: F005, F008, F009, F011.
#include <cmath>
#include <optional>

#include "alembert/flat/findings.hpp"
#include "alembert/flat/parameters.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::flat {

using symbolic::ExprPool;
using symbolic::SymbolKind;

namespace {

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

}  // namespace

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

}  // namespace alembert::flat
