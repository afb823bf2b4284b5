// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/judged_numbers.hpp"

#include <cmath>
#include <cstdint>

#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using symbolic::Op;

namespace {

bool is_algebra(const symbolic::ExprPool& pool, ExprId node) {
  return pool.op(node) == Op::add || pool.op(node) == Op::mul || pool.op(node) == Op::pow;
}

/// Which nodes are met from the expressions by sums, products and powers alone.
std::vector<ExprId> algebra_of(const symbolic::ExprPool& pool, const symbolic::Reach& reach,
                               std::span<const ExprId> expressions) {
  std::vector<char> is_met(reach.size(), 0);
  for (const ExprId expression : expressions) is_met[reach.index_of(expression)] = 1;
  for (std::size_t k = reach.size(); k-- > 0;)  // parents before children
    if (is_met[k] && is_algebra(pool, reach.nodes()[k]))
      for (const ExprId child : pool.children(reach.nodes()[k])) is_met[reach.index_of(child)] = 1;
  std::vector<ExprId> met;
  for (std::size_t k = 0; k < reach.size(); ++k)
    if (is_met[k]) met.push_back(reach.nodes()[k]);
  return met;
}

/// A quotient is as doubtful, beside its value, as its divisor is beside its own.
double size_of_power(double base_size, double exponent, double value) {
  if (exponent > 0) return std::pow(base_size, exponent);
  const double base = std::pow(std::abs(value), 1 / exponent);
  return std::abs(value) * (base_size / base);
}

}  // namespace

symbolic::Values generic_point(const symbolic::ExprPool& pool, std::span<const ExprId> expressions,
                               unsigned number, const symbolic::Values* known) {
  symbolic::Values values;
  for (const ExprId symbol : free_symbols(pool, expressions)) {
    // Positive, so that logarithms and roots have values.
    const std::uint64_t mixed = (pool.hash(symbol) + number) * 0x9e3779b97f4a7c15ull;
    values[symbol] = 0.4 + 1.2 * static_cast<double>(mixed >> 11) * 0x1p-53;
    if (known == nullptr) continue;
    if (const auto found = known->find(symbol); found != known->end())
      values[symbol] = found->second;
  }
  return values;
}

std::vector<double> sizes_of(const symbolic::ExprPool& pool, std::span<const ExprId> expressions,
                             const symbolic::Values& point) {
  const symbolic::Reach reach(pool, expressions);
  const std::vector<ExprId> nodes = algebra_of(pool, reach, expressions);
  const std::vector<double> values = evaluate(pool, nodes, point);
  std::vector<double> sizes(reach.size(), 0.0);
  const auto size_of = [&](ExprId node) -> double& { return sizes[reach.index_of(node)]; };
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const std::span<const ExprId> children = pool.children(nodes[k]);
    double size = std::abs(values[k]);
    if (pool.op(nodes[k]) == Op::add) {
      size = 0;
      for (const ExprId child : children) size += size_of(child);
    } else if (pool.op(nodes[k]) == Op::mul) {
      size = 1;
      for (const ExprId child : children) size *= size_of(child);
    } else if (pool.op(nodes[k]) == Op::pow && pool.is_number(children[1])) {
      size = size_of_power(size_of(children[0]), pool.number_of(children[1]).value(), values[k]);
    }
    size_of(nodes[k]) = size;
  }
  std::vector<double> result;
  for (const ExprId expression : expressions) result.push_back(size_of(expression));
  return result;
}

bool JudgedNumber::is_zero() const {
  for (unsigned k = 0; k < n_generic_points; ++k)
    if (!std::isfinite(size[k]) || !(std::abs(value[k]) <= rounding * size[k])) return false;
  return true;
}

std::vector<JudgedNumber> judged(const symbolic::ExprPool& pool,
                                 std::span<const ExprId> expressions,
                                 const symbolic::Values* known) {
  std::vector<JudgedNumber> result(expressions.size());
  for (unsigned k = 0; k < n_generic_points; ++k) {
    const symbolic::Values point = generic_point(pool, expressions, k, known);
    const std::vector<double> values = evaluate(pool, expressions, point);
    const std::vector<double> sizes = sizes_of(pool, expressions, point);
    for (std::size_t i = 0; i < values.size(); ++i) {
      result[i].value[k] = values[i];
      result[i].size[k] = sizes[i];
    }
  }
  return result;
}

}  // namespace alembert::structure
