// SPDX-License-Identifier: Apache-2.0
// The flagship. A mass on a rod in Cartesian coordinates has index 3 and no globally valid choice
// of states: lowering the index by hand drifts off the circle, one fixed choice stops at x = 0.
// Re-selecting states as it runs does neither.
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/result/csv.hpp"
#include "alembert/visual/write_figure.hpp"
#include "demos/demo_page.hpp"
#include "demos/demos.hpp"

namespace alembert {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

FlatSystem cartesian_pendulum() {
  Model m("Pendulum");
  const Expr g = m.parameter("g", 1.0);
  const Expr x = m.unknown("x", {.start = 1});
  const Expr y = m.unknown("y", {.start = 0});
  const Expr lambda = m.unknown("lambda");
  m += der(der(x)) == lambda * x;
  m += der(der(y)) == lambda * y - g;
  m += x * x + y * y == 1;
  m.observe("E", (der(x) * der(x) + der(y) * der(y)) / 2 + g * y);
  return m.flatten();
}

struct Path {
  std::vector<double> t, x, y;
  double reached = 0;
  double off_circle = 0;  // largest |x^2 + y^2 - 1|
  std::uint64_t steps = 0;
  double ms = 0;

  void add(double time, double px, double py) {
    t.push_back(time);
    x.push_back(px);
    y.push_back(py);
    off_circle = std::max(off_circle, std::abs(px * px + py * py - 1));
  }
};

/// x'' = lambda x, y'' = lambda y - g, and the length constraint differentiated twice: M u' = f(u)
/// with u = (x', x, y', y, lambda), M = diag(1, 1, 1, 1, 0). The constraint itself is nowhere in
/// it.
Path lowered_by_hand(double stop) {
  Path path;
  constexpr std::uint32_t n = 5;
  static constexpr auto mass = [] {
    std::array<double, n * n> m{};
    for (std::uint32_t i = 0; i + 1 < n; ++i) m[i * n + i] = 1;
    return m;
  }();
  integrate::OdeSystem system;
  system.n = n;
  system.mass = mass.data();
  system.rhs = [](void*, double, const double* u, double* f) {
    f[0] = u[4] * u[1];
    f[1] = u[0];
    f[2] = u[4] * u[3] - 1;
    f[3] = u[2];
    f[4] = f[0] * u[1] + u[0] * u[0] + f[2] * u[3] + u[2] * u[2];
    return true;
  };
  const auto start = Clock::now();
  const auto stepper = integrate::make_stepper("rodas5p", system);
  double u[n] = {0, 1, 0, 0, 0};
  path.add(0, u[1], u[3]);
  auto observer = [&](integrate::AcceptedStep& step) {
    constexpr int samples = 8;
    double state[n];
    for (int k = 1; k <= samples; ++k) {
      const double time = step.t_old + (step.t - step.t_old) * k / samples;
      if (step.interpolate(time, state)) path.add(time, state[1], state[3]);
    }
    return integrate::ObserverAction::go_on;
  };
  // The tolerances that the page this comes from runs with.
  const auto end =
      integrate::integrate_adaptive(*stepper, 0, stop, u, {.tolerances = {1e-3, 1e-6}}, observer);
  path.reached = end.t;
  path.steps = end.statistics.steps;
  path.ms = milliseconds_since(start);
  return path;
}

Path path_of(const integrate::SimulationResult& run, double ms) {
  Path path;
  const auto x = run.trajectory.column("x");
  const auto y = run.trajectory.column("y");
  for (std::size_t i = 0; i < x.size(); ++i) path.add(run.trajectory.times()[i], x[i], y[i]);
  path.reached = run.end_time;
  path.steps = run.statistics.steps;
  path.ms = ms;
  return path;
}

struct Way {
  const char* name;
  const Path& path;
};

void print_row(const Way& way) {
  std::printf("  %-38s %8.4g s %14.2g %10llu %10.1f\n", way.name, way.path.reached,
              way.path.off_circle, static_cast<unsigned long long>(way.path.steps), way.path.ms);
}

visual::Panel panel(std::string title, std::string subtitle, const Path& path,
                    visual::Colour colour) {
  visual::Panel p;
  p.title = std::move(title);
  p.subtitle = std::move(subtitle);
  p.x_label = "x";
  p.y_label = "y";
  p.equal_axes = true;
  p.legend = visual::LegendPlace::above;
  visual::Line circle;
  for (int k = 0; k <= 360; ++k) {
    circle.x.push_back(std::cos(k * M_PI / 180));
    circle.y.push_back(std::sin(k * M_PI / 180));
  }
  circle.colour = visual::palette::grey;
  circle.width = 0.75;
  circle.stroke = visual::Stroke::dashed;
  p.lines.push_back(std::move(circle));
  p.lines.push_back({.x = path.x, .y = path.y, .colour = colour, .width = 1.1});
  p.points.push_back({.x = {path.x.front()},
                      .y = {path.y.front()},
                      .label = "start",
                      .colour = colour,
                      .shape = visual::Shape::ring});
  p.points.push_back(
      {.x = {path.x.back()}, .y = {path.y.back()}, .label = "end", .colour = colour});
  return p;
}

visual::Figure figure_of(const Path& drifting, const Path& stopping, const Path& whole) {
  visual::Figure figure;
  figure.panels = {panel("Index lowered by hand: drifts",
                         fmt::format("500 s, off the circle by {:.2g}", drifting.off_circle),
                         drifting, visual::palette::orange),
                   panel("One choice of states: stops at x = 0",
                         fmt::format("ends at t = {:.3f} s", stopping.reached), stopping,
                         visual::palette::vermillion),
                   panel("Alembert: states re-selected",
                         fmt::format("500 s, off the circle by {:.0e}", whole.off_circle), whole,
                         visual::palette::blue)};
  // Early turns pale, late ones dark: the drift has a direction.
  figure.panels[0].lines[1].from_colour = visual::palette::grid;
  figure.panels[0].lines[1].width = 0.5;
  return figure;
}

/// What the run found, a sentence a line.
std::vector<std::string> findings(const integrate::SimulationResult& run, double compile_ms) {
  const auto energy = run.trajectory.column("E");
  double drift = 0;
  for (const double e : energy) drift = std::max(drift, std::abs(e - energy.front()));
  std::vector<std::string> lines{
      fmt::format("{} switches of states, energy kept to {:.1g}, all levels of the constraint to "
                  "{:.1g}.",
                  run.switches.size(), drift, run.largest_constraint_residual),
      fmt::format("Structure found and compiled in {:.2f} ms.", compile_ms)};
  if (!run.switches.empty()) {
    const auto& first = run.switches.front();
    lines.push_back(fmt::format("First switch at t = {:.3f}: {{{}, {}}} -> {{{}, {}}}.", first.time,
                                first.from[0], first.from[1], first.to[0], first.to[1]));
  }
  return lines;
}

DemoPage page_of(const visual::Figure& figure, const std::vector<Way>& ways,
                 const std::vector<std::string>& found) {
  DemoPage page{
      .title = "The Cartesian pendulum, three ways",
      .introduction =
          {"A mass on a rod: x'' = lambda x, y'' = lambda y - g, x^2 + y^2 = 1. Its index is 3: "
           "the equations give lambda only after the constraint was differentiated twice.",
           "Differentiate the constraint by hand and drop it, and the mass drifts off the circle. "
           "Keep it with one fixed choice of states, and the run stops where that choice is "
           "singular. Alembert selects new states while the model runs."},
      .figure = figure,
      .table = {{"way", "reached", "off the circle by at most", "steps", "ms"}},
      .findings = found,
      .commands = {"alembert simulate models/pendulum.mo --plot x,y",
                   "alembert explain models/pendulum.mo", "alembert demo --list"}};
  for (const auto& [name, path] : ways)
    page.table.push_back({name, fmt::format("{:.4g} s", path.reached),
                          fmt::format("{:.2g}", path.off_circle), std::to_string(path.steps),
                          fmt::format("{:.1f}", path.ms)});
  return page;
}

}  // namespace

