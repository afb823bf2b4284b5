// SPDX-License-Identifier: Apache-2.0
// Mechanisms of all kinds, by Kane, Lagrange, and Newton and Euler with multipliers.
#include "frontend/mechanics/three_routes.hpp"

#include <gtest/gtest.h>

#include <array>

namespace alembert::mechanics {
namespace {

constexpr double g = 9.81;
using Equations = std::vector<Expr>;

Loads weight(View& v) { return gravity(v.bodies, -g * v.N.z()); }
Loads weight_along_y(View& v) { return gravity(v.bodies, -g * v.N.y()); }

Loads operator+(Loads a, const Loads& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Two points of bodies meet, in the plane of x and y.
Equations meet_in_plane(const View& v, const Point& a, const Point& b) {
  return {dot(b.position_from(a), v.N.x()), dot(b.position_from(a), v.N.y())};
}

/// The material point of a wheel at the ground, for a wheel with the axle `axle`: it rests.
Vector slip_of_wheel(const View& v, std::size_t body, const Vector& axle, double radius) {
  const Expr lean = dot(axle, v.N.z());
  const Vector down = (lean * axle - v.N.z()) / sqrt(1 - lean * lean);
  return v.velocity(v.centres[body]) +
         cross(v.frames[body].angular_velocity_in(v.N), radius * down);
}

Equations all_components(const Vector& v, const Frame& N) {
  const Components c = v.in(N);
  return {c[0], c[1], c[2]};
}

const BodySpec rod{.joint = JointKind::pin, .centre = {0.4, 0, 0}, .inertia = {0.01, 0.06, 0.06}};

BodySpec after(int parent, const Numbers3& at, BodySpec spec) {
  spec.parent = parent;
  spec.at = at;
  return spec;
}

// ---- open chains: every joint
// ---------------------------------------------------------------------

TEST(ThreeRoutes, DoublePendulumOfRods) {
  expect_three_routes_agree({.name = "double pendulum",
                             .bodies = {rod, after(0, {0.4, 0, 0}, rod)},
                             .loads = weight_along_y,
                             .degrees_of_freedom = 2});
}

TEST(ThreeRoutes, CartPoleWithFrictionMotorAndActuator) {
  expect_three_routes_agree(
      {.name = "cart with a pole",
       .bodies = {{.joint = JointKind::slider, .axis = {1, 0, 0}, .mass = 2},
                  after(0, {0, 0.1, 0}, rod)},
       .loads =
           [](View& v) {
             const Expr speed = dot(v.velocity(v.centres[0]), v.N.x());
             const Point wall = v.fixed(ground, {-2, 0.3, 0});
             return weight_along_y(v) + torque_between(v.frames[1], v.frames[0], 0.7 * v.N.z()) +
                    actuator(wall, v.fixed(0, {0, 0.05, 0}), 3 + sin(v.time)) +
                    Loads{friction(speed, 0.4, 0.05)};
           },
       .degrees_of_freedom = 2});
}

TEST(ThreeRoutes, ArmWithUniversalAndCylindricalJoint) {
  expect_three_routes_agree({.name = "arm",
                             .bodies = {{.joint = JointKind::universal,
                                         .axis = {0, 0, 1},
                                         .second = {0, 1, 0},
                                         .centre = {0.7, 0, 0},
                                         .mass = 2,
                                         .inertia = {0.1, 0.2, 0.25, 0.01, 0.02, -0.03}},
                                        {.joint = JointKind::cylindrical,
                                         .parent = 0,
                                         .at = {0.3, 0, 0.1},
                                         .axis = {0.6, 0, 0.8},
                                         .centre = {0.3, 0.1, 0},
                                         .mass = 1.5,
                                         .inertia = {0.05, 0.04, 0.02}}},
                             .loads = weight,
                             .degrees_of_freedom = 4});
}

TEST(ThreeRoutes, ChainOfSphericalJoints) {
  const BodySpec link{.joint = JointKind::spherical,
                      .centre = {0.1, 0, -0.4},
                      .mass = 1.2,
                      .inertia = {0.07, 0.08, 0.02, 0.003, 0, 0.001}};
  expect_three_routes_agree({.name = "spherical chain",
                             .bodies = {link, after(0, {0, 0.1, -0.4}, link)},
                             .loads = weight,
                             .near = {1, 0, 0, 0, 1, 0, 0, 0},
                             .degrees_of_freedom = 6});
}

TEST(ThreeRoutes, FreeBodyOnSpringsWithAWeldedFlywheelHousing) {
  expect_three_routes_agree(
      {.name = "free body",
       .bodies = {{.joint = JointKind::free, .mass = 3, .inertia = {0.3, 0.5, 0.4, 0.02, 0, 0.05}},
                  {.joint = JointKind::weld,
                   .parent = 0,
                   .at = {0.2, 0.1, 0},
                   .centre = {0, 0, 0.3},
                   .inertia = {0.02, 0.02, 0.04}},
                  {.joint = JointKind::pin, .parent = 1, .axis = {0, 0, 1}, .mass = 0.5}},
       .loads =
           [](View& v) {
             return weight(v) +
                    spring_damper(v.fixed(ground, {0.4, 1, 2}), v.fixed(0, {0.3, 0, 0}), 20, 0.7,
                                  0.4, v.N) +
                    Loads{torque(v.frames[0], 0.3 * v.N.x() - 0.2 * v.frames[0].z())};
           },
       .near = {1},
       .degrees_of_freedom = 7});
}

TEST(ThreeRoutes, RobotArmOfSixAxesWithMotors) {
  MechanismSpec spec{.name = "robot arm",
                     .bodies = {},
                     .loads =
                         [](View& v) {
                           Loads loads = weight(v);
                           for (std::size_t k = 1; k < v.frames.size(); ++k)
                             loads = loads + torque_between(v.frames[k], v.frames[k - 1],
                                                            double(k) * 0.3 * v.frames[k].x());
                           return loads;
                         },
                     .degrees_of_freedom = 6};
  const Numbers3 axes[] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
  for (int k = 0; k < 6; ++k)
    spec.bodies.push_back({.joint = JointKind::pin,
                           .parent = k - 1,
                           .at = {0.2, 0.05, 0.1},
                           .axis = axes[k],
                           .centre = {0.15, -0.02, 0.03},
                           .mass = 3.0 / (k + 1),
                           .inertia = {0.05, 0.04, 0.06, 0.002, 0.001, -0.003}});
  expect_three_routes_agree(spec);
}

// ---- closed loops
// ---------------------------------------------------------------------------------

TEST(ThreeRoutes, FourBarLoop) {
  const BodySpec coupler{.joint = JointKind::pin, .centre = {1, 0, 0}, .inertia = {0, 0.3, 0.3}};
  const BodySpec rocker{.joint = JointKind::pin, .centre = {0.5, 0, 0}, .inertia = {0, 0.1, 0.1}};
  expect_three_routes_agree(
      {.name = "four bars",
       .bodies = {rod, after(0, {0.4, 0, 0}, coupler), after(1, {1, 0, 0}, rocker)},
       .loads = weight_along_y,
       .holonomic =
           [](View& v) {
             return meet_in_plane(v, v.fixed(ground, {2, 0, 0}), v.fixed(2, {0.5, 0, 0}));
           },
       .near = {0.17, 0.11, -2.64},
       .wide = 0.2,
       .degrees_of_freedom = 1});
}

TEST(ThreeRoutes, SliderCrankWithSpring) {
  const BodySpec coupler{.joint = JointKind::pin, .centre = {0.5, 0, 0}, .inertia = {0, 0.1, 0.1}};
  expect_three_routes_agree(
      {.name = "slider crank",
       .bodies = {rod,
                  after(0, {0.4, 0, 0}, coupler),
                  {.joint = JointKind::slider, .axis = {1, 0, 0}}},
       .loads =
           [](View& v) {
             return weight_along_y(v) + spring_damper(v.centres[0], v.centres[2], 5, 0.3, 0.2, v.N);
           },
       .holonomic =
           [](View& v) {
             return meet_in_plane(v, v.centres[2], v.fixed(1, {0.5, 0, 0}));
           },
       .near = {0.6, -1.1, 1.5},
       .wide = 0.1,
       .degrees_of_freedom = 1});
}

TEST(ThreeRoutes, SpatialLoopOfPinAndSphericalJoints) {
  // Crank and rocker on skew axes, a rod with a ball at each end; it may spin about itself.
  expect_three_routes_agree(
      {.name = "RSSR loop",
       .bodies =
           {{.joint = JointKind::pin, .axis = {0, 0, 1}, .centre = {0.2, 0, 0}},
            {.joint = JointKind::spherical, .parent = 0, .at = {0.2, 0, 0}, .centre = {0.5, 0, 0}},
            {.joint = JointKind::pin, .at = {1.2, 0, 0}, .axis = {0, 1, 0}, .centre = {0, 0, 0.3}}},
       .loads = weight,
       .holonomic =
           [](View& v) {
             return all_components(v.fixed(2, {0, 0, 0.3}).position_from(v.fixed(1, {0.5, 0, 0})),
                                   v.N);
           },
       .near = {0.3, 1, 0, 0, 0, 0.1},
       .wide = 0.1,
       .degrees_of_freedom = 2});
}

TEST(ThreeRoutes, FlyballGovernor) {
  const auto arm = [](double side) {
    return BodySpec{.joint = JointKind::pin,
                    .parent = 0,
                    .at = {0.05 * side, 0, 1},
                    .axis = {0, 1, 0},
                    .centre = {0, 0, -0.9},
                    .mass = 5.3,
                    .inertia = {0.3, 0.3, 0.01}};
  };
  expect_three_routes_agree(
      {.name = "governor",
       .bodies = {{.joint = JointKind::pin, .axis = {0, 0, 1}, .inertia = {0.01, 0.01, 0.02}},
                  {.joint = JointKind::slider, .parent = 0, .axis = {0, 0, 1}, .mass = 3},
                  arm(1),
                  arm(-1)},
       .loads =
           [](View& v) {
             return weight(v) +
                    spring_damper(v.fixed(1, {0.05, 0, 0}), v.fixed(2, {0, 0, 0.4}), 800, 40, 0.5,
                                  v.N) +
                    spring_damper(v.fixed(1, {-0.05, 0, 0}), v.fixed(3, {0, 0, 0.4}), 800, 40, 0.5,
                                  v.N);
           },
       .near = {0, 0.5, -0.9, 0.9},
       .wide = 0.3,
       .degrees_of_freedom = 4});
}

TEST(ThreeRoutes, TipThatFollowsAPrescribedMotion) {
  expect_three_routes_agree(
      {.name = "prescribed tip",
       .bodies = {rod, after(0, {0.4, 0, 0}, rod), after(1, {0.4, 0, 0}, rod)},
       .loads = weight_along_y,
       .holonomic =
           [](View& v) {
             const Point tip = v.fixed(2, {0.4, 0, 0});
             return Equations{dot(tip.position_from(v.O), v.N.x()) - 1.6 - 0.3 * sin(2 * v.time)};
           },
       .near = {0.5, -0.9, 0.7},
       .wide = 0.1,
       .degrees_of_freedom = 2});
}

// ---- nonholonomic
// ---------------------------------------------------------------------------------

TEST(ThreeRoutes, ChaplyginSleigh) {
  expect_three_routes_agree({.name = "sleigh",
                             .bodies = {{.joint = JointKind::planar, .centre = {0.2, 0, 0}}},
                             .nonholonomic =
                                 [](View& v) {
                                   const Point knife = v.fixed(0, {-0.2, 0, 0});
                                   return Equations{dot(v.velocity(knife), v.frames[0].y())};
                                 },
                             .degrees_of_freedom = 2});
}

TEST(ThreeRoutes, Snakeboard) {
  // Inertia about the other axes has no part in it, but Newton and Euler want a regular one.
  const std::array<double, 6> round = {0.1, 0.1, 0.1, 0, 0, 0};
  const auto truck = [&](double x) {
    return BodySpec{.joint = JointKind::pin, .parent = 0, .at = {x, 0, 0}, .inertia = round};
  };
  expect_three_routes_agree(
      {.name = "snakeboard",
       .bodies = {{.joint = JointKind::planar, .inertia = round}, truck(0.35), truck(-0.35)},
       .nonholonomic =
           [](View& v) {
             return Equations{dot(v.velocity(v.centres[1]), v.frames[1].y()),
                              dot(v.velocity(v.centres[2]), v.frames[2].y())};
           },
       .near = {0, 0, 0, 0.5, -0.6},
       .wide = 0.4,
       .degrees_of_freedom = 3});
}

TEST(ThreeRoutes, RollingDisc) {
  expect_three_routes_agree(
      {.name = "disc",
       .bodies = {{.joint = JointKind::free, .mass = 2, .inertia = {0.125, 0.25, 0.125}}},
       .loads = weight,
       .nonholonomic =
           [](View& v) { return all_components(slip_of_wheel(v, 0, v.frames[0].y(), 0.5), v.N); },
       .near = {0.9, 0.3},
       .wide = 0.2,
       .degrees_of_freedom = 3});
}

TEST(ThreeRoutes, BallOnATurntable) {
  expect_three_routes_agree(
      {.name = "ball",
       .bodies = {{.joint = JointKind::free, .mass = 0.4, .inertia = {0.02, 0.02, 0.02}}},
       .loads = weight,
       .nonholonomic =
           [](View& v) {
             const Vector slip =
                 v.velocity(v.centres[0]) +
                 cross(v.frames[0].angular_velocity_in(v.N), -0.2 * v.N.z()) -
                 cross((1 + 0.5 * sin(v.time)) * v.N.z(), v.centres[0].position_from(v.O));
             return all_components(slip, v.N);
           },
       .near = {1},
       .degrees_of_freedom = 3});
}

TEST(ThreeRoutes, CartWithTwoDrivenWheels) {
  const auto wheel = [](double side) {
    return BodySpec{.joint = JointKind::pin,
                    .parent = 0,
                    .at = {0, 0.3 * side, 0},
                    .axis = {0, 1, 0},
                    .mass = 0.5,
                    .inertia = {0.01, 0.02, 0.01}};
  };
  expect_three_routes_agree(
      {.name = "cart",
       .bodies = {{.joint = JointKind::planar, .centre = {0.1, 0, 0}, .mass = 4},
                  wheel(1),
                  wheel(-1)},
       .loads =
           [](View& v) {
             return torque_between(v.frames[1], v.frames[0], 0.4 * v.frames[0].y()) +
                    torque_between(v.frames[2], v.frames[0], -0.1 * v.frames[0].y());
           },
       .nonholonomic =
           [](View& v) {
             const auto roll = [&](std::size_t k) {
               return v.velocity(v.centres[k]) +
                      cross(v.frames[k].angular_velocity_in(v.N), -0.15 * v.N.z());
             };
             return Equations{dot(roll(1), v.frames[0].x()), dot(roll(2), v.frames[0].x()),
                              dot(roll(1), v.frames[0].y())};
           },
       .degrees_of_freedom = 2});
}

TEST(ThreeRoutes, BicycleFromAFreeFrame) {
  constexpr double rear = 0.3, front = 0.35;
  expect_three_routes_agree(
      {.name = "bicycle",
       .bodies = {{.joint = JointKind::free, .mass = 85, .inertia = {9.2, 11, 2.8, 0, 0, -2.4}},
                  {.joint = JointKind::pin,
                   .parent = 0,
                   .at = {-0.3, 0, -0.6},
                   .axis = {0, 1, 0},
                   .mass = 2,
                   .inertia = {0.0603, 0.12, 0.0603}},
                  {.joint = JointKind::pin,
                   .parent = 0,
                   .at = {0.5, 0, 0},
                   .axis = {-0.309017, 0, 0.951057},
                   .centre = {0.1, 0, -0.2},
                   .mass = 4,
                   .inertia = {0.06, 0.06, 0.01, 0, 0, 0.0076}},
                  {.joint = JointKind::pin,
                   .parent = 2,
                   .at = {0.12, 0, -0.35},
                   .axis = {0, 1, 0},
                   .mass = 3,
                   .inertia = {0.1405, 0.28, 0.1405}}},
       .loads = weight,
       .nonholonomic =
           [](View& v) {
             Equations rest = all_components(slip_of_wheel(v, 1, v.frames[0].y(), rear), v.N);
             for (const Expr& e : all_components(slip_of_wheel(v, 3, v.frames[2].y(), front), v.N))
               rest.push_back(e);
             return rest;
           },
       .near = {1, 0.1, 0, 0.1},
       .wide = 0.2,
       .degrees_of_freedom = 3});
}

}  // namespace
}  // namespace alembert::mechanics
