// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/derivative.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/called_function.hpp"
#include "alembert/symbolic/short_list.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::symbolic {

namespace {

/// Of products up to this length each factor is replaced in turn; those of longer ones share parts.
constexpr std::size_t longest_short_product = ExprPool::flat_product_limit;

/// For each k the product of all factors but the k-th. Long products go by groups that the pool
/// keeps whole, so that the cost grows like n log n, not n^2.
std::vector<ExprId> products_of_others(ExprPool& pool, std::span<const ExprId> factors) {
  constexpr std::size_t group = ExprPool::flat_product_limit + 1;
  std::vector<ExprId> others(factors.size());
  std::vector<ExprId> scratch;
  const auto within = [&](std::span<const ExprId> part, std::size_t skip, ExprId outside) {
    scratch.assign(1, outside);
    for (std::size_t i = 0; i < part.size(); ++i)
      if (i != skip) scratch.push_back(part[i]);
    return pool.mul(scratch);
  };
  if (factors.size() <= group) {
    for (std::size_t k = 0; k < factors.size(); ++k) others[k] = within(factors, k, pool.number(1));
    return others;
  }
  std::vector<ExprId> groups;
  for (std::size_t first = 0; first < factors.size(); first += group)
    groups.push_back(pool.mul(factors.subspan(first, std::min(group, factors.size() - first))));
  const std::vector<ExprId> outside = products_of_others(pool, groups);  // depth log_33 n
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const std::size_t first = k / group * group;
    others[k] = within(factors.subspan(first, std::min(group, factors.size() - first)), k - first,
                       outside[k / group]);
  }
  return others;
}

/// d f / d argument_k of an operation that is neither a sum, a product, nor a choice.
ExprId local_partial(ExprPool& pool, ExprId node, std::size_t k) {
  const auto children = pool.children(node);
  const ExprId u = children[0];
  const auto square = [&](ExprId e) { return pool.pow(e, 2); };
  const auto one_over_root = [&](ExprId e) {
    return pool.pow(e, pool.number(Number::rational(-1, 2)));
  };
  const ExprId one = pool.number(1);
  switch (pool.op(node)) {
    case Op::pow: {
      const ExprId exponent = children[1];
      if (k == 0) return pool.mul(exponent, pool.pow(u, pool.add(exponent, pool.integer(-1))));
      return pool.mul(pool.apply(Op::log, u), node);
    }
    case Op::sin: return pool.apply(Op::cos, u);
    case Op::cos: return pool.neg(pool.apply(Op::sin, u));
    case Op::tan: return pool.add(one, square(node));
    case Op::asin: return one_over_root(pool.sub(one, square(u)));
    case Op::acos: return pool.neg(one_over_root(pool.sub(one, square(u))));
    case Op::atan: return pool.pow(pool.add(one, square(u)), -1);
    case Op::sinh: return pool.apply(Op::cosh, u);
    case Op::cosh: return pool.apply(Op::sinh, u);
    case Op::tanh: return pool.sub(one, square(node));
    case Op::asinh: return one_over_root(pool.add(one, square(u)));
    case Op::acosh:
      return pool.mul(one_over_root(pool.sub(u, one)), one_over_root(pool.add(u, one)));
    case Op::atanh: return pool.pow(pool.sub(one, square(u)), -1);
    case Op::exp: return node;
    case Op::log: return pool.pow(u, -1);
    case Op::log10: return pool.pow(pool.mul(u, pool.apply(Op::log, pool.integer(10))), -1);
    case Op::abs: return pool.apply(Op::sign, u);
    case Op::atan2: {
      const ExprId y = children[0];
      const ExprId x = children[1];
      const ExprId r2 = pool.add(square(x), square(y));
      return k == 0 ? pool.div(x, r2) : pool.neg(pool.div(y, r2));
    }
    case Op::mod:
      if (k == 0) return one;
      return pool.neg(pool.apply(Op::floor, pool.div(u, children[1])));
    case Op::rem:
      if (k == 0) return one;
      return pool.neg(pool.apply(Op::div, u, children[1]));
    case Op::sign:
    case Op::floor:
    case Op::ceil:
    case Op::integer_part:
    case Op::div: return pool.number(0);
    case Op::call: {
      const FunctionId partial =
          pool.partial(pool.function_of(node), static_cast<std::uint32_t>(k));
      if (!partial.valid())
        throw Error("E005", "function '" + pool.function(pool.function_of(node)).name +
                                "' has to be differentiated by argument " + std::to_string(k + 1) +
                                ", but no derivative function was given for it. Give one when the "
                                "function is defined.");
      return pool.call(partial, children);
    }
    default: break;
  }
  ensure(false, "an operation without a differentiation rule");
  return {};
}

