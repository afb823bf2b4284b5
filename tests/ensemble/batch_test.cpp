// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/ensemble/batch_output.hpp"
#include "alembert/ensemble/model_tape.hpp"
#include "alembert/frontend/builder/model.hpp"
#include "ensemble/seed_pendulum.hpp"

namespace alembert::ensemble {
namespace {

/// The text's thousand pendulums against the plain step, and what becomes of the constraint.
TEST(Batch, ThousandDoublePendulumsAsInPlainCode) {
  constexpr std::uint64_t n = 1000;
  seed::Pendulum pendulum;
  const ConstrainedSystem system = pendulum.system();
  const OdeTape fast = ode_tape(system, Pivots::by_structure);
  const OdeTape safe = ode_tape(system, Pivots::by_size);
  const Batch batch(fast, &safe, FixedMethod::semi_implicit_euler, seed::dt);
  std::vector<double> states = seed::start_states(n);
  std::vector<seed::State> plain(n);
  for (std::uint64_t s = 0; s < n; ++s)
    for (std::size_t i = 0; i < 8; ++i) plain[s][i] = states[i * n + s];

  std::vector<double> trajectory(100 * 8 * n);
  batch.run_stored(states, n, {}, 0, 100, trajectory);
  double largest = 0;
  std::vector<double> drift;  // largest error of the constraint in 20 s
  for (std::uint64_t s = 0; s < n; ++s) {
    double worst = 0;
    for (std::size_t step = 0; step < 1000; ++step) {
      seed::plain_step(plain[s], seed::dt, 4);
      worst = std::max(worst, seed::constraint_error(plain[s]));
      for (std::size_t i = 0; i < 8 && step < 100; ++i)
        largest = std::max(largest, std::abs(trajectory[(step * 8 + i) * n + s] - plain[s][i]));
    }
    drift.push_back(worst);
    for (std::size_t i = 0; i < 8; ++i)
      ASSERT_EQ(states[i * n + s], trajectory[(99 * 8 + i) * n + s]);
  }
  EXPECT_LT(largest, 1e-12);
  std::nth_element(drift.begin(), drift.begin() + n / 2, drift.end());
  EXPECT_NEAR(drift[n / 2], 0.38, 0.02);  // the method is as weak as they say
}

/// Same bits with one lane, the host's lanes, the interpreter's, one thread and three.
TEST(Batch, SameBitsWhateverLanesAndThreads) {
  constexpr std::uint64_t n = 203;
  seed::Pendulum pendulum;
  const ConstrainedSystem system = pendulum.system();
  const OdeTape fast = ode_tape(system, Pivots::by_structure);
  std::vector<double> expected;
  for (const std::uint32_t lanes : {1u, 0u, 3u})
    for (const std::uint32_t n_threads : {1u, 3u}) {
      const Batch batch(fast, nullptr, FixedMethod::rk4, 0.01,
                        {.lanes = lanes, .n_threads = n_threads});
      std::vector<double> states = seed::start_states(n);
      batch.run(states, n, {}, 0, 50);
      if (expected.empty()) expected = states;
      EXPECT_EQ(states, expected) << lanes << " lanes, " << n_threads << " threads";
    }
}

/// One system with its rods along one line: the multipliers' matrix is singular for the first rod
/// of length 0; the lane is mended and the neighbours do not notice.
TEST(Batch, LanesWithBadPivotsAreMadeAgain) {
  constexpr std::uint64_t n = 8;
  // A mass pulled by two constraints that nearly agree where x is near 0.
  builder::Model model("Near");
  mechanics::ConstrainedMotion motion;
  motion.q = {model.unknown("x"), model.unknown("y"), model.unknown("z")};
  motion.v = {model.unknown("u"), model.unknown("v"), model.unknown("w")};
  motion.mass = symbolic::Matrix::diagonal({1, 1, 1});
  motion.h = {0, 9.81, 0};
  const auto& x = motion.q[0];
  const auto& y = motion.q[1];
  const auto& z = motion.q[2];
  motion.phi = {y + z, y + z + x * x * x};
  motion.omega = 1;
  const auto kkt = mechanics::assemble_kkt(motion);
  symbolic::ExprPool& pool = model.pool();
  ConstrainedSystem system{pool, {}, {}, {}, {}, {}};
  for (const auto& q : motion.q) system.q.push_back(q.id_in(pool));
  for (const auto& v : motion.v) system.v.push_back(v.id_in(pool));
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j) system.matrix.push_back(kkt.matrix(i, j).id_in(pool));
  for (const auto& b : kkt.right) system.right.push_back(b.id_in(pool));
  const OdeTape fast = ode_tape(system, Pivots::by_structure);
  const OdeTape safe = ode_tape(system, Pivots::by_size);
  ASSERT_TRUE(fast.has_margin);
  std::vector<double> states(6 * n, 0.0);
  for (std::uint64_t s = 0; s < n; ++s) states[s] = s == 3 ? 2e-3 : 1.0;
  std::vector<double> alone = states;
  const Batch batch(fast, &safe, FixedMethod::semi_implicit_euler, 1e-3);
  EXPECT_GE(batch.run(states, n, {}, 0, 1), 1u);
  const Batch exact(safe, nullptr, FixedMethod::semi_implicit_euler, 1e-3);
  exact.run(alone, n, {}, 0, 1);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(states[i * n + 3], alone[i * n + 3]) << i;
    EXPECT_NEAR(states[i * n + 5], alone[i * n + 5], 1e-12) << i;
  }
}

