// SPDX-License-Identifier: Apache-2.0
// `alembert linearise`: a model near one point, as matrices and eigenvalues; points of rest.
#include "alembert/integrate/linearise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "alembert/base/error.hpp"
#include "command.hpp"
#include "model_options.hpp"
#include "names.hpp"
#include "report_options.hpp"

namespace alembert::commands {

namespace {

using integrate::Linearisation;

struct LineariseCommand {
  ModelOptions model;
  ReportOptions report;
  std::string inputs, outputs, states, hold;
  bool equilibrium = false;
  double time = 0;
};

std::vector<std::string> names_in(const std::string& list) {
  return list.empty() ? std::vector<std::string>{} : split_names(list);
}

/// What is below 1e-12 of the largest is rounding.
double without_noise(double value, double largest) {
  constexpr double noise = 1e-12;
  return std::abs(value) <= noise * largest ? 0.0 : value + 0.0;
}

double largest_of(const std::vector<std::vector<double>>& matrix) {
  double largest = 0;
  for (const std::vector<double>& row : matrix)
    for (const double entry : row) largest = std::max(largest, std::abs(entry));
  return largest;
}

void print_matrix(const char* name, const std::vector<std::vector<double>>& matrix,
                  const std::vector<std::string>& rows, const std::vector<std::string>& columns) {
  if (rows.empty() || columns.empty()) return;
  std::size_t width = 0, column_width = 12;
  for (const std::string& row : rows) width = std::max(width, row.size());
  for (const std::string& column : columns) column_width = std::max(column_width, column.size());
  std::printf("\n%s%*s", name, static_cast<int>(width + 1), "");
  for (const std::string& column : columns)
    std::printf("  %*s", static_cast<int>(column_width), column.c_str());
  std::printf("\n");
  const double largest = largest_of(matrix);
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    std::printf("  %-*s", static_cast<int>(width), rows[i].c_str());
    for (const double entry : matrix[i])
      std::printf("  %*.6g", static_cast<int>(column_width), without_noise(entry, largest));
    std::printf("\n");
  }
}

void print_eigenvalues(const Linearisation& linear) {
  std::printf("\neigenvalues             frequency, Hz   damping ratio\n");
  double largest = 0;
  for (const std::complex<double>& value : linear.eigenvalues)
    largest = std::max(largest, std::abs(value));
  for (const std::complex<double>& exact : linear.eigenvalues) {
    const std::complex<double> value(without_noise(exact.real(), largest),
                                     without_noise(exact.imag(), largest));
    const double size = std::abs(value);
    if (value.imag() == 0) {
      std::printf("  %-20.8g\n", value.real());
      continue;
    }
    char text[64];
    std::snprintf(text, sizeof text, "%.6g %c %.6gi", value.real(), value.imag() < 0 ? '-' : '+',
                  std::abs(value.imag()));
    std::printf("  %-22s %12.6g %15.6g\n", text, std::abs(value.imag()) / (2 * M_PI),
                -value.real() / size + 0.0);
  }
}

void print_text(const Linearisation& linear, bool at_rest) {
  std::printf("%s with %zu state%s:", at_rest ? "At rest," : "Around the start,",
              linear.states.size(), linear.states.size() == 1 ? "" : "s");
  for (const std::string& name : linear.states) {
    const auto value = linear.point.find(name);
    std::printf(" %s", name.c_str());
    if (value != linear.point.end()) std::printf(" = %.10g", value->second + 0.0);
    if (&name != &linear.states.back()) std::printf(",");
  }
  std::printf("\n");
  print_matrix("A", linear.A, linear.states, linear.states);
  print_matrix("B", linear.B, linear.states, linear.inputs);
  print_matrix("C", linear.C, linear.outputs, linear.states);
  print_matrix("D", linear.D, linear.outputs, linear.inputs);
  if (!linear.states.empty()) print_eigenvalues(linear);
}

void print_json(const Linearisation& linear, const std::string& model, bool at_rest) {
  nlohmann::ordered_json report = {{"model", model},
                                   {"equilibrium", at_rest},
                                   {"states", linear.states},
                                   {"inputs", linear.inputs},
                                   {"outputs", linear.outputs},
                                   {"A", linear.A},
                                   {"B", linear.B},
                                   {"C", linear.C},
                                   {"D", linear.D}};
  auto& values = report["eigenvalues"] = nlohmann::ordered_json::array();
  for (const std::complex<double>& value : linear.eigenvalues)
    values.push_back({{"real", value.real()}, {"imag", value.imag()}});
  auto& point = report["point"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : linear.point) point[name] = value;
  std::printf("%s\n", report.dump().c_str());
}

int run(const LineariseCommand& command) {
  const flat::FlatSystem system = read_model(command.model, command.report.quiet);
  integrate::LineariseOptions options{.time = command.time,
                                      .inputs = names_in(command.inputs),
                                      .outputs = names_in(command.outputs),
                                      .states = names_in(command.states)};
  if (!command.hold.empty() && !command.equilibrium)
    throw Error("U004", "--hold is for --equilibrium: elsewhere nothing is moved.");
  if (command.equilibrium)
    options.at =
        integrate::equilibrium(system, {.time = command.time, .hold = names_in(command.hold)});
  const Linearisation linear = integrate::linearise(system, options);
  if (command.report.json)
    print_json(linear, system.name, command.equilibrium);
  else
    print_text(linear, command.equilibrium);
  return 0;
}

}  // namespace

Command add_linearise(CLI::App& app) {
  auto command = std::make_shared<LineariseCommand>();
  CLI::App* parser = app.add_subcommand(
      "linearise",
      "Linearise a model: x' = A x + B u, y = C x + D u, and the eigenvalues of A.\n"
      "Constraints are eliminated; derivatives are exact. The point is the start of the model,\n"
      "or with --equilibrium the equilibrium that is found from there.\n\n"
      "  alembert linearise pendulum.mo\n"
      "  alembert linearise pendulum.mo --equilibrium --states \"x,der(x)\"\n"
      "  alembert linearise pendulum.mo --inputs g --outputs y --json     for scripts\n");
  add_model_options(*parser, command->model);
  add_report_options(*parser, command->report);
  parser->add_option("--inputs", command->inputs, "parameters that are inputs: a,b");
  parser->add_option("--outputs", command->outputs, "variables that are outputs: x,y");
  parser->add_option("--states", command->states,
                     "variables to use as states, as far as possible (default: a good choice)");
  parser->add_flag("--equilibrium", command->equilibrium,
                   "first find an equilibrium, with the start values as a guess");
  parser->add_option(
      "--hold", command->hold,
      "states that keep their start values during --equilibrium, such as a speed: a,b");
  parser->add_option("--time", command->time, "time at which to linearise")->capture_default_str();
  return {parser, [command] { return run(*command); }};
}

}  // namespace alembert::commands
