// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/builder/model.hpp"

#include <array>

#include "alembert/flat/check.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/frontend/builder/part.hpp"

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
    case Kind::time: return system_.origin;
    case Kind::unknown: return system_.unknowns[declaration.index].origin;
    case Kind::parameter: return system_.parameters[declaration.index].origin;
    case Kind::observed: return system_.observed[declaration.index].origin;
    case Kind::discrete: return system_.discrete_variables[declaration.index].origin;
  }
  ensure(false, "a declaration is of one of these kinds");
  return system_.origin;
}

/// To be followed by an entry in the list of that kind.
void Model::declare(std::string_view name, Kind kind, const Origin& origin) {
  static constexpr std::array<std::string_view, 5> words = {
      "time", "unknown", "parameter", "observed quantity", "discrete variable"};
  constexpr auto word = [](Kind k) { return words[static_cast<std::size_t>(k)]; };
  const std::array<std::size_t, 5> next = {0, system_.unknowns.size(), system_.parameters.size(),
                                           system_.observed.size(),
                                           system_.discrete_variables.size()};
  const auto [place, is_new] = declarations_.try_emplace(
      std::string(name), Declaration{kind, next[static_cast<std::size_t>(kind)]});
  if (is_new) return;
  const Declaration& first = place->second;
  throw Error({flat::duplicate_name(name, word(kind), origin, word(first.kind), origin_of(first))});
}

ExprId Model::declare_symbol(std::string_view name, Kind kind, const Origin& origin) {
  declare(name, kind, origin);
  try {
    return pool().symbol(kind == Kind::unknown    ? SymbolKind::unknown
                         : kind == Kind::discrete ? SymbolKind::discrete
                                                  : SymbolKind::parameter,
                         name);
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
                      const ParameterOptions& options, std::source_location at) {
  const Origin origin = Origin::here(at);
  const ExprId definition = value ? value->id_in(pool()) : ExprId::none();
  const ExprId symbol = declare_symbol(name, Kind::parameter, origin);
  system_.parameters.push_back({.symbol = symbol,
                                .value = definition,
                                .solved_for = options.solved_for,
                                .unit = options.unit,
                                .description = options.description,
                                .origin = origin});
  return {pool(), symbol};
}

Expr Model::time() const { return {pool(), pool().time()}; }

Model& Model::operator+=(const LocatedEquation& equation) {
  add_equation("", equation);
  return *this;
}

void Model::add_equation(const std::string& path, const LocatedEquation& equation) {
  const ExprId left = equation.equation.left.id_in(pool());
  const ExprId right = equation.equation.right.id_in(pool());
  const bool gives_discrete = is_discrete(left) || (is_discrete(right) && !has_unknown(left));
  auto& equations = gives_discrete ? system_.discrete_equations : system_.equations;
  equations.push_back({.left = left, .right = right, .origin = Origin::here(equation.at)});
  equations.back().origin.path = path;
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

// ---- composition --------------------------------------------------------------------------------

Balance Model::balance(const Expr& unknown, std::source_location at) {
  const ExprId symbol = unknown.id_in(pool());
  const auto known = balance_index_.find(symbol);
  if (known != balance_index_.end()) return {*this, known->second};
  balance_index_.emplace(symbol, balances_.size());
  balances_.push_back({symbol, Expr(0), Origin::here(at)});
  return {*this, balances_.size() - 1};
}

Balance& Balance::operator+=(const Expr& contribution) {
  model_->balances_[index_].sum += contribution;
  return *this;
}

Part Model::part(std::string_view name) { return Part(*this).part(name); }

Connector Model::connector(std::string_view name, const ConnectorKind& kind,
                           std::source_location at) {
  return add_connector("", name, kind, at);
}

Connector Model::add_connector(const std::string& owner, std::string_view name,
                               const ConnectorKind& kind, std::source_location at) {
  Network::ConnectorEntry entry{
      .name = owner.empty() ? std::string(name) : owner + "." + std::string(name),
      .owner = owner,
      .kind = kind,
      .symbols = {},
      .origin = Origin::here(at)};
  for (const auto* names : {&kind.potentials, &kind.flows})
    for (const std::string& quantity : *names)
      entry.symbols.push_back(unknown(entry.name + "." + quantity, {}, at).id());
  for (const std::string& quantity : kind.domain)
    entry.symbols.push_back(parameter(entry.name + "." + quantity, {}, {}, at).id());
  return {*this, network_.add(std::move(entry))};
}

void Model::add_connection(const std::string& within, const Connector& a, const Connector& b,
                           std::source_location at) {
  if (a.model_ != this || b.model_ != this)
    throw Error("F020",
                "only connectors of one model can be connected: " +
                    flat::in_quotes(a.model_ != this ? a.name() : b.name()) +
                    " belongs to another one than " + flat::in_quotes(name()) + ".",
                Origin::here(at));
  network_.connect(within, a.id_, b.id_, Origin::here(at));
}

Expr Connector::operator[](std::string_view quantity) const {
  return {model_->pool(), model_->network_.quantity(id_, quantity, {})};
}

void Connector::define(std::string_view quantity, const Expr& value,
                       std::source_location at) const {
  model_->network_.define(id_, quantity, value.id_in(model_->pool()), Origin::here(at));
}

void Connector::same_domain(const Connector& other, std::source_location at) const {
  model_->network_.same_domain(id_, other.id_, Origin::here(at));
}

const std::string& Connector::name() const { return model_->network_.connector(id_).name; }

flat::FlatSystem Model::flatten() const {
  flat::FlatSystem system = system_;
  for (const BalanceEntry& balance : balances_) {
    Origin origin = balance.origin;
    origin.derived_from = "the balance of " + flat::in_quotes(pool().symbol_text(balance.unknown));
    system.equations.push_back({balance.sum.id_in(pool()), pool().number(0), std::move(origin)});
  }
  network_.expand(system);
  return system;
}

}  // namespace alembert::builder
