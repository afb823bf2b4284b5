// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/trivial_equations.hpp"

#include <array>

#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using symbolic::ExprId;
using symbolic::ExprPool;
using symbolic::Number;
using symbolic::Op;
using symbolic::SymbolKind;

namespace {

bool is_unknown(const ExprPool& pool, ExprId node) {
  return pool.is_symbol(node) && pool.symbol_of(node).kind == SymbolKind::unknown;
}

bool has_unknown(const ExprPool& pool, ExprId expression) {
  // As far as a few looks go, without marks on what was seen: these are all over the memory.
  std::array<ExprId, 16> open{expression};
  std::size_t n_open = 1;
  for (int n_looks = 0; n_looks < 32; ++n_looks) {
    if (n_open == 0) return false;
    const ExprId node = open[--n_open];
    if (is_unknown(pool, node)) return true;
    const auto children = pool.children(node);
    if (n_open + children.size() > open.size()) break;
    for (const ExprId child : children) open[n_open++] = child;
  }
  const symbolic::Reach reach(pool, expression);
  for (const ExprId node : reach.nodes())
    if (is_unknown(pool, node)) return true;
  return false;
}

bool add_term(const ExprPool& pool, ExprId term, const Number& factor, NumberLinear& form) {
  if (is_unknown(pool, term)) {
    form.terms.push_back({term, factor});
    return true;
  }
  const auto children = pool.children(term);
  if (pool.op(term) == Op::mul && children.size() == 2 && pool.is_number(children[0])) {
    const Number coefficient = factor * pool.number_of(children[0]);
    if (is_unknown(pool, children[1])) {
      form.terms.push_back({children[1], coefficient});
      return true;
    }
    if (has_unknown(pool, children[1])) return false;
    form.known.push_back({children[1], coefficient});
    return true;
  }
  if (has_unknown(pool, term)) return false;
  form.known.push_back({term, factor});
  return true;
}

}  // namespace

std::optional<NumberLinear> number_linear(const ExprPool& pool, ExprId residual) {
  NumberLinear form;
  Number factor = 1;
  const auto outer = pool.children(residual);
  if (pool.op(residual) == Op::mul && outer.size() == 2 && pool.is_number(outer[0]) &&
      pool.op(outer[1]) == Op::add) {
    factor = pool.number_of(outer[0]);
    residual = outer[1];
  }
  if (pool.op(residual) != Op::add) {
    if (!add_term(pool, residual, factor, form)) return std::nullopt;
    return form;
  }
  // What is plainly nonlinear usually shows at once; unknowns inside other terms cost a search.
  for (const ExprId term : pool.children(residual))
    if (!add_term(pool, term, factor, form)) return std::nullopt;
  return form;
}

NumberLinear combination_of_terms(ExprPool& pool, ExprId residual) {
  NumberLinear form;
  const auto children = pool.children(residual);
  const std::vector<ExprId> terms = pool.op(residual) == Op::add
                                        ? std::vector<ExprId>(children.begin(), children.end())
                                        : std::vector<ExprId>{residual};
  for (const ExprId term : terms) {
    Number coefficient = 1;
    ExprId rest = term;
    if (pool.op(term) == Op::mul && pool.is_number(pool.children(term)[0])) {
      coefficient = pool.number_of(pool.children(term)[0]);
      const auto factors = pool.children(term).subspan(1);
      rest = pool.mul(std::vector<ExprId>(factors.begin(), factors.end()));
    }
    if (has_unknown(pool, rest))
      form.terms.push_back({rest, coefficient});
    else
      form.known.push_back({rest, coefficient});
  }
  return form;
}

bool is_constant_in_time(const ExprPool& pool, ExprId expression) {
  const symbolic::Reach reach(pool, expression);
  for (const ExprId node : reach.nodes())
    if (pool.is_symbol(node) && pool.symbol_of(node).kind != SymbolKind::parameter) return false;
  return true;
}

}  // namespace alembert::structure
