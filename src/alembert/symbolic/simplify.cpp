// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/simplify.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::symbolic {

namespace {

/// Rebuilds an expression from its leaves up; `rule` sees each rebuilt node and may replace it.
template <class Rule>
ExprId rewrite(ExprPool& pool, ExprId expression, Rule rule) {
  const Reach reach(pool, expression);
  std::vector<ExprId> image(reach.size());
  std::vector<ExprId> below;
  for (std::uint32_t i = 0; i < reach.size(); ++i) {
    const ExprId node = reach.nodes()[i];
    bool changed = false;
    below.clear();
    for (const ExprId child : pool.children(node)) {
      below.push_back(image[reach.index_of(child)]);
      changed = changed || below.back() != child;
    }
    image[i] = rule(changed ? pool.rebuild(node, below) : node);
  }
  return image[reach.index_of(expression)];
}

/// term = cofactor * f(argument)^2 for f = sin, cos, sinh or cosh.
struct SquaredFunction {
  Op function;
  ExprId argument;
  ExprId cofactor;
};

std::optional<SquaredFunction> squared_function(ExprPool& pool, ExprId term) {
  const auto match = [&](ExprId factor) -> std::optional<SquaredFunction> {
    if (pool.op(factor) != Op::pow) return std::nullopt;
    const ExprId base = pool.children(factor)[0];
    const ExprId exponent = pool.children(factor)[1];
    if (!pool.is_number(exponent) || !(pool.number_of(exponent) == Number(2))) return std::nullopt;
    switch (pool.op(base)) {
      case Op::sin:
      case Op::cos:
      case Op::sinh:
      case Op::cosh: return SquaredFunction{pool.op(base), pool.children(base)[0], pool.number(1)};
      default: return std::nullopt;
    }
  };
  if (auto whole = match(term)) return whole;
  if (pool.op(term) != Op::mul) return std::nullopt;
  const std::vector<ExprId> factors(pool.children(term).begin(), pool.children(term).end());
  for (std::size_t k = 0; k < factors.size(); ++k) {
    auto found = match(factors[k]);
    if (!found) continue;
    std::vector<ExprId> others = factors;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    found->cofactor = pool.mul(others);
    return found;
  }
  return std::nullopt;
}

/// a sin^2 + a cos^2 = a, and a cosh^2 - a sinh^2 = a, for pairs of terms of a sum.
ExprId pythagoras(ExprPool& pool, ExprId sum) {
  struct Entry {
    ExprId argument;
    bool hyperbolic;
    ExprId cofactor;  // of sinh with the opposite sign, so that it meets that of cosh
    Op function;
    std::size_t term;

    auto key() const { return std::tuple(argument, hyperbolic, cofactor); }
  };
  std::vector<ExprId> terms(pool.children(sum).begin(), pool.children(sum).end());
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto square = squared_function(pool, terms[i]);
    if (!square) continue;
    const bool is_sinh = square->function == Op::sinh;
    entries.push_back({square->argument, is_sinh || square->function == Op::cosh,
                       is_sinh ? pool.neg(square->cofactor) : square->cofactor, square->function,
                       i});
  }
  if (entries.size() < 2) return sum;
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.key() < b.key(); });
  bool changed = false;
  for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
    const Entry& a = entries[i];
    const Entry& b = entries[i + 1];
    if (a.key() != b.key() || a.function == b.function) continue;
    terms[a.term] = a.cofactor;
    terms[b.term] = pool.number(0);
    changed = true;
    ++i;
  }
  return changed ? pool.add(terms) : sum;
}

ExprId simplify_node(ExprPool& pool, ExprId node) {
  switch (pool.op(node)) {
    case Op::add: return pythagoras(pool, node);
    case Op::pow: {
      // (b^2k)^(p/q) = |b|^(2k p/q): an even power forgets the sign, the root does not bring it
      // back.
      const ExprId base = pool.children(node)[0];
      const ExprId exponent = pool.children(node)[1];
      if (!pool.is_number(exponent)) return node;
      if (pool.op(base) == Op::abs && pool.number_of(exponent).is_even())
        return pool.pow(pool.children(base)[0], exponent);
      if (pool.op(base) != Op::pow) return node;
      const ExprId inner = pool.children(base)[1];
      if (!pool.is_number(inner) || !pool.number_of(inner).is_even()) return node;
      const Number product = pool.number_of(inner) * pool.number_of(exponent);
      const ExprId root = pool.children(base)[0];
      return pool.pow(product.is_even() ? root : pool.apply(Op::abs, root), pool.number(product));
    }
    case Op::if_then_else: {
      const ExprId condition = pool.children(node)[0];
      ExprId yes = pool.children(node)[1];
      ExprId no = pool.children(node)[2];
      if (pool.op(yes) == Op::if_then_else && pool.children(yes)[0] == condition)
        yes = pool.children(yes)[1];
      if (pool.op(no) == Op::if_then_else && pool.children(no)[0] == condition)
        no = pool.children(no)[2];
      return pool.if_then_else(condition, yes, no);
    }
    default: return node;
  }
}

