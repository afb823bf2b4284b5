// SPDX-License-Identifier: Apache-2.0
// Two rods and two masses, rods by their angles, masses in Cartesian coordinates: twelve equations
// as one writes them down, index 3, and chaotic.
#include <algorithm>
#include <cstdio>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/result/csv.hpp"
#include "alembert/visual/write_figure.hpp"
#include "demos/demos.hpp"

namespace alembert {

FlatSystem double_pendulum() {
  Model m("DoublePendulum");
  const Expr g = m.parameter("g", 1.0);
  const Expr x1 = m.unknown("x1"), y1 = m.unknown("y1"), x2 = m.unknown("x2"), y2 = m.unknown("y2");
  const Expr lambda1 = m.unknown("lambda1"), lambda2 = m.unknown("lambda2");
  const Expr lx2 = m.unknown("lx2"), ly2 = m.unknown("ly2");
  const Expr theta1 = m.unknown("theta1", {.start = 0, .state_priority = 10});
  const Expr theta2 = m.unknown("theta2", {.start = 1.4, .state_priority = 10});
  const Expr T = m.unknown("T"), V = m.unknown("V");
  m += der(der(x1)) == lambda1 * x1 - lambda2 * lx2;
  m += der(der(y1)) == lambda1 * y1 - lambda2 * ly2 - g;
  m += x1 == cos(theta1);
  m += y1 == sin(theta1);
  m += der(der(x2)) == lambda2 * lx2;
  m += der(der(y2)) == lambda2 * ly2 - g;
  m += lx2 == cos(theta2);
  m += ly2 == sin(theta2);
  m += x2 == lx2 + x1;
  m += y2 == ly2 + y1;
  m += T ==
       (der(x1) * der(x1) + der(y1) * der(y1)) / 2 + (der(x2) * der(x2) + der(y2) * der(y2)) / 2;
  m += V == y1 * g + y2 * g;
  m.observe("E", T + V);
  return m.flatten();
}

int demo_double_pendulum(const std::filesystem::path& folder) {
  const compile::CompiledModel model(double_pendulum());
  const auto run = integrate::simulate(model, {.stop = 25, .tolerance = 1e-10, .intervals = 5000});
  if (run.outcome != integrate::Outcome::done) {
    std::fprintf(stderr, "alembert: %s\n", run.message.c_str());
    return 3;
  }
  auto energy = run.trajectory.column("E");
  const double start = energy.front();
  for (double& e : energy) e -= start;
  const auto [low, high] = std::minmax_element(energy.begin(), energy.end());
  std::printf(
      "Double pendulum: %zu equations, index %u, %u degrees of freedom; 25 s in %llu steps,\n"
      "energy within %.1g of its start, all constraints within %.1g\n",
      model.flat().equations.size(), model.plan().structural_index, model.plan().degrees_of_freedom,
      static_cast<unsigned long long>(run.statistics.steps), std::max(-*low, *high),
      run.largest_constraint_residual);

  visual::Panel path;
  path.title = "Path of the two masses";
  path.x_label = "x";
  path.y_label = "y";
  path.equal_axes = true;
  path.lines.push_back({.x = run.trajectory.column("x2"),
                        .y = run.trajectory.column("y2"),
                        .label = "second",
                        .colour = visual::palette::blue,
                        .width = 0.8});
  path.lines.push_back({.x = run.trajectory.column("x1"),
                        .y = run.trajectory.column("y1"),
                        .label = "first",
                        .colour = visual::palette::orange,
                        .width = 1.5});
  visual::Panel drift;
  drift.title = "Energy, less its start";
  drift.x_label = "time [s]";
  drift.y_label = "E - E(0)";
  drift.lines.push_back({.x = run.trajectory.times(), .y = energy});
  visual::Figure figure;
  figure.panels = {path, drift};
  visual::write_figure(figure, folder / "double-pendulum.svg");
  visual::write_figure(figure, folder / "double-pendulum.png");
  result::write_csv(run.trajectory, folder / "double-pendulum.csv");
  std::printf("wrote %s and .png, %s\n", (folder / "double-pendulum.svg").c_str(),
              (folder / "double-pendulum.csv").c_str());
  return 0;
}

}  // namespace alembert
