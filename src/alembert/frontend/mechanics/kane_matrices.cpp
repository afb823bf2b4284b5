// SPDX-License-Identifier: Apache-2.0
// The matrices of Kane's equations, on demand, and questions about them; the equations in a model.
#include <algorithm>

#include "alembert/frontend/mechanics/kane.hpp"
#include "alembert/frontend/mechanics/motion.hpp"
#include "alembert/frontend/mechanics/symbolic_solve.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::mechanics {

using symbolic::Replacements;

namespace {

ExprPool& pool_of(const KaneEquations& equations) { return *equations.u.front().pool(); }

std::vector<Expr> rates_of(const std::vector<Expr>& symbols) {
  std::vector<Expr> rates;
  for (const Expr& symbol : symbols) rates.push_back(der(symbol));
  return rates;
}

Replacements zeros(ExprPool& pool, const std::vector<Expr>& symbols) {
  Replacements result;
  for (const Expr& symbol : symbols) result.emplace(symbol.id(), pool.number(0));
  return result;
}

std::vector<Expr> replaced(ExprPool& pool, const std::vector<Expr>& expressions,
                           const Replacements& replacements) {
  return expressions_in(pool, symbolic::substitute(pool, ids_in(pool, expressions), replacements));
}

/// Columns of the constraint Jacobian that belong to some speeds.
Matrix columns_of(const KaneEquations& equations, const std::vector<Expr>& speeds) {
  const Matrix& jacobian = equations.constraint_jacobian;
  Matrix result(jacobian.rows(), speeds.size());
  for (std::size_t j = 0; j < speeds.size(); ++j)
    for (std::size_t k = 0; k < equations.u.size(); ++k)
      if (same(equations.u[k], speeds[j]))
        for (std::size_t i = 0; i < jacobian.rows(); ++i) result(i, j) = jacobian(i, k);
  return result;
}

/// An = -Mn^-1 times the columns of the independent speeds.
Matrix speed_ratios(const KaneEquations& equations) {
  return solve_symbolic(pool_of(equations), columns_of(equations, equations.dependent),
                        Expr(-1) * columns_of(equations, equations.independent), equations.point);
}

}  // namespace

std::vector<Expr> projected_forces(const KaneEquations& equations) {
  const Matrix An = speed_ratios(equations);
  const auto force_along = [&](const Expr& speed) {
    for (std::size_t k = 0; k < equations.u.size(); ++k)
      if (same(equations.u[k], speed)) return equations.forces[k];
    return Expr(0);
  };
  std::vector<Expr> forces;
  for (std::size_t s = 0; s < equations.independent.size(); ++s) {
    Expr total = force_along(equations.independent[s]);
    for (std::size_t r = 0; r < equations.dependent.size(); ++r)
      total += An(r, s) * force_along(equations.dependent[r]);
    forces.push_back(total);
  }
  return forces;
}

std::vector<Expr> add_kane(Model& model, const KaneEquations& equations, ConstraintForm form,
                           std::source_location at) {
  for (const Expr& equation : equations.kinematics) model += {equation == 0, at};
  for (const Expr& constraint : equations.holonomic) model += {constraint == 0, at};
  for (std::size_t k = equations.holonomic.size(); k < equations.speed_constraints.size(); ++k)
    model += {equations.speed_constraints[k] == 0, at};
  for (const Expr& force : equations.auxiliary) model += {force == 0, at};
  if (form == ConstraintForm::projected) {
    for (const Expr& force : projected_forces(equations)) model += {force == 0, at};
    return {};
  }
  std::vector<Expr> multipliers;
  for (std::size_t k = 0; k < equations.speed_constraints.size(); ++k)
    multipliers.push_back(model.unknown("mu" + std::to_string(k + 1), {}, at));
  for (std::size_t j = 0; j < equations.u.size(); ++j) {
    Expr total = equations.forces[j];
    for (std::size_t k = 0; k < multipliers.size(); ++k)
      total += multipliers[k] * equations.constraint_jacobian(k, j);
    model += {total == 0, at};
  }
  return multipliers;
}

