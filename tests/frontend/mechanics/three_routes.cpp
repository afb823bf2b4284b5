// SPDX-License-Identifier: Apache-2.0
#include "frontend/mechanics/three_routes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "alembert/frontend/mechanics/elimination.hpp"
#include "alembert/frontend/mechanics/joint.hpp"
#include "alembert/frontend/mechanics/lagrange.hpp"
#include "alembert/frontend/mechanics/motion.hpp"
#include "alembert/frontend/mechanics/start_values.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "frontend/mechanics/newton_euler.hpp"

namespace alembert::mechanics {

namespace {

using symbolic::Replacements;
using symbolic::Values;

Numbers3 cross_product(const Numbers3& a, const Numbers3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::vector<double> evaluated(ExprPool& pool, const std::vector<Expr>& expressions,
                              const Values& at) {
  return symbolic::evaluate(pool, ids_in(pool, expressions), at);
}

void add_body(View& view, const BodySpec& spec, const Frame& frame, const Point& centre) {
  view.owners[centre.id()] = static_cast<int>(view.bodies.size());
  view.frames.push_back(frame);
  view.centres.push_back(centre);
  const auto& i = spec.inertia;
  view.bodies.push_back(rigid_body(centre.name(), centre, frame, spec.mass,
                                   inertia(frame, i[0], i[1], i[2], i[3], i[4], i[5])));
}

template <class List>
std::vector<Expr> made(const List& maker, View& view) {
  return maker ? maker(view) : std::vector<Expr>{};
}

Loads loads_of(const MechanismSpec& spec, View& view) {
  return spec.loads ? spec.loads(view) : Loads{};
}

/// [M C^T; C 0] [x; -mu] = [-h; -c], where M x + h and C x + c are given as expressions.
std::vector<double> solve_constrained(ExprPool& pool, const std::vector<Expr>& forces,
                                      const std::vector<Expr>& constraints, const Matrix& jacobian,
                                      const std::vector<Expr>& unknowns, Values at) {
  const std::size_t n = unknowns.size(), m = constraints.size();
  for (const Expr& x : unknowns) at[x.id()] = 0;
  std::vector<Expr> all = forces;
  all.insert(all.end(), constraints.begin(), constraints.end());
  const NumberMatrix slopes =
      evaluate_matrix(pool, symbolic::jacobian(all, unknowns), at, std::nan(""));
  const NumberMatrix directions = evaluate_matrix(pool, jacobian, at, std::nan(""));
  const std::vector<double> rest = evaluated(pool, all, at);
  NumberMatrix matrix(n + m, std::vector<double>(n + m, 0)), right(n + m, std::vector<double>(1));
  for (std::size_t i = 0; i < n + m; ++i) {
    right[i][0] = -rest[i];
    for (std::size_t j = 0; j < n; ++j) matrix[i][j] = slopes[i][j];
  }
  for (std::size_t k = 0; k < m; ++k)
    for (std::size_t j = 0; j < n; ++j) matrix[j][n + k] = directions[k][j];
  EXPECT_TRUE(solve_dense(matrix, right));
  std::vector<double> x(n);
  for (std::size_t j = 0; j < n; ++j) x[j] = right[j][0];
  return x;
}

/// The shortest x with A x = b.
std::vector<double> shortest(const NumberMatrix& a, const std::vector<double>& b, std::size_t n) {
  const std::size_t m = a.size();
  NumberMatrix square(m, std::vector<double>(m, 0)), y(m, std::vector<double>(1));
  for (std::size_t i = 0; i < m; ++i) {
    y[i][0] = b[i];
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t j = 0; j < n; ++j) square[i][k] += a[i][j] * a[k][j];
  }
  EXPECT_TRUE(solve_dense(square, y));
  std::vector<double> x(n, 0);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) x[j] += a[i][j] * y[i][0];
  return x;
}

// ---- Kane ---------------------------------------------------------------------------------------

Joint make_joint(Linkage& linkage, View& view, const BodySpec& spec, const std::string& name) {
  const Frame parent = view.frame_of(spec.parent);
  const Point at = view.fixed(spec.parent, spec.at);
  const auto vector = [&](const Numbers3& v) { return Vector(parent, {v[0], v[1], v[2]}); };
  const Vector axis = vector(spec.axis), second = vector(spec.second);
  switch (spec.joint) {
    case JointKind::pin: return linkage.pin(name, parent, at, axis);
    case JointKind::slider: return linkage.slider(name, parent, at, axis);
    case JointKind::cylindrical: return linkage.cylindrical(name, parent, at, axis);
    case JointKind::planar:
      return linkage.planar(name, parent, at, axis, second,
                            vector(cross_product(spec.axis, spec.second)));
    case JointKind::universal: return linkage.universal(name, parent, at, axis, second);
    case JointKind::spherical: return linkage.spherical(name, parent, at);
    case JointKind::free: return linkage.free(name, parent, at);
    case JointKind::weld: break;
  }
  return linkage.weld(name, parent, at);
}

struct KaneRoute {
  Model model{"Kane"};
  World world;
  View view{.N = world.frame("N"), .O = world.point("O"), .time = model.time()};
  KaneSystem system{
      .inertial = view.N, .q = {}, .u = {}, .kinematics = {}, .bodies = {}, .loads = {}};
  std::vector<std::size_t> quaternions;  // places of their first entries in q
  std::vector<Expr> velocities;          // v in N, then w in the body, of each body

