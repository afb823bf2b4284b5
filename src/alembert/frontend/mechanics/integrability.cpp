// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/integrability.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/frontend/mechanics/kane_checks.hpp"
#include "alembert/frontend/mechanics/start_values.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/print.hpp"
#include "alembert/symbolic/solve.hpp"

namespace alembert::mechanics {

using symbolic::Values;

namespace {

/// A form over (q, t) and its exterior derivative, as numbers at one point.
struct NumericForm {
  std::vector<double> form;  // [n + 1]
  NumberMatrix bracket;      // [n + 1][n + 1]: d a_j / d x_i - d a_i / d x_j
};

/// Directions on which all forms vanish: a basis, as rows.
NumberMatrix allowed_directions(const std::vector<const NumericForm*>& forms, std::size_t n) {
  NumberMatrix rows;
  for (const NumericForm* form : forms) rows.push_back(form->form);
  const Elimination order = eliminate(rows);
  std::vector<char> is_pivot(n, 0);
  for (const auto& pivot : order.pivots) is_pivot[pivot.column] = 1;
  const std::size_t m = order.pivots.size();
  NumberMatrix basis;
  for (std::size_t free = 0; free < n; ++free) {
    if (is_pivot[free]) continue;
    // 1 in the free place, and what the pivots must be then.
    NumberMatrix a(m, std::vector<double>(m)), b(m, std::vector<double>(1));
    for (std::size_t i = 0; i < m; ++i) {
      const auto& row = rows[order.pivots[i].row];
      for (std::size_t j = 0; j < m; ++j) a[i][j] = row[order.pivots[j].column];
      b[i][0] = -row[free];
    }
    if (!solve_dense(a, b)) continue;
    std::vector<double> direction(n, 0);
    direction[free] = 1;
    for (std::size_t j = 0; j < m; ++j) direction[order.pivots[j].column] = b[j][0];
    basis.push_back(std::move(direction));
  }
  return basis;
}

bool vanishes_on(const NumericForm& form, const NumberMatrix& directions) {
  for (std::size_t a = 0; a < directions.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      double value = 0, size = 1e-300;
      for (std::size_t i = 0; i < form.form.size(); ++i)
        for (std::size_t j = 0; j < form.form.size(); ++j) {
          const double term = form.bracket[i][j] * directions[a][i] * directions[b][j];
          value += term;
          size += std::abs(term);
        }
      if (std::abs(value) > 1e-9 * std::max(size, 1.0)) return false;
    }
  return true;
}

}  // namespace

SortedConstraints sort_constraints(const Model& model, const std::vector<Expr>& constraints,
                                   const std::vector<Expr>& q, std::source_location at) {
  ExprPool& pool = model.pool();
  std::vector<ExprId> rates, inputs = ids_in(pool, q);
  for (const Expr& symbol : q) rates.push_back(pool.derivative_symbol(symbol.id()));
  inputs.push_back(pool.time());
  const std::size_t n = inputs.size();

  SortedConstraints result;
  std::vector<Expr> forms;
  std::vector<Matrix> coefficients, brackets;
  for (const Expr& constraint : constraints) {
    const auto form = symbolic::linear_combination(pool, constraint.id_in(pool), rates);
    if (!form)
      throw Error("K021",
                  "the constraint '" + symbolic::to_short_text(pool, constraint.id_in(pool)) +
                      " = 0' is not linear in the derivatives of the coordinates.",
                  Origin::here(at));
    if (std::all_of(form->slopes.begin(), form->slopes.end(),
                    [&](ExprId slope) { return pool.is_zero(slope); })) {
      result.holonomic.push_back(constraint);
      continue;
    }
    std::vector<ExprId> row = form->slopes;
    row.push_back(form->offset);
    const symbolic::SparseExprMatrix slopes = symbolic::jacobian(pool, row, inputs);
    Matrix bracket(n, n);
    for (std::uint32_t j = 0; j < n; ++j)
      for (std::uint32_t k = slopes.row_start[j]; k < slopes.row_start[j + 1]; ++k) {
        const Expr slope(pool, slopes.value[k]);
        bracket(slopes.column[k], j) += slope;
        bracket(j, slopes.column[k]) -= slope;
      }
    forms.push_back(constraint);
    coefficients.push_back(transpose(Matrix::column(expressions_in(pool, row))));
    brackets.push_back(bracket);
  }

  // From all of them, take out what is not integrable along with the rest, until nothing changes.
  std::vector<char> integrable(forms.size(), 1);
  Values point = start_values(model);
  for (int place = 0; place < 3; ++place) {
    point = generic_point(pool, point);
    std::vector<NumericForm> numbers;
    for (std::size_t k = 0; k < forms.size(); ++k)
      numbers.push_back({evaluate_matrix(pool, coefficients[k], point, 1.0).front(),
                         evaluate_matrix(pool, brackets[k], point, 1.0)});
    for (bool changed = true; changed;) {
      changed = false;
      std::vector<const NumericForm*> left;
      for (std::size_t k = 0; k < forms.size(); ++k)
        if (integrable[k]) left.push_back(&numbers[k]);
      const NumberMatrix directions = allowed_directions(left, n);
      for (std::size_t k = 0; k < forms.size(); ++k)
        if (integrable[k] && !vanishes_on(numbers[k], directions)) {
          integrable[k] = 0;
          changed = true;
        }
    }
  }
  for (std::size_t k = 0; k < forms.size(); ++k)
    (integrable[k] ? result.integrable : result.nonholonomic).push_back(forms[k]);
  return result;
}

}  // namespace alembert::mechanics
