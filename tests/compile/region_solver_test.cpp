// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/region_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "alembert/compile/dense_solve.hpp"
#include "alembert/compile/sparse_solve.hpp"
#include "compile/random_tape.hpp"
#include "compile/reference_kernel.hpp"

namespace alembert::compile {
namespace {

using Vector = std::vector<double>;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// A region with a dense Jacobian, written as a function that fills residuals [n] and Jacobian
// [n][n].
using Residual =
    std::function<void(const double* u, const double* captured, double* r, double* jacobian)>;

struct Problem {
  SolveRegion region;
  Kernel body;
};

Problem make_problem(SolveRegion::Kind kind, std::uint32_t n, std::uint32_t n_captured,
                     Residual residual) {
  Problem problem;
  problem.region.kind = kind;
  problem.region.n_unknowns = n;
  problem.region.captured.resize(n_captured);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      problem.region.jacobian_rows.push_back(i);
      problem.region.jacobian_columns.push_back(j);
    }
  }
  problem.region.body.outputs.resize(n + n * n);  // only the count is looked at

  struct Body {
    std::uint32_t n;
    Residual residual;
  };
  const auto run = [](const void* self, const double* inputs, const double*, double* outputs,
                      double*, std::size_t) {
    const Body& body = *static_cast<const Body*>(self);
    body.residual(inputs, inputs + body.n, outputs, outputs + body.n);
  };
  const Kernel::Shape shape = {.n_inputs = n + n_captured, .n_outputs = n + n * n};
  problem.body = Kernel(shape, run, std::make_shared<const Body>(Body{n, std::move(residual)}));
  return problem;
}

Vector solve(const Problem& problem, const Vector& captured, const Vector& guesses) {
  Vector unknowns(problem.region.n_unknowns, 12345.0);
  AlignedDoubles work(region_workspace(problem.region, problem.body));
  solve_region(problem.region, problem.body, captured.data(), guesses.data(), nullptr,
               unknowns.data(), work.data());
  return unknowns;
}

constexpr auto linear = SolveRegion::Kind::linear;
constexpr auto newton = SolveRegion::Kind::newton;

Problem linear_problem(std::uint32_t n, const Vector& a) {
  return make_problem(linear, n, n, [n, a](const double* u, const double* b, double* r, double* j) {
    for (std::uint32_t i = 0; i < n; ++i) {
      r[i] = -b[i];
      for (std::uint32_t k = 0; k < n; ++k) {
        r[i] += a[i * n + k] * u[k];
        j[i * n + k] = a[i * n + k];
      }
    }
  });
}

bool all_nan(const Vector& x) {
  for (double value : x)
    if (!std::isnan(value)) return false;
  return true;
}

TEST(region_solver, solves_a_linear_system_with_integer_solution) {
  const Problem problem = linear_problem(3, {0, 2, 1, 1, -2, -3, -1, 1, 2});  // first pivot is zero
  const Vector x = solve(problem, {-8, 0, 3}, {});
  EXPECT_DOUBLE_EQ(x[0], -4);
  EXPECT_DOUBLE_EQ(x[1], -5);
  EXPECT_DOUBLE_EQ(x[2], 2);
}

TEST(region_solver, random_linear_systems_have_small_backward_error) {
  testing::Random random(7);
  for (std::uint32_t n = 1; n <= 12; ++n) {
    for (int trial = 0; trial < 50; ++trial) {
      Vector a(n * n), b(n);
      for (double& value : a) value = testing::uniform(random, -1, 1);
      for (double& value : b) value = testing::uniform(random, -1, 1);
      const Vector x = solve(linear_problem(n, a), b, {});
      for (std::uint32_t i = 0; i < n; ++i) {
        double r = -b[i], size = std::fabs(b[i]);
        for (std::uint32_t k = 0; k < n; ++k) {
          r += a[i * n + k] * x[k];
          size += std::fabs(a[i * n + k] * x[k]);
        }
        EXPECT_LE(std::fabs(r), 16.0 * n * epsilon * size);
      }
    }
  }
}

TEST(region_solver, units_of_equations_and_unknowns_do_not_matter) {
  // The same system in units that are 2^90 apart: scaling by powers of two leaves every bit.
  const Vector a = {3, 1, -1, 4}, b = {1, 2};
  const Vector plain = solve(linear_problem(2, a), b, {});
  const Vector scaled =
      solve(linear_problem(2, {3 * 0x1p90, 1, -1 * 0x1p40, 4 * 0x1p-50}), {1, 2 * 0x1p-50}, {});
  EXPECT_EQ(scaled[0], plain[0] * 0x1p-90);
  EXPECT_EQ(scaled[1], plain[1]);
}