/// How a choice passes a derivative on to argument k: the part of `value` that belongs to that
/// branch. For if, min, max, semiLinear, noEvent and smooth; the rest is local_partial.
bool is_choice(Op op) {
  return op == Op::if_then_else || op == Op::min || op == Op::max || op == Op::semi_linear ||
         op == Op::no_event || op == Op::smooth;
}

/// Derivative of a choice, given those of its children.
ExprId choice_derivative(ExprPool& pool, ExprId node, std::span<const ExprId> d) {
  const std::vector<ExprId> c(pool.children(node).begin(), pool.children(node).end());
  switch (pool.op(node)) {
    case Op::if_then_else: return pool.if_then_else(c[0], d[1], d[2]);
    case Op::min: return pool.if_then_else(pool.apply(Op::less, c[0], c[1]), d[0], d[1]);
    case Op::max: return pool.if_then_else(pool.apply(Op::less, c[1], c[0]), d[0], d[1]);
    case Op::semi_linear: {
      const ExprId plus = pool.add(pool.mul(d[0], c[1]), pool.mul(c[0], d[1]));
      const ExprId minus = pool.add(pool.mul(d[0], c[2]), pool.mul(c[0], d[2]));
      return pool.if_then_else(pool.apply(Op::less_equal, pool.number(0), c[0]), plus, minus);
    }
    case Op::no_event: return pool.apply(Op::no_event, d[0]);
    default: {  // smooth(p, x)
      if (!pool.is_number(c[0]) || pool.number_of(c[0]).value() < 1) return d[1];
      return pool.apply(Op::smooth, pool.number(pool.number_of(c[0]) - 1), d[1]);
    }
  }
}

ExprId forward_rule(ExprPool& pool, ExprId node, std::span<const ExprId> d) {
  const ExprId zero = pool.number(0);
  const Op op = pool.op(node);
  if (op == Op::add) return pool.add(d);
  if (is_choice(op)) return choice_derivative(pool, node, d);
  ShortList<ExprId> terms;
  if (op != Op::mul) {
    for (std::size_t k = 0; k < d.size(); ++k)
      if (d[k] != zero) terms.push_back(pool.mul(local_partial(pool, node, k), d[k]));
    return terms.size() == 1 ? terms[0] : pool.add(terms);
  }
  ShortList<ExprId> factors(pool.children(node));
  const auto n_active = std::count_if(d.begin(), d.end(), [&](ExprId e) { return e != zero; });
  if (factors.size() <= longest_short_product || n_active == 1) {
    for (std::size_t k = 0; k < d.size(); ++k) {
      if (d[k] == zero) continue;
      const ExprId factor = std::exchange(factors[k], d[k]);
      terms.push_back(pool.mul(factors));
      factors[k] = factor;
    }
  } else {
    const std::vector<ExprId> others = products_of_others(pool, factors);
    for (std::size_t k = 0; k < d.size(); ++k)
      if (d[k] != zero) terms.push_back(pool.mul(others[k], d[k]));
  }
  return terms.size() == 1 ? terms[0] : pool.add(terms);
}

enum class Along { symbols, time };

/// As a function tells its own derivative, given those of its arguments; not valid if it does not.
ExprId told_derivative(ExprPool& pool, ExprId node, std::span<const ExprId> below, Along along) {
  if (pool.op(node) != Op::call) return {};
  const FunctionId function = pool.function_of(node);
  const CalledFunction* called = CalledFunction::of(pool.function(function));
  if (called == nullptr) return {};
  const std::vector<ExprId> arguments(pool.children(node).begin(), pool.children(node).end());
  if (along == Along::time)
    if (const ExprId told = called->time_derivative(pool, function, arguments, below); told.valid())
      return told;
  return called->directional_derivative(pool, function, arguments, below);
}

