// SPDX-License-Identifier: Apache-2.0
#include "frontend/mechanics/newton_euler.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/matrix.hpp"

namespace alembert::mechanics {

using symbolic::ExprId;

namespace {

Vector in_frame(const Frame& frame, const Numbers3& v) { return {frame, {v[0], v[1], v[2]}}; }

/// Two directions across an axis.
std::array<Numbers3, 2> across(const Numbers3& a) {
  const Numbers3 helper = std::abs(a[0]) < 0.6 ? Numbers3{1, 0, 0} : Numbers3{0, 1, 0};
  const auto product = [](const Numbers3& p, const Numbers3& q) {
    return Numbers3{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2],
                    p[0] * q[1] - p[1] * q[0]};
  };
  const Numbers3 first = product(a, helper);
  return {first, product(a, first)};
}

/// A unit quaternion of direction cosines, from its largest entry.
std::array<double, 4> quaternion(const std::array<Numbers3, 3>& axes) {
  const auto R = [&](std::size_t i, std::size_t j) { return axes[j][i]; };  // v_N = R v_body
  const double squares[4] = {1 + R(0, 0) + R(1, 1) + R(2, 2), 1 + R(0, 0) - R(1, 1) - R(2, 2),
                             1 - R(0, 0) + R(1, 1) - R(2, 2), 1 - R(0, 0) - R(1, 1) + R(2, 2)};
  std::size_t k = 0;
  for (std::size_t i = 1; i < 4; ++i)
    if (squares[i] > squares[k]) k = i;
  const double products[4][4] = {
      {squares[0], R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)},
      {R(2, 1) - R(1, 2), squares[1], R(1, 0) + R(0, 1), R(0, 2) + R(2, 0)},
      {R(0, 2) - R(2, 0), R(1, 0) + R(0, 1), squares[2], R(2, 1) + R(1, 2)},
      {R(1, 0) - R(0, 1), R(0, 2) + R(2, 0), R(2, 1) + R(1, 2), squares[3]}};
  std::array<double, 4> e;
  for (std::size_t i = 0; i < 4; ++i) e[i] = products[k][i] / (2 * std::sqrt(squares[k]));
  return e;
}

}  // namespace

NewtonEuler::NewtonEuler(const MechanismSpec& spec) : spec_(spec) {
  view_.O.set_velocity(view_.N, {});
  for (const BodySpec& body : spec.bodies) {
    const std::string name = "b" + std::to_string(view_.bodies.size());
    std::array<Expr, 4> e;
    Components r, v, w;
    for (std::size_t k = 0; k < 4; ++k)
      e_.push_back(e[k] = model_.unknown(name + ".e" + std::to_string(k)));
    for (std::size_t k = 0; k < 3; ++k) {
      r_.push_back(r[k] = model_.unknown(name + ".r" + std::to_string(k)));
      v_.push_back(v[k] = model_.unknown(name + ".v" + std::to_string(k)));
      w_.push_back(w[k] = model_.unknown(name + ".w" + std::to_string(k)));
    }
    for (const Components* part : {&v, &w})
      speeds_.insert(speeds_.end(), part->begin(), part->end());
    const Frame frame = world_.frame(name);
    frame.orient_quaternion(view_.N, e);
    frame.set_angular_velocity(Vector(frame, w));
    const Point centre = world_.point(name + ".c");
    centre.set_position(view_.O, Vector(view_.N, r));
    centre.set_velocity(view_.N, Vector(view_.N, v));
    view_.owners[centre.id()] = static_cast<int>(view_.bodies.size());
    view_.frames.push_back(frame);
    view_.centres.push_back(centre);
    const auto& i = body.inertia;
    view_.bodies.push_back(rigid_body(name, centre, frame, body.mass,
                                      inertia(frame, i[0], i[1], i[2], i[3], i[4], i[5])));
  }
  for (std::size_t k = 0; k < spec.bodies.size(); ++k) add_joint(spec.bodies[k], int(k));
  if (spec.holonomic)
    for (const Expr& constraint : spec.holonomic(view_)) holonomic_.push_back(constraint);
  std::vector<ExprId> ids;
  for (const Expr& constraint : holonomic_) ids.push_back(constraint.id_in(model_.pool()));
  for (const ExprId id : along(ids)) constraints_.emplace_back(model_.pool(), id);
  if (spec.nonholonomic)
    for (const Expr& constraint : spec.nonholonomic(view_)) constraints_.push_back(constraint);
  ids.clear();
  for (const Expr& constraint : constraints_) ids.push_back(constraint.id_in(model_.pool()));
  bias_ = along(ids);
  collect_loads(spec.loads ? spec.loads(view_) : Loads{});
}

