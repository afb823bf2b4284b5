// SPDX-License-Identifier: Apache-2.0
// The message that the README shows is the one that a user gets.
#include <gtest/gtest.h>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/result/output_file.hpp"

namespace alembert {
namespace {

TEST(Readme, ShowsTheMessageOfAForgottenEquation) {
  Model m("Pendulum");
  const Expr g = m.parameter("g", 1.0);
  const Expr x = m.unknown("x", {.start = 1}), y = m.unknown("y", {.start = 0});
  const Expr lambda = m.unknown("lambda");
  m += der(der(x)) == lambda * x;
  m += der(der(y)) == lambda * y - g;
  try {
    const compile::CompiledModel model(m.flatten());
    FAIL() << "two equations for three unknowns were accepted";
  } catch (const Error& error) {
    const std::string shown = "error[" + error.code() + "]: " + error.diagnostics().front().text;
    const std::string readme = result::read_file(ALEMBERT_SOURCE_ROOT "/README.md");
    EXPECT_NE(readme.find(shown), std::string::npos) << shown;
  }
}

}  // namespace
}  // namespace alembert