/// Derivatives of all outputs, where `seed` gives that of each symbol.
template <class Seed>
std::vector<ExprId> forward(ExprPool& pool, std::span<const ExprId> outputs, Seed seed,
                            Along along = Along::symbols) {
  const ExprId zero = pool.number(0);
  const Reach reach(pool, outputs);
  std::vector<ExprId> derivative(reach.size(), zero);
  std::vector<ExprId> below;
  for (std::uint32_t i = 0; i < reach.size(); ++i) {
    const ExprId node = reach.nodes()[i];
    if (pool.is_symbol(node)) {
      derivative[i] = seed(node);
      continue;
    }
    if (pool.is_condition(node)) continue;
    bool active = false;
    below.clear();
    for (const ExprId child : pool.children(node)) {
      below.push_back(derivative[reach.index_of(child)]);
      active = active || below.back() != zero;
    }
    if (!active) continue;
    const ExprId told = told_derivative(pool, node, below, along);
    derivative[i] = told.valid() ? told : forward_rule(pool, node, below);
  }
  std::vector<ExprId> result;
  result.reserve(outputs.size());
  for (const ExprId output : outputs) result.push_back(derivative[reach.index_of(output)]);
  return result;
}

/// `if condition then value else 0`, or the other way round.
struct Guarded {
  ExprId condition, value;
  bool when_true = true;
};

std::optional<Guarded> as_guarded(const ExprPool& pool, ExprId e) {
  if (pool.op(e) != Op::if_then_else) return std::nullopt;
  const auto c = pool.children(e);
  if (pool.is_zero(c[2])) return Guarded{c[0], c[1], true};
  if (pool.is_zero(c[1])) return Guarded{c[0], c[2], false};
  return std::nullopt;
}

ExprId guard(ExprPool& pool, const Guarded& by, ExprId value) {
  const ExprId zero = pool.number(0);
  return by.when_true ? pool.if_then_else(by.condition, value, zero)
                      : pool.if_then_else(by.condition, zero, value);
}

/// The product, in which a branch that is not taken stays out of the way: there the factor may have
/// no value, which nothing makes 0.
template <class Multiply>
ExprId times_adjoint(ExprPool& pool, ExprId adjoint, Multiply multiply) {
  ShortList<Guarded> guards;
  while (const auto guarded = as_guarded(pool, adjoint)) {
    guards.push_back(*guarded);
    adjoint = guarded->value;
  }
  ExprId product = multiply(adjoint);
  for (std::size_t k = guards.size(); k-- > 0;) product = guard(pool, guards[k], product);
  return product;
}

/// The sum; terms under one condition stay under it.
ExprId sum_of_adjoints(ExprPool& pool, std::vector<ExprId>& terms) {
  const auto first = as_guarded(pool, terms.front());
  if (!first) return pool.add(terms);
  std::vector<ExprId> values;
  for (const ExprId term : terms) {
    const auto guarded = as_guarded(pool, term);
    if (!guarded || guarded->condition != first->condition ||
        guarded->when_true != first->when_true)
      return pool.add(terms);
    values.push_back(guarded->value);
  }
  return guard(pool, *first, pool.add(values));
}

/// Contributions to adjoints, kept as linked lists in one array.
class Adjoints {
 public:
  explicit Adjoints(std::size_t n_nodes) : head_(n_nodes, none) {}

  void contribute(std::uint32_t node, ExprId value) {
    entries_.push_back({value, head_[node]});
    head_[node] = static_cast<std::uint32_t>(entries_.size() - 1);
  }

