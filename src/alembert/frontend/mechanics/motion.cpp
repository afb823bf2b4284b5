// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/motion.hpp"

#include "alembert/symbolic/derivative.hpp"

namespace alembert::mechanics {

std::vector<ExprId> ids_in(ExprPool& pool, std::span<const Expr> expressions) {
  std::vector<ExprId> ids;
  ids.reserve(expressions.size());
  for (const Expr& expression : expressions) ids.push_back(expression.id_in(pool));
  return ids;
}

std::vector<Expr> expressions_in(ExprPool& pool, std::span<const ExprId> ids) {
  std::vector<Expr> expressions;
  expressions.reserve(ids.size());
  for (const ExprId id : ids) expressions.emplace_back(pool, id);
  return expressions;
}

std::vector<ExprId> along_motion(ExprPool& pool, std::span<const ExprId> expressions,
                                 const symbolic::Replacements& rates) {
  std::vector<ExprId> inputs, directions;
  for (const ExprId symbol : symbolic::free_symbols(pool, expressions)) {
    const symbolic::SymbolKind kind = pool.symbol_of(symbol).kind;
    if (kind != symbolic::SymbolKind::unknown && kind != symbolic::SymbolKind::time) continue;
    const auto known = rates.find(symbol);
    inputs.push_back(symbol);
    directions.push_back(known != rates.end()                 ? known->second
                         : kind == symbolic::SymbolKind::time ? pool.integer(1)
                                                              : pool.derivative_symbol(symbol));
  }
  return symbolic::directional_derivatives(pool, expressions, inputs, directions);
}

void PowerTerms::add(ExprPool& pool, const Components& velocity, const Components& force) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (is_zero(velocity[k]) || is_zero(force[k])) continue;
    velocities.push_back(velocity[k].id_in(pool));
    forces.push_back(force[k].id_in(pool));
  }
}

void PowerTerms::add(ExprPool& pool, const Loads& loads, const Frame& inertial) {
  for (const Load& load : loads) {
    if (load.vector.is_zero()) continue;
    const Vector velocity = load.point   ? load.point->velocity_in(inertial)
                            : load.frame ? load.frame->angular_velocity_in(inertial)
                                         : Vector();
    for (const Vector::Part& part : velocity.parts())
      add(pool, part.components, load.vector.in(velocity.world()->frame(part.frame)));
  }
}

std::vector<ExprId> PowerTerms::generalised_forces(ExprPool& pool,
                                                   std::span<const ExprId> speeds) const {
  return symbolic::weighted_gradient(pool, velocities, forces, speeds);
}

}  // namespace alembert::mechanics
