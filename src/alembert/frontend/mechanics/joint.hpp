// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. Joints: each hangs a frame and a point on a parent's, with
// coordinates, speeds and kinematical equations of its own, named after it.
//   Linkage linkage(model, N, O);
//   const Joint hip = linkage.pin("hip", N, O, N.z());
//   linkage.add(rigid_body("leg", ..., hip.frame, ...));
//   const KaneEquations motion = derive_kane(model, linkage.system());
// In: parents and axes. Out: a KaneSystem that grows. Start values are set on the model, as for all
// unknowns: model.start(hip.q[0], 0.3, {.fixed = true}).
#pragma once

#include <string>
#include <vector>

#include "alembert/frontend/mechanics/kane.hpp"

namespace alembert::mechanics {

/// What a joint adds to a mechanism.
struct Joint {
  std::string name;
  Frame frame;          ///< moves with the child
  Point point;          ///< of the child, at the joint
  std::vector<Expr> q;  ///< coordinates
  std::vector<Expr> u;  ///< speeds
};

/// A mechanism under construction: joints, bodies, loads, loops.
class Linkage {
 public:
  /// The point rests in the frame.
  Linkage(Model& model, const Frame& inertial, const Point& origin);

  // Coordinates are "name.q" where there is one, else "name.q1", "name.q2", ...; speeds
  // "name.u" in the same way.
  /// One turn about an axis that is fixed in both.
  Joint pin(const std::string& name, const Frame& parent, const Point& at, const Vector& axis);
  /// One displacement along an axis.
  Joint slider(const std::string& name, const Frame& parent, const Point& at, const Vector& axis);
  /// A turn about an axis and a displacement along it.
  Joint cylindrical(const std::string& name, const Frame& parent, const Point& at,
                    const Vector& axis);
  /// A turn about `normal`, and displacements along two directions across it.
  Joint planar(const std::string& name, const Frame& parent, const Point& at, const Vector& normal,
               const Vector& along, const Vector& across);
  /// Two turns: about an axis of the parent, then about one that is fixed in the child; both are
  /// given in the parent, as they are when all angles are zero.
  Joint universal(const std::string& name, const Frame& parent, const Point& at,
                  const Vector& first, const Vector& second);
  /// Three turns, by a quaternion: no orientation is singular. Speeds are the components of the
  /// angular velocity in the child; the start is the parent's orientation.
  Joint spherical(const std::string& name, const Frame& parent, const Point& at);
  /// The same, and three displacements in the parent.
  Joint free(const std::string& name, const Frame& parent, const Point& at);
  /// No motion at all.
  Joint weld(const std::string& name, const Frame& parent, const Point& at);

  /// A point fixed in a joint's frame.
  Point fixed_point(const std::string& name, const Joint& joint, const Vector& position) const;
  void add(const Body& body) { system_.bodies.push_back(body); }
  void add(const Load& load) { system_.loads.push_back(load); }
  void add(const Loads& loads);
  /// Closes a loop: the expression of coordinates vanishes.
  void close(const Expr& holonomic) { system_.holonomic.push_back(holonomic); }
  /// Two points are one: three equations, of which those that are zero at all times are left out.
  void close(const Point& a, const Point& b, const Frame& components_in);

  const KaneSystem& system() const { return system_; }
  const std::vector<Body>& bodies() const { return system_.bodies; }

 private:
  struct Degree {
    Expr q;
    Expr u;
  };
  Joint start(const std::string& name, const Frame& parent);
  Degree add_degree(Joint& joint, const std::string& q_name, const std::string& u_name);
  void turn_by_quaternion(Joint& joint, const Frame& parent);
  void place(const Joint& joint, const Point& at, const Vector& position);

  Model& model_;
  KaneSystem system_;
};

}  // namespace alembert::mechanics
