// SPDX-License-Identifier: Apache-2.0
// The models whose size is a parameter (benchmarks/models/scalable.mo): each runs, at a small size,
// and the benchmark names no other. One has a closed form, and its start shows that a model of many
// equal parts begins as each part does alone.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {
namespace {

const std::filesystem::path folder =
    std::filesystem::path(ALEMBERT_SOURCE_ROOT) / "benchmarks" / "models";

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::set<std::string> found(const std::string& text, const char* pattern) {
  std::set<std::string> names;
  const std::regex name(pattern);
  for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end; ++i)
    names.insert((*i)[1]);
  return names;
}

/// Those with a size; the others are their parts.
std::set<std::string> scalable_models() {
  return found(text_of(folder / "scalable.mo"), R"(model (\w+)[^\n]*\n\s+parameter Integer n = )");
}

integrate::SimulationResult run(const std::string& model, int n) {
  flat::FlatSystem flat = modelica::flatten({.files = {folder / "scalable.mo"},
                                             .model = "Scalable." + model,
                                             .overrides = {"n=" + std::to_string(n)}})
                              .system;
  integrate::SimulateOptions options{.stop = flat.experiment.stop.value(),
                                     .tolerance = flat.experiment.tolerance.value()};
  options.intervals = 10;
  return integrate::simulate(compile::CompiledModel(std::move(flat)), options);
}

TEST(ScalableModels, AllRun) {
  const std::set<std::string> models = scalable_models();
  EXPECT_GE(models.size(), 11u);
  for (const std::string& model : models)
    for (const int n : {3, 12}) {
      SCOPED_TRACE(model + " of size " + std::to_string(n));
      const integrate::SimulationResult result = run(model, n);
      EXPECT_EQ(result.outcome, integrate::Outcome::done) << result.message;
      EXPECT_GT(result.statistics.steps, 0u);
    }
}

TEST(ScalableModels, AreThoseThatTheBenchmarkNames) {
  const std::set<std::string> models = scalable_models();
  const std::set<std::string> named =
      found(text_of(folder / "modelica_scaling.cpp"), R"re(\{"(\w+)", (?:true|false), )re");
  EXPECT_GE(named.size(), 10u);
  for (const std::string& name : named) EXPECT_TRUE(models.contains(name)) << name;
}

// x[k] of a chain of lags is the distribution of a sum of k exponential times (Erlang).
TEST(ScalableModels, ChainOfLagsFollowsItsClosedForm) {
  const integrate::SimulationResult result = run("CascadedFirstOrder", 40);
  const double s = 2 / 0.1;
  double term = std::exp(-s), below = 0;
  for (int k = 1; k <= 40; ++k) {
    below += term;
    term *= s / k;
    const std::string name = "x[" + std::to_string(k) + "]";
    EXPECT_NEAR(result.trajectory.column(name).back(), 1 - below, 1e-5) << name;
  }
}

}  // namespace
}  // namespace alembert