  ExprId total(ExprPool& pool, std::uint32_t node) {
    scratch_.clear();
    for (std::uint32_t e = head_[node]; e != none; e = entries_[e].next)
      scratch_.push_back(entries_[e].value);
    if (scratch_.empty()) return pool.number(0);
    if (scratch_.size() == 1) return scratch_.front();
    return sum_of_adjoints(pool, scratch_);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  struct Entry {
    ExprId value;
    std::uint32_t next;
  };
  std::vector<std::uint32_t> head_;
  std::vector<Entry> entries_;
  std::vector<ExprId> scratch_;
};

/// What an adjoint passes on to child k of a choice.
ExprId choice_adjoint(ExprPool& pool, ExprId node, std::size_t k, ExprId adjoint) {
  std::vector<ExprId> unit(pool.children(node).size(), pool.number(0));
  unit[k] = adjoint;
  return choice_derivative(pool, node, unit);
}

void reverse_rule(ExprPool& pool, ExprId node, ExprId adjoint, const Reach& reach,
                  std::span<const char> active, Adjoints& adjoints) {
  const ShortList<ExprId> children(pool.children(node));
  const Op op = pool.op(node);
  std::vector<ExprId> others;
  if (op == Op::mul && children.size() > longest_short_product) {
    std::size_t n_active = 0;
    for (const ExprId child : children) n_active += active[reach.index_of(child)] ? 1 : 0;
    if (n_active > 1) others = products_of_others(pool, children);
  }
  for (std::size_t k = 0; k < children.size(); ++k) {
    const std::uint32_t below = reach.index_of(children[k]);
    if (!active[below]) continue;
    ExprId contribution;
    if (op == Op::add) {
      contribution = adjoint;
    } else if (op == Op::mul && others.empty()) {
      contribution = times_adjoint(pool, adjoint, [&](ExprId value) {
        ShortList<ExprId> factors{std::span<const ExprId>(children)};
        factors[k] = value;
        return pool.mul(factors);
      });
    } else if (op == Op::mul) {
      contribution =
          times_adjoint(pool, adjoint, [&](ExprId value) { return pool.mul(others[k], value); });
    } else if (is_choice(op)) {
      contribution = choice_adjoint(pool, node, k, adjoint);
    } else {
      const ExprId partial = local_partial(pool, node, k);
      contribution =
          times_adjoint(pool, adjoint, [&](ExprId value) { return pool.mul(partial, value); });
    }
    if (!pool.is_zero(contribution)) adjoints.contribute(below, contribution);
  }
}

struct Weighted {
  std::span<const ExprId> outputs;
  std::span<const ExprId> weights;
};

/// Adjoints of the symbols for which `is_input` holds; `visit(symbol, adjoint)` in ascending order
/// of ids.
template <class IsInput, class Visit>
void reverse(ExprPool& pool, const Weighted& what, IsInput is_input, Visit visit) {
  const ExprId zero = pool.number(0);
  const Reach reach(pool, what.outputs);
  std::vector<char> active(reach.size(), 0);
  for (std::uint32_t i = 0; i < reach.size(); ++i) {
    const ExprId node = reach.nodes()[i];
    if (pool.is_symbol(node)) {
      active[i] = is_input(node);
    } else if (!pool.is_condition(node)) {
      for (const ExprId child : pool.children(node))
        if (active[reach.index_of(child)]) {
          active[i] = 1;
          break;
        }
    }
  }
  Adjoints adjoints(reach.size());
  for (std::size_t k = 0; k < what.outputs.size(); ++k) {
    const std::uint32_t at = reach.index_of(what.outputs[k]);
    if (active[at] && what.weights[k] != zero) adjoints.contribute(at, what.weights[k]);
  }
  std::vector<std::pair<ExprId, ExprId>> found;
  for (std::uint32_t i = static_cast<std::uint32_t>(reach.size()); i-- > 0;) {
    if (!active[i]) continue;
    const ExprId adjoint = adjoints.total(pool, i);
    if (adjoint == zero) continue;
    const ExprId node = reach.nodes()[i];
    if (pool.is_symbol(node))
      found.emplace_back(node, adjoint);
    else
      reverse_rule(pool, node, adjoint, reach, active, adjoints);
  }
  for (std::size_t k = found.size(); k-- > 0;) visit(found[k].first, found[k].second);
}

/// Place of each input symbol among the inputs, found by binary search.
class InputIndex {
 public:
  InputIndex(const ExprPool& pool, std::span<const ExprId> inputs) {
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
      ensure(pool.is_symbol(inputs[i]), "derivatives are taken by symbols");
      sorted_.emplace_back(inputs[i], i);
    }
    std::sort(sorted_.begin(), sorted_.end());
    for (std::size_t k = 1; k < sorted_.size(); ++k)
      ensure(sorted_[k].first != sorted_[k - 1].first, "derivatives are taken by a symbol once");
  }

  static constexpr std::uint32_t absent = 0xffffffffu;

  std::uint32_t operator[](ExprId symbol) const {
    const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(symbol, 0u));
    return at != sorted_.end() && at->first == symbol ? at->second : absent;
  }

 private:
  std::vector<std::pair<ExprId, std::uint32_t>> sorted_;
};

}  // namespace

ExprId differentiate(ExprPool& pool, ExprId expression, ExprId symbol) {
  ensure(pool.is_symbol(symbol), "a derivative is taken by a symbol");
  const ExprId zero = pool.number(0);
  const ExprId one = pool.number(1);
  return forward(pool, std::span(&expression, 1),
                 [&](ExprId s) { return s == symbol ? one : zero; })
      .front();
}

Expr differentiate(const Expr& expression, const Expr& symbol) {
  ensure(symbol.pool() != nullptr, "a derivative is taken by a symbol");
  ExprPool& pool = *symbol.pool();
  return {pool, differentiate(pool, expression.id_in(pool), symbol.id())};
}

