// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/solve.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/called_function.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/print.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::symbolic {

namespace {

/// slope and offset of one node; `linear` is false once the symbol is under something that bends
/// it.
struct NodeForm {
  ExprId slope;
  ExprId offset;
  bool linear = true;
};

NodeForm sum_form(ExprPool& pool, std::span<const NodeForm> below) {
  std::vector<ExprId> slopes;
  std::vector<ExprId> offsets;
  for (const NodeForm& form : below) {
    slopes.push_back(form.slope);
    offsets.push_back(form.offset);
  }
  return {pool.add(slopes), pool.add(offsets)};
}

NodeForm product_form(ExprPool& pool, std::span<const NodeForm> below, std::size_t varying) {
  std::vector<ExprId> factors;
  for (std::size_t i = 0; i < below.size(); ++i)
    if (i != varying) factors.push_back(below[i].offset);
  const ExprId rest = pool.mul(factors);
  return {pool.mul(rest, below[varying].slope), pool.mul(rest, below[varying].offset)};
}

/// Operations through which a linear form passes branch by branch: f(a x + b) = f(a) x + f(b).
bool passes_linear(Op op, std::span<const NodeForm> below, ExprId zero) {
  switch (op) {
    case Op::no_event: return true;
    case Op::smooth: return true;
    case Op::if_then_else: return below[0].slope == zero;
    default: return false;
  }
}

NodeForm node_form(ExprPool& pool, ExprId node, std::span<const NodeForm> below) {
  const ExprId zero = pool.number(0);
  std::size_t n_varying = 0;
  std::size_t varying = 0;
  for (std::size_t i = 0; i < below.size(); ++i) {
    if (!below[i].linear) return {zero, zero, false};
    if (below[i].slope != zero) {
      ++n_varying;
      varying = i;
    }
  }
  if (n_varying == 0) {
    // Free of the symbol, though a child may have contained it: sin((x + 1)*y - x*y) is sin(y).
    std::vector<ExprId> offsets;
    for (const NodeForm& form : below) offsets.push_back(form.offset);
    const auto children = pool.children(node);
    if (std::equal(offsets.begin(), offsets.end(), children.begin(), children.end()))
      return {zero, node};
    return {zero, pool.rebuild(node, offsets)};
  }
  const Op op = pool.op(node);
  if (op == Op::add) return sum_form(pool, below);
  if (op == Op::mul && n_varying == 1) return product_form(pool, below, varying);
  if (passes_linear(op, below, zero)) {
    std::vector<ExprId> slopes;
    std::vector<ExprId> offsets;
    for (std::size_t i = 0; i < below.size(); ++i) {
      const bool argument = !(op == Op::smooth || op == Op::if_then_else) || i > 0;
      slopes.push_back(argument ? below[i].slope : below[i].offset);
      offsets.push_back(below[i].offset);
    }
    return {pool.rebuild(node, slopes), pool.rebuild(node, offsets)};
  }
  return {zero, zero, false};
}

/// The linear forms of all nodes in reach.
std::vector<NodeForm> node_forms(ExprPool& pool, const Reach& reach, ExprId symbol) {
  const ExprId zero = pool.number(0);
  std::vector<NodeForm> form(reach.size());
  std::vector<NodeForm> below;
  for (std::uint32_t i = 0; i < reach.size(); ++i) {
    const ExprId node = reach.nodes()[i];
    if (node == symbol) {
      form[i] = {pool.number(1), zero};
      continue;
    }
    below.clear();
    for (const ExprId child : pool.children(node)) below.push_back(form[reach.index_of(child)]);
    form[i] = node_form(pool, node, below);
  }
  return form;
}

}  // namespace

std::optional<LinearForm> linear_form(ExprPool& pool, ExprId expression, ExprId symbol) {
  const Reach reach(pool, expression);
  const NodeForm top = node_forms(pool, reach, symbol)[reach.index_of(expression)];
  if (!top.linear) return std::nullopt;
  return LinearForm{top.slope, top.offset};
}

std::optional<LinearCombination> linear_combination(ExprPool& pool, ExprId expression,
                                                    std::span<const ExprId> symbols) {
  Replacements zeros;
  for (const ExprId symbol : symbols) zeros.emplace(symbol, pool.number(0));
  // Slopes free of all symbols do not make it linear where conditions depend on them (abs, if x > 0
  // ...), and some functions have no slopes at all.
  const Reach below(pool, expression);
  std::vector<char> varies(below.size(), 0);
  for (std::uint32_t i = 0; i < below.size(); ++i) {
    const ExprId node = below.nodes()[i];
    if (zeros.contains(node)) varies[i] = 1;
    for (const ExprId child : pool.children(node))
      if (varies[below.index_of(child)]) varies[i] = 1;
    if (!varies[i]) continue;
    switch (pool.op(node)) {
      case Op::symbol:
      case Op::add:
      case Op::mul:
      case Op::no_event:
      case Op::smooth: break;
      case Op::if_then_else:
        if (varies[below.index_of(pool.children(node)[0])]) return std::nullopt;
        break;
      default: return std::nullopt;
    }
  }
  LinearCombination result;
  result.slopes = gradient(pool, expression, symbols);
  const Reach in_slopes(pool, result.slopes);
  for (const ExprId symbol : symbols)
    if (in_slopes.contains(symbol)) return std::nullopt;
  result.offset = substitute(pool, expression, zeros);
  return result;
}

