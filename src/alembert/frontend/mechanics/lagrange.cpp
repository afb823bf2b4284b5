// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/lagrange.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/frontend/mechanics/motion.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/print.hpp"
#include "alembert/symbolic/solve.hpp"

namespace alembert::mechanics {

using symbolic::Matrix;

namespace {

ExprPool& pool_of(const LagrangeSystem& system, const Origin& origin) {
  for (const Expr& q : system.q)
    if (q.pool() == nullptr || !q.pool()->is_symbol(q.id()) ||
        q.pool()->symbol_of(q.id()).kind != symbolic::SymbolKind::unknown)
      throw Error("K025",
                  flat::in_quotes(symbolic::to_text(q)) +
                      " is given as a coordinate, but is not an unknown of the model.",
                  origin);
  if (system.q.empty()) throw Error("K025", "there are no coordinates.", origin);
  for (std::size_t i = 0; i < system.q.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (system.q[i].id() == system.q[j].id())
        throw Error("K025",
                    flat::in_quotes(symbolic::to_text(system.q[i])) +
                        " is given as a coordinate twice. Each has one equation.",
                    origin);
  return *system.q.front().pool();
}

/// Momenta of accelerations would be of equations of fourth order, which are others than these.
void require_no_accelerations(ExprPool& pool, const std::vector<ExprId>& rates, const Expr& of,
                              std::string_view what, const Origin& origin) {
  const std::vector<ExprId> symbols = symbolic::free_symbols(pool, of.id_in(pool));
  for (const ExprId rate : rates)
    for (ExprId higher = pool.symbol_of(rate).derivative; higher.valid();
         higher = pool.symbol_of(higher).derivative)
      if (std::ranges::find(symbols, higher) != symbols.end())
        throw Error("K025",
                    flat::in_quotes(pool.symbol_text(higher)) + " is in " + std::string(what) +
                        ", which may contain coordinates, their first derivatives and time only.",
                    origin);
}

std::vector<ExprId> rates_of(ExprPool& pool, const std::vector<Expr>& q) {
  std::vector<ExprId> rates;
  for (const Expr& symbol : q) rates.push_back(pool.derivative_symbol(symbol.id()));
  return rates;
}

void subtract_forces(ExprPool& pool, const LagrangeSystem& system, const std::vector<ExprId>& rates,
                     std::vector<Expr>& residuals, const Origin& origin) {
  if (!system.forces.empty() && system.forces.size() != system.q.size())
    throw Error("K025",
                flat::counted(system.q.size(), "coordinate") + ", but " +
                    flat::counted(system.forces.size(), "generalised force") +
                    ". There must be one for each coordinate, or none at all.",
                origin);
  for (std::size_t i = 0; i < system.forces.size(); ++i) residuals[i] -= system.forces[i];
  PowerTerms power;
  for (const Load& load : system.loads) {
    if (load.point || load.frame) {
      if (system.inertial.empty())
        throw Error("K025", "loads at points need the inertial frame that sees them move.", origin);
      power.add(pool, {load}, system.inertial.front());
    } else if (!is_zero(load.strength)) {
      power.velocities.push_back(load.speed.id_in(pool));
      power.forces.push_back(load.strength.id_in(pool));
    }
  }
  const std::vector<ExprId> forces = power.generalised_forces(pool, rates);
  for (std::size_t i = 0; i < forces.size(); ++i) residuals[i] -= Expr(pool, forces[i]);
}

}  // namespace

LagrangeEquations derive_lagrange(const LagrangeSystem& system, std::source_location at) {
  const Origin origin = Origin::here(at);
  ExprPool& pool = pool_of(system, origin);
  const std::vector<ExprId> q = ids_in(pool, system.q);
  const std::vector<ExprId> rates = rates_of(pool, system.q);
  require_no_accelerations(pool, rates, system.lagrangian, "the Lagrangian", origin);
  require_no_accelerations(pool, rates, system.dissipation, "the dissipation function", origin);
  const ExprId lagrangian = system.lagrangian.id_in(pool);
  const std::vector<ExprId> momenta =
      symbolic::time_derivatives(pool, symbolic::gradient(pool, lagrangian, rates));
  const std::vector<ExprId> slopes = symbolic::gradient(pool, lagrangian, q);
  const std::vector<ExprId> drag = symbolic::gradient(pool, system.dissipation.id_in(pool), rates);

  LagrangeEquations result;
  result.q = system.q;
  for (std::size_t i = 0; i < q.size(); ++i)
    result.residuals.push_back(Expr(pool, momenta[i]) - Expr(pool, slopes[i]) +
                               Expr(pool, drag[i]));
  subtract_forces(pool, system, rates, result.residuals, origin);

  const std::size_t n_holonomic = system.holonomic.size();
  result.constraints = system.holonomic;
  result.constraints.insert(result.constraints.end(), system.nonholonomic.begin(),
                            system.nonholonomic.end());
  result.jacobian = Matrix(result.constraints.size(), q.size());
  for (std::size_t k = 0; k < result.constraints.size(); ++k) {
    const ExprId constraint = result.constraints[k].id_in(pool);
    std::vector<ExprId> row;
    if (k < n_holonomic) {
      row = symbolic::gradient(pool, constraint, q);
    } else {
      const auto form = symbolic::linear_combination(pool, constraint, rates);
      if (!form)
        throw Error("K021",
                    "the constraint '" + symbolic::to_short_text(pool, constraint) +
                        " = 0' is not linear in the derivatives of the coordinates.",
                    origin);
      row = form->slopes;
    }
    for (std::size_t j = 0; j < q.size(); ++j) result.jacobian(k, j) = {pool, row[j]};
  }
  return result;
}

std::vector<Expr> add_lagrange(Model& model, const LagrangeEquations& equations,
                               std::source_location at) {
  std::vector<Expr> multipliers;
  for (std::size_t k = 0; k < equations.constraints.size(); ++k) {
    multipliers.push_back(model.unknown("lambda" + std::to_string(k + 1), {}, at));
    model += {equations.constraints[k] == 0, at};
  }
  for (std::size_t i = 0; i < equations.q.size(); ++i) {
    Expr force = 0;
    for (std::size_t k = 0; k < multipliers.size(); ++k)
      force += multipliers[k] * equations.jacobian(k, i);
    model += {equations.residuals[i] == force, at};
  }
  return multipliers;
}

Matrix mass_matrix(const LagrangeSystem& system) {
  ExprPool& pool = pool_of(system, {});
  const std::vector<ExprId> rates = rates_of(pool, system.q);
  const symbolic::SparseExprMatrix entries =
      symbolic::hessian(pool, system.lagrangian.id_in(pool), rates);
  Matrix mass(rates.size(), rates.size());
  for (std::uint32_t i = 0; i < entries.n_rows; ++i)
    for (std::uint32_t k = entries.row_start[i]; k < entries.row_start[i + 1]; ++k)
      mass(i, entries.column[k]) = {pool, entries.value[k]};
  return mass;
}

}  // namespace alembert::mechanics