std::vector<ExprId> time_derivatives(ExprPool& pool, std::span<const ExprId> expressions) {
  const ExprId zero = pool.number(0);
  const ExprId one = pool.number(1);
  const auto rate = [&](ExprId symbol) {
    switch (pool.symbol_of(symbol).kind) {
      case SymbolKind::time: return one;
      case SymbolKind::parameter:
      case SymbolKind::discrete: return zero;
      default: return pool.derivative_symbol(symbol);
    }
  };
  return forward(pool, expressions, rate, Along::time);
}

ExprId time_derivative(ExprPool& pool, ExprId expression) {
  return time_derivatives(pool, std::span(&expression, 1)).front();
}

std::vector<ExprId> directional_derivatives(ExprPool& pool, std::span<const ExprId> outputs,
                                            std::span<const ExprId> inputs,
                                            std::span<const ExprId> directions) {
  ensure(inputs.size() == directions.size(), "one direction an input");
  const ExprId zero = pool.number(0);
  const InputIndex index(pool, inputs);
  return forward(pool, outputs, [&](ExprId symbol) {
    const std::uint32_t at = index[symbol];
    return at == InputIndex::absent ? zero : directions[at];
  });
}

std::vector<ExprId> weighted_gradient(ExprPool& pool, std::span<const ExprId> outputs,
                                      std::span<const ExprId> weights,
                                      std::span<const ExprId> inputs) {
  ensure(outputs.size() == weights.size(), "one weight an output");
  std::vector<ExprId> result(inputs.size(), pool.number(0));
  const InputIndex index(pool, inputs);
  reverse(
      pool, {outputs, weights}, [&](ExprId symbol) { return index[symbol] != InputIndex::absent; },
      [&](ExprId symbol, ExprId adjoint) { result[index[symbol]] = adjoint; });
  return result;
}

std::vector<ExprId> gradient(ExprPool& pool, ExprId output, std::span<const ExprId> inputs) {
  const ExprId one = pool.number(1);
  return weighted_gradient(pool, std::span(&output, 1), std::span(&one, 1), inputs);
}

SparseExprMatrix jacobian(ExprPool& pool, std::span<const ExprId> outputs,
                          std::span<const ExprId> inputs) {
  SparseExprMatrix matrix;
  matrix.n_rows = static_cast<std::uint32_t>(outputs.size());
  matrix.n_columns = static_cast<std::uint32_t>(inputs.size());
  matrix.row_start.push_back(0);
  const InputIndex index(pool, inputs);
  const ExprId one = pool.number(1);
  std::vector<std::pair<std::uint32_t, ExprId>> row;
  for (const ExprId output : outputs) {
    row.clear();
    reverse(
        pool, {std::span(&output, 1), std::span(&one, 1)},
        [&](ExprId symbol) { return index[symbol] != InputIndex::absent; },
        [&](ExprId symbol, ExprId adjoint) { row.emplace_back(index[symbol], adjoint); });
    std::sort(row.begin(), row.end());
    for (const auto& [column, value] : row) {
      matrix.column.push_back(column);
      matrix.value.push_back(value);
    }
    matrix.row_start.push_back(static_cast<std::uint32_t>(matrix.column.size()));
  }
  return matrix;
}

SparseExprMatrix hessian(ExprPool& pool, ExprId output, std::span<const ExprId> inputs) {
  const std::vector<ExprId> first = gradient(pool, output, inputs);
  return jacobian(pool, first, inputs);
}

SparseExprMatrix dependencies(const ExprPool& pool, std::span<const ExprId> outputs,
                              std::span<const ExprId> inputs) {
  SparseExprMatrix matrix;
  matrix.n_rows = static_cast<std::uint32_t>(outputs.size());
  matrix.n_columns = static_cast<std::uint32_t>(inputs.size());
  matrix.row_start.push_back(0);
  const InputIndex index(pool, inputs);
  std::vector<std::uint32_t> row;
  for (const ExprId output : outputs) {
    row.clear();
    const Reach reach(pool, output);
    for (const ExprId node : reach.nodes())
      if (pool.is_symbol(node) && index[node] != InputIndex::absent) row.push_back(index[node]);
    std::sort(row.begin(), row.end());
    matrix.column.insert(matrix.column.end(), row.begin(), row.end());
    matrix.row_start.push_back(static_cast<std::uint32_t>(matrix.column.size()));
  }
  return matrix;
}

}  // namespace alembert::symbolic
