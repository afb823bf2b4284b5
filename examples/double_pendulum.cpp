// SPDX-License-Identifier: Apache-2.0
// A double pendulum from masses, forces and constraints: the Jacobian and the bias term are
// derived, the KKT system is assembled, Baumgarte's omega holds the rods. Beside it the Lagrange
// equations in angles, which must agree.
//   example_double_pendulum [picture.svg]
#include <cmath>
#include <cstdio>
#include <numbers>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/mechanics/constrained_system.hpp"
#include "alembert/frontend/mechanics/kane.hpp"
#include "alembert/frontend/mechanics/lagrange.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/visual/trajectory_figure.hpp"
#include "alembert/visual/write_figure.hpp"

using namespace alembert;
using namespace alembert::mechanics;

int main(int argc, char** argv) {
  const double m1 = 1, m2 = 2, l1 = 0.8, l2 = 1.2, g = 9.81;
  const integrate::SimulateOptions options{.stop = 5, .tolerance = 1e-11, .intervals = 250};

  Model points("Points");
  ConstrainedMotion motion;
  const double start[] = {l1, 0, l1 + l2, 0};
  const char* names[] = {"x1", "y1", "x2", "y2"};
  for (std::size_t k = 0; k < 4; ++k)
    motion.q.push_back(points.unknown(names[k], {.start = start[k], .fixed = true}));
  for (std::size_t k = 0; k < 4; ++k)
    motion.v.push_back(points.unknown(std::string("v") + names[k], {.start = 0, .fixed = true}));
  const Expr &x1 = motion.q[0], &y1 = motion.q[1], &x2 = motion.q[2], &y2 = motion.q[3];
  motion.mass = Matrix::diagonal({m1, m1, m2, m2});
  motion.h = {0, m1 * g, 0, m2 * g};
  motion.phi = {x1 * x1 + y1 * y1 - l1 * l1,
                (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) - l2 * l2};
  motion.omega = 4;
  const KktSystem kkt = assemble_kkt(motion);
  std::printf("J:\n%s", to_text(kkt.jacobian).c_str());
  std::printf("dJ/dt v:\n%s", to_text(Matrix::column(kkt.bias)).c_str());
  std::printf("KKT matrix:\n%s\n", to_text(kkt.matrix).c_str());
  add_constrained_motion(points, motion);
  const auto by_points = integrate::simulate(compile::CompiledModel(points.flatten()), options);

  Model angles("Angles");
  const Expr p = angles.unknown("p", {.start = std::numbers::pi / 2, .fixed = true});
  const Expr q = angles.unknown("q", {.start = std::numbers::pi / 2, .fixed = true});
  angles.start(der(p), 0, {.fixed = true});
  angles.start(der(q), 0, {.fixed = true});
  const Expr T = (m1 + m2) / 2 * l1 * l1 * der(p) * der(p) + m2 / 2 * l2 * l2 * der(q) * der(q) +
                 m2 * l1 * l2 * der(p) * der(q) * cos(p - q);
  const Expr V = -(m1 + m2) * g * l1 * cos(p) - m2 * g * l2 * cos(q);
  add_lagrange(angles, derive_lagrange({.lagrangian = T - V, .q = {p, q}}));
  angles.observe("x2", l1 * sin(p) + l2 * sin(q));
  angles.observe("y2", -l1 * cos(p) - l2 * cos(q));
  const auto by_angles = integrate::simulate(compile::CompiledModel(angles.flatten()), options);
  if (by_points.outcome != integrate::Outcome::done ||
      by_angles.outcome != integrate::Outcome::done) {
    std::printf("%s%s\n", by_points.message.c_str(), by_angles.message.c_str());
    return 1;
  }
  // Quadruple precision: x2 and y2 at t = 5.
  const double exact[] = {-1.7507038272800115, -0.87543238701131002};
  double error = 0;
  const char* columns[] = {"x2", "y2"};
  for (std::size_t k = 0; k < 2; ++k) {
    const double a = by_points.trajectory.column(columns[k]).back();
    const double b = by_angles.trajectory.column(columns[k]).back();
    std::printf("%s at t = 5: points and rods %.10f, angles %.10f, exact %.10f\n", columns[k], a, b,
                exact[k]);
    error = std::max({error, std::abs(a - exact[k]), std::abs(b - exact[k])});
  }
  std::printf("largest difference: %.1e\n", error);
  visual::write_figure(visual::plot_path(by_points.trajectory, "x2", "y2"),
                       argc > 1 ? argv[1] : "double_pendulum_path.svg");
  return error < 1e-5 ? 0 : 1;
}
