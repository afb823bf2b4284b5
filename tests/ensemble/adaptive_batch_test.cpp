// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/adaptive_batch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/ensemble/model_tape.hpp"
#include "alembert/frontend/builder/model.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert::ensemble {
namespace {

using compile::TapeBuilder;
using compile::TapeOp;
using compile::ValueId;

/// x' = v, v' = -k x: the parameter makes some systems a hundred times as quick as others.
OdeTape oscillator() {
  TapeBuilder b(3, 1);
  b.output(b.input(2));
  b.output(b.apply(TapeOp::neg, b.apply(TapeOp::mul, b.parameter(0), b.input(1))));
  return {.tape = std::move(b).finish(), .n_states = 2, .names = {"x", "v"}};
}

struct Spread {
  static constexpr std::uint64_t n = 37;
  std::vector<double> states, k;
  Spread() : states(2 * n, 0.0) {
    for (std::uint64_t s = 0; s < n; ++s) {
      states[s] = 1;
      k.push_back(std::pow(10.0, double(s % 5)));
    }
  }
};

TEST(AdaptiveBatch, EverySystemAsIfAlone) {
  const Spread spread;
  for (const AdaptiveMethod method : {AdaptiveMethod::tsit5, AdaptiveMethod::rodas5p}) {
    AdaptiveOptions options{.method = method,
                            .relative = 1e-8,
                            .absolute = 1e-8,
                            .lanes = 1,
                            .parameters_per_system = true};
    const auto alone = AdaptiveBatch(oscillator(), nullptr, {}, options)
                           .run(spread.states, spread.n, spread.k, 0, 3);
    for (std::uint64_t s = 0; s < spread.n; ++s) {
      ASSERT_EQ(alone.outcomes[s], integrate::Outcome::done);
      EXPECT_EQ(alone.end_times[s], 3);
      EXPECT_NEAR(alone.states[s], std::cos(3 * std::sqrt(spread.k[s])),
                  1e-6 * std::sqrt(spread.k[s]) * 3)
          << s;
      EXPECT_LE(alone.high[s], 1 + 1e-6);
    }
    EXPECT_GT(alone.n_steps[4], 10 * alone.n_steps[0]);
    for (const std::uint32_t lanes : {0u, 3u})
      for (const std::uint32_t n_threads : {1u, 3u}) {
        options.lanes = lanes;
        options.n_threads = n_threads;
        const auto batch = AdaptiveBatch(oscillator(), nullptr, {}, options)
                               .run(spread.states, spread.n, spread.k, 0, 3);
        EXPECT_EQ(batch.states, alone.states);
        EXPECT_EQ(batch.n_steps, alone.n_steps);
        EXPECT_EQ(batch.mean, alone.mean);
      }
  }
}

TEST(AdaptiveBatch, EventsAreFoundAndMayStop) {
  const Spread spread;
  TapeBuilder b(3, 1);
  b.output(b.input(1));
  BatchEvent event{.function = std::move(b).finish(), .direction = -1, .stops = true};
  AdaptiveOptions options{.relative = 1e-9, .absolute = 1e-9, .parameters_per_system = true};
  const auto stopped = AdaptiveBatch(oscillator(), nullptr, {event}, options)
                           .run(spread.states, spread.n, spread.k, 0, 3);
  ASSERT_EQ(stopped.crossings.size(), spread.n);
  for (std::uint64_t s = 0; s < spread.n; ++s) {
    const double quarter = std::acos(0.0) / std::sqrt(spread.k[s]);
    EXPECT_EQ(stopped.outcomes[s], integrate::Outcome::terminated);
    EXPECT_NEAR(stopped.crossings[s].time, quarter, 1e-6 * quarter);
    EXPECT_EQ(stopped.end_times[s], stopped.crossings[s].time);
  }
  event.stops = false;
  event.direction = 0;
  const auto counted = AdaptiveBatch(oscillator(), nullptr, {event}, options)
                           .run(spread.states, spread.n, spread.k, 0, 3);
  std::uint64_t expected = 0;
  for (const double k : spread.k)
    expected += std::uint64_t(std::floor(3 * std::sqrt(k) / (2 * std::acos(0.0)) + 0.5));
  EXPECT_EQ(counted.crossings.size(), expected);
}

/// Robertson's reaction, which an explicit method cannot follow; against the scalar stepper.
TEST(AdaptiveBatch, StiffReactionAgreesWithTheScalarRun) {
  builder::Model model("Robertson");
  const auto fast = model.parameter("fast", 3e7);
  const auto x = model.unknown("x", {.start = 1, .fixed = true});
  const auto y = model.unknown("y", {.start = 0, .fixed = true});
  const auto z = model.unknown("z", {.start = 0, .fixed = true});
  model += der(x) == -0.04 * x + 1e4 * y * z;
  model += der(y) == 0.04 * x - 1e4 * y * z - fast * y * y;
  model += der(z) == fast * y * y;
  const compile::CompiledModel compiled(model.flatten());
  const OdeTape ode = ode_tape(compiled);
  constexpr std::uint64_t n = 6;
  std::vector<double> states(3 * n, 0.0), parameters(ode.tape.n_parameters * n, 0.0);
  std::size_t of_x = 0;
  for (std::size_t i = 0; i < 3; ++i)
    if (ode.names[i] == "x") of_x = i;
  for (std::uint64_t s = 0; s < n; ++s) {
    states[of_x * n + s] = 1;
    parameters[s] = 3e7 * (1 + 0.1 * double(s));
  }
  const AdaptiveBatch batch(ode, nullptr, {},
                            {.method = AdaptiveMethod::rodas5p,
                             .relative = 1e-7,
                             .absolute = 1e-11,
                             .parameters_per_system = true});
  const auto result = batch.run(states, n, parameters, 0, 100);
  for (std::uint64_t s = 0; s < n; ++s) {
    ASSERT_EQ(result.outcomes[s], integrate::Outcome::done);
    const auto scalar = integrate::simulate(compiled, {.stop = 100,
                                                       .tolerance = 1e-11,
                                                       .method = "rodas5p",
                                                       .parameters = {{"fast", parameters[s]}}});
    const auto column = scalar.trajectory.column("x");
    EXPECT_NEAR(result.states[of_x * n + s], column.back(), 1e-6) << s;
    EXPECT_LT(result.n_steps[s], 200u);
  }
}

TEST(AdaptiveBatch, ASystemThatBlowsUpEndsAlone) {
  TapeBuilder b(2, 0);  // x' = x^2: ends at 1/x(0)
  b.output(b.apply(TapeOp::mul, b.input(1), b.input(1)));
  const OdeTape ode{.tape = std::move(b).finish(), .n_states = 1, .names = {"x"}};
  const std::vector<double> states = {0.1, 2, 0.2, std::nan(""), 0.3};
  const auto result = AdaptiveBatch(ode, nullptr, {}, {}).run(states, 5, {}, 0, 1);
  for (const std::size_t good : {0, 2, 4}) {
    EXPECT_EQ(result.outcomes[good], integrate::Outcome::done);
    EXPECT_NEAR(result.states[good], 1 / (1 / states[good] - 1), 1e-5);
  }
  EXPECT_NE(result.outcomes[1], integrate::Outcome::done);
  EXPECT_NEAR(result.end_times[1], 0.5, 1e-3);
  EXPECT_EQ(result.outcomes[3], integrate::Outcome::non_finite);
}

}  // namespace
}  // namespace alembert::ensemble
