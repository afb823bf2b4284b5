// SPDX-License-Identifier: Apache-2.0
// The snakeboard by Kane's method, in nine steps, each with something to look at (J. K. Moore,
// Learn Multibody Dynamics, "Equations of Motion with Nonholonomic Constraints"). The steps are
// taken by hand, from velocities to the matrices Md and gd; then derive_kane takes them all at
// once, and both must agree.
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
#include "alembert/frontend/mechanics/start_values.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/result/csv.hpp"
#include "alembert/symbolic/matrix.hpp"
#include "alembert/visual/write_figure.hpp"
#include "mechanisms/snakeboard.hpp"

using namespace alembert;
using namespace alembert::mechanics;

namespace {

void step(const char* title) { std::printf("\n%s\n", title); }

void show(const char* what, const std::string& text) {
  std::printf("  %s %s\n", what, text.c_str());
}

template <class Anything>
void show_symbols(const char* what, const Anything& of) {
  std::string list;
  for (const std::string& name : find_dynamicsymbols(of)) list += (list.empty() ? "" : ", ") + name;
  std::printf("  %s holds {%s}\n", what, list.c_str());
}

void show_matrix(const char* what, const Matrix& matrix) {
  std::printf("  %s =\n%s", what, to_text(matrix).c_str());
}

Matrix negative(const Matrix& a) { return Expr(-1) * a; }

/// By Cramer's rule: two equations.
Matrix solved(const Matrix& a, const Matrix& b) {
  const Expr det = determinant(a);
  return Matrix::column({(b(0, 0) * a(1, 1) - b(1, 0) * a(0, 1)) / det,
                         (b(1, 0) * a(0, 0) - b(0, 0) * a(1, 0)) / det});
}

std::vector<Expr> replaced(std::vector<Expr> expressions, const Replacement& by) {
  for (Expr& e : expressions) {
    symbolic::Replacements ids;
    for (const auto& [what, with] : by) ids.emplace(what.id(), with.id_in(*e.pool()));
    e = Expr(*e.pool(), symbolic::substitute(*e.pool(), e.id(), ids));
  }
  return expressions;
}

Replacement zeros(const std::vector<Expr>& symbols) {
  Replacement result;
  for (const Expr& symbol : symbols) result.emplace_back(symbol, 0);
  return result;
}

std::vector<Expr> rates(const std::vector<Expr>& symbols) {
  std::vector<Expr> result;
  for (const Expr& symbol : symbols) result.push_back(der(symbol));
  return result;
}

struct Dynamics {
  Matrix Md, gd;
};

/// The nine steps.
Dynamics by_hand(const Snakeboard& board) {
  const auto& [N, A, B, C] = std::tie(board.N, board.A, board.B, board.C);
  step("1. Variables");
  const std::vector<Expr>& q = board.q;
  const std::vector<Expr> ur = {board.u[0], board.u[1]}, us = {board.u[2], board.u[3], board.u[4]};
  show_symbols("q", q);
  show_symbols("ur, the dependent speeds,", ur);
  show_symbols("us, the independent ones,", us);

  step("2. Kinematics: angular velocities and velocities, by derivatives of coordinates");
  const Frame frames[] = {A, B, C};
  const Point points[] = {board.Ao, board.Bo, board.Co};
  for (const Frame& frame : frames)
    show(("w_N" + frame.name() + " =").c_str(), to_text(frame.angular_velocity_in(N)));
  for (const Point& point : points)
    show(("v_N" + point.name() + " =").c_str(), to_text(point.velocity_in(N)));

  step("3. Kinematical equations fk = Mk q' + gk = 0");
  const KaneSystem system = board.system();
  show_symbols("fk", system.kinematics);
  show_matrix("Mk", symbolic::jacobian(system.kinematics, rates(q)));
  const std::vector<Expr> gk = replaced(system.kinematics, zeros(rates(q)));
  Replacement q_dot;  // Mk is diagonal
  for (std::size_t k = 0; k < q.size(); ++k) {
    const Expr slope = symbolic::differentiate(system.kinematics[k], der(q[k]));
    q_dot.emplace_back(der(q[k]), -gk[k] / slope);
    show(("der(q" + std::to_string(k + 1) + ") =").c_str(), symbolic::to_text(q_dot.back().second));
  }

  step("4. Nonholonomic constraints fn = Mn ur + gn = 0: the wheels do not slip sideways");
  const std::vector<Expr> fn = replaced(system.nonholonomic, q_dot);
  for (const Expr& constraint : fn) show("0 =", symbolic::to_text(constraint));
  const Matrix Mn = symbolic::jacobian(fn, ur), gn = Matrix::column(replaced(fn, zeros(ur)));
  show_matrix("Mn", Mn);
  show_matrix("gn", gn);
  const Matrix ur_solution = solved(Mn, negative(gn));
  show_symbols("ur = -Mn^-1 gn", ur_solution);
  Replacement by_us;
  for (std::size_t k = 0; k < 2; ++k) by_us.emplace_back(ur[k], ur_solution(k, 0));
  show_symbols("gk", replaced(gk, by_us));

  step("5. Velocities by independent speeds");
  std::vector<Vector> w, v;
  for (const Frame& frame : frames)
    w.push_back(frame.angular_velocity_in(N).replaced(q_dot).replaced(by_us));
  for (const Point& point : points)
    v.push_back(point.velocity_in(N).replaced(q_dot).replaced(by_us));
  for (std::size_t k = 0; k < 3; ++k) show_symbols(("w_N" + frames[k].name()).c_str(), w[k]);
  for (std::size_t k = 0; k < 3; ++k) show_symbols(("v_N" + points[k].name()).c_str(), v[k]);

  step("6. Partial velocities");
  std::vector<std::vector<Vector>> w_s(3), v_s(3);  // [body][speed]
  for (std::size_t k = 0; k < 3; ++k)
    for (const Expr& speed : us) {
      w_s[k].push_back(w[k].partial(speed, N));
      v_s[k].push_back(v[k].partial(speed, N));
    }
  for (std::size_t s = 0; s < 3; ++s)
    show(("dw_NB/du" + std::to_string(s + 3) + " =").c_str(), to_text(w_s[1][s]));
  show_symbols("dv_NBo/du3", v_s[1][0]);

  step("7. Accelerations: d fn/dt = Mnd ur' + gnd = 0");
  std::vector<Expr> fnd;
  for (const Expr& constraint : fn) fnd.push_back(der(constraint));
  fnd = replaced(fnd, q_dot);
  show_symbols("d fn/dt", fnd);
  const Matrix Mnd = symbolic::jacobian(fnd, rates(ur));
  const Matrix gnd = Matrix::column(replaced(replaced(fnd, zeros(rates(ur))), by_us));
  const Matrix ur_dot = solved(Mnd, negative(gnd));
  show_symbols("ur' = -Mnd^-1 gnd", ur_dot);

  step("8. Inertia forces and torques");
  Replacement q_ddot;  // der(der(q)) by us and us'
  for (std::size_t k = 0; k < q.size(); ++k)
    q_ddot.emplace_back(der(der(q[k])),
                        replaced({der(q_dot[k].second)},
                                 {{der(ur[0]), ur_dot(0, 0)}, {der(ur[1]), ur_dot(1, 0)}})[0]);
  std::vector<Vector> R, T;
  for (std::size_t k = 0; k < 3; ++k) {
    R.push_back(
        (-board.m * points[k].acceleration_in(N)).replaced(q_ddot).replaced(q_dot).replaced(by_us));
    T.push_back((-dot(frames[k].angular_acceleration_in(N), system.bodies[k].central_inertia))
                    .replaced(q_ddot)
                    .replaced(q_dot)
                    .replaced(by_us));
  }
  show_symbols("R* of Bo", R[1]);
  show_symbols("T* of B", T[1]);

  step("9. Dynamical equations F* = Md us' + gd = 0");
  std::vector<Expr> forces(3, 0);
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t k = 0; k < 3; ++k) forces[s] += dot(v_s[k][s], R[k]) + dot(w_s[k][s], T[k]);
  show_symbols("F*", forces);
  const Dynamics result{.Md = symbolic::jacobian(forces, rates(us)),
                        .gd = Matrix::column(replaced(forces, zeros(rates(us))))};
  show_symbols("Md", result.Md);
  show_symbols("gd", result.gd);
  return result;
}

