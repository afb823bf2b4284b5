// SPDX-License-Identifier: Apache-2.0
#include "alembert/flat/to_text.hpp"

#include <fmt/format.h>

#include <string_view>

#include "alembert/symbolic/names.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::flat {

namespace {

/// A Modelica string: quotes and backslashes escaped, a line stays a line.
std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '\n') {
      literal += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

/// "(start = 1, fixed = true)", or nothing.
std::string modification(const std::vector<std::string>& attributes) {
  if (attributes.empty()) return "";
  return fmt::format("({})", fmt::join(attributes, ", "));
}

std::string comment(const std::string& description) {
  return description.empty() ? "" : fmt::format(" {}", string_literal(description));
}

std::string expression(const FlatSystem& system, ExprId id) {
  return symbolic::to_text(*system.pool, id, symbolic::Notation::modelica);
}

std::string identifier(const std::string& name) {
  return symbolic::is_modelica_name(name) ? name : symbolic::quoted(name);
}

std::string declaration(const FlatSystem& system, const Parameter& parameter) {
  std::vector<std::string> attributes;
  if (!parameter.unit.empty()) attributes.push_back("unit = " + string_literal(parameter.unit));
  return fmt::format("  parameter Real {}{}{}{};\n", expression(system, parameter.symbol),
                     modification(attributes),
                     parameter.value.valid() ? " = " + expression(system, parameter.value) : "",
                     comment(parameter.description));
}

std::string declaration(const FlatSystem& system, const Unknown& unknown) {
  std::vector<std::string> attributes;
  if (unknown.start.valid()) attributes.push_back("start = " + expression(system, unknown.start));
  if (unknown.fixed) attributes.push_back("fixed = true");
  if (unknown.min) attributes.push_back(fmt::format("min = {}", *unknown.min));
  if (unknown.max) attributes.push_back(fmt::format("max = {}", *unknown.max));
  if (unknown.nominal) attributes.push_back(fmt::format("nominal = {}", *unknown.nominal));
  if (!unknown.unit.empty()) attributes.push_back("unit = " + string_literal(unknown.unit));
  return fmt::format("  Real {}{}{};{}\n", expression(system, unknown.symbol),
                     modification(attributes), comment(unknown.description),
                     unknown.state_priority == 0
                         ? ""
                         : fmt::format("  // state priority {}", unknown.state_priority));
}

std::string declaration(const FlatSystem& system, const Observed& observed) {
  std::vector<std::string> attributes;
  if (!observed.unit.empty()) attributes.push_back("unit = " + string_literal(observed.unit));
  return fmt::format("  output Real {}{} = {}{};\n", identifier(observed.name),
                     modification(attributes), expression(system, observed.value),
                     comment(observed.description));
}

std::string statement(const FlatSystem& system, ExprId left, ExprId right) {
  return fmt::format("{} = {};", expression(system, left), expression(system, right));
}

}  // namespace

std::string to_text(const FlatSystem& system) {
  std::string text = fmt::format("model {}\n", identifier(system.name));
  for (const Parameter& parameter : system.parameters) text += declaration(system, parameter);
  for (const Unknown& unknown : system.unknowns) text += declaration(system, unknown);
  for (const Observed& observed : system.observed) text += declaration(system, observed);
  if (!system.initial_equations.empty() || !system.derivative_starts.empty())
    text += "initial equation\n";
  for (const DerivativeStart& start : system.derivative_starts) {
    // A guess is no equation: Modelica has no attribute for it, so it is shown as a comment.
    text += fmt::format(
        "  {}{}\n", start.fixed ? "" : "// guess: ", statement(system, start.symbol, start.value));
  }
  for (const FlatEquation& equation : system.initial_equations)
    text += fmt::format("  {}\n", statement(system, equation.left, equation.right));
  text += "equation\n";
  for (const FlatEquation& equation : system.equations)
    text += fmt::format("  {}\n", statement(system, equation.left, equation.right));
  return text + fmt::format("end {};\n", identifier(system.name));
}

}  // namespace alembert::flat
