// SPDX-License-Identifier: Apache-2.0
// Properties of values over random expressions: derivatives agree with differences and with each
// other, rewriting keeps values, and solutions solve. Tolerances come from the terms of the
// expression itself: rounding is measured by evaluating with the symbols moved by an ulp or two.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/print.hpp"
#include "alembert/symbolic/simplify.hpp"
#include "alembert/symbolic/solve.hpp"
#include "alembert/symbolic/traverse.hpp"
#include "symbolic/differences.hpp"
#include "symbolic/random_expression.hpp"

namespace alembert::symbolic {
namespace {

using testing::central_difference;
using testing::RandomExpression;
using testing::RandomOptions;

using Choices = std::vector<std::uint32_t>;

constexpr double eps = std::numeric_limits<double>::epsilon();

Choices any_choices() {
  const auto choice = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>());
  return *rc::gen::container<Choices>(choice);
}

/// Values for all symbols, in [-2, 2].
Values any_values(ExprPool& pool) {
  Values values;
  for (const ExprId symbol : testing::random_symbols(pool))
    values[symbol] = *rc::gen::inRange(-2000, 2001) / 1000.0 + 0.0001234;
  return values;
}

/// How far two routes to one value may be apart: the sum of all absolute values on the way, in eps,
/// and what small changes of the symbols do.
double rounding(const ExprPool& pool, ExprId id, const Values& values) {
  const double middle = evaluate(pool, id, values);
  double spread = 0;
  for (const double shift : {-16.0, 16.0})
    for (const auto& [symbol, value] : values) {
      Values moved = values;
      moved[symbol] = value + shift * eps * (1 + std::abs(value));
      spread += std::abs(evaluate(pool, id, moved) - middle);
    }
  return 200 * eps * (1 + std::abs(middle)) + 20 * spread;
}

void expect_close(const ExprPool& pool, ExprId a, ExprId b, const Values& values) {
  const double x = evaluate(pool, a, values);
  const double y = evaluate(pool, b, values);
  if (!std::isfinite(x)) return;  // the original has no value here
  RC_LOG() << to_text(pool, a) << "\n  = " << x << '\n'
           << to_text(pool, b) << "\n  = " << y << '\n';
  RC_ASSERT(std::abs(x - y) <= rounding(pool, a, values) + rounding(pool, b, values));
}

RC_GTEST_PROP(derivative_property, agrees_with_differences, ()) {
  ExprPool pool;
  const Choices choices = any_choices();
  const ExprId f = RandomExpression(pool, choices).result();
  Values values = any_values(pool);
  for (const ExprId symbol : free_symbols(pool, f)) {
    const ExprId derivative = differentiate(pool, f, symbol);
    const double exact = evaluate(pool, derivative, values);
    const auto difference = central_difference(
        [&](double at) {
          Values moved = values;
          moved[symbol] = at;
          return evaluate(pool, f, moved);
        },
        values[symbol], 0x1p-9);
    if (!std::isfinite(difference.value)) continue;
    RC_LOG() << to_text(pool, f) << "\nby " << pool.symbol_text(symbol) << ": "
             << to_text(pool, derivative) << '\n'
             << exact << " against " << difference.value << " +- " << difference.error << '\n';
    RC_ASSERT(std::abs(exact - difference.value) <=
              8 * difference.error + rounding(pool, derivative, values));
  }
}

RC_GTEST_PROP(derivative_property, all_routes_agree, ()) {
  ExprPool pool;
  const Choices choices = any_choices();
  const RandomExpression random(pool, choices);
  const std::vector<ExprId> all = random.all();
  const std::vector<ExprId> outputs(all.end() - std::min<std::ptrdiff_t>(3, all.size()), all.end());
  const std::vector<ExprId> inputs = testing::random_symbols(pool);
  const Values values = any_values(pool);
  const SparseExprMatrix matrix = jacobian(pool, outputs, inputs);
  for (std::uint32_t i = 0; i < outputs.size(); ++i) {
    const std::vector<ExprId> row = gradient(pool, outputs[i], inputs);
    std::vector<ExprId> entries(inputs.size(), pool.number(0));
    for (std::uint32_t k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k)
      entries[matrix.column[k]] = matrix.value[k];
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      const ExprId forward = differentiate(pool, outputs[i], inputs[j]);
      expect_close(pool, forward, row[j], values);
      expect_close(pool, forward, entries[j], values);
    }
  }
}

RC_GTEST_PROP(derivative_property, hessians_are_symmetric, ()) {
  ExprPool pool;
  const Choices choices = any_choices();
  const ExprId f = RandomExpression(pool, choices, {.max_size = 60}).result();
  const std::vector<ExprId> inputs = testing::random_symbols(pool);
  const Values values = any_values(pool);
  const SparseExprMatrix matrix = hessian(pool, f, inputs);
  const auto n = inputs.size();
  std::vector<ExprId> dense(n * n, pool.number(0));
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k)
      dense[i * n + matrix.column[k]] = matrix.value[k];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      expect_close(pool, dense[i * n + j], dense[j * n + i], values);
}

