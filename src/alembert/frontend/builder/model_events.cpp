// SPDX-License-Identifier: Apache-2.0
// The parts of Model that have to do with events.
#include <algorithm>

#include "alembert/flat/wording.hpp"
#include "alembert/frontend/builder/model.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::builder {

using symbolic::ExprId;
using symbolic::SymbolKind;

Action set(const Expr& variable, const Expr& value) {
  return {.kind = Action::Kind::set, .target = variable, .value = value};
}

Action reinit(const Expr& unknown, const Expr& value) {
  return {.kind = Action::Kind::reinit, .target = unknown, .value = value};
}

Action terminate(std::string message) {
  return {.kind = Action::Kind::terminate, .message = std::move(message)};
}

Expr pre(const Expr& quantity) {
  return {*quantity.pool(), quantity.pool()->previous_symbol(quantity.id())};
}

Condition edge(const Expr& boolean) { return not_equal(boolean, 0) && equal(pre(boolean), 0); }

Expr number(const Condition& condition) { return symbolic::if_(condition, 1, 0); }

bool Model::is_discrete(ExprId side) const {
  return pool().is_symbol(side) && pool().symbol_of(side).kind == SymbolKind::discrete &&
         !pool().symbol_of(side).previous_of.valid();
}

bool Model::has_unknown(ExprId side) const {
  const auto symbols = symbolic::free_symbols(pool(), side);
  return std::any_of(symbols.begin(), symbols.end(), [&](ExprId symbol) {
    return pool().symbol_of(symbol).kind == SymbolKind::unknown;
  });
}

std::string Model::free_name(const std::string& wish) const {
  std::string name = wish;
  for (int k = 2; declarations_.contains(name) || pool().find_symbol(name).valid(); ++k)
    name = wish + " #" + std::to_string(k);
  return name;
}

Expr Model::discrete(std::string_view name, const DiscreteOptions& options,
                     std::source_location at) {
  const Origin origin = Origin::here(at);
  const ExprId start = options.start ? options.start->id_in(pool()) : ExprId::none();
  const ExprId symbol = declare_symbol(name, Kind::discrete, origin);
  system_.discrete_variables.push_back({.symbol = symbol,
                                        .start = start,
                                        .type = options.type,
                                        .unit = options.unit,
                                        .description = options.description,
                                        .origin = origin});
  return {pool(), symbol};
}

Expr Model::boolean(std::string_view name, std::source_location at) {
  return discrete(name, {.type = flat::ValueType::boolean}, at);
}

Condition Model::at_start() {
  if (!system_.initial_symbol.valid()) system_.initial_symbol = pool().discrete("initial()");
  return not_equal(Expr(pool(), system_.initial_symbol), 0);
}

void Model::when(const Condition& condition, std::initializer_list<Action> actions,
                 std::source_location at) {
  const Origin origin = Origin::here(at);
  const Condition started = !at_start();
  const Expr holds =
      boolean(free_name("when " + symbolic::to_short_text(pool(), condition.id_in(pool()))), at);
  system_.discrete_equations.push_back(
      {.left = holds.id(), .right = number(condition).id_in(pool()), .origin = origin});
  const Condition edge = started && builder::edge(holds);
  for (const Action& action : actions) {
    if (action.kind == Action::Kind::terminate) {
      system_.terminations.push_back(
          {.condition = edge.id_in(pool()), .message = action.message, .origin = origin});
      continue;
    }
    const ExprId target = action.target.id_in(pool());
    const bool to_unknown =
        pool().is_symbol(target) && pool().symbol_of(target).kind == SymbolKind::unknown;
    if (action.kind == Action::Kind::set ? !is_discrete(target) : !to_unknown)
      throw Error("F015",
                  action.kind == Action::Kind::set
                      ? "only discrete variables can be set at an event, and " +
                            flat::expression_text(system_, target) +
                            " is none. Use reinit for an unknown."
                      : "only unknowns and their derivatives can be reinitialised, and " +
                            flat::expression_text(system_, target) +
                            " is none. Use set for a discrete variable.",
                  origin);
    if (action.kind == Action::Kind::reinit) {
      system_.reinits.push_back({.condition = edge.id_in(pool()),
                                 .unknown = target,
                                 .value = action.value.id_in(pool()),
                                 .origin = origin});
    } else {
      system_.discrete_equations.push_back(
          {.left = target,
           .right = if_(edge, action.value, pre(action.target)).id_in(pool()),
           .origin = origin});
    }
  }
}

Condition Model::sample(const Expr& start, const Expr& interval, std::source_location at) {
  const ExprId from = start.id_in(pool());
  const ExprId every = interval.id_in(pool());
  const ExprId symbol =
      pool().discrete(free_name("sample(" + symbolic::to_short_text(pool(), from) + ", " +
                                symbolic::to_short_text(pool(), every) + ")"));
  system_.samples.push_back(
      {.symbol = symbol, .start = from, .interval = every, .origin = Origin::here(at)});
  return not_equal(Expr(pool(), symbol), 0);
}

void Model::assert_that(const Condition& condition, std::string message,
                        const std::vector<Expr>& values, bool is_warning, const Origin& origin) {
  flat::Assertion assertion{.condition = condition.id_in(pool()),
                            .message = std::move(message),
                            .is_warning = is_warning,
                            .origin = origin};
  for (const Expr& value : values) assertion.values.push_back(value.id_in(pool()));
  system_.assertions.push_back(std::move(assertion));
}

void Model::require(const Condition& condition, std::string message, std::vector<Expr> values,
                    std::source_location at) {
  assert_that(condition, std::move(message), values, false, Origin::here(at));
}

void Model::expect(const Condition& condition, std::string message, std::vector<Expr> values,
                   std::source_location at) {
  assert_that(condition, std::move(message), values, true, Origin::here(at));
}

Expr Model::delay(const Expr& quantity, const Expr& time, std::source_location at) {
  const ExprId value = quantity.id_in(pool());
  const ExprId by = time.id_in(pool());
  const ExprId symbol =
      pool().discrete(free_name("delay(" + symbolic::to_short_text(pool(), value) + ", " +
                                symbolic::to_short_text(pool(), by) + ")"));
  system_.delays.push_back(
      {.symbol = symbol, .value = value, .delay = by, .origin = Origin::here(at)});
  return {pool(), symbol};
}

}  // namespace alembert::builder