TEST(region_solver, singular_matrices_give_nan) {
  EXPECT_TRUE(all_nan(solve(linear_problem(2, {1, 2, 2, 4}), {1, 2}, {})));
  EXPECT_TRUE(all_nan(solve(linear_problem(2, {0.1, 0.2, 0.3, 0.6}), {1, 2}, {})));
  EXPECT_TRUE(all_nan(solve(linear_problem(2, {0, 0, 1, 1}), {1, 2}, {})));
  EXPECT_TRUE(all_nan(solve(linear_problem(2, {0, 1, 0, 1}), {1, 2}, {})));
  EXPECT_TRUE(all_nan(solve(linear_problem(1, {0}), {1}, {})));
  EXPECT_TRUE(all_nan(solve(linear_problem(3, {1, 2, 3, 4, 5, 6, 7, 8, 9}), {1, 2, 4}, {})));
}

TEST(region_solver, non_finite_data_give_nan) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(all_nan(solve(linear_problem(2, {1, 0, 0, 1}), {1, infinity}, {})));
  EXPECT_TRUE(all_nan(solve(linear_problem(2, {1, 0, 0, NAN}), {1, 2}, {})));
}

// u^2 = c, captured c.
const Problem square_root =
    make_problem(newton, 1, 1, [](const double* u, const double* c, double* r, double* j) {
      r[0] = u[0] * u[0] - c[0];
      j[0] = 2 * u[0];
    });

/// Of a linear system with these entries only.
struct Entries {
  std::vector<std::uint32_t> rows, columns;
  Vector values;

  void add(std::uint32_t row, std::uint32_t column, double value) {
    rows.push_back(row);
    columns.push_back(column);
    values.push_back(value);
  }
};

Problem sparse_problem(std::uint32_t n, const Entries& entries) {
  const auto n_entries = static_cast<std::uint32_t>(entries.values.size());
  Problem problem;
  problem.region.n_unknowns = n;
  problem.region.captured.resize(n);
  problem.region.jacobian_rows = entries.rows;
  problem.region.jacobian_columns = entries.columns;
  problem.region.body.outputs.resize(n + n_entries);
  problem.region.elimination = SparseElimination::make(n, entries.rows, entries.columns);
  struct Body {
    std::uint32_t n;
    Entries entries;
  };
  const auto run = [](const void* self, const double* inputs, const double*, double* outputs,
                      double*, std::size_t) {
    const auto& [n, entries] = *static_cast<const Body*>(self);
    for (std::uint32_t i = 0; i < n; ++i) outputs[i] = -inputs[n + i];
    for (std::size_t k = 0; k < entries.values.size(); ++k) {
      outputs[entries.rows[k]] += entries.values[k] * inputs[entries.columns[k]];
      outputs[n + k] = entries.values[k];
    }
  };
  problem.body = Kernel({.n_inputs = 2 * n, .n_outputs = n + n_entries}, run,
                        std::make_shared<const Body>(Body{n, entries}));
  return problem;
}

/// A ring with chords: every row has an entry beside the diagonal, and one anywhere. The diagonal
/// is zero in every third row, so that rows must be exchanged. Rows are in units of their own.
Entries ring(std::uint32_t n, testing::Random& random) {
  Vector units(n);
  for (double& unit : units) unit = std::exp2(std::floor(testing::uniform(random, -40, 40)));
  Entries entries;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::vector<std::uint32_t> columns = {(i + 1) % n, (i * 37 + 11) % n};
    if (i % 3 != 0) columns.push_back(i);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const std::uint32_t j : columns) {
      const double value = testing::uniform(random, 0.2, 1) + (j == (i + 1) % n ? 4 : 0);
      entries.add(i, j, value * units[i]);
    }
  }
  return entries;
}

