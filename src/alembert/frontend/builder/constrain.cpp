// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/builder/constrain.hpp"

#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::builder {

using symbolic::ExprId;
using symbolic::SymbolKind;

namespace {

std::string free_symbol_name(const symbolic::ExprPool& pool, const std::string& wish) {
  std::string name = wish;
  for (int k = 2; pool.find_symbol(name).valid(); ++k) name = wish + std::to_string(k);
  return name;
}

[[noreturn]] void refuse(const symbolic::ExprPool& pool, ExprId constraint, const std::string& why,
                         const Origin& origin) {
  throw Error("F030",
              "the constraint '" + symbolic::to_short_text(pool, constraint) + " = 0' " + why,
              origin);
}

}  // namespace

Expr constrain(Model& model, const LocatedEquation& constraint, const std::vector<Expr>& unknowns,
               const ConstrainOptions& options) {
  symbolic::ExprPool& pool = model.pool();
  const Origin origin = Origin::here(constraint.at);
  const Expr g = constraint.equation.left - constraint.equation.right;
  const ExprId residual = g.id_in(pool);
  if (unknowns.empty())
    refuse(pool, residual, "names no unknown whose equation may give way to it. Name at least one.",
           origin);

  // All forces first, so that a constraint that is refused leaves the model as it was.
  std::vector<ExprId> slopes, owners;
  for (const Expr& unknown : unknowns) {
    const ExprId symbol = unknown.id_in(pool);
    if (!pool.is_symbol(symbol) || pool.symbol_of(symbol).kind != SymbolKind::unknown)
      refuse(pool, residual,
             "cannot act on '" + symbolic::to_short_text(pool, symbol) +
                 "', which is not an unknown. Name unknowns of the model, or their derivatives.",
             origin);
    const ExprId slope = symbolic::differentiate(pool, residual, symbol);
    if (pool.is_zero(slope))
      refuse(pool, residual,
             "does not depend on '" + pool.symbol_text(symbol) +
                 "', so it puts no force on it. Leave it out of the list.",
             origin);
    slopes.push_back(slope);
    owners.push_back(pool.symbol_of(symbol).base);
  }

  const Expr multiplier =
      model.unknown(free_symbol_name(pool, options.multiplier),
                    {.unit = options.unit,
                     .description = "multiplier of " + symbolic::to_short_text(pool, residual)},
                    constraint.at);
  for (std::size_t j = 0; j < slopes.size(); ++j)
    model.balance({pool, owners[j]}, constraint.at) += multiplier * Expr(pool, slopes[j]);
  model += constraint;
  return multiplier;
}

}  // namespace alembert::builder
