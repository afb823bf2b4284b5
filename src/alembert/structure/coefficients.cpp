// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/coefficients.hpp"

#include <cmath>
#include <limits>

#include "alembert/flat/parameters.hpp"
#include "alembert/structure/trivial_equations.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using symbolic::Op;

namespace {

/// Which nodes stand under something that is not linear in them; ids ascend, so parents are met
/// before their children when going down.
std::vector<char> bent_nodes(const symbolic::ExprPool& pool, const symbolic::Reach& reach) {
  std::vector<char> bent(reach.size(), 0);
  for (std::size_t i = reach.size(); i-- > 0;) {
    const ExprId node = reach.nodes()[i];
    const Op op = pool.op(node);
    const bool linear = op == Op::add || op == Op::mul || op == Op::no_event || op == Op::smooth ||
                        op == Op::if_then_else;
    bool condition = op == Op::if_then_else;  // the first child
    for (const ExprId child : pool.children(node)) {
      if (bent[i] || !linear || condition) bent[reach.index_of(child)] = 1;
      condition = false;
    }
  }
  return bent;
}

}  // namespace

double CoefficientReader::constant_value(ExprId expression) {
  const symbolic::ExprPool& pool = *flat_.pool;
  if (pool.is_number(expression)) {
    const double value = pool.number_of(expression).value();
    return std::isfinite(value) ? value : 0;
  }
  if (!is_constant_in_time(pool, expression)) return 0;
  if (!values_) {
    std::vector<double> numbers = flat::examine_parameters(flat_).values;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (flat_.parameters[i].solved_for) numbers[i] = std::numeric_limits<double>::quiet_NaN();
    values_ = flat::values_by_symbol(flat_, numbers);
  }
  const double value = evaluate(pool, expression, *values_);
  return std::isfinite(value) ? value : 0;
}

std::vector<Coefficient> CoefficientReader::read(ExprId residual, std::span<const ExprId> symbols) {
  symbolic::ExprPool& pool = *flat_.pool;
  std::vector<Coefficient> result;
  std::vector<char> bent(symbols.size(), 0);
  {
    const symbolic::Reach reach(pool, residual);
    const std::vector<char> bent_node = bent_nodes(pool, reach);
    for (std::size_t k = 0; k < symbols.size(); ++k)
      bent[k] = !reach.contains(symbols[k]) || bent_node[reach.index_of(symbols[k])];
  }
  const std::vector<ExprId> slopes = gradient(pool, residual, symbols);
  for (std::size_t k = 0; k < symbols.size(); ++k)
    result.push_back({slopes[k], bent[k] ? 0.0 : constant_value(slopes[k])});
  return result;
}

}  // namespace alembert::structure