TEST(Batch, ReductionsAndFilesHoldWhatATrajectoryHas) {
  constexpr std::uint64_t n = 70, n_steps = 40;
  seed::Pendulum pendulum;
  const OdeTape ode = ode_tape(pendulum.system(), Pivots::by_structure);
  const Batch batch(ode, nullptr, FixedMethod::rk4, 0.01, {.n_threads = 2});
  std::vector<double> states = seed::start_states(n), again = states, third = states;
  std::vector<double> trajectory(n_steps * 8 * n);
  batch.run_stored(states, n, {}, 0, n_steps, trajectory);
  BatchReduction reduction(8, n);
  batch.run(again, n, {}, 0, n_steps, [&](const BatchView& view) { reduction.add(view); });
  EXPECT_EQ(again, states);
  const auto variance = reduction.variance();
  for (std::size_t at = 0; at < 8 * n; ++at) {
    double low = 1e300, high = -1e300, sum = 0, squares = 0;
    for (std::size_t s = 0; s < n_steps; ++s) {
      const double value = trajectory[s * 8 * n + at];
      low = std::min(low, value);
      high = std::max(high, value);
      sum += value;
    }
    for (std::size_t s = 0; s < n_steps; ++s)
      squares += std::pow(trajectory[s * 8 * n + at] - sum / n_steps, 2);
    EXPECT_EQ(reduction.low[at], low);
    EXPECT_EQ(reduction.high[at], high);
    EXPECT_NEAR(reduction.mean[at], sum / n_steps, 1e-13);
    EXPECT_NEAR(variance[at], squares / n_steps, 1e-12);
  }
  const auto path = std::filesystem::path(testing::TempDir()) / "alembert-batch.h5";
  run_to_hdf5(batch, third, n, {}, 0, n_steps, path);
  EXPECT_EQ(third, states);
  EXPECT_GT(std::filesystem::file_size(path), trajectory.size() * sizeof(double));
  std::filesystem::remove(path);
}

/// Orders by halving the step, on an oscillator with forcing and a parameter for each system.
TEST(Batch, MethodsHaveTheirOrders) {
  builder::Model model("Forced");
  const auto k = model.parameter("k", 1);
  const auto x = model.unknown("x", {.start = 1, .fixed = true});
  const auto v = model.unknown("v", {.start = 0, .fixed = true});
  model += der(x) == v;
  model += der(v) == -k * sin(x) + 0.3 * cos(model.time());
  const compile::CompiledModel compiled(model.flatten());
  const OdeTape ode = ode_tape(compiled);
  ASSERT_EQ(ode.n_states, 2u);
  constexpr std::uint64_t n = 5;
  const auto run = [&](FixedMethod method, std::uint64_t n_steps) {
    const Batch batch(ode, nullptr, method, 2.0 / double(n_steps), {.parameters_per_system = true});
    std::vector<double> states(2 * n, 0.0), parameters(ode.tape.n_parameters * n, 0.0);
    for (std::uint64_t s = 0; s < n; ++s) {
      states[(ode.names[0] == "x" ? 0 : 1) * n + s] = 1;
      parameters[s] = 1 + 0.5 * double(s);
    }
    batch.run(states, n, parameters, 0, n_steps);
    return states;
  };
  const auto exact = run(FixedMethod::rk4, 4000);
  const std::pair<FixedMethod, double> methods[] = {{FixedMethod::euler, 1},
                                                    {FixedMethod::semi_implicit_euler, 1},
                                                    {FixedMethod::verlet, 2},
                                                    {FixedMethod::implicit_midpoint, 2},
                                                    {FixedMethod::rk4, 4}};
  for (const auto& [method, order] : methods) {
    const auto coarse = run(method, 40), fine = run(method, 80);
    double error_coarse = 0, error_fine = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      error_coarse = std::max(error_coarse, std::abs(coarse[i] - exact[i]));
      error_fine = std::max(error_fine, std::abs(fine[i] - exact[i]));
    }
    EXPECT_NEAR(std::log2(error_coarse / error_fine), order, 0.2) << to_string(method);
  }
}

}  // namespace
}  // namespace alembert::ensemble