void NewtonEuler::add_joint(const BodySpec& spec, int body) {
  const Frame parent = view_.frame_of(spec.parent), child = view_.frame_of(body);
  const Numbers3 back = {-spec.centre[0], -spec.centre[1], -spec.centre[2]};
  const Vector gap = view_.fixed(body, back).position_from(view_.fixed(spec.parent, spec.at));
  const auto sides = across(spec.axis);
  const auto hold = [&](const Expr& expression) { holonomic_.push_back(expression); };
  const auto meet = [&] {
    for (const Vector& direction : {view_.N.x(), view_.N.y(), view_.N.z()})
      hold(dot(gap, direction));
  };
  const auto stay_on_axis = [&] {
    for (const Numbers3& side : sides) hold(dot(gap, in_frame(parent, side)));
  };
  const auto keep_axis = [&] {
    for (const Numbers3& side : sides)
      hold(dot(in_frame(child, spec.axis), in_frame(parent, side)));
  };
  const auto keep_orientation = [&] {
    hold(dot(child.x(), parent.y()));
    hold(dot(child.y(), parent.z()));
    hold(dot(child.z(), parent.x()));
  };
  switch (spec.joint) {
    case JointKind::pin: meet(), keep_axis(); break;
    case JointKind::slider: stay_on_axis(), keep_orientation(); break;
    case JointKind::cylindrical: stay_on_axis(), keep_axis(); break;
    case JointKind::planar: hold(dot(gap, in_frame(parent, spec.axis))), keep_axis(); break;
    case JointKind::universal: {
      meet();
      const auto &a = spec.axis, &b = spec.second;
      hold(dot(in_frame(parent, a), in_frame(child, b)) -
           (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]));
      break;
    }
    case JointKind::spherical: meet(); break;
    case JointKind::free: break;
    case JointKind::weld: meet(), keep_orientation(); break;
  }
}

/// The derivative along r' = v and e' by w, as if no speed changed.
std::vector<ExprId> NewtonEuler::along(const std::vector<ExprId>& expressions) {
  symbolic::ExprPool& pool = model_.pool();
  std::vector<ExprId> inputs = {pool.time()}, directions = {pool.integer(1)};
  const auto go = [&](const Expr& what, const Expr& rate) {
    inputs.push_back(what.id());
    directions.push_back(rate.id_in(pool));
  };
  for (std::size_t k = 0; k < r_.size(); ++k) go(r_[k], v_[k]);
  for (std::size_t b = 0; 3 * b < r_.size(); ++b) {
    const Expr *e = &e_[4 * b], *w = &w_[3 * b];
    go(e[0], -(e[1] * w[0] + e[2] * w[1] + e[3] * w[2]) / 2);
    go(e[1], (e[0] * w[0] - e[3] * w[1] + e[2] * w[2]) / 2);
    go(e[2], (e[3] * w[0] + e[0] * w[1] - e[1] * w[2]) / 2);
    go(e[3], (-e[2] * w[0] + e[1] * w[1] + e[0] * w[2]) / 2);
  }
  return symbolic::directional_derivatives(pool, expressions, inputs, directions);
}

