// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/kane.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/frontend/mechanics/kane_checks.hpp"
#include "alembert/frontend/mechanics/motion.hpp"
#include "alembert/frontend/mechanics/start_values.hpp"
#include "alembert/frontend/mechanics/symbolic_solve.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/print.hpp"
#include "alembert/symbolic/solve.hpp"

namespace alembert::mechanics {

using symbolic::Replacements;
using symbolic::Values;

namespace {

class Derivation {
 public:
  Derivation(const Model& model, const KaneSystem& system, const Origin& origin)
      : pool_(model.pool()),
        system_(system),
        origin_(origin),
        start_(start_values(model)),
        generic_(generic_point(pool_, start_)) {}

  KaneEquations run() {
    require_speeds(pool_, system_, origin_);
    require_masses(pool_, system_, start_, origin_);
    require_inertias(pool_, system_, start_, origin_);
    result_.q = system_.q;
    result_.u = system_.u;
    result_.kinematics = system_.kinematics;
    result_.holonomic = expressions_in(
        pool_,
        without_apparent_symbols(pool_, ids_in(pool_, system_.holonomic), system_.q, generic_));
    solve_kinematics();
    constrain();
    choose_dependent();
    collect_forces();
    require_inertia(pool_, result_, system_, regular_point_, origin_);
    return std::move(result_);
  }

 private:
  /// q' of q, u and t; and with it all rates along the motion.
  void solve_kinematics() {
    std::vector<Expr> rates;
    Replacements zero;
    for (const Expr& q : system_.q) {
      rates.push_back(der(q));
      zero.emplace(rates.back().id(), pool_.number(0));
    }
    const Matrix Mk = linear_part(system_.kinematics, rates, "K020", "kinematical equation",
                                  "the derivatives of the coordinates");
    Matrix right(system_.q.size(), 1);
    const std::vector<ExprId> rest =
        symbolic::substitute(pool_, ids_in(pool_, system_.kinematics), zero);
    for (std::size_t i = 0; i < rest.size(); ++i) right(i, 0) = -Expr(pool_, rest[i]);
    // Angles often start where the equations are singular; then any other place must do.
    const Values* at = &start_;
    if (eliminate(evaluate_matrix(pool_, Mk, start_, 1.0)).pivots.size() < rest.size())
      at = &generic_;
    require_regular_kinematics(system_, evaluate_matrix(pool_, Mk, *at, 1.0), origin_);
    const Matrix solution = solve_symbolic(pool_, Mk, right, *at);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      result_.q_dot.push_back(solution(i, 0));
      const ExprId rate = solution(i, 0).id_in(pool_);
      rates_.emplace(system_.q[i].id(), rate);
      q_dot_.emplace(rates[i].id(), rate);
    }
    for (const Expr& u : system_.auxiliary) rates_.emplace(u.id(), pool_.number(0));
    require_moving(pool_, result_, generic_, origin_);
  }

  /// Slopes of equations that must be linear in symbols.
  Matrix linear_part(const std::vector<Expr>& equations, const std::vector<Expr>& symbols,
                     const char* code, const char* what, const char* in_what) {
    Matrix slopes(equations.size(), symbols.size());
    const std::vector<ExprId> names = ids_in(pool_, symbols), ids = ids_in(pool_, equations);
    const symbolic::SparseExprMatrix present = symbolic::dependencies(pool_, ids, names);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::span columns(present.column.begin() + present.row_start[i],
                              present.column.begin() + present.row_start[i + 1]);
      std::vector<ExprId> own;  // an equation costs what it holds
      for (const std::uint32_t j : columns) own.push_back(names[j]);
      const auto form = symbolic::linear_combination(pool_, ids[i], own);
      if (!form)
        throw Error(code,
                    std::string("the ") + what + " '" + symbolic::to_short_text(pool_, ids[i]) +
                        " = 0' is not linear in " + in_what + ".",
                    origin_);
      for (std::size_t k = 0; k < own.size(); ++k) slopes(i, columns[k]) = {pool_, form->slopes[k]};
    }
    return slopes;
  }

