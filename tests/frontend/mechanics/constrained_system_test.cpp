// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/constrained_system.hpp"

#include <cmath>

#include "alembert/symbolic/evaluate.hpp"
#include "frontend/mechanics/runs.hpp"

namespace alembert::mechanics {
namespace {

/// The double pendulum of the seed: masses 1 and 2 on rods of 0.8 and 1.2.
struct DoublePendulum {
  Model model{"DoublePendulum"};
  ConstrainedMotion motion;

  explicit DoublePendulum(double omega) {
    const std::vector<double> start = {0.8, 0, 2.0, 0};
    const std::vector<std::string> names = {"x1", "y1", "x2", "y2"};
    for (std::size_t i = 0; i < 4; ++i)
      motion.q.push_back(model.unknown(names[i], {.start = start[i], .fixed = true}));
    for (std::size_t i = 0; i < 4; ++i)
      motion.v.push_back(model.unknown("v" + names[i], {.start = 0, .fixed = true}));
    const Expr m1 = 1, m2 = 2, g = 9.81;
    motion.mass = Matrix::diagonal({m1, m1, m2, m2});
    motion.h = {0, m1 * g, 0, m2 * g};
    const auto& [x1, y1, x2, y2] = std::tie(motion.q[0], motion.q[1], motion.q[2], motion.q[3]);
    motion.phi = {x1 * x1 + y1 * y1 - 0.8 * 0.8,
                  (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) - 1.2 * 1.2};
    motion.omega = omega;
  }
};

TEST(ConstrainedSystem, JacobianAndBiasAgreeWithDifferences) {
  DoublePendulum pendulum(4);
  const KktSystem kkt = assemble_kkt(pendulum.motion);
  symbolic::ExprPool& pool = pendulum.model.pool();
  const std::vector<double> q = {0.5, -0.6, 1.4, -1.1}, v = {0.3, -0.2, 0.7, 0.4};
  // phi along the straight line q + s v: first derivative J v, second derivative the bias.
  const auto phi_at = [&](std::size_t k, double s) {
    symbolic::Values values;
    for (std::size_t i = 0; i < 4; ++i) {
      values[pendulum.motion.q[i].id()] = q[i] + s * v[i];
      values[pendulum.motion.v[i].id()] = v[i];
    }
    return symbolic::evaluate(pool, pendulum.motion.phi[k].id(), values);
  };
  symbolic::Values here;
  for (std::size_t i = 0; i < 4; ++i) {
    here[pendulum.motion.q[i].id()] = q[i];
    here[pendulum.motion.v[i].id()] = v[i];
  }
  const double s = 1e-3;
  for (std::size_t k = 0; k < 2; ++k) {
    const double slope = (phi_at(k, s) - phi_at(k, -s)) / (2 * s);
    const double curve = (phi_at(k, s) - 2 * phi_at(k, 0) + phi_at(k, -s)) / (s * s);
    EXPECT_NEAR(symbolic::evaluate(pool, kkt.phi_dot[k].id(), here), slope, 1e-9);
    EXPECT_NEAR(symbolic::evaluate(pool, kkt.bias[k].id(), here), curve, 1e-8);
    double jv = 0;
    for (std::size_t j = 0; j < 4; ++j)
      jv += symbolic::evaluate(pool, kkt.jacobian(k, j).id_in(pool), here) * v[j];
    EXPECT_NEAR(jv, slope, 1e-9);
  }
  EXPECT_EQ(kkt.matrix.rows(), 6u);
  EXPECT_TRUE(same(kkt.matrix(4, 0), kkt.matrix(0, 4)));
}

// Digits: validation set, DS04, quadruple precision in angles.
TEST(ConstrainedSystem, DoublePendulumAgreesWithTheAngles) {
  DoublePendulum pendulum(4);
  add_constrained_motion(pendulum.model, pendulum.motion);
  const auto result = run(pendulum.model, {.stop = 2, .tolerance = 1e-10, .intervals = 100});
  ASSERT_EQ(result.outcome, integrate::Outcome::done) << result.message;
  EXPECT_NEAR(last(result, "x1"), 0.24410099636936378, 1e-6);
  EXPECT_NEAR(last(result, "y1"), -0.76184952816910233, 1e-6);
  EXPECT_NEAR(last(result, "x2"), -0.94908924250165314, 1e-6);
  EXPECT_NEAR(last(result, "y2"), -0.63418961330572175, 1e-6);
}

TEST(ConstrainedSystem, RunsWithExplicitAndImplicitSteppers) {
  for (const char* method : {"tsit5", "rodas6p", "radau5"}) {
    DoublePendulum pendulum(4);
    add_constrained_motion(pendulum.model, pendulum.motion);
    const auto result =
        run(pendulum.model, {.stop = 0.5, .tolerance = 1e-9, .intervals = 10, .method = method});
    ASSERT_EQ(result.outcome, integrate::Outcome::done) << method << result.message;
    EXPECT_NEAR(last(result, "x2"), 1.5008593159809791, 1e-6) << method;
  }
}

TEST(ConstrainedSystem, BaumgartePullsBackToTheConstraint) {
  // The same start, a tenth off the constraint: without omega it stays off, with omega it returns.
  const auto error_at_end = [](double omega) {
    DoublePendulum pendulum(omega);
    pendulum.model.start(pendulum.motion.q[0], 0.9, {.fixed = true});
    add_constrained_motion(pendulum.model, pendulum.motion);
    pendulum.model.observe("error", pendulum.motion.phi[0]);
    const auto result = run(pendulum.model, {.stop = 3, .tolerance = 1e-8, .intervals = 10});
    return std::abs(last(result, "error"));
  };
  EXPECT_NEAR(error_at_end(0), 0.9 * 0.9 - 0.8 * 0.8, 1e-6);
  // Critically damped: phi0 (1 + omega t) exp(-omega t).
  EXPECT_NEAR(error_at_end(4), 0.17 * (1 + 12) * std::exp(-12), 1e-6);
}

TEST(ConstrainedSystem, BadInputIsNamed) {
  DoublePendulum twice(0);
  twice.motion.phi.push_back(2 * twice.motion.phi[0]);
  const std::string dependent =
      message_of("K011", [&] { add_constrained_motion(twice.model, twice.motion); });
  EXPECT_NE(dependent.find("depends on"), std::string::npos) << dependent;
  EXPECT_NE(dependent.find("x1^2"), std::string::npos) << dependent;

  DoublePendulum massless(0);
  massless.motion.mass(2, 2) = 0;
  const std::string mass = message_of("K010", [&] { assemble_kkt(massless.motion); });
  EXPECT_NE(mass.find("'x2' has no mass"), std::string::npos) << mass;

  DoublePendulum fast(0);
  fast.motion.phi[1] = fast.motion.v[3] - 1;
  const std::string speed = message_of("K010", [&] { assemble_kkt(fast.motion); });
  EXPECT_NE(speed.find("'vy2'"), std::string::npos) << speed;

  DoublePendulum few(0);
  few.motion.h.pop_back();
  const std::string sizes = message_of("K010", [&] { assemble_kkt(few.motion); });
  EXPECT_NE(sizes.find("4 coordinates, but 3 forces"), std::string::npos) << sizes;
}

}  // namespace
}  // namespace alembert::mechanics
