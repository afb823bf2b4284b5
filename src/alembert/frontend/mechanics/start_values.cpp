// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/start_values.hpp"

#include <cmath>

#include "alembert/flat/parameters.hpp"
#include "alembert/frontend/mechanics/components.hpp"

namespace alembert::mechanics {

using symbolic::ExprId;

symbolic::Values start_values(const builder::Model& model) {
  const flat::FlatSystem system = model.flatten();
  const flat::ParameterReport parameters = flat::examine_parameters(system);
  symbolic::Values values;
  for (std::size_t k = 0; k < system.parameters.size(); ++k)
    if (!std::isnan(parameters.values[k]))
      values.emplace(system.parameters[k].symbol, parameters.values[k]);
  const auto set = [&](ExprId symbol, ExprId start) {
    double number = 0;
    bool known = start.valid();
    if (known)
      for (const ExprId used : symbolic::free_symbols(*system.pool, start))
        known = known && values.contains(used);
    if (known) number = symbolic::evaluate(*system.pool, start, values);
    values.emplace(symbol, number);
  };
  for (const flat::Unknown& unknown : system.unknowns) set(unknown.symbol, unknown.start);
  for (const flat::DerivativeStart& start : system.derivative_starts)
    set(start.symbol, start.value);
  values.emplace(system.pool->time(), 0);
  return values;
}

namespace {

std::vector<double> evaluate_with(symbolic::ExprPool& pool, const std::vector<ExprId>& entries,
                                  symbolic::Values& values, double missing) {
  for (const ExprId symbol : symbolic::free_symbols(pool, entries)) values.emplace(symbol, missing);
  return symbolic::evaluate(pool, entries, values);
}

}  // namespace

NumberMatrix evaluate_matrix(symbolic::ExprPool& pool, const symbolic::Matrix& matrix,
                             symbolic::Values values, double missing) {
  NumberMatrix result(matrix.rows(), std::vector<double>(matrix.columns(), 0.0));
  std::vector<ExprId> entries;
  std::vector<double*> places;
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    for (std::size_t j = 0; j < matrix.columns(); ++j) {
      if (is_zero(matrix(i, j))) continue;
      entries.push_back(matrix(i, j).id_in(pool));
      places.push_back(&result[i][j]);
    }
  const std::vector<double> numbers = evaluate_with(pool, entries, values, missing);
  for (std::size_t k = 0; k < numbers.size(); ++k) *places[k] = numbers[k];
  return result;
}

NumberMatrix evaluate_entries(symbolic::ExprPool& pool, const symbolic::SparseExprMatrix& matrix,
                              symbolic::Values values, double missing) {
  const std::vector<double> numbers = evaluate_with(pool, matrix.value, values, missing);
  NumberMatrix result(matrix.n_rows, std::vector<double>(matrix.n_columns, 0.0));
  for (std::uint32_t i = 0; i < matrix.n_rows; ++i)
    for (std::uint32_t k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k)
      result[i][matrix.column[k]] = numbers[k];
  return result;
}

}  // namespace alembert::mechanics