TEST(region_solver, large_sparse_systems_are_eliminated_sparsely_with_the_same_answer) {
  testing::Random random(3);
  for (const std::uint32_t n : {64u, 97u, 300u}) {
    const Entries entries = ring(n, random);
    Vector wanted(n), b(n, 0.0);
    for (double& value : wanted) value = testing::uniform(random, 0.5, 1);
    for (std::size_t k = 0; k < entries.values.size(); ++k)
      b[entries.rows[k]] += entries.values[k] * wanted[entries.columns[k]];
    Problem sparse = sparse_problem(n, entries);
    ASSERT_NE(sparse.region.elimination, nullptr);
    const Vector x = solve(sparse, b, {});
    EXPECT_EQ(solve(sparse, b, {}), x) << "nothing of a solution is kept";
    for (std::uint32_t i = 0; i < n; ++i) {
      double r = -b[i], size = std::fabs(b[i]);
      for (std::size_t k = 0; k < entries.values.size(); ++k) {
        if (entries.rows[k] != i) continue;
        r += entries.values[k] * x[entries.columns[k]];
        size += std::fabs(entries.values[k] * x[entries.columns[k]]);
      }
      EXPECT_LE(std::fabs(r), 1000 * epsilon * size) << n << ", row " << i;
    }
    sparse.region.elimination = nullptr;  // the same by the dense matrix
    const Vector dense = solve(sparse, b, {});
    for (std::uint32_t i = 0; i < n; ++i)
      EXPECT_NEAR(x[i], dense[i], 1e-10 * std::fabs(dense[i]) + 1e-12) << n << ", unknown " << i;
  }
}

TEST(region_solver, large_sparse_singular_systems_give_nan) {
  const std::uint32_t n = 100;
  Entries path;  // differences along a ring: the sum of all rows is zero
  for (std::uint32_t i = 0; i < n; ++i) {
    path.add(i, i, 1);
    path.add(i, (i + 1) % n, -1);
  }
  EXPECT_TRUE(all_nan(solve(sparse_problem(n, path), Vector(n, 1.0), {})));
  path.values.back() = -0.5;
  EXPECT_FALSE(all_nan(solve(sparse_problem(n, path), Vector(n, 1.0), {})));
  path.values.back() = std::nan("");
  EXPECT_TRUE(all_nan(solve(sparse_problem(n, path), Vector(n, 1.0), {})));
}

TEST(region_solver, newton_finds_square_roots_to_rounding) {
  for (double c : {2.0, 1e-12, 1e12, 0.25, 3.0, 1e-200, 1e200}) {
    const double root = solve(square_root, {c}, {std::sqrt(c) * 1.7})[0];
    EXPECT_NEAR(root, std::sqrt(c), 2 * epsilon * std::sqrt(c)) << c;
    EXPECT_NEAR(solve(square_root, {c}, {std::sqrt(c)})[0], std::sqrt(c),
                2 * epsilon * std::sqrt(c));
  }
}

TEST(region_solver, newton_without_a_root_gives_nan) {
  for (double guess : {1.0, 0.3, -2.0, 1e-9, 1e5, 0.0})
    EXPECT_TRUE(all_nan(solve(square_root, {-1.0}, {guess}))) << guess;
}

TEST(region_solver, newton_is_damped_where_the_full_step_diverges) {
  // arctan from far away: the undamped iteration explodes for |u| > 1.39.
  const Problem problem =
      make_problem(newton, 1, 1, [](const double* u, const double* c, double* r, double* j) {
        r[0] = std::atan(u[0] - c[0]);
        j[0] = 1 / (1 + (u[0] - c[0]) * (u[0] - c[0]));
      });
  EXPECT_NEAR(solve(problem, {0.5}, {40.0})[0], 0.5, 4 * epsilon);
  EXPECT_NEAR(solve(problem, {0.5}, {-40.0})[0], 0.5, 4 * epsilon);
}

TEST(region_solver, newton_backs_out_of_points_without_a_value) {
  // log u = 0 from u = 3: the full step leads to u < 0.
  const Problem problem =
      make_problem(newton, 1, 0, [](const double* u, const double*, double* r, double* j) {
        r[0] = std::log(u[0]);
        j[0] = 1 / u[0];
      });
  EXPECT_NEAR(solve(problem, {}, {3.0})[0], 1.0, 2 * epsilon);
}

TEST(region_solver, newton_ends_at_a_root_that_is_zero_beside_large_terms) {
  // u + (c0 - c1) with c0 - c1 pure rounding: the unknown has no relative accuracy, and must not
  // fail for it.
  const Problem problem =
      make_problem(newton, 2, 2, [](const double* u, const double* c, double* r, double* j) {
        r[0] = std::sin(u[0] + c[0]) - std::sin(c[0]) * std::cos(u[1]);
        r[1] = u[1] * u[1] * u[1] + u[1] + (c[0] * c[1] / 3.0 - c[0] / 3.0 * c[1]);
        j[0] = std::cos(u[0] + c[0]);
        j[1] = std::sin(c[0]) * std::sin(u[1]);
        j[2] = 0;
        j[3] = 3 * u[1] * u[1] + 1;
      });
  testing::Random random(3);
  for (int trial = 0; trial < 500; ++trial) {
    const Vector c = {testing::uniform(random, 0, 1), testing::uniform(random, -1e5, 1e5)};
    const double start = trial % 2 == 0 ? 0.0 : 0.1;
    const Vector u = solve(problem, c, {start, start});
    EXPECT_NEAR(u[0], 0.0, 1e6 * epsilon) << trial;
    EXPECT_NEAR(u[1], 0.0, 1e6 * epsilon) << trial;
  }
}

