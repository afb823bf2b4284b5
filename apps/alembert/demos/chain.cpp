// SPDX-License-Identifier: Apache-2.0
// A hundred point masses on rods, let go from a straight line: a hundred constraints of index 3,
// and two choices of a state for each mass, of which none is good for long.
#include <cstdio>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/visual/write_figure.hpp"
#include "demos/demos.hpp"

namespace alembert {

namespace {

constexpr std::uint32_t n_masses = 100;

std::string numbered(const char* name, std::uint32_t i) {
  return name + ("[" + std::to_string(i + 1) + "]");
}

FlatSystem chain() {
  const double length = 1.0 / n_masses;
  Model m("Chain");
  const Expr g = m.parameter("g", 9.81);
  std::vector<Expr> x, y;
  for (std::uint32_t i = 0; i < n_masses; ++i) {
    x.push_back(m.unknown(numbered("x", i), {.start = (i + 1) * length}));
    y.push_back(m.unknown(numbered("y", i), {.start = 0}));
    m.balance(x[i]) += der(der(x[i]));
    m.balance(y[i]) += der(der(y[i])) + g;
  }
  Expr energy = 0;
  for (std::uint32_t i = 0; i < n_masses; ++i) {
    const Expr dx = i == 0 ? x[0] : x[i] - x[i - 1], dy = i == 0 ? y[0] : y[i] - y[i - 1];
    const Expr pull = m.unknown(numbered("pull", i));  // of the rod, by its length
    m += dx * dx + dy * dy == length * length;
    m.balance(x[i]) += pull * dx;
    m.balance(y[i]) += pull * dy;
    if (i > 0) {
      m.balance(x[i - 1]) += -(pull * dx);
      m.balance(y[i - 1]) += -(pull * dy);
    }
    energy = energy + (pow(der(x[i]), 2) + pow(der(y[i]), 2)) / 2 + g * y[i];
  }
  m.observe("energy", energy);
  return m.flatten();
}

/// The chain at a row, from where it hangs to its end.
visual::Line shape(const result::Trajectory& run, std::size_t row) {
  visual::Line line{.x = {0}, .y = {0}, .width = 1.2};
  for (std::uint32_t i = 0; i < n_masses; ++i) {
    line.x.push_back(run.column(numbered("x", i))[row]);
    line.y.push_back(run.column(numbered("y", i))[row]);
  }
  return line;
}

}  // namespace

int demo_chain(const std::filesystem::path& folder) {
  constexpr double stop = 2;
  constexpr std::uint32_t intervals = 400;
  std::printf("A chain of %u pendulums in Cartesian coordinates ...\n", n_masses);
  std::fflush(stdout);
  const compile::CompiledModel model(chain());
  const auto run = integrate::simulate(model, {.stop = stop, .intervals = intervals});
  if (run.outcome != integrate::Outcome::done) {
    std::fprintf(stderr, "alembert: %s\n", run.message.c_str());
    return 3;
  }
  const auto energy = run.trajectory.column("energy");
  double change = 0;
  for (const double e : energy) change = std::max(change, std::abs(e - energy.front()));
  std::printf(
      "%zu equations, index %u, %u degrees of freedom: 2^%u choices of states\n"
      "%.0f s in %llu steps; states chosen anew %llu times; constraints within %.1g, energy within "
      "%.1g J/kg\n",
      model.flat().equations.size(), model.plan().structural_index, model.plan().degrees_of_freedom,
      n_masses, stop, static_cast<unsigned long long>(run.statistics.steps),
      static_cast<unsigned long long>(run.n_switches), run.largest_constraint_residual, change);

  visual::Panel shapes;
  shapes.title = "A hundred rods, let go from a line";
  shapes.subtitle = "every 50 ms of the first second";
  shapes.x_label = "x [m]";
  shapes.y_label = "y [m]";
  shapes.equal_axes = true;
  constexpr int n_shapes = 21;
  for (int k = 0; k < n_shapes; ++k) {
    visual::Line line = shape(run.trajectory, static_cast<std::size_t>(k) * 10);
    const double age = static_cast<double>(k) / (n_shapes - 1);
    line.colour = visual::palette::blue.with_alpha(0.25 + 0.75 * age);
    if (k + 1 == n_shapes) line.colour = visual::palette::orange;
    shapes.lines.push_back(std::move(line));
  }
  visual::Panel path;
  path.title = "Where its end went";
  path.subtitle = "two seconds";
  path.x_label = "x [m]";
  path.y_label = "y [m]";
  path.equal_axes = true;
  path.lines.push_back({.x = run.trajectory.column(numbered("x", n_masses - 1)),
                        .y = run.trajectory.column(numbered("y", n_masses - 1)),
                        .colour = visual::palette::orange,
                        .width = 1.2});
  visual::Figure figure;
  figure.panels = {shapes, path};
  visual::write_figure(figure, folder / "chain.svg");
  visual::write_figure(figure, folder / "chain.png");
  std::printf("wrote %s and .png\n", (folder / "chain.svg").c_str());
  return 0;
}

}  // namespace alembert
