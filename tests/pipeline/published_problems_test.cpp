// SPDX-License-Identifier: Apache-2.0
// Published problems as Modelica text, from their own equations at their own index, by the methods
// that the program chooses itself: the error follows the tolerance. benchmarks/validation has the
// digits, and a driver that runs all of them by every formulation and method.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {
namespace {

using nlohmann::json;

const std::filesystem::path root = ALEMBERT_SOURCE_ROOT;

json problems() {
  std::ifstream in(root / "benchmarks" / "validation" / "problems.json");
  return json::parse(in).at("problems");
}

/// Its times in ascending order, with the quantities known there.
std::vector<std::pair<double, json>> points_of(const json& problem) {
  std::vector<std::pair<double, json>> points;
  for (const auto& [time, quantities] : problem.at("points").items())
    points.emplace_back(std::stod(time), quantities);
  std::sort(points.begin(), points.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return points;
}

/// The largest over all quantities and times, relative to a quantity or to the floor.
double error_at(const compile::CompiledModel& model, const json& problem, double tolerance) {
  const auto points = points_of(problem);
  std::vector<double> times;
  for (const auto& [time, quantities] : points) times.push_back(time);
  const integrate::SimulationResult run = integrate::simulate(
      model, {.stop = problem.at("stop").get<double>(), .tolerance = tolerance, .save_at = times});
  EXPECT_EQ(run.outcome, integrate::Outcome::done) << run.message;
  if (run.outcome != integrate::Outcome::done) return INFINITY;
  double worst = 0;
  const auto& saved = run.trajectory.times();
  for (const auto& [time, quantities] : points) {
    const auto row =
        static_cast<std::size_t>(std::min_element(saved.begin(), saved.end(),
                                                  [time = time](double a, double b) {
                                                    return std::abs(a - time) < std::abs(b - time);
                                                  }) -
                                 saved.begin());
    for (const auto& [name, digits] : quantities.items()) {
      const double reference = std::stod(digits.get<std::string>());
      const double scale = std::max(std::abs(reference), problem.at("floor").get<double>());
      worst = std::max(worst, std::abs(run.trajectory.column(name)[row] - reference) / scale);
    }
  }
  return worst;
}

TEST(PublishedProblems, ErrorsFollowTheTolerance) {
  std::size_t n_problems = 0;
  for (const json& problem : problems()) {
    if (!problem.contains("quick")) continue;
    const auto model_name = problem.at("model").get<std::string>();
    SCOPED_TRACE(problem.at("id").get<std::string>() + " " + model_name);
    ++n_problems;
    modelica::ModelSource source{.files = {root / problem.at("file").get<std::string>()},
                                 .model = model_name};
    if (problem.contains("set")) source.overrides = problem.at("set");
    const compile::CompiledModel model(modelica::flatten(source).system);
    const auto slack = problem.at("quick").get<double>();
    const double coarse = error_at(model, problem, 1e-5), fine = error_at(model, problem, 1e-9);
    EXPECT_LE(coarse, slack * 1e-5);
    EXPECT_LE(fine, slack * 1e-9);
  }
  EXPECT_GE(n_problems, 15u);
}

// The others are run by the driver alone, and their texts have to keep up with the language too.
TEST(PublishedProblems, CanAllBeCompiled) {
  for (const json& problem : problems()) {
    const auto model_name = problem.at("model").get<std::string>();
    SCOPED_TRACE(problem.at("id").get<std::string>() + " " + model_name);
    modelica::ModelSource source{.files = {root / problem.at("file").get<std::string>()},
                                 .model = model_name};
    if (problem.contains("set")) source.overrides = problem.at("set");
    EXPECT_NO_THROW(compile::CompiledModel(modelica::flatten(source).system));
  }
}

integrate::SimulationResult run_text(const std::string& text, double stop) {
  const compile::CompiledModel model(modelica::flatten({.text = text}).system);
  return integrate::simulate(model, {.stop = stop, .tolerance = 1e-6});
}

TEST(Tolerance, IsAPartOfTheNominalValue) {
  const auto wave = [](const char* start) {
    return run_text("model Wave Real x(fixed = true, start = " + std::string(start) +
                        "); equation der(x) = 1e-8*50*cos(50*time); end Wave;",
                    1);
  };
  const auto small = wave("0, nominal = 1e-8"), large = wave("0, nominal = 1"), plain = wave("0");
  EXPECT_NEAR(small.trajectory.column("x").back(), 1e-8 * std::sin(50.0), 1e-13);
  EXPECT_GT(small.statistics.steps, 2 * large.statistics.steps);
  // Without one the slope tells that it is small, or a value at the start.
  EXPECT_NEAR(plain.trajectory.column("x").back(), 1e-8 * std::sin(50.0), 1e-12);
  EXPECT_GT(plain.statistics.steps, large.statistics.steps);
  const auto told = wave("1e-8");
  EXPECT_NEAR(told.trajectory.column("x").back(), 1e-8 * (1 + std::sin(50.0)), 1e-12);
  EXPECT_GT(told.statistics.steps, large.statistics.steps);
}

TEST(Functions, MakeEventsWhereTheyAreAsked) {
  const auto jump = [](const std::string& annotation) {
    const std::string text =
        "model Jump function f input Real u; output Real y; algorithm y := if u > 0 then 1 else "
        "0; " +
        annotation +
        " end f; Real x(start = -1, fixed = true); Real y; equation der(x) = 1; y = f(x); end "
        "Jump;";
    return run_text(text, 2);
  };
  const auto quiet = jump(""), asked = jump("annotation(GenerateEvents = true);");
  EXPECT_EQ(quiet.n_state_events, 0u);
  EXPECT_EQ(asked.n_state_events, 1u);
  EXPECT_EQ(quiet.trajectory.column("y").front(), 0);
  EXPECT_EQ(quiet.trajectory.column("y").back(), 1);
}

}  // namespace
}  // namespace alembert