TEST(region_solver, newton_ends_where_constants_of_the_equations_are_larger_than_the_unknowns) {
  // The rounding of sin(1.1 + u) is that of 1.1, which is neither an unknown nor captured.
  for (int trial = 1; trial < 400; ++trial) {
    const double root = 1e-3 + 1e-5 * trial;
    const double value = std::sin(1.1 + root);
    const Problem problem =
        make_problem(newton, 1, 0, [value](const double* u, const double*, double* r, double* j) {
          r[0] = std::sin(1.1 + u[0]) * 0.7 - 0.7 * value;
          j[0] = 0.7 * std::cos(1.1 + u[0]);
        });
    EXPECT_NEAR(solve(problem, {}, {2e-3 + 1e-7 * trial})[0], root, 8 * epsilon) << trial;
  }
}

TEST(region_solver, newton_ends_where_all_but_the_constants_is_near_zero) {
  // Root 0 but for the rounding of constants; captured values are near zero as well.
  for (int trial = 0; trial < 400; ++trial) {
    const double tiny = 1e-9 * trial;
    const Problem problem =
        make_problem(newton, 1, 1, [](const double* u, const double* c, double* r, double* j) {
          const double s = std::cos(c[0]);
          r[0] = 0.3 * std::cos(u[0]) * s - 1.1 * std::sin(u[0]) * s - 0.35 * std::cos(u[0]) * s -
                 0.3 * s + 0.35 * std::sqrt(1 - std::sin(c[0]) * std::sin(c[0]));
          j[0] = -0.3 * std::sin(u[0]) * s - 1.1 * std::cos(u[0]) * s + 0.35 * std::sin(u[0]) * s;
        });
    EXPECT_NEAR(solve(problem, {tiny}, {1e-17 * trial})[0], 0.0, 8 * epsilon) << trial;
  }
}

TEST(region_solver, newton_solves_a_four_bar_linkage) {
  // Loop closure with links 2, 5, 4 and ground 6; the oracle is the constraint itself.
  const Problem problem =
      make_problem(newton, 2, 1, [](const double* u, const double* c, double* r, double* j) {
        r[0] = 2 * std::cos(c[0]) + 5 * std::cos(u[0]) - 4 * std::cos(u[1]) - 6;
        r[1] = 2 * std::sin(c[0]) + 5 * std::sin(u[0]) - 4 * std::sin(u[1]);
        j[0] = -5 * std::sin(u[0]);
        j[1] = 4 * std::sin(u[1]);
        j[2] = 5 * std::cos(u[0]);
        j[3] = -4 * std::cos(u[1]);
      });
  Vector u = {0.8, 1.5};
  for (int k = 0; k <= 200; ++k) {
    const double crank = 0.0314 * k;
    u = solve(problem, {crank}, u);
    const double x = 2 * std::cos(crank) + 5 * std::cos(u[0]) - 4 * std::cos(u[1]) - 6;
    const double y = 2 * std::sin(crank) + 5 * std::sin(u[0]) - 4 * std::sin(u[1]);
    EXPECT_LE(std::fabs(x) + std::fabs(y), 32 * epsilon) << "crank " << crank;
  }
}

