// SPDX-License-Identifier: Apache-2.0
// Frames, vectors and points against difference quotients and against each other.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "alembert/frontend/mechanics/body.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "frontend/mechanics/runs.hpp"

namespace alembert::mechanics {
namespace {

using builder::Model;

/// Coordinates that are known functions of time, so that everything can be evaluated at any time.
struct Moving {
  Model model{"Moving"};
  World world;
  Frame N = world.frame("N");
  std::vector<Expr> q;

  Moving() {
    for (int k = 0; k < 4; ++k) q.push_back(model.unknown("q" + std::to_string(k + 1)));
  }
  static double value(int k, double t, int order) {
    const double a = 0.7 + 0.3 * k, w = 1.1 - 0.2 * k;
    return a * std::pow(w, order) * std::sin(w * t + 0.4 * k + order * std::numbers::pi / 2);
  }
  double at(const Expr& e, double t) const {
    if (e.pool() == nullptr) return e.constant();
    symbolic::Values values{{model.time().id(), t}};
    for (int k = 0; k < 4; ++k) {
      values[q[k].id()] = value(k, t, 0);
      values[der(q[k]).id()] = value(k, t, 1);
      values[der(der(q[k])).id()] = value(k, t, 2);
    }
    return symbolic::evaluate(*e.pool(), e.id(), values);
  }
  std::array<double, 3> at(const Components& c, double t) const {
    return {at(c[0], t), at(c[1], t), at(c[2], t)};
  }
};

/// w x r in N must be the derivative of r fixed in the frame, and rows of the rotation orthonormal.
void expect_consistent(Moving& m, const Frame& A) {
  const Components r = {0.3, -0.8, 0.5};
  const Vector p(A, r);
  const double t = 0.6, h = 1e-4;
  const auto before = m.at(p.in(m.N), t - h), after = m.at(p.in(m.N), t + h);
  const auto velocity = m.at(cross(A.angular_velocity_in(m.N), p).in(m.N), t);
  const auto derivative = m.at(p.dt(m.N).in(m.N), t);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(velocity[k], (after[k] - before[k]) / (2 * h), 1e-6) << A.name();
    EXPECT_NEAR(velocity[k], derivative[k], 1e-12) << A.name();
  }
  const Components3x3 R = A.cosines_to(m.N);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(m.at(dot(R[i], R[j]), t), i == j ? 1.0 : 0.0, 1e-12) << A.name();
  const auto w_before = m.at(A.angular_velocity_in(m.N).in(m.N), t - h);
  const auto w_after = m.at(A.angular_velocity_in(m.N).in(m.N), t + h);
  const auto alpha = m.at(A.angular_acceleration_in(m.N).in(m.N), t);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(alpha[k], (w_after[k] - w_before[k]) / (2 * h), 1e-6) << A.name();
}

TEST(Frames, EveryOrientationTurnsAsItsAngularVelocitySays) {
  Moving m;
  const auto& q = m.q;
  const auto check = [&](const std::string& name, const std::function<void(const Frame&)>& orient) {
    const Frame frame = m.world.frame(name);
    orient(frame);
    expect_consistent(m, frame);
  };
  check("axis z", [&](const Frame& A) { A.orient_axis(m.N, q[0], m.N.z()); });
  check("any axis", [&](const Frame& A) { A.orient_axis(m.N, q[1], m.N.x() + 2 * m.N.y()); });
  for (const char* order : {"zxz", "xyz", "123", "YZX", "313"}) {
    check(std::string("body ") + order, [&](const Frame& A) {
      A.orient_body(m.N, {q[0], q[1], q[2]}, order);
    });
    check(std::string("space ") + order, [&](const Frame& A) {
      A.orient_space(m.N, {q[0], q[1], q[2]}, order);
    });
  }
  check("quaternion", [&](const Frame& A) {
    // A unit quaternion by construction: half angle about a moving axis.
    const Expr c = cos(q[0]), s = sin(q[0]);
    A.orient_quaternion(m.N,
                        {c, s * cos(q[1]), s * sin(q[1]) * cos(q[2]), s * sin(q[1]) * sin(q[2])});
  });
  check("cosines", [&](const Frame& A) {
    const Expr c = cos(q[3]), s = sin(q[3]);
    A.orient_cosines(m.N, {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}});
  });
  check("in a chain", [&](const Frame& A) {
    const Frame B = m.world.frame("B"), C = m.world.frame("C");
    B.orient_axis(m.N, q[0], m.N.x());
    C.orient_axis(B, q[1], B.z());
    A.orient_axis(C, q[2], C.y());
  });
}

TEST(Frames, BodyAndSpaceTurnsAreTheSameInOppositeOrder) {
  Moving m;
  const Frame A = m.world.frame("A"), B = m.world.frame("B");
  A.orient_body(m.N, {m.q[0], m.q[1], m.q[2]}, "xyz");
  B.orient_space(m.N, {m.q[2], m.q[1], m.q[0]}, "zyx");
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(m.at(A.cosines_to(m.N)[i][j], 0.3), m.at(B.cosines_to(m.N)[i][j], 0.3), 1e-14);
}