int demo_pendulum(const std::filesystem::path& folder) {
  constexpr double stop = 500;
  std::printf(
      "The Cartesian pendulum: x'' = lambda x,  y'' = lambda y - g,  x^2 + y^2 = 1   (index 3)\n\n"
      "  way                                     reached  |x^2+y^2-1| <=     steps         ms\n");

  const Path drifting = lowered_by_hand(stop);
  std::vector<Way> ways{{"index lowered by hand: drifts", drifting}};
  print_row(ways.back());

  auto start = Clock::now();
  const compile::CompiledModel model(cartesian_pendulum());
  model.static_chart();
  const double compile_ms = milliseconds_since(start);

  start = Clock::now();
  const auto fixed = integrate::simulate(model, {.stop = stop,
                                                 .tolerance = 1e-10,
                                                 .intervals = 50000,
                                                 .formulation = integrate::Formulation::dummy});
  const Path stopping = path_of(fixed, milliseconds_since(start));
  ways.push_back({"one fixed choice of states: stops", stopping});
  print_row(ways.back());

  start = Clock::now();
  const auto run =
      integrate::simulate(model, {.stop = stop, .tolerance = 1e-10, .intervals = 5000});
  const Path whole = path_of(run, milliseconds_since(start));
  ways.push_back({"Alembert: states re-selected", whole});
  print_row(ways.back());
  if (run.outcome != integrate::Outcome::done) {
    std::fprintf(stderr, "alembert: %s\n", run.message.c_str());
    return 3;
  }

  const std::vector<std::string> found = findings(run, compile_ms);
  std::printf("\n");
  for (const std::string& line : found) std::printf("  %s\n", line.c_str());
  const visual::Figure figure = figure_of(drifting, stopping, whole);
  visual::write_figure(figure, folder / "pendulum.svg");
  visual::write_figure(figure, folder / "pendulum.png");
  result::write_csv(run.trajectory, folder / "pendulum.csv");
  write_page(page_of(figure, ways, found), folder / "pendulum.html");
  std::printf("\nThe page, for a browser: %s\nBeside it: pendulum.svg, .png and .csv\n",
              (folder / "pendulum.html").c_str());
  return 0;
}

}  // namespace alembert