/// The largest difference of two matrices at a point, which is printed.
double difference(const char* what, symbolic::ExprPool& pool, const Matrix& a, const Matrix& b,
                  const symbolic::Values& at) {
  const NumberMatrix x = evaluate_matrix(pool, a, at, 0), y = evaluate_matrix(pool, b, at, 0);
  double largest = 0;
  std::printf("  %s at the start\n", what);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x[i].size(); ++j) {
      std::printf("  %13.9f", y[i][j]);
      largest = std::max(largest, std::abs(x[i][j] - y[i][j]));
    }
    std::printf("\n");
  }
  return largest;
}

void draw(const result::Trajectory& trajectory, const std::string& path) {
  visual::Figure figure;
  visual::Panel places, angles, speeds, ground;
  places.y_label = "distance [m]";
  places.x_label = angles.x_label = speeds.x_label = "time [s]";
  angles.y_label = "angle [deg]";
  speeds.y_label = "dependent speeds [m/s]";
  ground.x_label = "q1 [m]";
  ground.y_label = "q2 [m]";
  ground.equal_axes = true;
  const auto add = [&](visual::Panel& panel, const char* name, double scale) {
    std::vector<double> y = trajectory.column(name);
    for (double& value : y) value *= scale;
    panel.lines.push_back({.x = trajectory.times(), .y = std::move(y), .label = name});
  };
  for (const char* name : {"q1", "q2"}) add(places, name, 1);
  for (const char* name : {"q3", "q4", "q5"}) add(angles, name, 180 / std::numbers::pi);
  for (const char* name : {"u1", "u2"}) add(speeds, name, 1);
  ground.lines.push_back(
      {.x = trajectory.column("q1"), .y = trajectory.column("q2"), .label = "path of Ao"});
  figure.arrangement = visual::Arrangement::column;
  figure.panels = {places, angles, speeds, ground};
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
  Snakeboard board;
  const Dynamics hand = by_hand(board);

  step("All at once");
  KaneSystem system = board.system();
  system.dependent = {board.u[0], board.u[1]};
  const KaneEquations equations = derive_kane(board.model, system);
  const KaneMatrices matrices = kane_matrices(equations);
  double error = 0;
  symbolic::ExprPool& pool = board.model.pool();
  error = std::max(error, difference("Md", pool, hand.Md, matrices.Md, equations.point));
  error = std::max(error, difference("gd", pool, hand.gd, matrices.gd, equations.point));
  std::printf("  largest difference to the nine steps: %.1e\n", error);
  for (const std::string& name : ignorable_coordinates(equations, matrices))
    std::printf("  %s is ignorable\n", name.c_str());

  // The model gets the equations with multipliers: then u1 and u2 come along, and it may pass
  // the configurations with parallel wheels, where Mn is singular.
  add_kane(board.model, equations);
  board.model.observe("T", kinetic_energy(system.bodies, board.N), {.unit = "J"});
  const compile::CompiledModel compiled(board.model.flatten());
  const integrate::SimulationResult run =
      integrate::simulate(compiled, {.stop = 8, .tolerance = 1e-12, .intervals = 159});
  if (run.outcome != integrate::Outcome::done) {
    std::printf("%s\n", run.message.c_str());
    return 1;
  }
  step("After 8 s");
  // Digits of a computation in quadruple precision.
  const std::map<std::string, double> expected = {
      {"q1", 4.2692857602554319},   {"q2", 4.9139400022644711},  {"q3", 4.6726147618106673},
      {"q4", -2.2196340134966651},  {"q5", -2.5541669386960980}, {"u1", 0.75611727826034424},
      {"u2", -0.82523042735741821}, {"u3", 0.25932083645867281}, {"u4", -0.44520238988192231},
      {"u5", -0.46520238988192231}};
  for (const auto& [name, value] : expected) {
    const double found = run.trajectory.column(name).back();
    error = std::max(error, std::abs(found - value));
    std::printf("  %s = %18.14f\n", name.c_str(), found);
  }
  const std::vector<double> energy = run.trajectory.column("T");
  const auto [low, high] = std::minmax_element(energy.begin(), energy.end());
  std::printf("  largest difference to quadruple precision: %.1e\n", error);
  std::printf("  change of the kinetic energy: %.1e\n", *high - *low);
  if (argc > 1) {
    const double table = difference(run.trajectory, argv[1]);
    std::printf("  largest difference to %s: %.1e\n", argv[1], table);
    error = std::max(error, table);
  }
  draw(run.trajectory, argc > 2 ? argv[2] : "snakeboard.svg");
  return error < 1e-8 && *high - *low < 1e-9 ? 0 : 1;
}
