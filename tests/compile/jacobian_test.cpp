// SPDX-License-Identifier: Apache-2.0
// Derivative tapes: entries by either method, gradients and Jacobian-vector products against each
// other.
#include "alembert/compile/jacobian.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/expr.hpp"
#include "compile/run_tape.hpp"

namespace alembert::compile {
namespace {

using symbolic::Expr;
using symbolic::ExprId;
using symbolic::ExprPool;
using testing::run_tape;

constexpr double tolerance = 1e-13;

struct System {
  ExprPool pool;
  std::vector<Expr> x;
  std::vector<ExprId> inputs;
  std::vector<ExprId> parameters;
  std::vector<ExprId> outputs;
  std::vector<double> at;
  std::vector<double> parameters_at;

  explicit System(int n) {
    for (int i = 0; i < n; ++i) {
      x.push_back(symbolic::unknown(pool, "x" + std::to_string(i)));
      inputs.push_back(x.back().id());
      at.push_back(std::sin(1.0 + i));
    }
    parameters.push_back(pool.parameter("p"));
    parameters_at.push_back(0.7);
  }
  Expr p() { return {pool, parameters[0]}; }
  Arguments arguments() const { return {inputs, parameters}; }
  std::vector<double> run(const Tape& tape) const { return run_tape(tape, at, parameters_at); }
};

void make_tridiagonal(System& system) {
  const auto n = system.x.size();
  for (std::size_t i = 0; i < n; ++i) {
    Expr f = sin(system.x[i]) * system.p() - 2 * pow(system.x[i], 3);
    if (i > 0) f += system.x[i - 1] * system.x[i];
    if (i + 1 < n) f += exp(system.x[i + 1] * system.p());
    system.outputs.push_back(f.id());
  }
}

void make_random(System& system, unsigned seed) {
  std::mt19937 engine(seed);
  const auto n = static_cast<unsigned>(system.x.size());
  const auto any = [&]() -> const Expr& { return system.x[engine() % n]; };
  std::vector<Expr> shared;
  for (unsigned k = 0; k < n / 4; ++k) shared.push_back(cos(any() * any()) / (2 + pow(any(), 2)));
  for (unsigned i = 0; i < n; ++i) {
    Expr f = any() * any() - system.p() * any();
    if (engine() % 3 == 0) f += shared[engine() % shared.size()] * any();
    if (engine() % 3 == 0) f += if_(any() < any(), any(), pow(any(), 2));
    if (engine() % 3 == 0) f = sqrt(1 + f * f) + max(any(), any());
    system.outputs.push_back(f.id());
  }
}

std::vector<double> dense(const System& system, const JacobianTape& jacobian) {
  const SparsityPattern& pattern = jacobian.pattern;
  EXPECT_EQ(pattern.row_start.size(), pattern.n_rows + 1u);
  EXPECT_EQ(pattern.n_entries(), jacobian.tape.outputs.size());
  std::vector<double> matrix(std::size_t{pattern.n_rows} * pattern.n_columns, 0.0);
  const std::vector<double> entries = system.run(jacobian.tape);
  for (std::uint32_t i = 0; i < pattern.n_rows; ++i)
    for (std::uint32_t k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
      EXPECT_TRUE(k == pattern.row_start[i] || pattern.column[k - 1] < pattern.column[k]);
      matrix[i * pattern.n_columns + pattern.column[k]] = entries[k];
    }
  return matrix;
}

/// All routes to the Jacobian of a system, and the symbolic derivative as the reference.
void expect_all_routes_agree(System& system) {
  const auto n = system.outputs.size();
  const auto m = system.inputs.size();
  const auto tape = [&](JacobianMethod method) {
    return jacobian_tape(system.pool, system.outputs, system.inputs, system.arguments(), method);
  };
  const JacobianTape entry = tape(JacobianMethod::by_entry);
  const JacobianTape colour = tape(JacobianMethod::by_colour);
  const JacobianTape fewest = tape(JacobianMethod::fewest_operations);
  EXPECT_EQ(operation_count(fewest.tape),
            std::min(operation_count(entry.tape), operation_count(colour.tape)));
  const std::vector<double> by_entry = dense(system, entry);
  const std::vector<double> by_colour = dense(system, colour);
  symbolic::Values values{{system.parameters[0], system.parameters_at[0]}};
  for (std::size_t j = 0; j < m; ++j) values[system.inputs[j]] = system.at[j];

  std::vector<double> direction;
  std::vector<double> with_direction = system.at;
  for (std::size_t j = 0; j < m; ++j) {
    direction.push_back(std::cos(3.0 * static_cast<double>(j)));
    with_direction.push_back(direction.back());
  }
  const std::vector<double> product =
      run_tape(jacobian_vector_tape(system.pool, system.outputs, system.inputs, system.arguments()),
               with_direction, system.parameters_at);
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<double> gradient = system.run(
        gradient_tape(system.pool, system.outputs[i], system.inputs, system.arguments()));
    double expected_product = 0;
    double size = 1;
    for (std::size_t j = 0; j < m; ++j) {
      const double reference = evaluate(
          system.pool, differentiate(system.pool, system.outputs[i], system.inputs[j]), values);
      const double slack = tolerance * (1 + std::abs(reference));
      EXPECT_NEAR(by_entry[i * m + j], reference, slack) << i << ", " << j;
      EXPECT_NEAR(by_colour[i * m + j], reference, slack) << i << ", " << j;
      EXPECT_NEAR(gradient[j], reference, slack) << i << ", " << j;
      expected_product += reference * direction[j];
      size += std::abs(reference);
    }
    EXPECT_NEAR(product[i], expected_product, tolerance * size) << i;
  }
}

TEST(jacobian, tridiagonal) {
  System system(30);
  make_tridiagonal(system);
  expect_all_routes_agree(system);
  const JacobianTape jacobian =
      jacobian_tape(system.pool, system.outputs, system.inputs, system.arguments());
  EXPECT_EQ(jacobian.n_colours, 3u);
  EXPECT_EQ(jacobian.pattern.n_entries(), 30u + 2 * 29u);
}

TEST(jacobian, random_sparse_systems) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    System system(24);
    make_random(system, seed);
    expect_all_routes_agree(system);
  }
}

