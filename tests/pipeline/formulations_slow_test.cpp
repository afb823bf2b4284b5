// SPDX-License-Identifier: Apache-2.0
// Every mechanism of models/machines.mo, and those of models/linkages.mo that say something else,
// by every formulation and stepper that applies: any two of them agree at the end, constraints hold
// as they should, energy stays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {
namespace {

using integrate::Formulation;
using integrate::Metric;
using integrate::SimulateOptions;

constexpr double tolerance = 1e-9;

struct Way {
  const char* name;
  SimulateOptions options;
  double constraints;  // how well they hold
};

std::vector<Way> all_ways() {
  return {{"dynamic", {.formulation = Formulation::dynamic}, 1e-11},
          {"projection", {.formulation = Formulation::projection}, 1e-11},
          {"mass", {.formulation = Formulation::projection, .metric = Metric::mass}, 1e-11},
          {"baumgarte", {.formulation = Formulation::baumgarte}, 1e-5},
          {"ggl", {.formulation = Formulation::ggl}, 1e-11},
          {"taylor", {.method = "taylor"}, 1e-11},
          {"rattle6", {.method = "rattle6", .step = 0.002}, 1e-10}};
}

/// What says that a way is not for a model: the form it needs is another.
bool is_refusal(const Error& error) {
  const std::string& code = error.diagnostics().front().code;
  return code == "S013" || code == "I010" || code == "I014";
}

class Mechanisms : public testing::TestWithParam<std::string> {};

TEST_P(Mechanisms, AllWaysAgree) {
  const std::string name = GetParam();
  const std::string file = name.starts_with("Machines") ? "machines.mo" : "linkages.mo";
  std::ifstream in(std::string(ALEMBERT_SOURCE_ROOT) + "/models/" + file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const flat::FlatSystem flat = modelica::flatten({.text = text, .model = name}).system;
  const compile::CompiledModel model(flat);
  std::map<std::string, std::pair<double, double>> range;  // of all ways, at the end
  int n_runs = 0;
  for (const Way& way : all_ways()) {
    SimulateOptions options = way.options;
    options.stop = std::min(2.0, flat.experiment.stop.value_or(2.0));
    options.tolerance = tolerance;
    options.intervals = 20;
    try {
      const auto run = simulate(model, options);
      ASSERT_EQ(run.outcome, integrate::Outcome::done) << way.name << ": " << run.message;
      ++n_runs;
      for (const auto& level : run.constraint_levels)
        if (level.below_highest > 0) EXPECT_LT(level.largest_residual, way.constraints) << way.name;
      for (const std::string& column : run.trajectory.names()) {
        const auto values = run.trajectory.column(column);
        if (column == "energy") {
          const auto [least, most] = std::ranges::minmax(values);
          EXPECT_LT(most - least, 2e-5 * std::max(1.0, std::abs(values.front()))) << way.name;
        }
        const auto [at, is_new] =
            range.try_emplace(column, std::pair(values.back(), values.back()));
        at->second.first = std::min(at->second.first, values.back());
        at->second.second = std::max(at->second.second, values.back());
      }
    } catch (const Error& error) {
      EXPECT_TRUE(is_refusal(error)) << way.name << ": " << error.what();
    }
  }
  EXPECT_GE(n_runs, 5);
  for (const auto& [column, ends] : range) {
    const double size = std::max({1.0, std::abs(ends.first), std::abs(ends.second)});
    EXPECT_LT(ends.second - ends.first, 1e-4 * size) << column;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const char* name : {"Chebyshev",
                           "Hoeken",
                           "Sarrus",
                           "SphericalFourBar",
                           "HookePair",
                           "ScotchYoke",
                           "BeadKnot",
                           "Viviani",
                           "ConePendulum",
                           "MovingSupport",
                           "RollingDisc",
                           "MatrixTop",
                           "QuaternionBody",
                           "ClosedChain",
                           "AngleParallelogram",
                           "CamFollower",
                           "SwingingSlot",
                           "Klann",
                           "TripleBodies",
                           "HangingFromTwo",
                           "Kite",
                           "Trammel",
                           "RopeOnTwoNails",
                           "FreeHoop",
                           "QuaternionCoin",
                           "Delta",
                           "Governor",
                           "Hart",
                           "BracedSquare",
                           "DrivenCrank",
                           "TwoWheels",
                           "RopeRings",
                           "Gimbals",
                           "Pantograph",
                           "DuplicatedSpherical",
                           "BallInBowl",
                           "QuaternionAlgebraic",
                           "Oldham",
                           "FourCranks"})
    result.push_back(std::string("Machines.") + name);
  for (const char* name : {"Parallelogram", "Watt", "Torus", "Bennett", "Stewart", "HeavyTop",
                           "Sleigh", "BodyFourBar", "Several"})
    result.push_back(std::string("Linkages.") + name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, Mechanisms, testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '.', '_');
  return name;
});

}  // namespace
}  // namespace alembert