KaneMatrices kane_matrices(const KaneEquations& equations) {
  ExprPool& pool = pool_of(equations);
  const std::vector<Expr> q_rates = rates_of(equations.q);
  const std::vector<Expr> us_rates = rates_of(equations.independent);
  const std::vector<Expr> ur_rates = rates_of(equations.dependent);
  const std::size_t m = equations.dependent.size();
  KaneMatrices result;

  result.Mn = columns_of(equations, equations.dependent);
  result.gn =
      Matrix::column(replaced(pool, equations.speed_constraints, zeros(pool, equations.dependent)));
  result.An = speed_ratios(equations);
  const std::vector<Expr> at_rest =
      replaced(pool, equations.speed_constraints, zeros(pool, equations.u));
  result.bn = solve_symbolic(pool, result.Mn, Expr(-1) * Matrix::column(at_rest), equations.point);
  Replacements ur;  // dependent speeds by independent ones
  for (std::size_t r = 0; r < m; ++r) {
    Expr value = result.bn(r, 0);
    for (std::size_t s = 0; s < equations.independent.size(); ++s)
      value += result.An(r, s) * equations.independent[s];
    ur.emplace(equations.dependent[r].id(), value.id_in(pool));
  }

  result.Mk = symbolic::jacobian(equations.kinematics, q_rates);
  result.gk = Matrix::column(
      replaced(pool, replaced(pool, equations.kinematics, zeros(pool, q_rates)), ur));

  Replacements rates;
  for (std::size_t i = 0; i < equations.q.size(); ++i)
    rates.emplace(equations.q[i].id(), equations.q_dot[i].id_in(pool));
  const std::vector<Expr> fnd =
      expressions_in(pool, along_motion(pool, ids_in(pool, equations.speed_constraints), rates));
  result.Mnd = m == 0 ? Matrix(0, 0) : symbolic::jacobian(fnd, ur_rates);
  const std::vector<Expr> gnd = replaced(pool, replaced(pool, fnd, zeros(pool, ur_rates)), ur);
  result.gnd = Matrix::column(gnd);
  const Matrix ur_rate_values =
      solve_symbolic(pool, result.Mn, Expr(-1) * result.gnd, equations.point);

  // The dependent accelerations hold independent speeds already, so both go in at once.
  Replacements all = ur;
  for (std::size_t r = 0; r < m; ++r)
    all.emplace(ur_rates[r].id(), ur_rate_values(r, 0).id_in(pool));
  const std::vector<Expr> forces = replaced(pool, projected_forces(equations), all);
  result.Md = symbolic::jacobian(forces, us_rates);
  result.gd = Matrix::column(replaced(pool, forces, zeros(pool, us_rates)));
  return result;
}

std::vector<std::string> find_dynamicsymbols(const std::vector<Expr>& expressions) {
  ExprPool* pool = nullptr;
  std::vector<ExprId> ids;
  for (const Expr& expression : expressions)
    if (expression.pool() != nullptr) {
      pool = expression.pool();
      ids.push_back(expression.id());
    }
  std::vector<std::string> names;
  if (pool == nullptr) return names;
  for (const ExprId symbol : symbolic::free_symbols(*pool, ids))
    if (pool->symbol_of(symbol).kind == symbolic::SymbolKind::unknown)
      names.push_back(pool->symbol_text(symbol));
  return names;
}

namespace {

std::vector<Expr> entries_of(const Matrix& matrix) {
  std::vector<Expr> entries;
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    for (std::size_t j = 0; j < matrix.columns(); ++j) entries.push_back(matrix(i, j));
  return entries;
}

}  // namespace

std::vector<std::string> find_dynamicsymbols(const Matrix& matrix) {
  return find_dynamicsymbols(entries_of(matrix));
}

std::vector<std::string> find_dynamicsymbols(const Vector& vector) {
  return find_dynamicsymbols(components_of(vector));
}

std::vector<std::string> ignorable_coordinates(const KaneEquations& equations,
                                               const KaneMatrices& matrices) {
  std::vector<Expr> entries;
  for (const Matrix* matrix : {&matrices.Mk, &matrices.gk, &matrices.Md, &matrices.gd})
    for (const Expr& entry : entries_of(*matrix)) entries.push_back(entry);
  const std::vector<std::string> present = find_dynamicsymbols(entries);
  std::vector<std::string> absent;
  for (const Expr& q : equations.q) {
    const std::string name = symbolic::to_text(q);
    if (std::find(present.begin(), present.end(), name) == present.end()) absent.push_back(name);
  }
  return absent;
}

std::string to_text(const Matrix& matrix, symbolic::Notation notation) {
  const bool latex = notation == symbolic::Notation::latex;
  std::string text = latex ? "\\begin{bmatrix}\n" : "";
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    if (!latex) text += "[";
    for (std::size_t j = 0; j < matrix.columns(); ++j)
      text += (j == 0 ? "" : latex ? " & " : ", ") + symbolic::to_text(matrix(i, j), notation);
    text += latex ? " \\\\\n" : "]\n";
  }
  return latex ? text + "\\end{bmatrix}\n" : text;
}

}  // namespace alembert::mechanics
