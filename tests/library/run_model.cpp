// SPDX-License-Identifier: Apache-2.0
#include "run_model.hpp"

#include <gtest/gtest.h>

#include "alembert/frontend/modelica/modelica.hpp"

namespace alembert::library_test {

flat::FlatSystem flat_model(const std::string& name, const std::vector<std::string>& changes) {
  return modelica::flatten({.model = name, .overrides = changes}).system;
}

flat::FlatSystem flat_text(const std::string& text) {
  return modelica::flatten({.text = text}).system;
}

integrate::SimulationResult run(flat::FlatSystem flat, integrate::SimulateOptions options,
                                double stop) {
  const flat::Experiment experiment = flat.experiment;
  options.stop = stop > 0 ? stop : experiment.stop.value_or(1);
  const std::string name = flat.name;
  const compile::CompiledModel model(std::move(flat));
  integrate::SimulationResult result = integrate::simulate(model, options);
  EXPECT_EQ(result.outcome, integrate::Outcome::done) << name << ": " << result.message;
  return result;
}

double at(const integrate::SimulationResult& result, const std::string& variable, double time) {
  const auto& times = result.trajectory.times();
  std::size_t row = 0;
  while (row + 1 < times.size() && times[row + 1] <= time + 1e-12) ++row;
  EXPECT_NEAR(times[row], time, 1e-9) << "no row of this time";
  return result.trajectory.column(variable)[row];
}

double last(const integrate::SimulationResult& result, const std::string& variable) {
  return result.trajectory.column(variable).back();
}

}  // namespace alembert::library_test
