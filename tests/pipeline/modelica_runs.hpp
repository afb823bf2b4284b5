// SPDX-License-Identifier: Apache-2.0
// Runs of models in Modelica text, for tests that look at numbers.
#pragma once

#include <algorithm>
#include <string>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {

inline compile::CompiledModel compiled(const std::string& text, const std::string& model = "M") {
  return compile::CompiledModel(modelica::flatten({.text = text, .model = model}).system);
}

/// Of the model M.
inline integrate::SimulationResult run(const std::string& text,
                                       const integrate::SimulateOptions& options) {
  return integrate::simulate(compiled(text), options);
}

inline double at_start(const integrate::SimulationResult& run, const std::string& name) {
  return run.trajectory.column(name).front();
}

inline double at_end(const integrate::SimulationResult& run, const std::string& name) {
  return run.trajectory.column(name).back();
}

/// In the last row at that time, which must be one of the output.
inline double at_time(const integrate::SimulationResult& run, const std::string& name, double t) {
  const auto times = run.trajectory.times();
  const auto after = std::upper_bound(times.begin(), times.end(), t + 1e-9);
  return run.trajectory.column(name)[static_cast<std::size_t>(after - times.begin()) - 1];
}

}  // namespace alembert
