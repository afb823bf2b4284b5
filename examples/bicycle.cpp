// SPDX-License-Identifier: Apache-2.0
// A bicycle without a rider's hands: derived by Kane's method, linearised over its speed, and run.
// Between the weave speed and the capsize speed it stays upright by itself (Meijaard, Papadopoulos,
// Ruina and Schwab, Proc. R. Soc. A 463, 2007).
//   example_bicycle [picture.svg]
#include "mechanisms/bicycle.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/linearise.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/visual/write_figure.hpp"

using namespace alembert;
using namespace alembert::mechanics;

namespace {

/// Eigenvalues of lean and steer, running straight ahead.
std::vector<std::complex<double>> at_speed(const FlatSystem& bicycle, double v) {
  const auto linear = integrate::linearise(
      bicycle, {.parameters = {{"v", v}}, .states = {"roll", "steer", "u_roll", "u_steer"}});
  return integrate::eigenvalues(linear.A, 4);
}

double largest_growth(const FlatSystem& bicycle, double v) {
  double largest = -INFINITY;
  for (const auto& value : at_speed(bicycle, v)) largest = std::max(largest, value.real());
  return largest;
}

/// The speed between two at which stability changes.
double boundary(const FlatSystem& bicycle, double low, double high) {
  const bool stable_below = largest_growth(bicycle, low) < 0;
  while (high - low > 1e-4) {
    const double middle = (low + high) / 2;
    ((largest_growth(bicycle, middle) < 0) == stable_below ? low : high) = middle;
  }
  return low;
}

visual::Panel eigenvalues_over_speed(const FlatSystem& bicycle, double weave, double capsize) {
  visual::Panel panel;
  panel.x_label = "speed [m/s]";
  panel.y_label = "eigenvalues [1/s], real and imaginary parts";
  panel.y_range = visual::Range{-10, 10};
  visual::Points real{.label = "real", .size = 3}, imaginary{.label = "imaginary", .size = 2};
  for (double v = 0; v < 10.1; v += 0.2)
    for (const auto& value : at_speed(bicycle, v)) {
      real.x.push_back(v);
      real.y.push_back(value.real());
      if (value.imag() == 0) continue;
      imaginary.x.push_back(v);
      imaginary.y.push_back(value.imag());
    }
  panel.points = {real, imaginary};
  for (const double v : {weave, capsize})
    panel.guides.push_back({.along = visual::Guide::Along::y, .at = v});
  return panel;
}

integrate::SimulationResult push_aside(const compile::CompiledModel& model, double v, double stop) {
  return integrate::simulate(model, {.stop = stop,
                                     .tolerance = 1e-9,
                                     .intervals = 400,
                                     .parameters = {{"v", v}},
                                     .starts = {{"u_roll", 0.2}}});
}

}  // namespace

int main(int argc, char** argv) {
  const auto before = std::chrono::steady_clock::now();
  Bicycle bicycle;
  add_kane(bicycle.model, derive_kane(bicycle.model, bicycle.system));
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  bicycle.model.observe(
      "energy", kinetic_energy(bicycle.system.bodies, bicycle.N) +
                    gravity_potential(bicycle.system.bodies, 9.81 * bicycle.N.z(), bicycle.O));
  const FlatSystem flat = bicycle.model.flatten();
  std::printf("derived in %.1f ms\n", 1e3 * seconds);

  const double weave = boundary(flat, 3, 5), capsize = boundary(flat, 5, 8);
  std::printf("stable from %.4f m/s (published: 4.292) to %.4f m/s (published: 6.024)\n", weave,
              capsize);
  const compile::CompiledModel model(flat);
  visual::Panel runs;
  runs.x_label = "time [s]";
  runs.y_label = "lean after a push [deg]";
  bool right = std::abs(weave - 4.292) < 1e-3 && std::abs(capsize - 6.024) < 1e-3;
  for (const double v : {3.8, 5.0}) {
    const bool stable = v > weave;
    const auto run = push_aside(model, v, stable ? 8 : 3);
    if (run.outcome != integrate::Outcome::done) {
      std::printf("%s\n", run.message.c_str());
      return 1;
    }
    std::vector<double> lean = run.trajectory.column("roll");
    const auto energy = run.trajectory.column("energy");
    const auto [low, high] = std::minmax_element(energy.begin(), energy.end());
    for (double& angle : lean) angle *= 180 / M_PI;
    std::printf("%.1f m/s: lean after %.0f s %.3f degrees, energy kept to %.1e of %.0f J\n", v,
                run.end_time, lean.back(), *high - *low, energy.front());
    right = right && (std::abs(lean.back()) < 0.1) == stable && *high - *low < 1e-4;
    char label[32];
    std::snprintf(label, sizeof label, "%.1f m/s", v);
    runs.lines.push_back({.x = run.trajectory.times(), .y = std::move(lean), .label = label});
  }
  visual::write_figure({.panels = {eigenvalues_over_speed(flat, weave, capsize), runs},
                        .arrangement = visual::Arrangement::column,
                        .height = 560},
                       argc > 1 ? argv[1] : "bicycle.svg");
  return right ? 0 : 1;
}
