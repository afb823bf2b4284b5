// SPDX-License-Identifier: Apache-2.0
// A million terms, and a chain a million deep: each step takes seconds at most, and no recursion.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "alembert/compile/interpret/interpreter.hpp"
#include "alembert/compile/lower.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/print.hpp"
#include "alembert/symbolic/simplify.hpp"

namespace alembert::symbolic {
namespace {

constexpr int million = 1'000'000;
// Generous for slow and shared machines; anything quadratic in a million takes hours.
constexpr double ample_seconds = 30.0;

/// Runs one step and fails if it takes too long.
template <class Step>
void timed(const char* what, Step step) {
  const auto start = std::chrono::steady_clock::now();
  step();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  ::testing::Test::RecordProperty(what, std::to_string(elapsed.count()));
  std::printf("    %-32s %6.2f s\n", what, elapsed.count());
  EXPECT_LT(elapsed.count(), ample_seconds) << what;
}

TEST(scale, a_sum_of_a_million_terms) {
  auto pool = std::make_unique<ExprPool>();
  std::vector<Expr> x;
  timed("symbols", [&] {
    for (int i = 0; i < million; ++i) x.push_back(unknown(*pool, "x" + std::to_string(i)));
  });
  ExprId whole;
  timed("sum()", [&] { whole = sum(x).id(); });
  timed("s = s + x[i]", [&] {
    Expr s = 0;
    for (const Expr& e : x) s = s + e;
    EXPECT_EQ(s.id(), whole);
  });
  std::shuffle(x.begin(), x.end(), std::mt19937_64(11));
  timed("sum(), shuffled", [&] { EXPECT_EQ(sum(x).id(), whole); });
  timed("s = s + x[i], shuffled", [&] {
    Expr s = 0;
    for (const Expr& e : x) s = s + e;
    EXPECT_EQ(s.id(), whole);
  });
  EXPECT_LT(pool->memory_bytes(), std::size_t{million} * 500);
  timed("free", [&] { pool.reset(); });
}

TEST(scale, a_chain_a_million_deep) {
  auto pool = std::make_unique<ExprPool>();
  const Expr x = unknown(*pool, "x");
  Expr chain = x;
  timed("build", [&] {
    for (int i = 0; i < million; ++i) chain = sin(chain) + 1;
    chain.id();
  });
  const std::size_t built = pool->memory_bytes();
  EXPECT_LT(built, std::size_t{million} * 400);
  ExprId forward;
  timed("differentiate", [&] { forward = differentiate(*pool, chain.id(), x.id()); });
  ExprId reverse;
  timed("gradient", [&] { reverse = gradient(*pool, chain.id(), std::vector{x.id()})[0]; });
  EXPECT_LT(pool->memory_bytes(), std::size_t{million} * 2000);
  timed("print", [&] {
    EXPECT_EQ(to_text(chain).size(), std::size_t{million} * std::string("sin() + 1").size() + 1);
  });
  double value = 0.3;
  double slope = 1;
  for (int i = 0; i < million; ++i) {
    slope *= std::cos(value);
    value = std::sin(value) + 1;
  }
  timed("evaluate", [&] {
    const ExprId all[] = {chain.id(), forward, reverse};
    const std::vector<double> numbers = evaluate(*pool, all, {{x.id(), 0.3}});
    EXPECT_EQ(numbers[0], value);
    EXPECT_NEAR(numbers[1], slope, 1e-9 * std::abs(slope));
    EXPECT_NEAR(numbers[2], slope, 1e-9 * std::abs(slope));
  });
  timed("substitute", [&] { substitute(chain, x, unknown(*pool, "y")); });
  compile::Tape tape;
  timed("lower", [&] {
    const ExprId inputs[] = {x.id()};
    const ExprId outputs[] = {chain.id(), forward};
    tape = compile::lower(*pool, inputs, {}, outputs);
  });
  timed("interpret", [&] {
    const compile::Kernel kernel = compile::interpret::make_kernel(tape);
    compile::AlignedDoubles workspace(kernel.shape().workspace_size);
    const double input = 0.3;
    double output[2];
    kernel(&input, nullptr, output, workspace.data());
    EXPECT_NEAR(output[0], value, 1e-12);
  });
  timed("simplify", [&] { simplify(chain); });
  timed("free", [&] { pool.reset(); });
}

TEST(scale, a_product_of_a_million_factors) {
  ExprPool pool;
  std::vector<Expr> x;
  std::vector<ExprId> inputs;
  for (int i = 0; i < million; ++i) x.push_back(unknown(pool, "x" + std::to_string(i)));
  for (const Expr& e : x) inputs.push_back(e.id());
  std::shuffle(x.begin(), x.end(), std::mt19937_64(12));
  ExprId f;
  timed("product()", [&] { f = product(x).id(); });
  timed("gradient", [&] { gradient(pool, f, inputs); });
  EXPECT_LT(pool.memory_bytes(), std::size_t{million} * 3000);
}

TEST(scale, names_with_long_common_beginnings) {
  ExprPool pool;
  std::vector<Expr> x;
  for (int i = 0; i < million / 4; ++i)
    x.push_back(unknown(pool, "building.storey[3].room.wall[" + std::to_string(i) + "].heat.T"));
  std::shuffle(x.begin(), x.end(), std::mt19937_64(13));
  ExprId total;
  timed("sum(), shuffled", [&] { total = sum(x).id(); });
  EXPECT_EQ(pool.children(total).size(), x.size());
}

}  // namespace
}  // namespace alembert::symbolic
