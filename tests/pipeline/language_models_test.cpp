// SPDX-License-Identifier: Apache-2.0
// Every model of models/language: what its first lines expect at the end of its run, or the words
// of the error that it is for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {
namespace {

namespace fs = std::filesystem;

/// `// expect NAME = VALUE`, `// error WORDS`, `// stop TIME`, `// model NAME`.
struct Expectation {
  std::map<std::string, double> values;
  std::vector<std::string> errors;
  double stop = 1;
  std::string model;
};

Expectation expectation_of(const fs::path& file) {
  Expectation result;
  result.model = file.stem().string();
  std::ifstream in(file);
  for (std::string line; std::getline(in, line) && line.starts_with("// ");) {
    std::istringstream words(line.substr(3));
    std::string kind;
    words >> kind;
    std::string rest;
    std::getline(words >> std::ws, rest);
    if (kind == "expect")
      result.values[rest.substr(0, rest.rfind(" = "))] =
          std::stod(rest.substr(rest.rfind(" = ") + 3));
    if (kind == "error") result.errors.push_back(rest);
    if (kind == "stop") result.stop = std::stod(rest);
    if (kind == "model") result.model = rest;
  }
  return result;
}

struct Ran {
  std::string failure;  // of any stage; empty if the run came to its end
  std::map<std::string, double> at_end;
};

Ran run(const fs::path& file, const Expectation& expected) {
  Ran ran;
  try {
    const auto flattened = modelica::flatten({.files = {file}, .model = expected.model});
    const compile::CompiledModel model(flattened.system);
    integrate::SimulateOptions options;
    options.stop = expected.stop;
    options.tolerance = 1e-9;
    options.parameter_columns = true;
    const auto result = integrate::simulate(model, options);
    if (result.outcome != integrate::Outcome::done) ran.failure = result.message;
    for (const auto& [name, value] : expected.values)
      ran.at_end[name] = result.trajectory.column(name).back();
  } catch (const Error& error) {
    for (const Diagnostic& diagnostic : error.diagnostics())
      ran.failure += to_string(diagnostic) + "\n";
  }
  return ran;
}

TEST(LanguageModels, DoWhatTheirFirstLinesSay) {
  const fs::path folder = fs::path(ALEMBERT_SOURCE_ROOT) / "models/language";
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 40U);
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.string());
    const Expectation expected = expectation_of(file);
    EXPECT_FALSE(expected.values.empty() && expected.errors.empty());
    const Ran ran = run(file, expected);
    EXPECT_EQ(ran.failure.empty(), expected.errors.empty()) << ran.failure;
    for (const std::string& words : expected.errors)
      EXPECT_NE(ran.failure.find(words), std::string::npos) << words << "\n" << ran.failure;
    for (const auto& [name, value] : ran.at_end)
      EXPECT_NEAR(value, expected.values.at(name), 1e-6 * std::max(1.0, std::abs(value))) << name;
  }
}

}  // namespace
}  // namespace alembert
