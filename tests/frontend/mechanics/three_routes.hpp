// SPDX-License-Identifier: Apache-2.0
// One mechanism, three ways to its accelerations. A mechanism is plain data: bodies, each on a
// joint, and functions that give loads and constraints from frames and points. From it are built
//   Kane:         joints of a Linkage, coordinates and speeds of its own; with multipliers, and
//                 projected by the matrices Md, gd
//   Lagrange:     the same coordinates, no speeds; kinetic energy, multipliers
//   Newton-Euler: every body free, six equations each, all joints as constraints; assembled here,
//                 by numbers, and by nothing of what the first two use
// and accelerations are compared at random states that meet all constraints.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "alembert/frontend/mechanics/body.hpp"

namespace alembert::mechanics {

using Numbers3 = std::array<double, 3>;

enum class JointKind { pin, slider, cylindrical, planar, universal, spherical, free, weld };

constexpr int ground = -1;

struct BodySpec {
  JointKind joint;
  int parent = ground;          // index of a body before this one
  Numbers3 at = {0, 0, 0};      // the joint in the parent, from its mass centre (or the origin)
  Numbers3 axis = {0, 0, 1};    // in the parent; the normal of a planar joint
  Numbers3 second = {1, 0, 0};  // in the parent: second axis (universal), first direction (planar)
  Numbers3 centre = {0, 0, 0};  // the mass centre in the body, from the joint
  double mass = 1;
  std::array<double, 6> inertia = {0.1, 0.2, 0.3, 0, 0, 0};  // xx yy zz xy yz zx
};

/// What loads and constraints are made of, in each of the three ways.
struct View {
  Frame N;
  Point O;
  Expr time;
  std::vector<Frame> frames = {};
  std::vector<Point> centres = {};
  std::vector<Body> bodies = {};
  std::map<std::uint32_t, int> owners = {};  // of points

  /// A point fixed in a body, seen from its mass centre, or in the ground.
  Point fixed(int body, const Numbers3& at);
  Vector velocity(const Point& point) const { return point.velocity_in(N); }
  Frame frame_of(int body) const { return body == ground ? N : frames[std::size_t(body)]; }
  Point centre_of(int body) const { return body == ground ? O : centres[std::size_t(body)]; }
};

struct MechanismSpec {
  std::string name;
  std::vector<BodySpec> bodies;
  std::function<Loads(View&)> loads = {};
  std::function<std::vector<Expr>(View&)> holonomic = {};     // each vanishes
  std::function<std::vector<Expr>(View&)> nonholonomic = {};  // each vanishes
  std::vector<double> near = {};  // coordinates near which constraints can be met; else 0
  double wide = 0.8;              // how far random coordinates are from there
  int degrees_of_freedom = 0;     // what the mechanism must have, speeds less constraints
};

/// Checks agreement at `n_states` states; failures name the mechanism, the state and the way.
void expect_three_routes_agree(const MechanismSpec& spec, int n_states = 3);

}  // namespace alembert::mechanics