  explicit KaneRoute(const MechanismSpec& spec) {
    Linkage linkage(model, view.N, view.O);
    for (const BodySpec& body : spec.bodies) {
      const std::string name = "b" + std::to_string(view.bodies.size());
      if (body.joint == JointKind::spherical || body.joint == JointKind::free)
        quaternions.push_back(linkage.system().q.size());
      const Joint joint = make_joint(linkage, view, body, name);
      const auto& c = body.centre;
      const Point centre =
          linkage.fixed_point(name + ".c", joint, Vector(joint.frame, {c[0], c[1], c[2]}));
      add_body(view, body, joint.frame, centre);
    }
    system = linkage.system();
    system.bodies = view.bodies;
    system.loads = loads_of(spec, view);
    system.holonomic = made(spec.holonomic, view);
    system.nonholonomic = made(spec.nonholonomic, view);
    // A place where choices are made: not the start, where quaternions and wheels are special.
    for (std::size_t k = 0; k < spec.near.size(); ++k) model.start(system.q[k], spec.near[k]);
    for (std::size_t k = 0; k < view.bodies.size(); ++k) {
      for (const Expr& v : view.centres[k].velocity_in(view.N).in(view.N)) velocities.push_back(v);
      for (const Expr& w : view.frames[k].angular_velocity_in(view.N).in(view.frames[k]))
        velocities.push_back(w);
    }
  }
};

/// A state that meets all constraints, and what Kane's equations say there.
struct KaneState {
  Values at;                                 // q, der(q), u, time
  std::vector<double> u_dot, q_dot, q_ddot;  // [n_u], [n_q], [n_q]
  std::vector<double> body_accelerations;    // as KaneRoute::velocities
};

class KaneAccelerations {
 public:
  KaneAccelerations(KaneRoute& route, const KaneEquations& equations)
      : route_(route), pool_(route.model.pool()), equations_(equations) {
    Replacements q_dot;
    for (std::size_t i = 0; i < equations.q.size(); ++i) {
      const ExprId rate = equations.q_dot[i].id_in(pool_);
      rates_.emplace(equations.q[i].id(), rate);
      q_dot.emplace(der(equations.q[i]).id(), rate);
    }
    velocities_ =
        expressions_in(pool_, symbolic::substitute(pool_, ids_in(pool_, route.velocities), q_dot));
    for (const Expr& u : equations.u) u_rates_.push_back(der(u));
    constraints_ = along(equations.speed_constraints);
    q_ddot_ = along(equations.q_dot);
    body_accelerations_ = along(velocities_);
  }

  KaneState at_random(const MechanismSpec& spec, std::mt19937& random) {
    KaneState state;
    state.at = place(spec, random);
    for (const Expr& speed : equations_.u) state.at[speed.id()] = number(random);
    const std::size_t n = equations_.u.size(), m = equations_.speed_constraints.size();
    const std::vector<double> gap = evaluated(pool_, equations_.speed_constraints, state.at);
    const std::vector<double> step = shortest(
        evaluate_matrix(pool_, equations_.constraint_jacobian, state.at, std::nan("")), gap, n);
    for (std::size_t j = 0; j < n && m > 0; ++j) state.at[equations_.u[j].id()] -= step[j];
    state.q_dot = evaluated(pool_, equations_.q_dot, state.at);

    state.u_dot = solve_constrained(pool_, equations_.forces, constraints_,
                                    equations_.constraint_jacobian, u_rates_, state.at);
    Values moving = state.at;
    for (std::size_t j = 0; j < n; ++j) moving[u_rates_[j].id()] = state.u_dot[j];
    state.q_ddot = evaluated(pool_, q_ddot_, moving);
    state.body_accelerations = evaluated(pool_, body_accelerations_, moving);
    return state;
  }

  std::vector<double> body_velocities(const KaneState& state) {
    return evaluated(pool_, velocities_, state.at);
  }

