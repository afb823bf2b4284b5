// SPDX-License-Identifier: Apache-2.0
// Models with aliases and constants: everything the user named is in the result, and the numbers
// are those of the same model written without them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/result/mat.hpp"

namespace alembert {
namespace {

using compile::CompiledModel;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulationResult;

TEST(Aliases, EveryNameIsInTheResult) {
  Model m("Oscillator");
  const Expr k = m.parameter("k", 4);
  const Expr s = m.unknown("spring.s"), s2 = m.unknown("mass.s", {.start = 1, .fixed = true});
  const Expr x = m.unknown("x"), v = m.unknown("mass.v", {.start = 0, .fixed = true});
  const Expr f = m.unknown("spring.f"), f2 = m.unknown("mass.f"), one = m.unknown("mass.m");
  m += s == s2;
  m += x == -s;
  m += der(s2) == v;
  m += one * der(v) == f2;
  m += f + f2 == 0;
  m += f == k * s;
  m += one == 1;
  const CompiledModel model(m.flatten());
  EXPECT_EQ(model.variable_names(),
            (std::vector<std::string>{"spring.s", "mass.s", "der(mass.s)", "x", "mass.v",
                                      "der(mass.v)", "spring.f", "mass.f", "mass.m"}));
  EXPECT_EQ(model.simplified().flat.equations.size(), 3u);
  const SimulationResult run = simulate(model, {.stop = 1, .tolerance = 1e-11, .intervals = 10});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  for (std::size_t row = 0; row <= 10; ++row) {
    const double t = run.trajectory.column("time")[row];
    EXPECT_NEAR(run.trajectory.column("spring.s")[row], std::cos(2 * t), 1e-9);
    EXPECT_NEAR(run.trajectory.column("mass.s")[row], std::cos(2 * t), 1e-9);
    EXPECT_NEAR(run.trajectory.column("x")[row], -std::cos(2 * t), 1e-9);
    EXPECT_NEAR(run.trajectory.column("der(mass.s)")[row], -2 * std::sin(2 * t), 1e-9);
    EXPECT_NEAR(run.trajectory.column("spring.f")[row], 4 * std::cos(2 * t), 1e-9);
    EXPECT_NEAR(run.trajectory.column("mass.f")[row], -4 * std::cos(2 * t), 1e-9);
    EXPECT_EQ(run.trajectory.column("mass.m")[row], 1);
  }
}

/// Two inertias on a rigid shaft: an alias between states, index 2 without elimination.
TEST(Aliases, RigidConnectionOfStates) {
  Model m("Shaft");
  const Expr w1 = m.unknown("w1", {.start = 3}), w2 = m.unknown("w2"), t = m.unknown("torque");
  m += w1 == w2;
  m += 2 * der(w1) == t - w1;
  m += 3 * der(w2) == -t;
  const CompiledModel model(m.flatten());
  EXPECT_EQ(model.plan().structural_index, 1u);
  EXPECT_EQ(model.plan().degrees_of_freedom, 1u);
  const SimulationResult run = simulate(model, {.stop = 2, .tolerance = 1e-11, .intervals = 2});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(run.trajectory.column("w2").back(), 3 * std::exp(-0.4), 1e-9);
  EXPECT_NEAR(run.trajectory.column("der(w2)").back(), -0.6 * std::exp(-0.4), 1e-9);
}

/// A parameter that a constant depends on changes without compiling again.
TEST(Aliases, ConstantsFollowTheirParameters) {
  Model m("Decay");
  const Expr p = m.parameter("p", 1);
  const Expr rate = m.unknown("rate"), x = m.unknown("x", {.start = 1});
  m += rate == 2 * p;
  m += der(x) == -rate * x;
  const CompiledModel model(m.flatten());
  for (const double value : {1.0, 0.25}) {
    const SimulationResult run =
        simulate(model, {.stop = 1, .tolerance = 1e-11, .parameters = {{"p", value}}});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    EXPECT_EQ(run.trajectory.column("rate").back(), 2 * value);
    EXPECT_NEAR(run.trajectory.column("x").back(), std::exp(-2 * value), 1e-9);
  }
}

/// What files may write once, and do.
TEST(Aliases, ColumnsSayWhatNeverVariesAndWhatTheyShare) {
  Model m("Decay");
  const Expr p = m.parameter("p", 3);
  const Expr x = m.unknown("x", {.start = 1, .fixed = true}), y = m.unknown("y"),
             z = m.unknown("z"), own = m.unknown("own"), five = m.unknown("five");
  m += der(x) == -p * x;
  m += y == -x;
  m += z + y == 0;
  m += own == x + 1;
  m += five == p + 2;
  const CompiledModel model(m.flatten());
  struct Kept final : result::RowSink {
    void begin(const result::Columns& c) override { columns = c; }
    void append(double, std::span<const double>) override {}
    void commit() override {}
    result::Columns columns;
  } kept;
  simulate(model, {.rows = &kept, .parameter_columns = true});
  const auto& names = kept.columns.names;
  const auto values_of = [&](const char* name) {
    const auto at = std::find(names.begin(), names.end(), name);
    EXPECT_NE(at, names.end()) << name;
    return kept.columns.values_of(static_cast<std::size_t>(at - names.begin()));
  };
  for (const char* name : {"x", "der(x)", "y", "z", "own"})
    EXPECT_EQ(values_of(name).constant, false) << name;
  EXPECT_TRUE(values_of("p").constant);
  EXPECT_TRUE(values_of("five").constant);
  EXPECT_EQ(values_of("x").source, values_of("y").source);
  EXPECT_EQ(values_of("x").source, values_of("z").source);
  EXPECT_NE(values_of("x").source, values_of("own").source);
  EXPECT_NE(values_of("x").negated, values_of("y").negated);
  EXPECT_EQ(values_of("x").negated, values_of("z").negated);

  const auto path = std::filesystem::path(testing::TempDir()) / "alembert-alias-test.mat";
  const auto file = result::open_mat(path);
  simulate(model, {.rows = file.get(), .parameter_columns = true});
  file->commit();
  EXPECT_TRUE(result::read_mat(path) == simulate(model, {.parameter_columns = true}).trajectory);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace alembert
