// SPDX-License-Identifier: Apache-2.0
// What runs of models in Modelica text print.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "alembert/base/printed.hpp"
#include "pipeline/modelica_runs.hpp"

namespace alembert {

using Lines = std::vector<std::string>;

/// The lines that a run of the model M prints; `text` is what follows its name, and may call print.
inline Lines lines_of(const std::string& text,
                      const integrate::SimulateOptions& options = {.stop = 1}) {
  const std::string print_function = R"(
  impure function print
    input String string = "";
    input String fileName = "";
    external "C" ModelicaInternal_print(string, fileName);
  end print;
)";
  Lines lines;
  print_with([&](std::string_view line) { lines.emplace_back(line); });
  const integrate::SimulationResult result = run("model M" + print_function + text, options);
  print_with([](std::string_view) {});
  EXPECT_EQ(result.outcome, integrate::Outcome::done) << result.message;
  return lines;
}

}  // namespace alembert