  /// Md us' + gd = 0, Mnd ur' + gnd = 0.
  std::vector<double> projected(const KaneMatrices& matrices, const KaneState& state) {
    NumberMatrix us = evaluate_matrix(pool_, matrices.gd, state.at, std::nan(""));
    EXPECT_TRUE(solve_dense(evaluate_matrix(pool_, matrices.Md, state.at, std::nan("")), us));
    Values moving = state.at;
    std::map<ExprId, double> rate;
    for (std::size_t k = 0; k < us.size(); ++k)
      moving[der(equations_.independent[k]).id()] = rate[equations_.independent[k].id()] =
          -us[k][0];
    NumberMatrix ur = evaluate_matrix(pool_, matrices.gnd, moving, std::nan(""));
    EXPECT_TRUE(solve_dense(evaluate_matrix(pool_, matrices.Mnd, moving, std::nan("")), ur));
    for (std::size_t k = 0; k < ur.size(); ++k) rate[equations_.dependent[k].id()] = -ur[k][0];
    std::vector<double> result;
    for (const Expr& u : equations_.u) result.push_back(rate[u.id()]);
    return result;
  }

 private:
  std::vector<Expr> along(const std::vector<Expr>& expressions) {
    return expressions_in(pool_, along_motion(pool_, ids_in(pool_, expressions), rates_));
  }

  static double number(std::mt19937& random) {  // the same on every machine
    return 2.0 * static_cast<double>(random()) / static_cast<double>(std::mt19937::max()) - 1;
  }

  Values place(const MechanismSpec& spec, std::mt19937& random) {
    Values at;
    at[pool_.time()] = 0.3;
    const std::size_t n = equations_.q.size();
    for (std::size_t k = 0; k < n; ++k)
      at[equations_.q[k].id()] =
          (k < spec.near.size() ? spec.near[k] : 0) + spec.wide * number(random);
    std::vector<Expr> conditions = equations_.holonomic;
    for (const std::size_t first : route_.quaternions) {
      Expr length = -1;
      for (std::size_t k = first; k < first + 4; ++k) length += equations_.q[k] * equations_.q[k];
      conditions.push_back(length);
    }
    if (conditions.empty()) return at;
    const Matrix jacobian = symbolic::jacobian(conditions, equations_.q);
    for (int round = 0; round < 40; ++round) {
      const std::vector<double> step = shortest(evaluate_matrix(pool_, jacobian, at, std::nan("")),
                                                evaluated(pool_, conditions, at), n);
      for (std::size_t k = 0; k < n; ++k) at[equations_.q[k].id()] -= step[k];
    }
    for (const double gap : evaluated(pool_, conditions, at))
      EXPECT_LT(std::abs(gap), 1e-12) << "no state that meets the constraints was found";
    return at;
  }

  KaneRoute& route_;
  ExprPool& pool_;
  const KaneEquations& equations_;
  Replacements rates_;
  std::vector<Expr> velocities_, u_rates_, constraints_, q_ddot_, body_accelerations_;
};

// ---- Lagrange -----------------------------------------------------------------------------------

/// Frames and points by coordinates and their derivatives alone.
struct LagrangeRoute {
  Model model{"Lagrange"};
  World world;
  View view{.N = world.frame("N"), .O = world.point("O"), .time = model.time()};
  std::vector<Expr> q, holonomic;

  explicit LagrangeRoute(const MechanismSpec& spec) {
    view.O.set_velocity(view.N, {});
    for (const BodySpec& body : spec.bodies) hang(body);
    for (const Expr& constraint : made(spec.holonomic, view)) holonomic.push_back(constraint);
  }

  Expr coordinate() { return q.emplace_back(model.unknown("q" + std::to_string(q.size()))); }

  void turn(const Frame& frame, const Frame& parent) {
    std::array<Expr, 4> e;
    Expr length = -1;
    for (Expr& entry : e) {
      entry = coordinate();
      length += entry * entry;
    }
    frame.orient_quaternion(parent, e);
    holonomic.push_back(length);
  }

