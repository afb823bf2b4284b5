// SPDX-License-Identifier: Apache-2.0
// The snakeboard by Kane's method, in nine steps, each with something to look at (J. K. Moore,
// Learn Multibody Dynamics, "Equations of Motion with Nonholonomic Constraints").
//   example_snakeboard [reference.csv [picture.svg]]
// With a reference the trajectory is compared with it, column by column.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/mechanics/kane.hpp"
#include "alembert/frontend/mechanics/start_values.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/result/csv.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/visual/write_figure.hpp"

using namespace alembert;
using namespace alembert::mechanics;

namespace {

void show(const char* what, const std::string& text) {
  std::printf("%s\n%s\n", what, text.c_str());
}

void show_symbols(const char* what, const std::vector<std::string>& names) {
  std::printf("%s {", what);
  for (std::size_t k = 0; k < names.size(); ++k)
    std::printf("%s%s", k == 0 ? "" : ", ", names[k].c_str());
  std::printf("}\n");
}

/// Matrices of large expressions, as numbers at the start.
void show_numbers(const char* what, symbolic::ExprPool& pool, const Matrix& matrix,
                  const symbolic::Values& at) {
  std::printf("%s at the start\n", what);
  for (const auto& row : evaluate_matrix(pool, matrix, at, 0)) {
    for (const double number : row) std::printf("  %12.8f", number);
    std::printf("\n");
  }
}

void draw(const result::Trajectory& trajectory, const std::string& path) {
  visual::Figure figure;
  visual::Panel places, angles, speeds;
  places.y_label = "distance in m";
  angles.y_label = "angle in degrees";
  speeds.y_label = "dependent speeds in m/s";
  speeds.x_label = "time in s";
  const auto add = [&](visual::Panel& panel, const char* name, double scale) {
    std::vector<double> y = trajectory.column(name);
    for (double& value : y) value *= scale;
    panel.lines.push_back({.x = trajectory.times(), .y = std::move(y), .label = name});
  };
  for (const char* name : {"q1", "q2"}) add(places, name, 1);
  for (const char* name : {"q3", "q4", "q5"}) add(angles, name, 180 / std::numbers::pi);
  for (const char* name : {"u1", "u2"}) add(speeds, name, 1);
  figure.arrangement = visual::Arrangement::column;
  figure.panels = {places, angles, speeds};
  visual::write_figure(figure, path);
}

/// The largest difference to a reference table with a column t.
double difference(const result::Trajectory& trajectory, const std::string& path) {
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (text.starts_with("t,")) text.replace(0, 1, "time");
  const result::Trajectory reference = result::parse_csv(text, path);
  double largest = 0;
  for (const std::string& name : reference.names()) {
    const std::vector<double> expected = reference.column(name), found = trajectory.column(name);
    if (expected.size() != found.size()) return INFINITY;
    for (std::size_t k = 0; k < expected.size(); ++k)
      largest = std::max(largest, std::abs(expected[k] - found[k]));
  }
  return largest;
}

}  // namespace