TEST(jacobian, one_dense_row) {
  System system(12);
  make_tridiagonal(system);
  system.outputs.push_back((product(system.x) + sum(system.x)).id());
  system.outputs.push_back(system.pool.integer(4));
  expect_all_routes_agree(system);
}

TEST(jacobian, by_parameters) {
  System system(5);
  make_tridiagonal(system);
  const ExprId by[] = {system.parameters[0], system.inputs[2]};
  const JacobianTape jacobian = jacobian_tape(system.pool, system.outputs, by, system.arguments());
  const std::vector<double> matrix = dense(system, jacobian);
  EXPECT_NEAR(matrix[0], std::sin(system.at[0]) + system.at[1] * std::exp(system.at[1] * 0.7),
              tolerance);
  EXPECT_EQ(jacobian.pattern.n_columns, 2u);
}

TEST(jacobian, of_nothing) {
  System system(2);
  const JacobianTape jacobian = jacobian_tape(system.pool, {}, system.inputs, system.arguments());
  EXPECT_EQ(jacobian.pattern.row_start, (std::vector<std::uint32_t>{0}));
  EXPECT_TRUE(jacobian.tape.outputs.empty());
}

TEST(jacobian, large_tridiagonal_systems_take_linear_time) {
  System system(30000);
  make_tridiagonal(system);
  const JacobianTape jacobian =
      jacobian_tape(system.pool, system.outputs, system.inputs, system.arguments());
  EXPECT_EQ(jacobian.pattern.n_entries(), 30000u + 2 * 29999u);
  EXPECT_EQ(jacobian.n_colours, 3u);
}

}  // namespace
}  // namespace alembert::compile
