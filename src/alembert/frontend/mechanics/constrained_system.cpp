// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/constrained_system.hpp"

#include <string>

#include "alembert/base/error.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/frontend/mechanics/elimination.hpp"
#include "alembert/frontend/mechanics/start_values.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::mechanics {

using symbolic::ExprId;
using symbolic::ExprPool;

namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error("K010", why); }

std::vector<ExprId> ids_in(ExprPool& pool, const std::vector<Expr>& expressions) {
  std::vector<ExprId> ids;
  for (const Expr& expression : expressions) ids.push_back(expression.id_in(pool));
  return ids;
}

ExprPool& pool_of(const ConstrainedMotion& motion) {
  if (motion.q.empty()) refuse("a motion needs at least one coordinate.");
  if (motion.q.front().pool() == nullptr)
    refuse("the first coordinate is a number. Give unknowns of a model.");
  return *motion.q.front().pool();
}

void require_unknowns(const ExprPool& pool, const std::vector<ExprId>& symbols, const char* role) {
  for (const ExprId id : symbols)
    if (!pool.is_symbol(id) || pool.symbol_of(id).kind != symbolic::SymbolKind::unknown)
      refuse(flat::in_quotes(symbolic::to_short_text(pool, id)) + " is given as " + role +
             ", but is not an unknown.");
}

void require_sizes(const ConstrainedMotion& motion) {
  const std::size_t n = motion.q.size();
  const auto fits = [&](std::size_t count, const char* what) {
    if (count != n)
      refuse(flat::counted(n, "coordinate") + ", but " + flat::counted(count, what) +
             ". There must be one for each coordinate.");
  };
  fits(motion.v.size(), "speed");
  fits(motion.h.size(), "force");
  fits(motion.mass.rows(), "row of the mass matrix");
  fits(motion.mass.columns(), "column of the mass matrix");
}

void require_masses(ExprPool& pool, const ConstrainedMotion& motion) {
  for (std::size_t i = 0; i < motion.q.size(); ++i) {
    bool has_mass = false;
    for (std::size_t j = 0; j < motion.q.size(); ++j)
      has_mass = has_mass || !pool.is_zero(motion.mass(i, j).id_in(pool));
    if (!has_mass)
      refuse("the coordinate " + flat::in_quotes(symbolic::to_text(motion.q[i])) +
             " has no mass: row " + std::to_string(i + 1) +
             " of the mass matrix is zero. Give it a mass, or take it out.");
  }
}

void require_constraints_of_coordinates(ExprPool& pool, const std::vector<ExprId>& phi,
                                        const std::vector<ExprId>& q,
                                        const std::vector<ExprId>& v) {
  for (const ExprId constraint : phi) {
    const std::string text =
        "the constraint '" + symbolic::to_short_text(pool, constraint) + " = 0' ";
    bool has_coordinate = false;
    for (const ExprId symbol : symbolic::free_symbols(pool, constraint)) {
      has_coordinate = has_coordinate || std::find(q.begin(), q.end(), symbol) != q.end();
      if (std::find(v.begin(), v.end(), symbol) != v.end())
        refuse(text + "depends on the speed " + flat::in_quotes(pool.symbol_text(symbol)) +
               ". Only constraints of coordinates fit here; Kane's method takes those of speeds.");
    }
    if (!has_coordinate) refuse(text + "has no coordinate, so that no motion can meet it.");
  }
}

}  // namespace

KktSystem assemble_kkt(const ConstrainedMotion& motion) {
  ExprPool& pool = pool_of(motion);
  require_sizes(motion);
  const std::vector<ExprId> q = ids_in(pool, motion.q);
  const std::vector<ExprId> v = ids_in(pool, motion.v);
  const std::vector<ExprId> phi = ids_in(pool, motion.phi);
  require_unknowns(pool, q, "a coordinate");
  require_unknowns(pool, v, "a speed");
  require_masses(pool, motion);
  require_constraints_of_coordinates(pool, phi, q, v);

  // Along the motion: coordinates go with their speeds, time with 1.
  std::vector<ExprId> inputs = q, directions = v;
  inputs.push_back(pool.time());
  directions.push_back(pool.integer(1));
  const std::vector<ExprId> phi_dot =
      symbolic::directional_derivatives(pool, phi, inputs, directions);
  const std::vector<ExprId> bias =
      symbolic::directional_derivatives(pool, phi_dot, inputs, directions);

  const std::size_t n = q.size(), m = phi.size();
  KktSystem kkt;
  kkt.jacobian = m == 0 ? Matrix(0, n) : symbolic::jacobian(motion.phi, motion.q);
  kkt.matrix = Matrix(n + m, n + m);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) kkt.matrix(i, j) = motion.mass(i, j);
    kkt.right.push_back(-motion.h[i]);
  }
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t j = 0; j < n; ++j)
      kkt.matrix(n + k, j) = kkt.matrix(j, n + k) = kkt.jacobian(k, j);
    kkt.phi_dot.emplace_back(pool, phi_dot[k]);
    kkt.bias.emplace_back(pool, bias[k]);
    kkt.right.push_back(-kkt.bias[k] - 2 * motion.omega * kkt.phi_dot[k] -
                        motion.omega * motion.omega * motion.phi[k]);
  }
  return kkt;
}

std::vector<Expr> add_constrained_motion(Model& model, const ConstrainedMotion& motion,
                                         std::source_location at) {
  const KktSystem kkt = assemble_kkt(motion);
  const std::size_t n = motion.q.size(), m = motion.phi.size();
  const NumberMatrix jacobian =
      evaluate_matrix(model.pool(), kkt.jacobian, start_values(model), 1.0);
  for (const auto& row : eliminate(jacobian).dependent) {
    std::vector<std::string> others;
    for (const std::size_t k : row.others)
      others.push_back("'" + symbolic::to_text(motion.phi[k]) + " = 0'");
    throw Error("K011",
                "the constraint '" + symbolic::to_text(motion.phi[row.row]) + " = 0' " +
                    (others.empty() ? "has no direction at the start values"
                                    : "depends on " + flat::listed(others) +
                                          " at the start values: its derivatives by the "
                                          "coordinates are a combination of theirs") +
                    ". Take out what says the same twice, or start elsewhere.",
                Origin::here(at));
  }
  std::vector<Expr> lambda;
  for (std::size_t k = 0; k < m; ++k)
    lambda.push_back(model.unknown("lambda" + std::to_string(k + 1), {}, at));
  for (std::size_t i = 0; i < n; ++i) model += {der(motion.q[i]) == motion.v[i], at};
  for (std::size_t i = 0; i < n + m; ++i) {
    Expr total = 0;
    for (std::size_t j = 0; j < n + m; ++j)
      total += kkt.matrix(i, j) * (j < n ? der(motion.v[j]) : -lambda[j - n]);
    model += {total == kkt.right[i], at};
  }
  return lambda;
}

}  // namespace alembert::mechanics