RC_GTEST_PROP(derivative_property, along_a_curve, ()) {
  // The total derivative is the ordinary one once the unknowns are polynomials of time.
  ExprPool pool;
  const Choices choices = any_choices();
  const ExprId f = RandomExpression(pool, choices, {.derivatives = false}).result();
  const ExprId rate = time_derivative(pool, f);
  const ExprId t = pool.time();
  const auto at_time = [&](double at) {
    Values values{{t, at}, {pool.parameter("p"), 0.3}, {pool.parameter("q"), -0.7}};
    double slope = 0.5;
    for (const char* name : {"x", "y", "a.b[1].z"}) {
      const ExprId x = pool.unknown(name);
      values[x] = slope * at + at * at;
      values[pool.derivative_symbol(x)] = slope + 2 * at;
      slope -= 0.6;
    }
    return values;
  };
  const double at = *rc::gen::inRange(-500, 501) / 1000.0;
  const auto difference =
      central_difference([&](double s) { return evaluate(pool, f, at_time(s)); }, at, 0x1p-9);
  const double exact = evaluate(pool, rate, at_time(at));
  RC_LOG() << to_text(pool, f) << '\n' << exact << " against " << difference.value << '\n';
  RC_ASSERT(std::abs(exact - difference.value) <=
            8 * difference.error + rounding(pool, rate, at_time(at)));
}

RC_GTEST_PROP(rewriting_property, simplify_keeps_values, ()) {
  ExprPool pool;
  const Choices choices = any_choices();
  const ExprId f = RandomExpression(pool, choices).result();
  const ExprId simple = simplify(pool, f);
  RC_ASSERT(operation_count(pool, simple) <= operation_count(pool, f));
  expect_close(pool, f, simple, any_values(pool));
}

RC_GTEST_PROP(rewriting_property, simplify_ends_on_all_operations, ()) {
  ExprPool pool;
  const Choices choices = any_choices();
  const RandomExpression random(pool, choices, {.smooth_only = false});
  const ExprId simple = simplify(pool, random.result());
  RC_ASSERT(operation_count(pool, simple) <= operation_count(pool, random.result()));
}

RC_GTEST_PROP(rewriting_property, expand_keeps_values, ()) {
  ExprPool pool;
  const Choices choices = any_choices();
  const ExprId f = RandomExpression(pool, choices, {.max_size = 100}).result();
  expect_close(pool, f, expand(pool, f), any_values(pool));
}

RC_GTEST_PROP(rewriting_property, substitute_keeps_values, ()) {
  ExprPool pool;
  const Choices choices = any_choices();
  const RandomExpression random(pool, choices, {.max_size = 100});
  const std::vector<ExprId> all = random.all();
  const ExprId what = *rc::gen::elementOf(testing::random_symbols(pool));
  const ExprId by = *rc::gen::elementOf(all);
  const ExprId f = random.result();
  const ExprId replaced = substitute(pool, f, {{what, by}});
  Values values = any_values(pool);
  const double expected_at = evaluate(pool, by, values);
  Values moved = values;
  moved[what] = expected_at;
  const double expected = evaluate(pool, f, moved);
  const double got = evaluate(pool, replaced, values);
  if (!std::isfinite(expected)) return;
  RC_LOG() << to_text(pool, f) << '\n' << to_text(pool, replaced) << '\n';
  RC_ASSERT(std::abs(expected - got) <=
            rounding(pool, f, moved) + rounding(pool, replaced, values));
}

/// True if all values on the way to `id` are of moderate size, and no jump is near.
bool is_tame(const ExprPool& pool, ExprId id, const Values& values) {
  const Reach reach(pool, id);
  std::vector<ExprId> nodes(reach.nodes().begin(), reach.nodes().end());
  const std::vector<double> value = evaluate(pool, nodes, values);
  const auto of = [&](ExprId node) { return value[reach.index_of(node)]; };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!(std::abs(value[i]) < 1e12)) return false;
    if (value[i] != 0 && std::abs(value[i]) < 1e-12) return false;
    if (value[i] == 0 && std::signbit(value[i])) return false;  // constants have one zero
    const auto children = pool.children(nodes[i]);
    const auto near_whole = [](double x) { return std::abs(x - std::round(x)) < 1e-6; };
    switch (pool.op(nodes[i])) {
      case Op::floor:
      case Op::ceil:
      case Op::integer_part:
        if (near_whole(of(children[0]))) return false;
        break;
      case Op::div:
      case Op::mod:
      case Op::rem:
        if (near_whole(of(children[0]) / of(children[1]))) return false;
        break;
      case Op::sign:
      case Op::abs:
      case Op::semi_linear:
        if (std::abs(of(children[0])) < 1e-6) return false;
        break;
      case Op::less:
      case Op::less_equal:
      case Op::equal:
      case Op::not_equal:
      case Op::min:
      case Op::max:
      case Op::atan2:
        if (std::abs(of(children[0]) - of(children[1])) < 1e-6) return false;
        break;
      default: break;
    }
  }
  return true;
}

