// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/joint.hpp"

namespace alembert::mechanics {

Linkage::Linkage(Model& model, const Frame& inertial, const Point& origin)
    : model_(model),
      system_{.inertial = inertial, .q = {}, .u = {}, .kinematics = {}, .bodies = {}} {
  origin.set_velocity(inertial, {});
}

Joint Linkage::start(const std::string& name, const Frame& parent) {
  return {.name = name,
          .frame = parent.world().frame(name),
          .point = parent.world().point(name),
          .q = {},
          .u = {}};
}

Linkage::Degree Linkage::add_degree(Joint& joint, const std::string& q_name,
                                    const std::string& u_name) {
  const Degree degree{model_.unknown(q_name, {.start = 0}), model_.unknown(u_name, {.start = 0})};
  joint.q.push_back(degree.q);
  joint.u.push_back(degree.u);
  system_.q.push_back(degree.q);
  system_.u.push_back(degree.u);
  system_.kinematics.push_back(degree.u - der(degree.q));
  return degree;
}

void Linkage::place(const Joint& joint, const Point& at, const Vector& position) {
  joint.point.set_position(at, position);
  joint.point.velocity_in(system_.inertial);  // Error K005 here, where the place is known
}

Joint Linkage::pin(const std::string& name, const Frame& parent, const Point& at,
                   const Vector& axis) {
  Joint joint = start(name, parent);
  const Degree turn = add_degree(joint, name + ".q", name + ".u");
  joint.frame.orient_axis(parent, turn.q, axis);
  place(joint, at, {});
  return joint;
}

Joint Linkage::slider(const std::string& name, const Frame& parent, const Point& at,
                      const Vector& axis) {
  Joint joint = start(name, parent);
  const Degree shift = add_degree(joint, name + ".q", name + ".u");
  joint.frame.fix_to(parent);
  place(joint, at, shift.q * unit(axis));
  return joint;
}

Joint Linkage::cylindrical(const std::string& name, const Frame& parent, const Point& at,
                           const Vector& axis) {
  Joint joint = start(name, parent);
  const Degree turn = add_degree(joint, name + ".q1", name + ".u1");
  const Degree shift = add_degree(joint, name + ".q2", name + ".u2");
  joint.frame.orient_axis(parent, turn.q, axis);
  place(joint, at, shift.q * unit(axis));
  return joint;
}

Joint Linkage::planar(const std::string& name, const Frame& parent, const Point& at,
                      const Vector& normal, const Vector& along, const Vector& across) {
  Joint joint = start(name, parent);
  const Degree turn = add_degree(joint, name + ".q1", name + ".u1");
  const Degree x = add_degree(joint, name + ".q2", name + ".u2");
  const Degree y = add_degree(joint, name + ".q3", name + ".u3");
  joint.frame.orient_axis(parent, turn.q, normal);
  place(joint, at, x.q * unit(along) + y.q * unit(across));
  return joint;
}

Joint Linkage::universal(const std::string& name, const Frame& parent, const Point& at,
                         const Vector& first, const Vector& second) {
  Joint joint = start(name, parent);
  const Degree a = add_degree(joint, name + ".q1", name + ".u1");
  const Degree b = add_degree(joint, name + ".q2", name + ".u2");
  const Frame cross_piece = parent.world().frame(name + ".cross");
  cross_piece.orient_axis(parent, a.q, first);
  joint.frame.orient_axis(cross_piece, b.q, Vector(cross_piece, second.in(parent)));
  place(joint, at, {});
  return joint;
}

void Linkage::turn_by_quaternion(Joint& joint, const Frame& parent) {
  std::array<Expr, 4> e;
  for (std::size_t k = 0; k < 4; ++k) {
    e[k] = model_.unknown(joint.name + ".e" + std::to_string(k), {.start = k == 0 ? 1 : 0});
    joint.q.push_back(e[k]);
    system_.q.push_back(e[k]);
  }
  Components w;
  for (std::size_t k = 0; k < 3; ++k) {
    w[k] = model_.unknown(joint.name + ".w" + std::to_string(k + 1), {.start = 0});
    joint.u.push_back(w[k]);
    system_.u.push_back(w[k]);
  }
  joint.frame.orient_quaternion(parent, e);
  joint.frame.set_angular_velocity(Vector(joint.frame, w));
  // The last term pulls the length back to 1; it vanishes where it is 1.
  const Expr pull = (1 - e[0] * e[0] - e[1] * e[1] - e[2] * e[2] - e[3] * e[3]) / 2;
  const std::array<Expr, 4> rates = {(-e[1] * w[0] - e[2] * w[1] - e[3] * w[2]) / 2,
                                     (e[0] * w[0] - e[3] * w[1] + e[2] * w[2]) / 2,
                                     (e[3] * w[0] + e[0] * w[1] - e[1] * w[2]) / 2,
                                     (-e[2] * w[0] + e[1] * w[1] + e[0] * w[2]) / 2};
  for (std::size_t k = 0; k < 4; ++k)
    system_.kinematics.push_back(rates[k] + pull * e[k] - der(e[k]));
}

Joint Linkage::spherical(const std::string& name, const Frame& parent, const Point& at) {
  Joint joint = start(name, parent);
  turn_by_quaternion(joint, parent);
  place(joint, at, {});
  return joint;
}

Joint Linkage::free(const std::string& name, const Frame& parent, const Point& at) {
  Joint joint = start(name, parent);
  turn_by_quaternion(joint, parent);
  Vector position;
  const Vector axes[] = {parent.x(), parent.y(), parent.z()};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string number = std::to_string(k + 1);
    position += add_degree(joint, name + ".r" + number, name + ".v" + number).q * axes[k];
  }
  place(joint, at, position);
  return joint;
}

Joint Linkage::weld(const std::string& name, const Frame& parent, const Point& at) {
  Joint joint = start(name, parent);
  joint.frame.fix_to(parent);
  place(joint, at, {});
  return joint;
}

Point Linkage::fixed_point(const std::string& name, const Joint& joint,
                           const Vector& position) const {
  const Point point = joint.frame.world().point(name);
  point.set_position(joint.point, position);
  point.v2pt(joint.point, system_.inertial, joint.frame);
  return point;
}

void Linkage::add(const Loads& loads) {
  system_.loads.insert(system_.loads.end(), loads.begin(), loads.end());
}

void Linkage::close(const Point& a, const Point& b, const Frame& components_in) {
  for (const Expr& gap : b.position_from(a).in(components_in))
    if (!is_zero(gap)) close(gap);
}

}  // namespace alembert::mechanics
