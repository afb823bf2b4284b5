// SPDX-License-Identifier: Apache-2.0
#include "alembert/flat/wording.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/base/characters.hpp"
#include "alembert/base/similar_names.hpp"
#include "alembert/flat/short_text.hpp"

namespace alembert::flat {

std::string in_quotes(std::string_view name) { return fmt::format("'{}'", name); }

std::string counted(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string listed(std::span<const std::string> parts) {
  constexpr std::size_t most = 6;
  const std::size_t n_shown = parts.size() > most ? most - 1 : parts.size();
  std::string text;
  for (std::size_t i = 0; i < n_shown; ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  if (n_shown < parts.size()) text += fmt::format(" and {} more", parts.size() - n_shown);
  return text;
}

std::string located(std::string_view name, const Origin& origin) {
  const std::string where = to_string(origin);
  return where.empty() ? in_quotes(name) : fmt::format("'{}' ({})", name, where);
}

std::string number_text(double value) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return "infinite";
  return fmt::format("{}", value);
}

std::string expression_text(const FlatSystem& system, ExprId expression) {
  return in_quotes(short_text(system, expression));
}

std::string equation_text(const FlatSystem& system, const FlatEquation& equation) {
  return fmt::format("equation '{}'", short_text(system, equation));
}

std::string clocked_text(const FlatSystem& system, ExprId left, ExprId right,
                         std::size_t max_length) {
  const std::string written = short_text(system, left, right, max_length);
  std::string text;
  for (std::size_t at = 0; at < written.size();) {
    const bool begins_word = at == 0 || !continues_name(written[at - 1]);
    if (begins_word && written.compare(at, 4, "pre(") == 0) {
      text += "previous(";
      at += 4;
    } else {
      text += written[at++];
    }
  }
  return text;
}

namespace {

/// Of all that equations may hold.
std::vector<std::string> declared_names(const FlatSystem& system) {
  std::vector<std::string> names;
  for (const Unknown& unknown : system.unknowns)
    names.push_back(system.pool->symbol_of(unknown.symbol).name);
  for (const Parameter& parameter : system.parameters)
    names.push_back(system.pool->symbol_of(parameter.symbol).name);
  for (const DiscreteVariable& variable : system.discrete_variables)
    names.push_back(system.pool->symbol_of(variable.symbol).name);
  return names;
}

}  // namespace

Diagnostic undeclared_symbol(const FlatSystem& system, ExprId symbol, const std::string& where,
                             const Origin& origin) {
  const symbolic::Symbol& data = system.pool->symbol_of(symbol);
  const std::string similar = nearest_name(data.name, declared_names(system));
  const std::string_view kind =
      data.kind == symbolic::SymbolKind::parameter ? "a parameter" : "an unknown or a parameter";
  return {.code = "F006",
          .text = fmt::format("'{}' in {} is not declared in model '{}'. Declare it as {}{}.",
                              data.name, where, system.name, kind,
                              similar.empty() ? "" : fmt::format(", or write '{}'", similar)),
          .origin = origin,
          .notes = {}};
}

Diagnostic varying_definition(const FlatSystem& system, const std::string& what, ExprId value,
                              std::span<const ExprId> varying, const std::string& advice,
                              const Origin& origin) {
  std::vector<std::string> names;
  for (const ExprId symbol : varying) names.push_back(in_quotes(system.pool->symbol_text(symbol)));
  return {.code = "F009",
          .text = fmt::format("{} is {}, but {} {} during a run, and only numbers and parameters "
                              "do not. {}",
                              what, expression_text(system, value), listed(names),
                              names.size() == 1 ? "varies" : "vary", advice),
          .origin = origin,
          .notes = {}};
}

}  // namespace alembert::flat
