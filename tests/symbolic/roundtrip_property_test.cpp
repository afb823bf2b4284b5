// SPDX-License-Identifier: Apache-2.0
// Properties of text and canonical form over random expressions: what is printed reads back to the
// same id, and neither the order of construction nor that of the symbols shows in the result.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/parse.hpp"
#include "alembert/symbolic/print.hpp"
#include "symbolic/random_expression.hpp"

namespace alembert::symbolic {
namespace {

using testing::RandomExpression;
using testing::RandomOptions;

using Choices = std::vector<std::uint32_t>;

Choices any_choices() {
  // The list grows with RapidCheck's size; the choices themselves are always of full range.
  const auto choice = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>());
  return *rc::gen::scale(3.0, rc::gen::container<Choices>(choice));
}

constexpr RandomOptions all_operations{.smooth_only = false};
constexpr RandomOptions exact{.smooth_only = true, .exact_numbers = true};

void expect_round_trip(ExprPool& pool, ExprId id) {
  const std::string text = to_text(pool, id);
  RC_LOG() << text << '\n';
  const ExprId back = parse_id(pool, text);
  RC_LOG() << to_text(pool, back) << '\n';
  RC_ASSERT(back == id);
}

RC_GTEST_PROP(round_trip, smooth_expressions, ()) {
  ExprPool pool;
  const Choices choices = any_choices();
  expect_round_trip(pool, RandomExpression(pool, choices).result());
}

RC_GTEST_PROP(round_trip, all_operations, ()) {
  ExprPool pool;
  const Choices choices = any_choices();
  const RandomExpression random(pool, choices, all_operations);
  for (const ExprId id : random.all()) expect_round_trip(pool, id);
  for (const ExprId id : random.conditions()) expect_round_trip(pool, id);
}

RC_GTEST_PROP(round_trip, any_names, (const std::vector<std::string>& names)) {
  ExprPool pool;
  std::vector<ExprId> terms;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    terms.push_back(pool.unknown(name));
    terms.push_back(pool.derivative_symbol(terms.back()));
  }
  expect_round_trip(pool, pool.add(terms));
}

RC_GTEST_PROP(round_trip, any_double, (double value)) {
  ExprPool pool;
  const ExprId x = pool.unknown("x");
  expect_round_trip(pool, pool.real(value));
  expect_round_trip(pool, pool.mul(pool.real(value), x));
  expect_round_trip(pool, pool.pow(x, pool.real(value)));
}

RC_GTEST_PROP(round_trip, any_fraction, ()) {
  ExprPool pool;
  const auto numerator = *rc::gen::arbitrary<std::int64_t>();
  const auto denominator = *rc::gen::nonZero<std::int64_t>();
  const ExprId number = pool.number(Number::rational(numerator, denominator));
  const ExprId x = pool.unknown("x");
  const ExprId y = pool.unknown("y");
  expect_round_trip(pool, number);
  expect_round_trip(pool, pool.div(pool.mul(number, x), y));
  expect_round_trip(pool, pool.pow(x, number));
  expect_round_trip(pool, pool.pow(number, x));
}

// ---- other notations ----------------------------------------------------------------------------

RC_GTEST_PROP(notations, print_everything, ()) {
  ExprPool pool;
  const Choices choices = any_choices();
  const RandomExpression random(pool, choices, all_operations);
  for (const ExprId id : random.all())
    for (const Notation notation : {Notation::modelica, Notation::latex, Notation::c})
      RC_ASSERT(!to_text(pool, id, notation).empty());
}

// ---- canonical form -----------------------------------------------------------------------------

/// Combines operands in a random order and with random brackets.
ExprId combined(ExprPool& pool, std::vector<ExprId> operands, bool product, std::mt19937& random) {
  while (operands.size() > 1) {
    std::shuffle(operands.begin(), operands.end(), random);
    const std::size_t count = 2 + random() % std::min<std::size_t>(operands.size() - 1, 3);
    const auto taken = std::span(operands).last(count);
    const ExprId made = product ? pool.mul(taken) : pool.add(taken);
    operands.resize(operands.size() - count);
    operands.push_back(made);
  }
  return operands.front();
}

RC_GTEST_PROP(canonical_form, order_of_terms_does_not_matter, (unsigned seed)) {
  ExprPool pool;
  const Choices choices = any_choices();
  const std::vector<ExprId> terms = RandomExpression(pool, choices, exact).all();
  std::mt19937 random(seed);
  const ExprId sum = combined(pool, terms, false, random);
  RC_ASSERT(combined(pool, terms, false, random) == sum);
  RC_ASSERT(pool.add(terms) == sum);
}

/// True if a sum is among the factors of a product, or a power of one is.
bool has_sum_as_factor(const ExprPool& pool, ExprId id) {
  if (pool.op(id) == Op::add) return true;
  if (pool.op(id) == Op::pow) return has_sum_as_factor(pool, pool.children(id)[0]);
  if (pool.op(id) != Op::mul) return false;
  const auto factors = pool.children(id);
  return std::any_of(factors.begin(), factors.end(),
                     [&](ExprId factor) { return has_sum_as_factor(pool, factor); });
}

RC_GTEST_PROP(canonical_form, order_of_factors_does_not_matter, (unsigned seed)) {
  ExprPool pool;
  const Choices choices = any_choices();
  std::vector<ExprId> factors = RandomExpression(pool, choices, exact).all();
  // A number times a sum is a sum again, by design, so sums stay out. So do products too long to be
  // opened up.
  std::erase_if(factors, [&](ExprId id) { return has_sum_as_factor(pool, id); });
  if (factors.size() > 12) factors.erase(factors.begin(), factors.end() - 12);
  std::mt19937 random(seed);
  const ExprId product = combined(pool, factors, true, random);
  RC_ASSERT(combined(pool, factors, true, random) == product);
  RC_ASSERT(pool.mul(factors) == product);
}

RC_GTEST_PROP(canonical_form, order_of_symbols_does_not_matter, ()) {
  const Choices choices = any_choices();
  for (const RandomOptions& options : {all_operations, exact}) {
    ExprPool first;
    const ExprId a = RandomExpression(first, choices, options).result();
    ExprPool second;
    for (const char* name : {"q", "zz", "a.b[1].z", "p", "y", "x"}) {
      const std::string_view text = name;
      text == "p" || text == "q" ? second.parameter(text) : second.unknown(text);
    }
    const ExprId b = RandomExpression(second, choices, options).result();
    RC_ASSERT(first.hash(a) == second.hash(b));
    RC_ASSERT(to_text(first, a) == to_text(second, b));
  }
}

}  // namespace
}  // namespace alembert::symbolic