RC_GTEST_PROP(rewriting_property, folding_agrees_with_evaluation, ()) {
  // Numbers put in for all symbols, so that every operation meets its rules for constants.
  ExprPool pool;
  const Choices choices = any_choices();
  const RandomExpression random(pool, choices, {.smooth_only = false});
  const Values values = any_values(pool);
  Replacements numbers;
  for (const auto& [symbol, value] : values)
    numbers.emplace(symbol, *rc::gen::arbitrary<bool>()
                                ? pool.real(value)
                                : pool.number(Number::rational(
                                      static_cast<std::int64_t>(std::lround(value * 1000)), 1000)));
  Values used;
  for (const auto& [symbol, number] : numbers) used[symbol] = pool.number_of(number).value();
  for (const ExprId f : random.all()) {
    if (!is_tame(pool, f, used)) continue;
    const double expected = evaluate(pool, f, used);
    const ExprId folded = substitute(pool, f, numbers);
    const double got = evaluate_constant(pool, folded);
    RC_LOG() << to_text(pool, f) << " = " << expected << '\n'
             << to_text(pool, folded) << " = " << got << '\n';
    // Equal values need no bound, which has none where a derivative does not exist: (-2)^(-2).
    RC_ASSERT(expected == got || std::abs(expected - got) <= rounding(pool, f, used));
  }
}

RC_GTEST_PROP(rewriting_property, replaced_subexpressions_are_gone, ()) {
  ExprPool pool;
  const Choices choices = any_choices();
  const RandomExpression random(pool, choices);
  const ExprId w = pool.unknown("w");
  const ExprId x = pool.unknown("x");
  const ExprId replaced = substitute(pool, random.result(), {{x, w}});
  RC_ASSERT(!depends_on(pool, replaced, x));
  RC_ASSERT(substitute(pool, replaced, {{w, x}}) == random.result());
}

RC_GTEST_PROP(solve_property, solutions_solve, ()) {
  // Nests of one-to-one steps around the symbol, with random expressions free of it.
  ExprPool pool;
  const Choices choices = any_choices();
  const ExprId u = pool.unknown("u");
  const RandomExpression random(pool, choices, {.max_size = 30});
  const std::vector<ExprId> all = random.all();
  ExprId left = u;
  const int depth = *rc::gen::inRange(1, 5);
  for (int i = 0; i < depth; ++i) {
    const ExprId other = *rc::gen::elementOf(all);
    switch (*rc::gen::inRange(0, 8)) {
      case 0: left = pool.add(left, other); break;
      case 1: left = pool.mul(left, pool.add(pool.integer(2), pool.pow(other, 2))); break;
      case 2: left = pool.div(left, pool.add(pool.integer(2), pool.pow(other, 2))); break;
      case 3: left = pool.apply(Op::asinh, left); break;
      case 4: left = pool.pow(left, 3); break;
      case 5: left = pool.apply(Op::tanh, left); break;
      case 6: left = pool.sub(left, pool.apply(Op::sin, other)); break;
      default: left = pool.mul(pool.number(Number::rational(-2, 3)), left); break;
    }
  }
  // The right-hand side is the value of the left at some u, so that there is a solution.
  Values values = any_values(pool);
  values[u] = *rc::gen::inRange(-1000, 1001) / 1000.0;
  const double reached = evaluate(pool, left, values);
  const auto solution = solve_for(pool, left, pool.real(reached), u);
  RC_ASSERT(solution.has_value());
  RC_ASSERT(!depends_on(pool, solution->value, u));
  const double found = evaluate(pool, solution->value, values);
  if (!std::isfinite(found)) return;  // tanh that rounds to 1 has no way back
  values[u] = found;
  const double again = evaluate(pool, left, values);
  RC_LOG() << to_text(pool, left) << " = " << reached << "\nu = " << found << " gives " << again;
  // What the solution leaves is what its own rounding makes of the left-hand side.
  Values moved = values;
  moved[u] = found + rounding(pool, solution->value, values);
  const double slack = std::abs(evaluate(pool, left, moved) - again);
  RC_ASSERT(std::abs(again - reached) <= 2 * slack + 1e-9 * (1 + std::abs(reached)));
}

}  // namespace
}  // namespace alembert::symbolic
