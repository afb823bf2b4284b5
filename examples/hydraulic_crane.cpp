// SPDX-License-Identifier: Apache-2.0
// Mixed: a hydraulic cylinder, made of components of the library, pushes a crane whose equations
// are derived by Kane's method. The boom rises, the load swings below it.
//   example_hydraulic_crane [picture.svg]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/mechanics/joint.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/visual/write_figure.hpp"

using namespace alembert;
using namespace alembert::mechanics;

namespace {

constexpr double g = 9.81, boom_length = 3, boom_mass = 200, load_mass = 300, rope = 1;
constexpr double bore_area = 2e-3, rod_area = 1.2e-3, boom_start = 0.2;

/// Boom and load in a plane; the cylinder acts between a foot on the ground and an eye on the boom.
struct Crane {
  World world;
  Frame N = world.frame("N");
  Point O = world.point("O"), foot = world.point("foot");
  Linkage linkage;
  Joint boom, load;
  Point eye;

  explicit Crane(Model& m)
      : linkage(m, N, O),
        boom(linkage.pin("boom", N, O, N.z())),
        load(linkage.pin("load", N, linkage.fixed_point("tip", boom, boom_length * boom.frame.x()),
                         N.z())),
        eye(linkage.fixed_point("eye", boom, 1 * boom.frame.x())) {
    foot.set_position(O, 0.6 * N.x() - 0.8 * N.y());
    const Point centre = linkage.fixed_point("centre", boom, boom_length / 2 * boom.frame.x());
    const Point bob = linkage.fixed_point("bob", load, -rope * load.frame.y());
    linkage.add(rigid_body("boom", centre, boom.frame, boom_mass,
                           inertia(N, 0, 0, boom_mass * boom_length * boom_length / 12)));
    linkage.add(particle("load", bob, load_mass));
    linkage.add(gravity(linkage.bodies(), -g * N.y()));
    for (const Joint* joint : {&boom, &load}) m.start(joint->u[0], 0, {.fixed = true});
    m.start(boom.q[0], boom_start, {.fixed = true});
    m.start(load.q[0], 0, {.fixed = true});
  }

  Expr length() const { return magnitude(eye.position_from(foot)); }
  Expr energy() const {
    return kinetic_energy(linkage.bodies(), N) + gravity_potential(linkage.bodies(), -g * N.y(), O);
  }
};

/// Pump, orifice, cylinder with two chambers, orifice, tank; the end of its rod is returned.
Connector hydraulics(Model& m) {
  Library library(m);
  auto oil =
      library.make("Alembert.Hydraulic.Fluid", {{"density", 876}, {"bulk_modulus", 1.2e9}}, "oil");
  auto pump = library.make("Alembert.Hydraulic.FixedPressure", {{"p", 1.2e7}}, "pump");
  auto tank = library.make("Alembert.Hydraulic.FixedPressure", {{"p", 1e5}}, "tank");
  auto inlet = library.make("Alembert.Hydraulic.Orifice", {{"area", 8e-6}}, "inlet");
  auto outlet = library.make("Alembert.Hydraulic.Orifice", {{"area", 2e-5}}, "outlet");
  auto bore = library.make("Alembert.Hydraulic.Volume",
                           {{"area", bore_area}, {"x_start", 0.1}, {"p_start", 6.5e6}}, "bore");
  auto back = library.make(
      "Alembert.Hydraulic.Volume",
      {{"area", rod_area}, {"x_start", 0.8}, {"p_start", 1e5}, {"direction", -1}}, "back");
  m.connect(oil["port"], pump["port"]);
  m.connect(oil["port"], tank["port"]);
  m.connect(pump["port"], inlet["port_a"]);
  m.connect(inlet["port_b"], bore["port"]);
  m.connect(back["port"], outlet["port_a"]);
  m.connect(outlet["port_b"], tank["port"]);
  const Connector rod = m.part("rod").connector(
      "flange",
      {.name = "Alembert.Translational.Interfaces.Flange", .potentials = {"v"}, .flows = {"f"}});
  m.connect(bore["flange"], back["flange"], rod);
  return rod;
}

void draw(const result::Trajectory& run, const std::string& path) {
  visual::Panel angles, pressures, ground;
  angles.y_label = "angle [deg]";
  pressures.y_label = "pressure [MPa]";
  pressures.x_label = "time [s]";
  const auto add = [&](visual::Panel& panel, const char* name, const char* label, double scale) {
    std::vector<double> y = run.column(name);
    for (double& value : y) value *= scale;
    panel.lines.push_back({.x = run.times(), .y = std::move(y), .label = label});
  };
  add(angles, "boom.q", "boom", 180 / std::numbers::pi);
  add(angles, "load.q", "load, from the vertical", 180 / std::numbers::pi);
  add(pressures, "bore.p", "below the piston", 1e-6);
  add(pressures, "back.p", "above the piston", 1e-6);
  ground.x_label = "x [m]";
  ground.y_label = "y [m]";
  ground.equal_axes = true;
  ground.weight = 2;
  const auto boom = run.column("boom.q"), load = run.column("load.q");
  visual::Line tip{.label = "tip of the boom"}, bob{.label = "load"};
  for (std::size_t k = 0; k < boom.size(); ++k) {
    tip.x.push_back(boom_length * std::cos(boom[k]));
    tip.y.push_back(boom_length * std::sin(boom[k]));
    bob.x.push_back(tip.x.back() + rope * std::sin(load[k]));
    bob.y.push_back(tip.y.back() - rope * std::cos(load[k]));
  }
  for (const std::size_t k : {std::size_t{0}, boom.size() - 1}) {  // the crane, first and last
    ground.lines.push_back({.x = {0, tip.x[k], bob.x[k]},
                            .y = {0, tip.y[k], bob.y[k]},
                            .colour = visual::palette::grey,
                            .width = 3});
    ground.lines.push_back({.x = {0.6, std::cos(boom[k])},
                            .y = {-0.8, std::sin(boom[k])},
                            .label = k == 0 ? "cylinder" : "",
                            .colour = visual::palette::ink,
                            .width = 3});
  }
  ground.lines.push_back(tip);
  ground.lines.push_back(bob);
  visual::write_figure({.panels = {angles, pressures, ground},
                        .arrangement = visual::Arrangement::column,
                        .width = 460,
                        .height = 760},
                       path);
}

}  // namespace

