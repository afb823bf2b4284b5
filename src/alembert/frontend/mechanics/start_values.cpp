// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/start_values.hpp"

#include <cmath>

#include "alembert/flat/parameters.hpp"

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

NumberMatrix evaluate_matrix(symbolic::ExprPool& pool, const symbolic::Matrix& matrix,
                             symbolic::Values values, double missing) {
  std::vector<ExprId> entries;
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    for (std::size_t j = 0; j < matrix.columns(); ++j) entries.push_back(matrix(i, j).id_in(pool));
  for (const ExprId symbol : symbolic::free_symbols(pool, entries)) values.emplace(symbol, missing);
  const std::vector<double> numbers = symbolic::evaluate(pool, entries, values);
  NumberMatrix result(matrix.rows());
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    result[i].assign(numbers.begin() + static_cast<std::ptrdiff_t>(i * matrix.columns()),
                     numbers.begin() + static_cast<std::ptrdiff_t>((i + 1) * matrix.columns()));
  return result;
}

}  // namespace alembert::mechanics
