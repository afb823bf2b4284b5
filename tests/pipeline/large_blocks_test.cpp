// SPDX-License-Identifier: Apache-2.0
// Linear blocks that are too large to be torn: a grid of resistors beside Kirchhoff's matrix,
// solved here.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {
namespace {

/// Ohms between neighbours: 1 + i/10 along row i, 1 + j/10 along column j.
const char* const grid = R"(
model Grid
  parameter Integer n = 16;
  Real v[n, n], along[n, n - 1], down[n - 1, n];
  Real charge(start = 0, fixed = true);
equation
  for i in 1:n loop
    for j in 1:n - 1 loop
      along[i, j] = (v[i, j] - v[i, j + 1]) / (1 + 0.1 * i);
      down[j, i] = (v[j, i] - v[j + 1, i]) / (1 + 0.1 * i);
    end for;
  end for;
  for i in 1:n loop
    for j in 1:n loop
      if i + j == 2 then
        v[i, j] = 1;
      elseif i + j == 2 * n then
        v[i, j] = charge;
      else
        (if j > 1 then along[i, max(j - 1, 1)] else 0) + (if i > 1 then down[max(i - 1, 1), j] else 0)
          = (if j < n then along[i, min(j, n - 1)] else 0) + (if i < n then down[min(i, n - 1), j] else 0);
      end if;
    end for;
  end for;
  der(charge) = along[n, n - 1] + down[n - 1, n];
end Grid;
)";

/// The current from corner to corner at one volt.
double conductance(std::size_t n) {
  const std::size_t size = n * n;
  std::vector<std::vector<double>> a(size, std::vector<double>(size + 1, 0.0));
  const auto join = [&](std::size_t p, std::size_t q, std::size_t line) {
    const double g = 1 / (1 + 0.1 * static_cast<double>(line + 1));
    a[p][p] += g, a[q][q] += g, a[p][q] -= g, a[q][p] -= g;
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j + 1 < n; ++j) {
      join(i * n + j, i * n + j + 1, i);
      join(j * n + i, (j + 1) * n + i, i);
    }
  const std::vector<double> last = a[size - 1];
  for (const std::size_t corner : {std::size_t{0}, size - 1}) {
    a[corner].assign(size + 1, 0.0);
    a[corner][corner] = 1;
  }
  a[0][size] = 1;
  for (std::size_t k = 0; k < size; ++k)  // pivots of the diagonal do: it dominates
    for (std::size_t i = k + 1; i < size; ++i)
      if (const double factor = a[i][k] / a[k][k]; factor != 0)
        for (std::size_t j = k; j <= size; ++j) a[i][j] -= factor * a[k][j];
  std::vector<double> v(size);
  double current = 0;
  for (std::size_t k = size; k-- > 0;) {
    double sum = a[k][size];
    for (std::size_t j = k + 1; j < size; ++j) sum -= a[k][j] * v[j];
    v[k] = sum / a[k][k];
    current -= last[k] * v[k];
  }
  return current;
}

TEST(LargeBlocks, AGridOfResistorsIsSolvedWhole) {
  const compile::CompiledModel model(modelica::flatten({.text = grid, .model = "Grid"}).system);
  const auto run = integrate::simulate(model, {.stop = 2, .tolerance = 1e-9});
  ASSERT_EQ(run.outcome, integrate::Outcome::done) << run.message;
  EXPECT_NEAR(run.trajectory.column("charge").back(), 1 - std::exp(-2 * conductance(16)), 1e-8);
}

// A line of capacities that depend on voltages: solving onwards from one end would multiply errors
// by five at each node. Second route: the equations themselves, with the slopes that were found.
TEST(LargeBlocks, LinesWithCoefficientsThatVaryAreNotShotThrough) {
  for (const int n : {10, 20, 30, 60}) {
    const compile::CompiledModel model(modelica::flatten({.text = R"(
model M
  parameter Integer n = )" + std::to_string(n) + R"(;
  Real x[n](start = {0.01*i for i in 1:n}, each fixed = true);
  Real c[n] = {1 + 0.5*tanh(x[i]) for i in 1:n};
equation
  c[1]*der(x[1]) + 0.3*(der(x[1]) - der(x[2])) = sin(time) - x[1];
  for i in 2:n - 1 loop
    c[i]*der(x[i]) + 0.3*(2*der(x[i]) - der(x[i - 1]) - der(x[i + 1])) = x[i - 1] - x[i];
  end for;
  c[n]*der(x[n]) + 0.3*(der(x[n]) - der(x[n - 1])) = x[n - 1] - 2*x[n];
end M;
)",
                                                          .model = "M"})
                                           .system);
    const auto run = integrate::simulate(model, {.stop = 0.1, .intervals = 1});
    const auto value = [&](const std::string& name) { return run.trajectory.column(name).front(); };
    const auto x = [&](int i) { return value("x[" + std::to_string(i) + "]"); };
    const auto slope = [&](int i) {
      return i < 1 || i > n ? 0.0 : value("der(x[" + std::to_string(i) + "])");
    };
    for (int i = 2; i < n; ++i)
      EXPECT_NEAR((1 + 0.5 * std::tanh(x(i))) * slope(i) +
                      0.3 * (2 * slope(i) - slope(i - 1) - slope(i + 1)),
                  x(i - 1) - x(i), 1e-11)
          << i << " of " << n;
  }
}

}  // namespace
}  // namespace alembert
