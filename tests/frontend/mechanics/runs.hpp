// SPDX-License-Identifier: Apache-2.0
// Models of these tests, run to the end; values by name and time.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {

inline integrate::SimulationResult run(const builder::Model& model,
                                       const integrate::SimulateOptions& options) {
  const compile::CompiledModel compiled(model.flatten());
  return integrate::simulate(compiled, options);
}

inline double last(const integrate::SimulationResult& run, const std::string& name) {
  return run.trajectory.column(name).back();
}

/// The message of the Error that `call` throws; fails where it throws none of that code.
template <class Call>
std::string message_of(const std::string& code, Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error " << code;
  return "";
}

inline double spread(const std::vector<double>& values) {
  double low = values.front(), high = values.front();
  for (const double value : values) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high - low;
}

}  // namespace alembert