  /// Auxiliary speeds are zero, in all that is not differentiated by them any more.
  std::vector<ExprId> without_auxiliary(std::span<const ExprId> expressions) {
    Replacements zero;
    for (const Expr& u : system_.auxiliary) zero.emplace(u.id(), pool_.number(0));
    return zero.empty() ? std::vector(expressions.begin(), expressions.end())
                        : symbolic::substitute(pool_, expressions, zero);
  }

  void constrain() {
    std::vector<ExprId> rows = along_motion(pool_, ids_in(pool_, system_.holonomic), rates_);
    const std::vector<ExprId> given =
        symbolic::substitute(pool_, ids_in(pool_, system_.nonholonomic), q_dot_);
    rows.insert(rows.end(), given.begin(), given.end());
    result_.speed_constraints = expressions_in(
        pool_, without_apparent_symbols(pool_, without_auxiliary(rows), system_.q, generic_));
    result_.constraint_jacobian =
        linear_part(result_.speed_constraints, system_.u, "K021", "constraint", "the speeds");
    std::vector<Expr> constraints = system_.holonomic;
    constraints.insert(constraints.end(), system_.nonholonomic.begin(), system_.nonholonomic.end());
    NumberMatrix numbers = evaluate_matrix(pool_, result_.constraint_jacobian, start_, 1.0);
    regular_point_ = start_;
    if (!eliminate(numbers).dependent.empty()) {
      numbers = evaluate_matrix(pool_, result_.constraint_jacobian, generic_, 1.0);
      regular_point_ = generic_;
    }
    result_.point = regular_point_;
    std::vector<Expr> levels = system_.holonomic;
    levels.insert(
        levels.end(),
        result_.speed_constraints.begin() + static_cast<std::ptrdiff_t>(system_.holonomic.size()),
        result_.speed_constraints.end());
    std::vector<double> residuals;
    for (const auto& row : evaluate_matrix(pool_, Matrix::column(levels), start_, 0.0))
      residuals.push_back(row.front());
    require_independent(numbers, constraints, residuals, origin_);
    constraint_numbers_ = std::move(numbers);
  }

  void choose_dependent() {
    std::vector<char> is_dependent(system_.u.size(), 0);
    if (system_.dependent.empty()) {
      for (const auto& pivot : eliminate(constraint_numbers_).pivots)
        is_dependent[pivot.column] = 1;
    } else {
      take_dependent_of_user(is_dependent);
    }
    for (std::size_t j = 0; j < system_.u.size(); ++j)
      (is_dependent[j] ? result_.dependent : result_.independent).push_back(system_.u[j]);
  }

