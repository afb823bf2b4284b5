// SPDX-License-Identifier: Apache-2.0
// Modelica text whose size is a parameter (scalable.mo), from text to the end of a run at n, 10 n
// and 100 n: seconds of processor time of flattening, of structure and compilation, of the run, and
// by how much each grew. The number of steps is printed beside the run, since it may grow with n
// too. Arguments: a model and a number of scalar equations, for one case; `short` leaves out the
// largest.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <ctime>

#include "alembert/base/error.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {
namespace {

struct ScalableModel {
  const char* name;
  bool is_square;  ///< its parameter counts rows of a square
  double equations_for_each;
  double largest = 1e5;  ///< equations to go to; where every cell has an event the run is quadratic
};

constexpr ScalableModel models[] = {
    {"CascadedFirstOrder", false, 1}, {"VibratingString", false, 12}, {"HeatGrid", true, 3},
    {"DistributionNetwork", true, 7}, {"HeatConduction", false, 2},   {"HeatExchanger", false, 3},
    {"TransmissionLine", false, 6},   {"Advection", false, 2},        {"Pendulums", false, 4, 1e4},
    {"Breakers", false, 2, 1e3}};

struct Cost {
  std::size_t n_equations = 0;
  double flatten = 0;
  double compile = 0;
  double run = 0;
  std::uint64_t steps = 0;
};

class Stopwatch {
 public:
  double lap() {
    const std::clock_t now = std::clock();
    const double seconds = static_cast<double>(now - begin_) / CLOCKS_PER_SEC;
    begin_ = now;
    return seconds;
  }

 private:
  std::clock_t begin_ = std::clock();
};

Cost measured(const ScalableModel& model, double n_equations) {
  const double cells = n_equations / model.equations_for_each;
  const auto n = static_cast<long>(std::round(model.is_square ? std::sqrt(cells) : cells));
  Cost cost;
  Stopwatch watch;
  flat::FlatSystem flat = modelica::flatten({.files = {ALEMBERT_SCALABLE_MODELS},
                                             .model = std::string("Scalable.") + model.name,
                                             .overrides = {fmt::format("n={}", n)}})
                              .system;
  cost.flatten = watch.lap();
  cost.n_equations = flat.equations.size();
  const flat::Experiment experiment = flat.experiment;
  const compile::CompiledModel compiled(std::move(flat));
  cost.compile = watch.lap();
  integrate::SimulateOptions options;
  options.stop = experiment.stop.value_or(1);
  options.tolerance = experiment.tolerance.value_or(1e-6);
  options.intervals = 10;
  const integrate::SimulationResult result = integrate::simulate(compiled, options);
  cost.run = watch.lap();
  cost.steps = result.statistics.steps;
  if (result.outcome != integrate::Outcome::done) fmt::print("  {}\n", result.message);
  return cost;
}

std::string growth(double before, double after) {
  return before > 0 ? fmt::format("x{:<5.1f}", after / before) : std::string(6, ' ');
}

void print_model(const ScalableModel& model, std::initializer_list<double> sizes) {
  Cost before;
  for (const double size : sizes) {
    if (sizes.size() > 1 && size > model.largest) break;
    const Cost cost = measured(model, size);
    fmt::print("{:<22}{:>8}{:>10.3f} {}{:>10.3f} {}{:>10.3f} {}{:>7}\n", model.name,
               cost.n_equations, cost.flatten, growth(before.flatten, cost.flatten), cost.compile,
               growth(before.compile, cost.compile), cost.run, growth(before.run, cost.run),
               cost.steps);
    std::fflush(stdout);
    before = cost;
  }
}

}  // namespace
}  // namespace alembert

int main(int argc, char** argv) {
  using namespace alembert;
  fmt::print("{:<22}{:>8}{:>10}       {:>10}       {:>10}       {:>7}\n", "model", "equations",
             "flatten", "compile", "run", "steps");
  for (const ScalableModel& model : models) {
    if (argc == 3) {
      if (std::strcmp(argv[1], model.name) == 0) print_model(model, {std::atof(argv[2])});
    } else if (argc == 2 && std::strcmp(argv[1], "short") == 0) {
      print_model(model, {1e3, 1e4});
    } else {
      print_model(model, {1e3, 1e4, 1e5});
    }
  }
  return 0;
}