  void hang(const BodySpec& spec) {
    const std::string name = "b" + std::to_string(view.bodies.size());
    const Frame parent = view.frame_of(spec.parent), frame = world.frame(name);
    const auto vector = [&](const Numbers3& v) { return Vector(parent, {v[0], v[1], v[2]}); };
    const Vector axis = vector(spec.axis), second = vector(spec.second);
    Vector shift;
    switch (spec.joint) {
      case JointKind::pin: frame.orient_axis(parent, coordinate(), axis); break;
      case JointKind::slider:
        frame.fix_to(parent);
        shift = coordinate() * axis;
        break;
      case JointKind::cylindrical:
        frame.orient_axis(parent, coordinate(), axis);
        shift = coordinate() * axis;
        break;
      case JointKind::planar:
        frame.orient_axis(parent, coordinate(), axis);
        shift = coordinate() * second;
        shift += coordinate() * vector(cross_product(spec.axis, spec.second));
        break;
      case JointKind::universal: {
        const Frame between = world.frame(name + ".x");
        between.orient_axis(parent, coordinate(), axis);
        const auto& s = spec.second;
        frame.orient_axis(between, coordinate(), Vector(between, {s[0], s[1], s[2]}));
        break;
      }
      case JointKind::spherical: turn(frame, parent); break;
      case JointKind::free:
        turn(frame, parent);
        for (const Vector& direction : {parent.x(), parent.y(), parent.z()})
          shift += coordinate() * direction;
        break;
      case JointKind::weld: frame.fix_to(parent); break;
    }
    const Point centre = world.point(name + ".c");
    const auto& c = spec.centre;
    centre.set_position(view.fixed(spec.parent, spec.at),
                        shift + Vector(frame, {c[0], c[1], c[2]}));
    add_body(view, spec, frame, centre);
  }
};

std::vector<double> lagrange_accelerations(const MechanismSpec& spec, const KaneState& state,
                                           const std::vector<Expr>& kane_q) {
  LagrangeRoute route(spec);
  ExprPool& pool = route.model.pool();
  const LagrangeEquations equations =
      derive_lagrange({.lagrangian = kinetic_energy(route.view.bodies, route.view.N),
                       .q = route.q,
                       .loads = loads_of(spec, route.view),
                       .inertial = {route.view.N},
                       .holonomic = route.holonomic,
                       .nonholonomic = made(spec.nonholonomic, route.view)});
  Values at;
  at[pool.time()] = state.at.at(ExprId(kane_q.front().pool()->time()));
  std::vector<Expr> second;
  for (std::size_t k = 0; k < route.q.size(); ++k) {
    at[route.q[k].id()] = state.at.at(kane_q[k].id());
    at[der(route.q[k]).id()] = state.q_dot[k];
    second.push_back(der(der(route.q[k])));
  }
  std::vector<ExprId> constraints = ids_in(pool, equations.constraints);
  const std::span all(constraints);
  const std::size_t h = route.holonomic.size();
  std::vector<ExprId> rates =
      symbolic::time_derivatives(pool, symbolic::time_derivatives(pool, all.first(h)));
  for (const ExprId id : symbolic::time_derivatives(pool, all.subspan(h))) rates.push_back(id);
  return solve_constrained(pool, equations.residuals, expressions_in(pool, rates),
                           equations.jacobian, second, at);
}

void expect_same(const std::vector<double>& found, const std::vector<double>& expected,
                 const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  double size = 1;
  for (const double x : expected) size = std::max(size, std::abs(x));
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(found[k], expected[k], 1e-9 * size) << what << ", entry " << k;
}

}  // namespace

Point View::fixed(int body, const Numbers3& at) {
  const Frame frame = frame_of(body);
  const Point centre = centre_of(body);
  const Point point = N.world().point("p" + std::to_string(owners.size()));
  point.set_position(centre, Vector(frame, {at[0], at[1], at[2]}));
  point.v2pt(centre, N, frame);
  owners[point.id()] = body;
  return point;
}

void expect_three_routes_agree(const MechanismSpec& spec, int n_states) {
  SCOPED_TRACE(spec.name);
  KaneRoute kane(spec);
  const KaneEquations equations = derive_kane(kane.model, kane.system);
  EXPECT_EQ(int(equations.independent.size()), spec.degrees_of_freedom);
  const KaneMatrices matrices = kane_matrices(equations);
  KaneAccelerations accelerations(kane, equations);
  NewtonEuler newton(spec);
  std::mt19937 random(7);
  for (int k = 0; k < n_states; ++k) {
    SCOPED_TRACE("state " + std::to_string(k));
    const KaneState state = accelerations.at_random(spec, random);
    expect_same(accelerations.projected(matrices, state), state.u_dot, "Kane, projected");
    expect_same(lagrange_accelerations(spec, state, equations.q), state.q_ddot, "Lagrange");
    std::vector<BodyState> poses;
    const std::vector<double> v = accelerations.body_velocities(state);
    for (std::size_t b = 0; b < kane.view.bodies.size(); ++b) {
      const auto number = [&](const Expr& e) {
        return symbolic::evaluate(kane.model.pool(), e.id_in(kane.model.pool()), state.at);
      };
      BodyState pose;
      const Components r = kane.view.centres[b].position_from(kane.view.O).in(kane.view.N);
      const Components3x3 axes = kane.view.frames[b].cosines_to(kane.view.N);
      for (std::size_t i = 0; i < 3; ++i) {
        pose.position[i] = number(r[i]);
        pose.velocity[i] = v[6 * b + i];
        pose.turning[i] = v[6 * b + 3 + i];
        for (std::size_t j = 0; j < 3; ++j) pose.cosines[i][j] = number(axes[i][j]);
      }
      poses.push_back(pose);
    }
    expect_same(newton.accelerations(poses, state.at.at(kane.model.pool().time())),
                state.body_accelerations, "Newton and Euler");
  }
}

}  // namespace alembert::mechanics