TEST(Points, TheoriesAgreeWithDifferentiation) {
  Moving m;
  const Frame A = m.world.frame("A");
  A.orient_body(m.N, {m.q[0], m.q[1], m.q[2]}, "zxy");
  const Point O = m.world.point("O"), P = m.world.point("P"), Q = m.world.point("Q"),
              R = m.world.point("R");
  O.set_velocity(m.N, {});
  P.set_position(O, m.q[3] * m.N.x() + 0.2 * m.model.time() * m.N.y());
  Q.set_position(P, 0.4 * A.x() - 0.1 * A.z());     // fixed in A
  R.set_position(P, m.q[3] * A.y() + 0.5 * A.x());  // moves in A
  const auto position = [&](const Point& X, double t) {
    return m.at(X.position_from(O).in(m.N), t);
  };
  const double t = 0.8, h = 1e-3;
  const auto expect_motion = [&](const Point& X, const Vector& velocity,
                                 const Vector& acceleration) {
    const auto before = position(X, t - h), here = position(X, t), after = position(X, t + h);
    const auto v = m.at(velocity.in(m.N), t), a = m.at(acceleration.in(m.N), t);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(v[k], (after[k] - before[k]) / (2 * h), 1e-5) << X.name();
      EXPECT_NEAR(a[k], (after[k] - 2 * here[k] + before[k]) / (h * h), 1e-4) << X.name();
    }
  };
  expect_motion(P, P.velocity_in(m.N), P.acceleration_in(m.N));
  expect_motion(Q, Q.velocity_in(m.N), Q.acceleration_in(m.N));
  expect_motion(R, R.velocity_in(m.N), R.acceleration_in(m.N));
  expect_motion(Q, Q.v2pt(P, m.N, A), Q.a2pt(P, m.N, A));
  expect_motion(R, R.v1pt(P, m.N, A), R.a1pt(P, m.N, A));
  // The same vector in two frames, and the way back.
  const Vector p = R.position_from(Q);
  EXPECT_NEAR(m.at(dot(p, p), t), m.at(dot(p.expressed_in(m.N), p.expressed_in(A)), t), 1e-14);
}

TEST(Dyadics, ProductsDoNotDependOnTheFrame) {
  Moving m;
  const Frame A = m.world.frame("A");
  A.orient_body(m.N, {m.q[0], m.q[1], m.q[2]}, "zxz");
  const Dyadic I = inertia(A, 1, 2, 3, 0.1, 0.2, 0.3);
  const Vector w = m.q[0] * m.N.x() + m.q[1] * A.y();
  const Dyadic same_in_N(m.N, I.in(m.N));
  EXPECT_NEAR(m.at(dot(w, dot(I, w)), 0.4), m.at(dot(w, dot(same_in_N, w)), 0.4), 1e-13);
  // a (b . c) = (a (x) b) . c
  const Vector a = A.x() + m.N.z(), b = m.q[2] * A.y(), c = m.N.x() - A.z();
  const auto left = m.at((dot(b, c) * a).in(m.N), 0.4),
             right = m.at(dot(outer(a, b), c).in(m.N), 0.4);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(left[k], right[k], 1e-14);
  // Steiner: about the mass centre and about another point.
  const Point C = m.world.point("C"), S = m.world.point("S");
  C.set_position(S, 0.5 * A.x());
  const Body body = rigid_body("rod", C, A, 3, inertia(A, 0, 1, 1), S);
  EXPECT_NEAR(m.at(body.central_inertia.in(A)[1][1], 0), 1 - 3 * 0.25, 1e-15);
  EXPECT_NEAR(m.at(body.central_inertia.in(A)[0][0], 0), 0, 1e-15);
}

TEST(Frames, MistakesAreNamed) {
  Moving m;
  const Frame A = m.world.frame("A"), B = m.world.frame("B"), C = m.world.frame("C");
  A.orient_axis(m.N, m.q[0], m.N.z());
  const auto says = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  says(message_of("K002", [&] { A.orient_axis(B, m.q[1], B.x()); }),
       "frame 'A' is already oriented to frame 'N'");
  says(message_of("K002", [&] { m.N.orient_axis(A, m.q[1], A.x()); }), "hangs on it already");
  says(message_of("K001", [&] { dot(B.x(), A.x()); }), "is not connected with frame");
  says(message_of("K001", [&] { B.angular_velocity_in(m.N); }),
       "frame 'B' is not connected with frame 'N'");
  says(message_of("K003", [&] { C.orient_body(m.N, {m.q[0], m.q[1], m.q[2]}, "xxz"); }), "'xxz'");
  const Point O = m.world.point("O"), P = m.world.point("P");
  P.set_position(O, A.x());
  says(message_of("K004", [&] { O.set_position(P, A.x()); }), "depends on it already");
  says(message_of("K004", [&] { P.position_from(m.world.point("Q")); }), "is not connected");
}

}  // namespace
}  // namespace alembert::mechanics