void NewtonEuler::collect_loads(const Loads& loads) {
  right_.assign(speeds_.size(), Expr(0));
  const auto add = [&](int body, std::size_t first, const Components& c) {
    for (std::size_t k = 0; k < 3; ++k) right_[6 * std::size_t(body) + first + k] += c[k];
  };
  const auto push = [&](int body, const Point& at, const Vector& force) {
    if (body == ground) return;
    add(body, 0, force.in(view_.N));
    const Vector arm = at.position_from(view_.centre_of(body));
    add(body, 3, cross(arm, force).in(view_.frame_of(body)));
  };
  for (const Load& load : loads) {
    if (load.point) {
      push(view_.owners.at(load.point->id()), *load.point, load.vector);
    } else if (load.frame) {
      for (std::size_t b = 0; b < view_.frames.size(); ++b)
        if (view_.frames[b] == *load.frame) add(int(b), 3, load.vector.in(view_.frames[b]));
    } else {
      const symbolic::Matrix shares = symbolic::jacobian({load.speed}, speeds_);
      for (std::size_t j = 0; j < speeds_.size(); ++j) right_[j] += load.strength * shares(0, j);
    }
  }
  for (std::size_t b = 0; b < view_.bodies.size(); ++b) {
    const Vector w(view_.frames[b], {w_[3 * b], w_[3 * b + 1], w_[3 * b + 2]});
    add(int(b), 3, (-cross(w, dot(view_.bodies[b].central_inertia, w))).in(view_.frames[b]));
  }
}

std::vector<double> NewtonEuler::accelerations(const std::vector<BodyState>& states, double time) {
  symbolic::ExprPool& pool = model_.pool();
  symbolic::Values at;
  at[pool.time()] = time;
  for (std::size_t b = 0; b < states.size(); ++b) {
    const std::array<double, 4> e = quaternion(states[b].cosines);
    for (std::size_t k = 0; k < 4; ++k) at[e_[4 * b + k].id()] = e[k];
    for (std::size_t k = 0; k < 3; ++k) {
      at[r_[3 * b + k].id()] = states[b].position[k];
      at[v_[3 * b + k].id()] = states[b].velocity[k];
      at[w_[3 * b + k].id()] = states[b].turning[k];
    }
  }
  const auto value = [&](const Expr& e) { return symbolic::evaluate(pool, e.id_in(pool), at); };
  for (const Expr& constraint : holonomic_) EXPECT_NEAR(value(constraint), 0, 1e-11);
  for (const Expr& constraint : constraints_) EXPECT_NEAR(value(constraint), 0, 1e-11);

  const std::size_t n = speeds_.size(), m = constraints_.size();
  NumberMatrix matrix(n + m, std::vector<double>(n + m, 0)), right(n + m, std::vector<double>(1));
  for (std::size_t b = 0; b < states.size(); ++b) {
    const auto& i = spec_.bodies[b].inertia;
    const double inertia[3][3] = {{i[0], i[3], i[5]}, {i[3], i[1], i[4]}, {i[5], i[4], i[2]}};
    for (std::size_t k = 0; k < 3; ++k) {
      matrix[6 * b + k][6 * b + k] = spec_.bodies[b].mass;
      for (std::size_t l = 0; l < 3; ++l) matrix[6 * b + 3 + k][6 * b + 3 + l] = inertia[k][l];
    }
  }
  for (std::size_t j = 0; j < n; ++j) right[j][0] = value(right_[j]);
  if (m > 0) {
    const symbolic::Matrix rows = symbolic::jacobian(constraints_, speeds_);
    for (std::size_t k = 0; k < m; ++k) {
      right[n + k][0] = -symbolic::evaluate(pool, bias_[k], at);
      for (std::size_t j = 0; j < n; ++j) matrix[n + k][j] = matrix[j][n + k] = value(rows(k, j));
    }
  }
  EXPECT_TRUE(solve_dense(matrix, right));
  std::vector<double> result(n);
  for (std::size_t j = 0; j < n; ++j) result[j] = right[j][0];
  return result;
}

}  // namespace alembert::mechanics