// A chain of six diodes on a source of a kilovolt, torn so that each follows from the one before:
// the voltage of the first is the unknown, and the current through it is that of all.
TEST(region_solver, exponentials_are_lifted_where_newton_is_lost) {
  constexpr double saturation = 1e-12, thermal = 0.026, resistance = 10.0;
  constexpr std::uint32_t n = 6;
  SolveRegion region;
  region.kind = newton;
  region.n_unknowns = n;
  region.captured.resize(1);  // the voltage of the source
  TapeBuilder builder(n + 1, 0);
  std::vector<ValueId> exponentials, currents;
  for (std::uint32_t k = 0; k < n; ++k) {
    exponentials.push_back(builder.apply(
        TapeOp::exp, builder.apply(TapeOp::div, builder.input(k), builder.constant(thermal))));
    currents.push_back(
        builder.apply(TapeOp::mul, builder.constant(saturation),
                      builder.apply(TapeOp::sub, exponentials.back(), builder.constant(1.0))));
  }
  const auto slope = [&](std::uint32_t k) {
    return builder.apply(TapeOp::mul, builder.constant(saturation / thermal), exponentials[k]);
  };
  std::vector<ValueId> entries;
  const auto add = [&](std::uint32_t row, std::uint32_t column, ValueId value) {
    region.jacobian_rows.push_back(row);
    region.jacobian_columns.push_back(column);
    entries.push_back(value);
  };
  // Row 0: all voltages and that of the resistance are the source; then currents in a row are
  // equal.
  ValueId sum = builder.apply(TapeOp::mul, builder.constant(resistance), currents[0]);
  for (std::uint32_t k = 0; k < n; ++k) {
    sum = builder.apply(TapeOp::add, sum, builder.input(k));
    add(0, k,
        k > 0 ? builder.constant(1.0)
              : builder.apply(TapeOp::fma, builder.constant(resistance), slope(0),
                              builder.constant(1.0)));
  }
  builder.output(builder.apply(TapeOp::sub, sum, builder.input(n)));
  for (std::uint32_t k = 1; k < n; ++k) {
    builder.output(builder.apply(TapeOp::sub, currents[k], currents[k - 1]));
    add(k, k, slope(k));
    add(k, k - 1, builder.apply(TapeOp::neg, slope(k - 1)));
  }
  for (const ValueId entry : entries) builder.output(entry);
  region.body = std::move(builder).finish();

  const auto make_kernel = [](const Tape& tape) { return testing::make_reference_kernel(tape); };
  const Kernel body = make_kernel(region.body);
  const auto lifted = lift_exponentials(region, make_kernel);
  ASSERT_NE(lifted, nullptr);
  EXPECT_EQ(lifted->region.n_unknowns, 2 * n);
  {
    const double source = 1000.0;
    // From voltages that mean nothing: powers of e that no step of Newton comes back from.
    const Vector guesses = {5.0, -0.01, 0.0, 8.0, 0.3, 2.0};
    Vector unknowns(n, 12345.0);
    AlignedDoubles work(region_workspace(region, body, lifted.get()));
    solve_region(region, body, &source, guesses.data(), nullptr, unknowns.data(), work.data(),
                 lifted.get());
    double total = 0.0;
    for (const double v : unknowns) {
      EXPECT_NEAR(v, unknowns[0], 1e-9 * std::abs(unknowns[0])) << source;
      total += v;
    }
    const double current = saturation * std::expm1(unknowns[0] / thermal);
    EXPECT_NEAR(total + resistance * current, source, 1e-9 * std::abs(source));
  }
}

TEST(region_solver, regions_without_exponentials_are_not_lifted) {
  SolveRegion region;
  region.kind = newton;
  region.n_unknowns = 1;
  region.captured.resize(1);
  region.jacobian_rows = region.jacobian_columns = {0};
  TapeBuilder builder(2, 0);
  const ValueId x = builder.input(0);
  // exp of what is given is a number.
  builder.output(builder.apply(TapeOp::fms, x, x, builder.apply(TapeOp::exp, builder.input(1))));
  builder.output(builder.apply(TapeOp::mul, builder.constant(2.0), x));
  region.body = std::move(builder).finish();
  EXPECT_EQ(lift_exponentials(
                region, [](const Tape& tape) { return testing::make_reference_kernel(tape); }),
            nullptr);
}

TEST(region_solver, a_guess_at_which_slopes_vanish_is_left) {
  EXPECT_EQ(solve(square_root, {4.0}, {0.0}), (Vector{2.0}));
}

TEST(region_solver, a_singular_jacobian_on_the_way_gives_nan) {
  // Both residuals depend on the sum alone at u = 0.
  const Problem problem =
      make_problem(newton, 2, 1, [](const double* u, const double* c, double* r, double* j) {
        r[0] = u[0] + u[1] - c[0];
        r[1] = u[0] + u[1] + u[0] * u[0] - 3 * c[0];
        j[0] = j[1] = j[3] = 1;
        j[2] = 1 + 2 * u[0];
      });
  EXPECT_TRUE(all_nan(solve(problem, {1.0}, {0.0, 0.0})));
  const Vector solution = solve(problem, {1.0}, {1.0, 0.0});  // u0^2 = 2
  EXPECT_NEAR(solution[0], std::sqrt(2.0), 4 * epsilon);
}

TEST(region_solver, non_finite_guesses_give_nan) {
  EXPECT_TRUE(all_nan(solve(square_root, {4.0}, {NAN})));
  EXPECT_TRUE(all_nan(solve(square_root, {NAN}, {1.0})));
}

}  // namespace
}  // namespace alembert::compile