  void take_dependent_of_user(std::vector<char>& is_dependent) {
    std::vector<std::size_t> columns;
    std::vector<std::string> names;
    for (const Expr& speed : system_.dependent) {
      const auto at = std::find_if(system_.u.begin(), system_.u.end(),
                                   [&](const Expr& u) { return same(u, speed); });
      names.push_back(flat::in_quotes(symbolic::to_text(speed)));
      if (at == system_.u.end())
        throw Error("K023", "the dependent speed " + names.back() + " is not among the speeds.",
                    origin_);
      columns.push_back(static_cast<std::size_t>(at - system_.u.begin()));
      is_dependent[columns.back()] = 1;
    }
    const std::size_t m = constraint_numbers_.size();
    if (columns.size() != m)
      throw Error("K023",
                  flat::counted(m, "constraint") +
                      " of speeds make as many speeds dependent, and " +
                      std::to_string(columns.size()) + " are named: " + flat::listed(names) + ".",
                  origin_);
    NumberMatrix part(m, std::vector<double>(m));
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j) part[i][j] = constraint_numbers_[i][columns[j]];
    if (eliminate(part).pivots.size() < m)
      throw Error("K023",
                  "the constraints do not give the dependent speeds " + flat::listed(names) +
                      " at the start values: the matrix Mn is singular there. Name others, or "
                      "none, and they are chosen.",
                  origin_);
  }

  /// Inertia forces by components in the frames where velocities are at home, so that a chain of
  /// bodies costs a fixed number of terms a body.
  void collect_forces() {
    struct Moving {
      Components velocity;  // or angular momentum
      Components turning;   // angular velocity of the frame of these components
      Expr factor;          // of the derivative: -mass, or -1
      Components power_velocity;
    };
    std::vector<Moving> parts;
    for (const Body& body : system_.bodies) {
      const Vector v = body.mass_centre.velocity_in(system_.inertial);
      if (!v.is_zero() && !is_zero(body.mass)) {
        const Frame home = v.world()->frame(v.parts().back().frame);
        const Components c = v.in(home);
        parts.push_back({c, home.angular_velocity_in(system_.inertial).in(home), -body.mass, c});
      }
      if (!body.frame || body.central_inertia.is_zero()) continue;
      const Vector w = body.frame->angular_velocity_in(system_.inertial);
      const Vector momentum = dot(body.central_inertia, w);
      if (momentum.is_zero()) continue;
      const Frame home = momentum.world()->frame(momentum.parts().front().frame);
      parts.push_back(
          {momentum.in(home), home.angular_velocity_in(system_.inertial).in(home), -1, w.in(home)});
    }
    // In terms of speeds, all together: [velocity, turning, power velocity] of each part.
    std::vector<ExprId> ids;
    for (const Moving& part : parts)
      for (const Components* c : {&part.velocity, &part.turning, &part.power_velocity})
        for (const Expr& e : *c) ids.push_back(e.id_in(pool_));
    ids = symbolic::substitute(pool_, ids, q_dot_);
    const std::vector<ExprId> rates = along_motion(pool_, ids, rates_);
    PowerTerms power;
    const auto three = [&](const std::vector<ExprId>& from, std::size_t k) {
      return Components{Expr(pool_, from[k]), Expr(pool_, from[k + 1]), Expr(pool_, from[k + 2])};
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Components velocity = three(ids, 9 * i), turning = three(ids, 9 * i + 3);
      const Components derivative = sum(three(rates, 9 * i), cross(turning, velocity));
      power.add(pool_, three(ids, 9 * i + 6), scaled(parts[i].factor, derivative));
    }
    PowerTerms active;
    active.add(pool_, system_.loads, system_.inertial);
    for (auto* list : {&active.velocities, &active.forces})
      *list = symbolic::substitute(pool_, *list, q_dot_);
    power.velocities.insert(power.velocities.end(), active.velocities.begin(),
                            active.velocities.end());
    power.forces.insert(power.forces.end(), active.forces.begin(), active.forces.end());
    power.forces = without_auxiliary(power.forces);

    std::vector<ExprId> speeds = ids_in(pool_, system_.u);
    for (const Expr& u : system_.auxiliary) speeds.push_back(u.id());
    const std::vector<ExprId> forces = without_auxiliary(power.generalised_forces(pool_, speeds));
    const std::size_t n = system_.u.size();
    result_.forces = expressions_in(pool_, std::span(forces).first(n));
    result_.auxiliary = expressions_in(pool_, std::span(forces).subspan(n));
    add_loads_along_speeds();
  }

  void add_loads_along_speeds() {
    for (const Load& load : system_.loads) {
      if (load.point || load.frame || is_zero(load.strength)) continue;
      // The speed may be an expression, such as the difference of two of them.
      const ExprId speed = symbolic::substitute(pool_, load.speed.id_in(pool_), q_dot_);
      const Expr strength(pool_, symbolic::substitute(pool_, load.strength.id_in(pool_), q_dot_));
      const std::vector<ExprId> shares = symbolic::gradient(pool_, speed, ids_in(pool_, system_.u));
      for (std::size_t j = 0; j < shares.size(); ++j)
        result_.forces[j] += strength * Expr(pool_, shares[j]);
    }
  }

  ExprPool& pool_;
  const KaneSystem& system_;
  const Origin& origin_;
  Values start_, generic_, regular_point_;
  Replacements rates_;  // q and auxiliary speeds: their derivatives
  Replacements q_dot_;  // der(q): the same
  NumberMatrix constraint_numbers_;
  KaneEquations result_;
};

}  // namespace

KaneEquations derive_kane(const Model& model, const KaneSystem& system, std::source_location at) {
  return Derivation(model, system, Origin::here(at)).run();
}

}  // namespace alembert::mechanics
