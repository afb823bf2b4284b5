// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/builder/model.hpp"

#include <array>

#include "alembert/flat/check.hpp"
#include "alembert/flat/wording.hpp"

namespace alembert::builder {

using symbolic::ExprId;
using symbolic::SymbolKind;

Model::Model(std::string name, std::source_location at)
    : system_{.name = std::move(name),
              .pool = std::make_shared<symbolic::ExprPool>(),
              .origin = Origin::here(at)},
      declarations_{{"time", {Kind::time, 0}}} {}

const Origin& Model::origin_of(const Declaration& declaration) const {
  switch (declaration.kind) {
    case Kind::time:
      return system_.origin;
    case Kind::unknown:
      return system_.unknowns[declaration.index].origin;
    case Kind::parameter:
      return system_.parameters[declaration.index].origin;
    case Kind::observed:
      return system_.observed[declaration.index].origin;
  }
  ensure(false, "a declaration is of one of these kinds");
  return system_.origin;
}

/// To be followed by an entry in the list of that kind.
void Model::declare(std::string_view name, Kind kind, const Origin& origin) {
  static constexpr std::array<std::string_view, 4> words = {"time", "unknown", "parameter",
                                                            "observed quantity"};
  constexpr auto word = [](Kind k) { return words[static_cast<std::size_t>(k)]; };
  const std::array<std::size_t, 4> next = {0, system_.unknowns.size(), system_.parameters.size(),
                                           system_.observed.size()};
  const auto [place, is_new] = declarations_.try_emplace(
      std::string(name), Declaration{kind, next[static_cast<std::size_t>(kind)]});
  if (is_new) return;
  const Declaration& first = place->second;
  throw Error({flat::duplicate_name(name, word(kind), origin, word(first.kind), origin_of(first))});
}

ExprId Model::declare_symbol(std::string_view name, Kind kind, const Origin& origin) {
  declare(name, kind, origin);
  try {
    return pool().symbol(kind == Kind::unknown ? SymbolKind::unknown : SymbolKind::parameter, name);
  } catch (const Error& error) {  // no name, or one of another kind in a variant; add the place
    declarations_.erase(std::string(name));
    throw Error(error.code(), error.diagnostics().front().text, origin);
  }
}

Expr Model::unknown(std::string_view name, const UnknownOptions& options, std::source_location at) {
  const Origin origin = Origin::here(at);
  const ExprId start = options.start ? options.start->id_in(pool()) : ExprId::none();
  const ExprId symbol = declare_symbol(name, Kind::unknown, origin);
  start_index_.emplace(symbol, system_.unknowns.size());
  system_.unknowns.push_back({.symbol = symbol,
                              .start = start,
                              .fixed = options.fixed,
                              .min = options.min,
                              .max = options.max,
                              .nominal = options.nominal,
                              .unit = options.unit,
                              .description = options.description,
                              .state_priority = options.state_priority,
                              .origin = origin});
  return {pool(), symbol};
}

Expr Model::parameter(std::string_view name, const std::optional<Expr>& value,
                      const QuantityOptions& options, std::source_location at) {
  const Origin origin = Origin::here(at);
  const ExprId definition = value ? value->id_in(pool()) : ExprId::none();
  const ExprId symbol = declare_symbol(name, Kind::parameter, origin);
  system_.parameters.push_back({.symbol = symbol,
                                .value = definition,
                                .unit = options.unit,
                                .description = options.description,
                                .origin = origin});
  return {pool(), symbol};
}

Expr Model::time() const {
  return {pool(), pool().time()};
}

Model& Model::operator+=(const LocatedEquation& equation) {
  system_.equations.push_back({.left = equation.equation.left.id_in(pool()),
                               .right = equation.equation.right.id_in(pool()),
                               .origin = Origin::here(equation.at)});
  return *this;
}

void Model::initial(const LocatedEquation& equation) {
  system_.initial_equations.push_back({.left = equation.equation.left.id_in(pool()),
                                       .right = equation.equation.right.id_in(pool()),
                                       .origin = Origin::here(equation.at)});
}

void Model::start(const Expr& quantity, const Expr& value, const StartOptions& options,
                  std::source_location at) {
  const ExprId symbol = quantity.id_in(pool());
  const ExprId number = value.id_in(pool());
  if (!pool().is_symbol(symbol) || pool().symbol_of(symbol).kind != SymbolKind::unknown)
    throw Error("F013",
                "only unknowns and their derivatives have start values, and " +
                    flat::expression_text(system_, symbol) +
                    " is neither. Write an initial equation for it.",
                Origin::here(at));
  const auto known = start_index_.find(symbol);
  if (pool().symbol_of(symbol).order == 0) {
    if (known == start_index_.end())
      throw Error({flat::undeclared_symbol(system_, symbol, "a start value", Origin::here(at))});
    system_.unknowns[known->second].start = number;
    system_.unknowns[known->second].fixed = options.fixed;
    return;
  }
  const flat::DerivativeStart entry{
      .symbol = symbol, .value = number, .fixed = options.fixed, .origin = Origin::here(at)};
  if (known != start_index_.end()) {
    system_.derivative_starts[known->second] = entry;
    return;
  }
  start_index_.emplace(symbol, system_.derivative_starts.size());
  system_.derivative_starts.push_back(entry);
}

void Model::observe(std::string_view name, const Expr& value, const QuantityOptions& options,
                    std::source_location at) {
  const Origin origin = Origin::here(at);
  const ExprId id = value.id_in(pool());
  declare(name, Kind::observed, origin);
  system_.observed.push_back({.name = std::string(name),
                              .value = id,
                              .unit = options.unit,
                              .description = options.description,
                              .origin = origin});
}

}  // namespace alembert::builder