/// The terms of a sum, or the expression itself as the only one.
std::vector<ExprId> terms_of(const ExprPool& pool, ExprId expression) {
  if (pool.op(expression) != Op::add) return {expression};
  const auto children = pool.children(expression);
  return {children.begin(), children.end()};
}

ExprId multiply_out(ExprPool& pool, std::span<const ExprId> sums, std::size_t max_terms) {
  std::vector<ExprId> product{pool.number(1)};
  for (const ExprId sum : sums) {
    const std::vector<ExprId> terms = terms_of(pool, sum);
    if (product.size() * terms.size() > max_terms) return ExprId::none();
    std::vector<ExprId> next;
    next.reserve(product.size() * terms.size());
    for (const ExprId a : product)
      for (const ExprId b : terms) next.push_back(pool.mul(a, b));
    product = terms_of(pool, pool.add(next));  // collects like terms before the next factor
  }
  return pool.add(product);
}

ExprId expand_node(ExprPool& pool, ExprId node, std::size_t max_terms) {
  const auto whole_power = [&](ExprId factor) -> std::int64_t {
    if (pool.op(factor) != Op::pow) return 0;
    const ExprId exponent = pool.children(factor)[1];
    if (pool.op(pool.children(factor)[0]) != Op::add || !pool.is_number(exponent)) return 0;
    const Number& n = pool.number_of(exponent);
    return n.is_integer() && n.numerator() >= 2 && n.numerator() <= 64 ? n.numerator() : 0;
  };
  std::vector<ExprId> factors;
  bool any = false;
  const auto take = [&](ExprId factor) {
    if (const std::int64_t n = whole_power(factor); n != 0) {
      factors.insert(factors.end(), static_cast<std::size_t>(n), pool.children(factor)[0]);
      any = true;
    } else {
      any = any || pool.op(factor) == Op::add;
      factors.push_back(factor);
    }
  };
  if (pool.op(node) == Op::mul) {
    const std::vector<ExprId> children(pool.children(node).begin(), pool.children(node).end());
    for (const ExprId child : children) take(child);
  } else if (pool.op(node) == Op::pow) {
    take(node);
  }
  if (!any) return node;
  const ExprId expanded = multiply_out(pool, factors, max_terms);
  return expanded.valid() ? expanded : node;
}

}  // namespace

ExprId expand(ExprPool& pool, ExprId expression, std::size_t max_terms) {
  return rewrite(pool, expression, [&](ExprId node) { return expand_node(pool, node, max_terms); });
}

Expr expand(const Expr& expression, std::size_t max_terms) {
  if (expression.pool() == nullptr) return expression;
  return {*expression.pool(), expand(*expression.pool(), expression.id(), max_terms)};
}

ExprId simplify(ExprPool& pool, ExprId expression) {
  const auto pass = [&](ExprId e) {
    return rewrite(pool, e, [&](ExprId node) { return simplify_node(pool, node); });
  };
  ExprId best = expression;
  std::size_t cost = operation_count(pool, best);
  while (true) {
    const ExprId plain = pass(best);
    const ExprId opened = pass(expand(pool, best, 64));
    const std::size_t plain_cost = operation_count(pool, plain);
    const std::size_t opened_cost = operation_count(pool, opened);
    const ExprId next = opened_cost < plain_cost ? opened : plain;
    const std::size_t next_cost = std::min(opened_cost, plain_cost);
    if (next_cost >= cost) return best;
    best = next;
    cost = next_cost;
  }
}

Expr simplify(const Expr& expression) {
  if (expression.pool() == nullptr) return expression;
  return {*expression.pool(), simplify(*expression.pool(), expression.id())};
}

}  // namespace alembert::symbolic
