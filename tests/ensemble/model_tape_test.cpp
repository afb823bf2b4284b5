// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/model_tape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/base/error.hpp"
#include "alembert/ensemble/adaptive_batch.hpp"
#include "alembert/ensemble/batch.hpp"
#include "alembert/ensemble/rattle_step.hpp"
#include "alembert/ensemble/taylor_step.hpp"
#include "alembert/frontend/builder/model.hpp"

namespace alembert::ensemble {
namespace {

std::size_t place(const OdeTape& ode, const std::string& name) {
  for (std::size_t i = 0; i < ode.names.size(); ++i)
    if (ode.names[i] == name) return i;
  ADD_FAILURE() << name;
  return 0;
}

/// x' = -z with z^3 - z = x^3 / 27 - x / 3, which z = x/3 solves, as two other branches do while
/// |x| < 2 sqrt(3).
struct Branches {
  builder::Model model{"Branches"};
  Branches() {
    const auto x = model.unknown("x", {.start = 1.5, .fixed = true});
    const auto z = model.unknown("z", {.start = 0.5});
    model += der(x) == -z;
    model += z * z * z - z == x * x * x / 27 - x / 3;
  }
};

TEST(ModelTape, IterationsStayOnTheBranchOfTheirSystem) {
  Branches branches;
  const compile::CompiledModel compiled(branches.model.flatten());
  const OdeTape ode = ode_tape(compiled);
  ASSERT_EQ(ode.memory_names, std::vector<std::string>{"z"});
  // Half of the systems begin on the branch z = x/3, the others near z = 1.
  constexpr std::uint64_t n = 11;
  std::vector<double> guesses(n), states(n, 1.5), far(n);
  for (std::uint64_t s = 0; s < n; ++s) guesses[s] = s % 2 == 0 ? 0.5 : 1.2;
  // The other branch by a fine run of its own: z from x by Newton, classical steps.
  const auto other = [](double x) {
    double z = 0.7;
    for (int k = 0; k < 60; ++k) z -= (z * z * z - z - (x * x * x / 27 - x / 3)) / (3 * z * z - 1);
    return z;
  };
  double exact_other = 1.5;
  for (int k = 0; k < 2000; ++k) {
    const double h = 0.5 / 2000, k1 = -other(exact_other), k2 = -other(exact_other + h / 2 * k1),
                 k3 = -other(exact_other + h / 2 * k2), k4 = -other(exact_other + h * k3);
    exact_other += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const double exact = 1.5 * std::exp(-0.5 / 3);
  for (const FixedMethod method : {FixedMethod::rk4, FixedMethod::implicit_midpoint}) {
    Batch batch(ode, nullptr, method, 0.005);
    batch.begin_iterations_at(guesses);
    std::vector<double> ends = states;
    batch.run(ends, n, compiled.parameter_values(), 0, 100);
    for (std::uint64_t s = 0; s < n; ++s)
      EXPECT_NEAR(ends[s], s % 2 == 0 ? exact : exact_other, 1e-5) << to_string(method) << s;
  }
  for (const AdaptiveMethod method : {AdaptiveMethod::tsit5, AdaptiveMethod::rodas5p}) {
    AdaptiveBatch batch(ode, nullptr, {}, {.method = method, .relative = 1e-9, .absolute = 1e-9});
    batch.begin_iterations_at(guesses);
    const auto result = batch.run(states, n, compiled.parameter_values(), 0, 0.5);
    for (std::uint64_t s = 0; s < n; ++s) {
      ASSERT_EQ(result.outcomes[s], integrate::Outcome::done);
      EXPECT_NEAR(result.states[s], s % 2 == 0 ? exact : exact_other, 1e-7) << s;
    }
  }
}

/// The Cartesian pendulum with mass and length as parameters.
struct Pendulum {
  builder::Model model{"Pendulum"};
  Pendulum() {
    const auto length = model.parameter("length", 1);
    const auto x = model.unknown("x", {.start = 1, .fixed = true});
    const auto y = model.unknown("y", {.start = 0});
    const auto u = model.unknown("u", {.start = 0, .fixed = true});
    const auto v = model.unknown("v", {.start = 0});
    const auto force = model.unknown("force");
    model += der(x) == u;
    model += der(y) == v;
    model += der(u) == -force * x;
    model += der(v) == -force * y - 9.81;
    model += x * x + y * y == length * length;
  }
};

/// Swings and full turns, which no choice of states survives, against the angle's equation.
TEST(ModelTape, NoChoiceOfStatesIsGoodEverywhereAndAllCoordinatesAre) {
  Pendulum pendulum;
  const compile::CompiledModel compiled(pendulum.model.flatten());
  const OdeTape ode = ode_tape(compiled, Pivots::by_structure), safe = ode_tape(compiled);
  ASSERT_EQ(ode.n_states, 4u);
  ASSERT_TRUE(ode.is_projected());
  constexpr std::uint64_t n = 9;
  constexpr double stop = 3;
  std::vector<double> states(4 * n), lengths(n), angles(n);
  const std::size_t x = place(ode, "x"), y = place(ode, "y"), u = place(ode, "u"),
                    v = place(ode, "v");
  for (std::uint64_t s = 0; s < n; ++s) {
    const double length = 0.8 + 0.1 * double(s), rate = 1.2 * double(s);
    lengths[s] = length;
    states[x * n + s] = length;
    states[v * n + s] = length * rate;
    // The angle from the horizontal, by small classical steps.
    double angle = 0, speed = rate;
    constexpr int n_steps = 20'000;
    const double h = stop / n_steps;
    const auto a = [&](double phi) { return -9.81 / length * std::cos(phi); };
    for (int k = 0; k < n_steps; ++k) {
      const double k1 = a(angle), k2 = a(angle + h / 2 * speed),
                   k3 = a(angle + h / 2 * (speed + h / 2 * k1)),
                   k4 = a(angle + h * (speed + h / 2 * k2));
      angle += h * (speed + h / 6 * (k1 + k2 + k3));
      speed += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    angles[s] = angle;
  }
  const auto check = [&](const std::vector<double>& ends, double near, const char* what) {
    for (std::uint64_t s = 0; s < n; ++s) {
      const double px = ends[x * n + s], py = ends[y * n + s];
      EXPECT_NEAR(px, lengths[s] * std::cos(angles[s]), near) << what << s;
      EXPECT_NEAR(py, lengths[s] * std::sin(angles[s]), near) << what << s;
      EXPECT_NEAR(px * px + py * py, lengths[s] * lengths[s], 1e-13) << what << s;
      EXPECT_NEAR(px * ends[u * n + s] + py * ends[v * n + s], 0, 1e-12) << what << s;
    }
  };
  std::vector<double> parameters;  // [n_parameters][n]
  std::vector<std::vector<double>> own;
  for (std::uint64_t s = 0; s < n; ++s)
    own.push_back(compiled.parameter_values({{"length", lengths[s]}}));
  for (std::uint32_t i = 0; i < ode.tape.n_parameters; ++i)
    for (std::uint64_t s = 0; s < n; ++s) parameters.push_back(own[s][i]);
  for (const auto& [method, near] :
       {std::pair{FixedMethod::rk4, 1e-7}, {FixedMethod::implicit_midpoint, 2e-3}}) {
    const Batch batch(ode, &safe, method, 1e-3, {.parameters_per_system = true});
    std::vector<double> ends = states;
    batch.run(ends, n, parameters, 0, 3000);
    check(ends, near, to_string(method).data());
  }
  for (const AdaptiveMethod method : {AdaptiveMethod::tsit5, AdaptiveMethod::rodas5p}) {
    const AdaptiveBatch batch(
        ode, &safe, {},
        {.method = method, .relative = 1e-9, .absolute = 1e-9, .parameters_per_system = true});
    check(batch.run(states, n, parameters, 0, stop).states, 3e-6, "adaptive");
  }
}

/// a is found from two linear equations whose matrix turns: pivots that are good at the start are
/// not good later, and lanes go on by size there.
TEST(ModelTape, PivotsOfTheStartMayGoBad) {
  builder::Model model("Turning");
  const auto x = model.unknown("x", {.start = 1, .fixed = true});
  const auto a = model.unknown("a"), b = model.unknown("b");
  const auto t = model.time();
  model += der(x) == a;
  model += cos(t) * a + sin(t) * b == -x;  // a = -x cos t, b = -x sin t
  model += -sin(t) * a + cos(t) * b == 0;
  const compile::CompiledModel compiled(model.flatten());
  const OdeTape ode = ode_tape(compiled, Pivots::by_structure), safe = ode_tape(compiled);
  ASSERT_EQ(safe.tape.regions.size(), 1u);
  ASSERT_TRUE(ode.tape.regions.empty());
  ASSERT_TRUE(ode.has_margin);
  const double stop = 2;
  const double exact = std::exp(-std::sin(stop));
  std::vector<double> states{1, 2, 3};
  const Batch batch(ode, &safe, FixedMethod::rk4, std::acos(0.0) / 400);
  std::vector<double> quarter = states;
  EXPECT_GT(batch.run(quarter, 3, compiled.parameter_values(), 0, 410),
            0u);  // over the quarter turn
  EXPECT_NEAR(quarter[1], 2 * std::exp(-std::sin(410 * std::acos(0.0) / 400)), 1e-9);
  const AdaptiveBatch adaptive(ode, &safe, {}, {.relative = 1e-9, .absolute = 1e-9});
  const auto result = adaptive.run(states, 3, compiled.parameter_values(), 0, stop);
  for (std::size_t s = 0; s < 3; ++s) EXPECT_NEAR(result.states[s], states[s] * exact, 1e-7) << s;
}

/// Two pendulums hanging on each other, one end moved: RATTLE in lanes against the scalar stepper,
/// and its energy stays where an unprojected method's would not.
TEST(ModelTape, RattleAsTheScalarStepperDoesIt) {
  builder::Model model("Double");
  const auto m2 = model.parameter("m2", 2);
  const auto x1 = model.unknown("x1", {.start = 0.7, .fixed = true});
  const auto y1 = model.unknown("y1", {.start = -0.1});
  const auto x2 = model.unknown("x2", {.start = 1.8, .fixed = true});
  const auto y2 = model.unknown("y2", {.start = -0.1});
  for (const auto& x : {x1, x2}) model.initial(der(x) == 0);
  const auto a = model.unknown("a"), b = model.unknown("b");
  const auto t = model.time();
  model += der(der(x1)) == -2 * a * x1 - 2 * b * (x1 - x2);
  model += der(der(y1)) == -2 * a * y1 - 2 * b * (y1 - y2) - 9.81;
  model += m2 * der(der(x2)) == 2 * b * (x1 - x2) + 0.1 * sin(3 * t);
  model += m2 * der(der(y2)) == 2 * b * (y1 - y2) - m2 * 9.81;
  model += x1 * x1 + y1 * y1 == 0.64;
  model += (x1 - x2) * (x1 - x2) + (y1 - y2) * (y1 - y2) == 1.44;
  const compile::CompiledModel compiled(model.flatten());
  constexpr double h = 0.002;
  const Batch batch(make_rattle_step(compiled, Pivots::by_structure, h),
                    make_rattle_step(compiled, Pivots::by_size, h), h,
                    {.parameters_per_system = true});
  constexpr std::uint64_t n = 5;
  const std::uint32_t n_states = batch.n_states();
  ASSERT_EQ(n_states, 8u);
  std::vector<double> states(n_states * n), expected(n_states * n), parameters;
  std::vector<std::vector<double>> own;
  for (std::uint64_t s = 0; s < n; ++s) {
    integrate::SimulateOptions options{.stop = 2, .intervals = 1, .method = "rattle", .step = h};
    options.parameters["m2"] = 1 + 0.5 * double(s);
    const auto run = integrate::simulate(compiled, options);
    ASSERT_EQ(run.outcome, integrate::Outcome::done);
    own.push_back(compiled.parameter_values(options.parameters));
    for (std::uint32_t i = 0; i < n_states; ++i) {
      const auto column = run.trajectory.column(batch.names()[i]);
      states[i * n + s] = column.front();
      expected[i * n + s] = column.back();
    }
  }
  for (std::size_t i = 0; i < own[0].size(); ++i)
    for (std::uint64_t s = 0; s < n; ++s) parameters.push_back(own[s][i]);
  batch.run(states, n, parameters, 0, 1000);
  for (std::size_t i = 0; i < states.size(); ++i) EXPECT_NEAR(states[i], expected[i], 1e-9) << i;
}

/// Validation set, BA01: released at rest from all angles, after 5 s, by elliptic functions.
TEST(ModelTape, PendulumsInOneBatchAreWhereEllipticFunctionsSay) {
  Pendulum pendulum;
  const compile::CompiledModel compiled(pendulum.model.flatten());
  constexpr std::uint64_t n = 256;
  const OdeTape ode = ode_tape(compiled, Pivots::by_structure), safe = ode_tape(compiled);
  const std::vector<double> parameters = compiled.parameter_values({{"length", 1.0}});
  const auto check = [&](const AdaptiveBatch& batch, const std::vector<std::string>& names,
                         double near, const char* what) {
    const auto row = [&](const char* name) {
      return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    std::vector<double> states(names.size() * n);
    for (std::uint64_t s = 0; s < n; ++s) {
      const double angle = std::numbers::pi * double(s + 1) / 264;
      const SystemStart start =
          system_start(compiled, names, {}, {{"length", 1.0}},
                       {{"x", std::sin(angle)}, {"y", -std::cos(angle)}, {"u", 0.0}, {"v", 0.0}});
      for (std::size_t i = 0; i < names.size(); ++i) states[i * n + s] = start.states[i];
    }
    const auto ends = batch.run(states, n, parameters, 0, 5).states;
    const auto at = [&](const char* name, std::uint64_t s) { return ends[row(name) * n + s]; };
    double sum_x = 0, sum_y = 0, sum_v2 = 0;
    for (std::uint64_t s = 0; s < n; ++s) {
      sum_x += at("x", s);
      sum_y += at("y", s);
      sum_v2 += at("u", s) * at("u", s) + at("v", s) * at("v", s);
    }
    EXPECT_NEAR(sum_x, -4.32278925080896745, n * near) << what;
    EXPECT_NEAR(sum_y, -103.767095123907222, n * near) << what;
    EXPECT_NEAR(sum_v2, 1898.76481595379071, 10 * n * near) << what;
    EXPECT_NEAR(at("x", 0), -0.0118861898025399507, near) << what;
    EXPECT_NEAR(at("x", 128), 0.887353127010455485, near) << what;
    EXPECT_NEAR(at("x", 255), 0.373765016506437909, near) << what;
    EXPECT_NEAR(at("y", 255), 0.927523429588677397, near) << what;
  };
  check(AdaptiveBatch(ode, &safe, {}, {.relative = 1e-10, .absolute = 1e-10}), ode.names, 1e-6,
        "tsit5");
  const AdaptiveBatch series(make_taylor_steps(compiled, 1e-12, 1e-12), {});
  check(series, series.names(), 1e-9, "taylor");
}

/// Taylor series in lanes against the angle, and against pivots that do not fit.
TEST(ModelTape, TaylorSeriesOfTheEquationsAsTheyAre) {
  Pendulum pendulum;
  const compile::CompiledModel compiled(pendulum.model.flatten());
  const AdaptiveBatch batch(make_taylor_steps(compiled, 1e-12, 1e-12), {},
                            {.parameters_per_system = true});
  constexpr std::uint64_t n = 7;
  std::vector<double> states(batch.names().size() * n), parameters;
  std::vector<SystemStart> starts;
  for (std::uint64_t s = 0; s < n; ++s)
    starts.push_back(system_start(compiled, batch.names(), {}, {{"length", 1 + 0.1 * double(s)}},
                                  {{"x", 0.6}, {"y", -1}, {"u", -4.0 - double(s)}}));
  for (std::size_t i = 0; i < batch.names().size(); ++i)
    for (std::uint64_t s = 0; s < n; ++s) states[i * n + s] = starts[s].states[i];
  for (std::size_t i = 0; i < starts[0].parameters.size(); ++i)
    for (std::uint64_t s = 0; s < n; ++s) parameters.push_back(starts[s].parameters[i]);
  const auto result = batch.run(states, n, parameters, 0, 5);
  for (std::uint64_t s = 0; s < n; ++s) {
    ASSERT_EQ(result.outcomes[s], integrate::Outcome::done) << s;
    EXPECT_LT(result.n_steps[s], 200u);
    integrate::SimulateOptions options{.stop = 5, .tolerance = 1e-12, .intervals = 1};
    options.method = "taylor";
    options.parameters["length"] = 1 + 0.1 * double(s);
    options.starts = {{"x", 0.6}, {"y", -1}, {"u", -4.0 - double(s)}};
    const auto run = integrate::simulate(compiled, options);
    for (const char* name : {"x", "y", "u", "v", "force"}) {
      std::size_t i = 0;
      while (batch.names()[i] != name) ++i;
      EXPECT_NEAR(result.states[i * n + s], run.trajectory.column(name).back(), 1e-8) << name << s;
    }
  }
  const AdaptiveBatch alone(make_taylor_steps(compiled, 1e-12, 1e-12), {},
                            {.lanes = 1, .n_threads = 3, .parameters_per_system = true});
  EXPECT_EQ(alone.run(states, n, parameters, 0, 5).states, result.states);
}

TEST(ModelTape, TaylorStepsChoosePivotsAnewWhereTheyMust) {
  builder::Model model("Turning");
  const auto x = model.unknown("x", {.start = 1, .fixed = true});
  const auto a = model.unknown("a"), b = model.unknown("b");
  const auto t = model.time();
  model += der(x) == a;
  model += cos(t) * a + sin(t) * b == -x;
  model += -sin(t) * a + cos(t) * b == 0;
  const compile::CompiledModel compiled(model.flatten());
  const AdaptiveBatch batch(make_taylor_steps(compiled, 1e-10, 1e-10), {});
  const SystemStart start = system_start(compiled, batch.names(), {});
  const auto result = batch.run(start.states, 1, start.parameters, 0, 4);
  ASSERT_EQ(result.outcomes[0], integrate::Outcome::done);
  for (std::size_t i = 0; i < batch.names().size(); ++i)
    if (batch.names()[i] == "x") {
      EXPECT_NEAR(result.states[i], std::exp(-std::sin(4.0)), 1e-8);
    }
}

TEST(ModelTape, RattleWantsForcesOfPositions) {
  builder::Model model("Damped");
  const auto x = model.unknown("x", {.start = 1, .fixed = true});
  const auto y = model.unknown("y", {.start = 0});
  const auto force = model.unknown("force");
  model += der(der(x)) == -force * x - 0.1 * der(x);
  model += der(der(y)) == -force * y - 9.81;
  model += x * x + y * y == 1;
  const compile::CompiledModel compiled(model.flatten());
  try {
    make_rattle_step(compiled, Pivots::by_structure, 0.01);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "B005");
  }
}

TEST(ModelTape, StartsAreConsistent) {
  Pendulum pendulum;
  const compile::CompiledModel compiled(pendulum.model.flatten());
  const OdeTape ode = ode_tape(compiled);
  const SystemStart start = system_start(compiled, ode, {{"length", 2}}, {{"x", 1.2}, {"y", -1}});
  EXPECT_EQ(start.parameters, compiled.parameter_values({{"length", 2}}));
  EXPECT_NEAR(start.states[place(ode, "x")], 1.2, 1e-12);
  EXPECT_NEAR(start.states[place(ode, "y")], -1.6, 1e-12);
}

TEST(ModelTape, EventsAreRefused) {
  builder::Model model("Switched");
  const auto x = model.unknown("x", {.start = 1, .fixed = true});
  model += der(x) == if_(x < 0.5, -x, -2 * x);
  const compile::CompiledModel compiled(model.flatten());
  try {
    ode_tape(compiled);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "B001");
  }
}

}  // namespace
}  // namespace alembert::ensemble
