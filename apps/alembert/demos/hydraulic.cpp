// SPDX-License-Identifier: Apache-2.0
// A hydraulic actuator of library components: a servo valve lets oil from the supply into one
// chamber of a cylinder, the other is emptied through a pipe, and a load of two tonnes is thrown
// against the end stop. First its structure, as it is written and as it is solved; then its motion,
// checked by what physics keeps.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/result/csv.hpp"
#include "alembert/structure/explain.hpp"
#include "alembert/structure/raw_counts.hpp"
#include "alembert/visual/structure_figure.hpp"
#include "alembert/visual/write_figure.hpp"
#include "demos/demos.hpp"

namespace alembert {

namespace {

FlatSystem actuator(bool use_samples) {
  return modelica::flatten({.model = use_samples
                                         ? "Alembert.Hydraulic.Examples.SampledServoActuator"
                                         : "Alembert.Hydraulic.Examples.ServoActuator"})
      .system;
}

void print_structure(const char* what, const FlatSystem& flat) {
  const structure::RawCounts counts = structure::raw_counts(flat);
  std::printf("%s\n", what);
  std::printf("  as written          %u equations, %u unknowns; matched %u\n", counts.n_equations,
              counts.n_unknowns, counts.n_matched_before);
  std::printf("  after Pantelides    %u equations more; matched %u of %u\n", counts.n_added,
              counts.n_matched_after, counts.n_equations);
  std::printf("  blocks              %u, of which %zu larger than one\n", counts.n_blocks,
              counts.blocks.size());
  for (const auto& block : counts.blocks)
    std::printf("  the block of size %zu, and the unknown that each row is solved for:\n%s",
                block.unknowns.size(), structure::to_text(block).c_str());
}

// ---- what physics keeps -------------------------------------------------------------------------

/// The integral of a function of the rows, by trapezoids on a fine grid.
template <class Function>
double integral(const result::Trajectory& run, double stop, Function f) {
  double sum = 0;
  for (std::size_t i = 1; i < run.n_rows() && run.times()[i] <= stop + 1e-12; ++i)
    sum += (run.times()[i] - run.times()[i - 1]) * (f(i - 1) + f(i)) / 2;
  return sum;
}

struct Balance {
  double change = 0;  // of what is stored
  double passed = 0;  // what came in
  double size = 0;    // of what moved
};

/// Mass in chamber a against what the valve let in, and energy of the moving mass against the work
/// of both chambers.
struct Balances {
  Balance mass;
  Balance energy;
};

Balances balances(const result::Trajectory& run, double stop) {
  const auto column = [&](const char* name) { return run.column(name); };
  const auto in = column("valve.port_s.dm");
  const auto force_a = column("piston.vol_a.flange.f"), force_b = column("piston.vol_b.flange.f");
  const auto v = column("body.v");
  std::size_t last = 0;
  while (last + 1 < run.n_rows() && run.times()[last + 1] <= stop + 1e-12) ++last;
  // Pieces store rho*vol; what the wall displaces has the density at the wall.
  double stored = 0;
  for (int i = 1; i <= 5; ++i) {
    const std::string piece = "piston.vol_a.v[" + std::to_string(i) + "].";
    const auto rho = run.column(piece + "rho"), vol = run.column(piece + "vol");
    stored += integral(run, stop, [&, d = run.column(piece + "drho")](std::size_t k) {
      return d[k] * std::max(vol[k], 0.036 * 1e-7);
    });
  }
  const auto rho_wall = column("piston.vol_a.moving_volume.rho");
  const auto dx = column("piston.vol_a.moving_volume.dx");
  stored += integral(run, stop, [&](std::size_t k) { return rho_wall[k] * 0.036 * dx[k]; });
  Balances result;
  result.mass.change = stored;
  result.mass.passed = integral(run, stop, [&](std::size_t k) { return in[k]; });
  result.mass.size = std::abs(result.mass.passed);
  result.energy.change = (880.0 + 1500.0) * v[last] * v[last] / 2;
  result.energy.passed =
      integral(run, stop, [&](std::size_t k) { return -(force_a[k] + force_b[k]) * v[k]; });
  result.energy.size = result.energy.change;
  return result;
}

integrate::SimulationResult simulated(const FlatSystem& flat, double tolerance, double stop,
                                      std::uint32_t intervals, const char* method = "auto") {
  const compile::CompiledModel model(flat);
  return integrate::simulate(
      model, {.stop = stop, .tolerance = tolerance, .intervals = intervals, .method = method});
}

double value_at(const result::Trajectory& run, const char* name, double time) {
  std::size_t row = 0;
  while (row + 1 < run.n_rows() && run.times()[row + 1] <= time + 1e-12) ++row;
  return run.column(name)[row];
}

visual::Panel panel(const result::Trajectory& run, const char* title, const char* unit,
                    std::initializer_list<std::pair<const char*, const char*>> lines,
                    double factor) {
  visual::Panel result;
  result.title = title;
  result.x_label = "time [ms]";
  result.y_label = unit;
  for (const auto& [name, label] : lines) {
    visual::Line line;
    for (const double t : run.times()) line.x.push_back(1e3 * t);
    for (const double value : run.column(name)) line.y.push_back(factor * value);
    line.label = label;
    result.lines.push_back(std::move(line));
  }
  return result;
}

}  // namespace

int demo_hydraulic(const std::filesystem::path& folder) {
  std::printf("A servo valve throws a load of 2.4 t against an end stop.\n\nStructure\n");
  const FlatSystem flat = actuator(false);
  const FlatSystem sampled = actuator(true);
  print_structure(" the valve follows samples", sampled);
  print_structure(" the valve follows a function of time", flat);
  const structure::Explanation explained = structure::explain(flat);
  std::printf("  without aliases     %u degrees of freedom, index %u, %zu blocks\n",
              explained.degrees_of_freedom, explained.structural_index, explained.blocks.size());

  std::printf("\nMotion: position, velocity and acceleration of the load\n");
  std::printf("  %-28s %12s %12s %12s %12s\n", "", "x(40 ms)", "v(40 ms)", "a(40 ms)", "x(50 ms)");
  const auto print_run = [](const char* what, const integrate::SimulationResult& run) {
    const auto& rows = run.trajectory;
    std::printf("  %-28s %12.8f %12.7f %12.5f", what, value_at(rows, "piston.x", 0.04),
                value_at(rows, "body.v", 0.04), value_at(rows, "ddx", 0.04));
    if (rows.times().back() > 0.0499) std::printf(" %12.6f", value_at(rows, "piston.x", 0.05));
    std::printf("\n");
  };
  const auto run = simulated(flat, 1e-6, 0.05, 5000);
  print_run("tolerance 1e-6", run);
  print_run("tolerance 1e-5", simulated(flat, 1e-5, 0.05, 500));
  print_run("Radau IIA, 1e-6", simulated(flat, 1e-6, 0.04, 400, "radau5"));
  print_run("sampled input", simulated(sampled, 1e-6, 0.04, 400));
  std::printf("  %-28s %12.8f %12.7f %12.5f\n", "reference", 0.0458267, 4.31541, 216.016);
  if (run.outcome != integrate::Outcome::done) {
    std::printf("  %s\n", run.message.c_str());
    return 3;
  }

  const Balances kept = balances(run.trajectory, 0.04);
  std::printf("\nWhat physics keeps, up to 40 ms\n");
  std::printf("  liquid through the valve %.6f kg, stored and displaced %.6f kg\n",
              kept.mass.passed, kept.mass.change);
  std::printf("  work of both chambers %.3f J, energy of the load %.3f J\n", kept.energy.passed,
              kept.energy.change);

  visual::Figure figure;
  visual::Panel positions =
      panel(run.trajectory, "Valve and piston", "mm", {{"piston.x", "piston"}}, 1e3);
  positions.lines.push_back(
      panel(run.trajectory, "", "", {{"valve.vSA.x", "valve, 100 times"}}, 1e5).lines.front());
  figure.panels.push_back(std::move(positions));
  figure.panels.push_back(
      panel(run.trajectory, "Velocity of the load", "m/s", {{"body.v", ""}}, 1));
  visual::Panel pressures = panel(run.trajectory, "Pressure at the walls", "bar",
                                  {{"piston.vol_a.moving_volume.port.p", "chamber a"},
                                   {"piston.vol_b.moving_volume.port.p", "chamber b"}},
                                  1e-5);
  pressures.subtitle = "the end cushion of b reaches far beyond the picture";
  pressures.y_range = visual::Range{-20, 400};
  figure.panels.push_back(std::move(pressures));
  figure.panels.push_back(panel(run.trajectory, "Flow from the supply, to the return", "kg/s",
                                {{"valve.port_s.dm", "supply"}, {"valve.port_r.dm", "return"}}, 1));
  visual::write_figure(figure, folder / "hydraulic.svg");
  visual::write_figure(figure, folder / "hydraulic.png");
  visual::write_matrix_figure(visual::structure_figure(explained),
                              folder / "hydraulic-structure.svg");
  result::write_csv(run.trajectory, folder / "hydraulic.csv");
  std::printf("\nwrote %s and .png, %s, %s\n", (folder / "hydraulic.svg").c_str(),
              (folder / "hydraulic-structure.svg").c_str(), (folder / "hydraulic.csv").c_str());
  return 0;
}

}  // namespace alembert
