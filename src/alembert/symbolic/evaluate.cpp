// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/evaluate.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/operation_value.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::symbolic {

namespace {

double power(double base, double exponent, const ExprPool& pool, ExprId exponent_id) {
  if (pool.is_number(exponent_id)) {
    const Number& n = pool.number_of(exponent_id);
    if (n.is_exact() && n.denominator() == 2) {
      const double root = std::sqrt(base);
      return n.numerator() == 1 ? root : std::pow(root, static_cast<double>(n.numerator()));
    }
  }
  return std::pow(base, exponent);
}

double operation(const ExprPool& pool, ExprId node, std::span<const double> v) {
  if (pool.op(node) == Op::pow) return power(v[0], v[1], pool, pool.children(node)[1]);
  if (pool.op(node) != Op::call)
    return operation_value(pool.op(node), v.size(), [&](std::size_t k) { return v[k]; });
  const UserFunction& function = pool.function(pool.function_of(node));
  if (function.outputs == nullptr) return function.function(v.data(), function.context.get());
  std::vector<double> values(function.n_outputs);
  function.outputs(v.data(), values.data(), function.context.get());
  return values[function.output];
}

}  // namespace

std::vector<double> evaluate(const ExprPool& pool, std::span<const ExprId> expressions,
                             const Values& values) {
  const Reach reach(pool, expressions);
  std::vector<double> value(reach.size());
  std::vector<double> below;
  for (std::uint32_t i = 0; i < reach.size(); ++i) {
    const ExprId node = reach.nodes()[i];
    switch (pool.op(node)) {
      case Op::number: value[i] = pool.number_of(node).value(); break;
      case Op::truth: value[i] = pool.truth_of(node); break;
      case Op::symbol: {
        const auto given = values.find(node);
        if (given == values.end())
          throw Error("E006", "'" + pool.symbol_text(node) + "' has no value to evaluate with");
        value[i] = given->second;
        break;
      }
      default:
        below.clear();
        for (const ExprId child : pool.children(node))
          below.push_back(value[reach.index_of(child)]);
        value[i] = operation(pool, node, below);
    }
  }
  std::vector<double> result;
  for (const ExprId expression : expressions) result.push_back(value[reach.index_of(expression)]);
  return result;
}

double evaluate(const ExprPool& pool, ExprId expression, const Values& values) {
  return evaluate(pool, std::span(&expression, 1), values).front();
}

double evaluate_constant(const ExprPool& pool, ExprId expression) {
  return evaluate(pool, expression, {});
}

std::vector<ExprId> free_symbols(const ExprPool& pool, std::span<const ExprId> expressions) {
  std::vector<ExprId> symbols;
  const Reach reach(pool, expressions);
  for (const ExprId node : reach.nodes())
    if (pool.is_symbol(node)) symbols.push_back(node);
  std::sort(symbols.begin(), symbols.end(),
            [&](ExprId a, ExprId b) { return pool.precedes(a, b); });
  return symbols;
}

std::vector<ExprId> free_symbols(const ExprPool& pool, ExprId expression) {
  return free_symbols(pool, std::span(&expression, 1));
}

bool depends_on(const ExprPool& pool, ExprId expression, ExprId symbol) {
  return Reach(pool, expression).contains(symbol);
}

std::size_t operation_count(const ExprPool& pool, std::span<const ExprId> expressions) {
  std::size_t count = 0;
  const Reach reach(pool, expressions);
  for (const ExprId node : reach.nodes()) {
    const std::size_t n = pool.children(node).size();
    switch (pool.op(node)) {
      case Op::number:
      case Op::symbol:
      case Op::truth: break;
      case Op::add:
      case Op::mul:
      case Op::logical_and:
      case Op::logical_or: count += n - 1; break;
      default: ++count;
    }
  }
  return count;
}

std::size_t operation_count(const ExprPool& pool, ExprId expression) {
  return operation_count(pool, std::span(&expression, 1));
}

std::vector<ExprId> substitute(ExprPool& pool, std::span<const ExprId> expressions,
                               const Replacements& replacements) {
  const Reach reach(pool, expressions);
  std::vector<ExprId> image(reach.size());
  std::vector<ExprId> below;
  for (std::uint32_t i = 0; i < reach.size(); ++i) {
    const ExprId node = reach.nodes()[i];
    image[i] = node;
    if (const auto found = replacements.find(node); found != replacements.end()) {
      image[i] = found->second;
      continue;
    }
    bool changed = false;
    below.clear();
    for (const ExprId child : pool.children(node)) {
      below.push_back(image[reach.index_of(child)]);
      changed = changed || below.back() != child;
    }
    if (changed) image[i] = pool.rebuild(node, below);
  }
  std::vector<ExprId> result;
  for (const ExprId expression : expressions) result.push_back(image[reach.index_of(expression)]);
  return result;
}

ExprId substitute(ExprPool& pool, ExprId expression, const Replacements& replacements) {
  return substitute(pool, std::span(&expression, 1), replacements).front();
}

Expr substitute(const Expr& expression, const Expr& what, const Expr& by) {
  ensure(what.pool() != nullptr, "only symbols and expressions of a pool can be replaced");
  ExprPool& pool = *what.pool();
  return {pool, substitute(pool, expression.id_in(pool), {{what.id(), by.id_in(pool)}})};
}

}  // namespace alembert::symbolic