int main(int argc, char** argv) {
  Model m("Crane");
  Crane crane(m);
  const Connector rod = hydraulics(m);
  // What joins the two: the rod moves as the distance grows, and its force acts along it.
  const Expr speed = dot(crane.eye.velocity_in(crane.N), unit(crane.eye.position_from(crane.foot)));
  m += rod["v"] == speed;
  crane.linkage.add(actuator(crane.foot, crane.eye, rod["f"]));
  add_kane(m, derive_kane(m, crane.linkage.system()));

  m.observe("length", crane.length(), {.unit = "m"});
  m.observe("energy", crane.energy(), {.unit = "J"});
  const Expr work = m.unknown("work", {.start = 0, .fixed = true});
  m += der(work) == rod["f"] * rod["v"];
  const auto run = integrate::simulate(compile::CompiledModel(m.flatten()),
                                       {.stop = 2.5, .tolerance = 1e-9, .intervals = 500});
  if (run.outcome != integrate::Outcome::done) {
    std::printf("%s\n", run.message.c_str());
    return 1;
  }
  const auto& rows = run.trajectory;
  const auto column = [&](const char* name) { return rows.column(name); };
  const auto energy = column("energy"), done = column("work"), length = column("length"),
             stroke = column("bore.x");
  double lost = 0, apart = 0;
  for (std::size_t k = 0; k < energy.size(); ++k) {
    lost = std::max(lost, std::abs(energy[k] - energy[0] - done[k]));
    apart = std::max(apart, std::abs(length[k] - length[0] - (stroke[k] - stroke[0])));
  }
  constexpr double degree = std::numbers::pi / 180;
  const auto boom = column("boom.q"), swing = column("load.q");
  std::printf("boom from %.1f to %.1f degrees in 2.5 s, load swings up to %.1f degrees\n",
              boom.front() / degree, boom.back() / degree,
              *std::max_element(swing.begin(), swing.end()) / degree);
  std::printf("work of the cylinder %.1f J; what the crane gained differs by %.1e J at most\n",
              done.back(), lost);
  std::printf("chamber and linkage are apart by %.1e m at most\n", apart);
  draw(rows, argc > 1 ? argv[1] : "crane.svg");
  return lost < 1e-4 && apart < 1e-7 && boom.back() > 0.5 ? 0 : 1;
}
