// SPDX-License-Identifier: Apache-2.0
// Newton's and Euler's equations of a mechanism of three_routes.hpp: every body is free, joints are
// constraints between poses. Forces and constraints are put together by numbers, so that nothing of
// the methods that are tested has a part in it.
#pragma once

#include "alembert/frontend/builder/model.hpp"
#include "alembert/frontend/mechanics/elimination.hpp"
#include "frontend/mechanics/three_routes.hpp"

namespace alembert::mechanics {

struct BodyState {
  Numbers3 position, velocity;      // of the mass centre, in the ground
  std::array<Numbers3, 3> cosines;  // row i: axis i of the body, in the ground
  Numbers3 turning;                 // angular velocity, in the body
};

class NewtonEuler {
 public:
  explicit NewtonEuler(const MechanismSpec& spec);
  /// [6 n_bodies]: of each body, of the velocity in the ground and of the angular velocity in the
  /// body.
  std::vector<double> accelerations(const std::vector<BodyState>& states, double time);

 private:
  void add_joint(const BodySpec& spec, int body);
  void collect_loads(const Loads& loads);
  std::vector<symbolic::ExprId> along(const std::vector<symbolic::ExprId>& expressions);

  const MechanismSpec& spec_;
  builder::Model model_{"NewtonEuler"};
  World world_;
  View view_{.N = world_.frame("N"), .O = world_.point("O"), .time = model_.time()};
  std::vector<Expr> r_, e_, v_, w_;  // [3 n], [4 n], [3 n], [3 n]
  std::vector<Expr> speeds_;         // [6 n]: v, w of each body
  std::vector<Expr> right_;          // [6 n]: forces and torques, gyroscopic ones too
  std::vector<Expr> holonomic_, constraints_;
  std::vector<symbolic::ExprId> bias_;
};

}  // namespace alembert::mechanics