namespace {

/// One step of undoing `target = value`, where the symbol is in exactly one child; false if no rule
/// applies. `varies` tells which nodes contain the symbol.
template <class Varies>
bool peel(ExprPool& pool, ExprId& target, ExprId& value, Varies varies,
          std::vector<ExprId>& divisors) {
  const std::vector<ExprId> children(pool.children(target).begin(), pool.children(target).end());
  std::size_t where = children.size();
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (!varies(children[i])) continue;
    if (where != children.size()) return false;
    where = i;
  }
  if (where == children.size()) return false;
  const ExprId inner = children[where];
  std::vector<ExprId> others;
  for (std::size_t i = 0; i < children.size(); ++i)
    if (i != where) others.push_back(children[i]);
  switch (pool.op(target)) {
    case Op::add: value = pool.sub(value, pool.add(others)); break;
    case Op::mul: {
      const ExprId divisor = pool.mul(others);
      if (!pool.is_number(divisor)) divisors.push_back(divisor);
      value = pool.div(value, divisor);
      break;
    }
    case Op::pow: {
      if (where == 1) {  // a^u = value, for a positive constant a other than 1
        if (!pool.is_number(children[0])) return false;
        const Number& base = pool.number_of(children[0]);
        if (base.is_negative() || base.is_zero() || base.is_one() || !base.is_finite())
          return false;
        value = pool.div(pool.apply(Op::log, value), pool.apply(Op::log, children[0]));
        break;
      }
      if (!pool.is_number(children[1])) return false;
      const Number n = pool.number_of(children[1]);
      if (!n.is_integer() || n.is_even()) return false;
      if (n.is_negative()) divisors.push_back(value);
      if (n.is_minus_one()) {
        value = pool.pow(value, -1);
      } else {
        const ExprId root = pool.number(Number::rational(1, n.numerator()));
        value = pool.mul(pool.apply(Op::sign, value), pool.pow(pool.apply(Op::abs, value), root));
      }
      break;
    }
    case Op::exp: value = pool.apply(Op::log, value); break;
    case Op::log: value = pool.apply(Op::exp, value); break;
    case Op::log10: value = pool.pow(pool.integer(10), value); break;
    case Op::sinh: value = pool.apply(Op::asinh, value); break;
    case Op::asinh: value = pool.apply(Op::sinh, value); break;
    case Op::tanh: value = pool.apply(Op::atanh, value); break;
    case Op::atanh: value = pool.apply(Op::tanh, value); break;
    case Op::call: {
      const FunctionId function = pool.function_of(target);
      const CalledFunction* called = CalledFunction::of(pool.function(function));
      if (called == nullptr) return false;
      const FunctionId inverse = called->inverse(pool, function, static_cast<std::uint32_t>(where));
      if (!inverse.valid()) return false;
      std::vector<ExprId> arguments = children;
      arguments[where] = value;
      value = pool.call(inverse, arguments);
      break;
    }
    default: return false;
  }
  target = inner;
  return true;
}

}  // namespace

std::optional<Solution> solve_for(ExprPool& pool, ExprId left, ExprId right, ExprId symbol) {
  Solution solution;
  ExprId target = pool.sub(left, right);
  ExprId value = pool.number(0);
  // Each step goes from a node to one of its children, so one pass over the nodes serves all steps.
  const Reach reach(pool, target);
  const std::vector<NodeForm> forms = node_forms(pool, reach, symbol);
  std::vector<char> contains_symbol(reach.size(), 0);
  for (std::uint32_t i = 0; i < reach.size(); ++i) {
    const ExprId node = reach.nodes()[i];
    contains_symbol[i] = node == symbol;
    for (const ExprId child : pool.children(node))
      if (contains_symbol[reach.index_of(child)]) contains_symbol[i] = 1;
  }
  const auto varies = [&](ExprId node) { return contains_symbol[reach.index_of(node)] != 0; };
  while (true) {
    const NodeForm& form = forms[reach.index_of(target)];
    if (form.linear) {
      if (pool.is_zero(form.slope)) return std::nullopt;
      if (!pool.is_number(form.slope)) solution.divisors.push_back(form.slope);
      solution.value = pool.div(pool.sub(value, form.offset), form.slope);
      return solution;
    }
    if (!peel(pool, target, value, varies, solution.divisors)) return std::nullopt;
  }
}

Expr solve_for(const Equation& equation, const Expr& symbol) {
  ensure(symbol.pool() != nullptr, "an equation is solved for a symbol");
  ExprPool& pool = *symbol.pool();
  const auto solution =
      solve_for(pool, equation.left.id_in(pool), equation.right.id_in(pool), symbol.id());
  if (!solution)
    throw Error("E007", "'" + to_text(equation) + "' has no unique closed solution for '" +
                            to_text(symbol) +
                            "'. Leave it implicit: the solver finds it by "
                            "Newton's method.");
  return {pool, solution->value};
}

}  // namespace alembert::symbolic
