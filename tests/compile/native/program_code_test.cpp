// SPDX-License-Identifier: Apache-2.0
// Bodies of functions as machine code: the same bits as interpreted, and what is thrown in a call
// comes out.
#include "alembert/compile/native/program_code.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <stdexcept>

#include "alembert/compile/native/native.hpp"

namespace alembert::compile::native {
namespace {

using symbolic::ExprId;
using symbolic::ExprPool;
using symbolic::Op;
using symbolic::Program;

constexpr int often = 40;

/// Every kind of instruction, put together at random.
std::vector<ExprId> random_expressions(ExprPool& pool, const std::vector<ExprId>& symbols,
                                       std::mt19937& random) {
  std::vector<ExprId> numbers = symbols;
  for (int i = 1; i <= 3; ++i) numbers.push_back(pool.integer(i));
  std::vector<ExprId> conditions = {pool.apply(Op::less, symbols[0], symbols[1])};
  const auto any = [&] { return numbers[random() % numbers.size()]; };
  const auto truth = [&] { return conditions[random() % conditions.size()]; };
  const Op relations[] = {Op::less, Op::less_equal, Op::equal, Op::not_equal};
  const Op functions[] = {Op::sin, Op::exp, Op::abs, Op::sign, Op::floor};
  for (int k = 0; k < 120; ++k) {
    switch (random() % 11) {
      case 0: numbers.push_back(pool.add(any(), any())); break;
      case 1: numbers.push_back(pool.mul(any(), pool.add(any(), any()))); break;
      case 2: numbers.push_back(pool.apply(functions[random() % 5], any())); break;
      case 3:
        numbers.push_back(pool.pow(any(), pool.integer(static_cast<int>(random() % 15) - 7)));
        break;
      case 4: numbers.push_back(pool.pow(pool.apply(Op::abs, any()), any())); break;
      case 5: conditions.push_back(pool.apply(relations[random() % 4], any(), any())); break;
      case 6: conditions.push_back(pool.apply(Op::logical_and, truth(), truth())); break;
      case 7: conditions.push_back(pool.apply(Op::logical_or, truth(), truth())); break;
      case 8: numbers.push_back(pool.apply(Op::min, any(), any())); break;
      case 9:
        numbers.push_back(pool.apply(Op::semi_linear, std::array{any(), any(), any()}));
        break;
      default: numbers.push_back(pool.if_then_else(truth(), any(), any()));
    }
  }
  return {numbers.end() - 20, numbers.end()};
}

std::uint64_t bits(double value) {
  return std::isnan(value) ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(value);
}

TEST(ProgramCode, GivesTheBitsOfTheInterpreter) {
  if (!available()) GTEST_SKIP() << "no machine code on this host";
  std::mt19937 random(11);
  int n_compared = 0;
  for (int round = 0; round < 100; ++round) {
    ExprPool pool;
    const std::vector<ExprId> symbols = {pool.unknown("x"), pool.unknown("y"), pool.unknown("z")};
    const auto outputs = random_expressions(pool, symbols, random);
    const Program interpreted(pool, symbols, outputs);
    const Program translated(pool, symbols, outputs);
    const double points[][3] = {
        {0.3, -1.2, 2.0}, {0.0, 0.0, -0.0}, {-2.5, 1e-3, 1.0}, {1e200, std::nan(""), 1.0}};
    std::vector<double> expected(outputs.size()), values(outputs.size());
    for (const auto& point : points) {
      Program::translate_by(nullptr);
      interpreted.run(point, expected.data());
      Program::translate_by(&translate_program);
      for (int i = 0; i < often; ++i) translated.run(point, values.data());
      for (std::size_t k = 0; k < values.size(); ++k, ++n_compared)
        ASSERT_EQ(bits(values[k]), bits(expected[k])) << values[k] << " and " << expected[k];
    }
    EXPECT_NE(translate_program(translated).entry, nullptr);
  }
  EXPECT_EQ(n_compared, 8000);
}

TEST(ProgramCode, LetsThroughWhatACallThrows) {
  ExprPool pool;
  const ExprId x = pool.unknown("x");
  const auto refuse = pool.define_function("refuse", 1, [](std::span<const double> a) -> double {
    if (a[0] > 1) throw std::runtime_error("too much");
    return 2 * a[0];
  });
  const ExprId arguments[] = {x};
  const ExprId outputs[] = {pool.add(pool.call(refuse, arguments), x)};
  const Program program(pool, arguments, outputs);
  Program::translate_by(&translate_program);
  double value = 0;
  for (int i = 0; i < often; ++i) {
    const double small = 0.5, large = 2;
    program.run(&small, &value);
    EXPECT_EQ(value, 1.5);
    EXPECT_THROW(program.run(&large, &value), std::runtime_error);
  }
}

}  // namespace
}  // namespace alembert::compile::native