int main(int argc, char** argv) {
  // 1. Variables.
  Model model("Snakeboard");
  const Expr l = model.parameter("l", 0.7, {.unit = "m"});
  const Expr I = model.parameter("I", 0.1, {.unit = "kg.m2"});
  const Expr m = model.parameter("m", 1.0, {.unit = "kg"});
  constexpr double degree = std::numbers::pi / 180;
  const double q0[] = {0, 0, 0, 5 * degree, -5 * degree}, u0[] = {1, 0, 0.1, 0.01, -0.01};
  std::vector<Expr> q, u;
  for (std::size_t k = 0; k < 5; ++k) {
    const std::string number = std::to_string(k + 1);
    q.push_back(model.unknown("q" + number, {.start = q0[k], .fixed = true}));
    u.push_back(model.unknown("u" + number, {.start = u0[k], .fixed = k >= 2}));
  }

  // 2. Kinematics: the board A, its trucks B and C.
  World world;
  const Frame N = world.frame("N"), A = world.frame("A"), B = world.frame("B"),
              C = world.frame("C");
  A.orient_axis(N, q[2], N.z());
  B.orient_axis(A, q[3], A.z());
  C.orient_axis(A, q[4], A.z());
  const Point O = world.point("O"), Ao = world.point("Ao"), Bo = world.point("Bo"),
              Co = world.point("Co");
  Ao.set_position(O, q[0] * N.x() + q[1] * N.y());
  Bo.set_position(Ao, l / 2 * A.x());
  Co.set_position(Ao, -l / 2 * A.x());
  O.set_velocity(N, {});
  show("w_NB, angular velocity of B in N:", "  " + to_text(B.angular_velocity_in(N)));
  show("v_NBo, velocity of Bo in N:", "  " + to_text(Bo.v2pt(Ao, N, A)));
  show("v_NCo, velocity of Co in N:", "  " + to_text(Co.v2pt(Ao, N, A)));

  // 3. Kinematical equations.
  KaneSystem system{.inertial = N, .q = q, .u = u, .kinematics = {}, .bodies = {}};
  system.kinematics = {u[0] - der(q[0]), u[1] - der(q[1]), u[2] - l * der(q[2]) / 2,
                       u[3] - der(q[3]), u[4] - der(q[4])};
  show_symbols("fk holds", find_dynamicsymbols(system.kinematics));

  // 4. Nonholonomic constraints: the wheels do not slip sideways.
  system.nonholonomic = {dot(Bo.velocity_in(N), B.y()), dot(Co.velocity_in(N), C.y())};
  system.dependent = {u[0], u[1]};
  show_symbols("fn holds", find_dynamicsymbols(system.nonholonomic));

  // 5. to 9. Velocities in independent speeds, partial velocities, accelerations, generalised
  // forces, equations: what Kane's method does with bodies and loads.
  system.bodies = {rigid_body("A", Ao, A, m, I * outer(A.z(), A.z())),
                   rigid_body("B", Bo, B, m, I * outer(B.z(), B.z())),
                   rigid_body("C", Co, C, m, I * outer(C.z(), C.z()))};
  const KaneEquations equations = derive_kane(model, system);
  const KaneMatrices matrices = kane_matrices(equations);
  show("Mk:", to_text(matrices.Mk));
  show("Mn:", to_text(matrices.Mn));
  show("gn:", to_text(matrices.gn));
  show_symbols("gk holds", find_dynamicsymbols(matrices.gk));
  show_symbols("gnd holds", find_dynamicsymbols(matrices.gnd));
  show_symbols("Md holds", find_dynamicsymbols(matrices.Md));
  show_symbols("gd holds", find_dynamicsymbols(matrices.gd));
  show_symbols("ignorable coordinates:", ignorable_coordinates(equations, matrices));
  show_numbers("Md", model.pool(), matrices.Md, equations.point);
  show_numbers("gd", model.pool(), matrices.gd, equations.point);

  // The model itself gets the equations with multipliers: then u1 and u2 come along, and it may
  // pass the configurations with parallel wheels, where Mn is singular.
  add_kane(model, equations);
  model.observe("T", kinetic_energy(system.bodies, N), {.unit = "J"});
  const compile::CompiledModel compiled(model.flatten());
  const integrate::SimulationResult run =
      integrate::simulate(compiled, {.stop = 8, .tolerance = 1e-12, .intervals = 159});
  if (run.outcome != integrate::Outcome::done) {
    std::printf("%s\n", run.message.c_str());
    return 1;
  }
  std::printf("after 8 s, %zu rows:\n", run.trajectory.n_rows());
  // Digits of a computation in quadruple precision.
  const std::map<std::string, double> expected = {
      {"q1", 4.2692857602554319},   {"q2", 4.9139400022644711},  {"q3", 4.6726147618106673},
      {"q4", -2.2196340134966651},  {"q5", -2.5541669386960980}, {"u1", 0.75611727826034424},
      {"u2", -0.82523042735741821}, {"u3", 0.25932083645867281}, {"u4", -0.44520238988192231},
      {"u5", -0.46520238988192231}};
  double error = 0;
  for (const auto& [name, value] : expected) {
    const double found = run.trajectory.column(name).back();
    error = std::max(error, std::abs(found - value));
    std::printf("  %s = %18.14f\n", name.c_str(), found);
  }
  const std::vector<double> energy = run.trajectory.column("T");
  const auto [low, high] = std::minmax_element(energy.begin(), energy.end());
  std::printf("largest difference to quadruple precision: %.1e\n", error);
  std::printf("change of the kinetic energy: %.1e\n", *high - *low);
  if (argc > 1) {
    const double table = difference(run.trajectory, argv[1]);
    std::printf("largest difference to %s: %.1e\n", argv[1], table);
    error = std::max(error, table);
  }
  if (argc > 2) draw(run.trajectory, argv[2]);
  return error < 1e-8 && *high - *low < 1e-9 ? 0 : 1;
}
