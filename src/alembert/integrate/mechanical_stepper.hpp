// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Structure-preserving steps for constrained mechanics, M(q) q'' = f - G^T lambda
// with g(q) = 0. In: a MechanicalModel, and the SeriesModel of the same system, which completes a
// point (accelerations, multipliers, everything else). Fixed steps. `rattle`: Andersen, J. Comput.
// Phys. 52, 1983; symplectic and symmetric, order 2; its symmetric compositions of order 4, 6, 8.
// `manifold-midpoint`: the implicit midpoint rule between half kicks by the constraints (Reich,
// SIAM J. Numer. Anal. 33, 1996), for masses that depend on positions and forces that depend on
// velocities too. Hairer, Lubich and Wanner, Geometric Numerical Integration, VII.1.
// docs/theory/structure-preserving.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "alembert/integrate/mechanical_point.hpp"
#include "alembert/integrate/model_stepper.hpp"
#include "alembert/integrate/taylor_stepper.hpp"

namespace alembert::integrate {

extern const MethodInfo rattle_info, rattle4_info, rattle6_info, rattle8_info,
    manifold_midpoint_info;

class MechanicalStepper final : public ModelStepper {
 public:
  /// As TaylorStepper. Error I010 where the method does not fit the model.
  MechanicalStepper(const MethodInfo& info, const compile::MechanicalModel& model,
                    const compile::SeriesModel& series, std::span<const double> constants);

  const MethodInfo& method() const override { return info_; }
  const OdeSystem& system() const override { return completion_.system(); }
  /// Error I010 where the reactions are not those of the constraints, or the masses no masses.
  bool start(double t, std::span<const double> y) override;
  Attempt attempt(double h, const Tolerances& tolerances) override;
  void accept(double t_new) override;
  bool interpolate(double theta, std::span<double> y) override;
  /// How far the constraints are from depending on each other at the end of the last step: 0 where
  /// they do.
  double conditioning() const override { return conditioning_; }
  void exchange(Archive& archive) override;

 private:
  using Vector = std::vector<double>;

  void require_form(double t);
  bool evaluate_forces(double t, const Vector& q, const Vector& v);
  void kick(std::span<const double> jacobian, const Vector& multipliers, Vector& momentum) const;
  void push(std::span<const double> jacobian, const Vector& multipliers);
  bool solve_for_multipliers(std::span<const double> left, std::span<const double> right,
                             double scale, Vector& values);
  bool solve_symmetric(Vector& values);
  bool rattle(double t, double h, bool accelerations_known);
  bool rattle_by_kernels(double t, double h, bool accelerations_known);
  void prepare_kernels();
  void run_second_half(double t, double half, const double* q, const double* v);
  bool midpoint(double t, double h);
  bool release_velocity(double t);
  bool complete(double t, std::span<double> y);

  const MethodInfo& info_;
  const compile::MechanicalModel& model_;
  std::span<const double> constants_;
  MechanicalPoint point_;
  TaylorStepper completion_;
  std::vector<double> weights_;  // of the composition
  bool checked_ = false;
  bool evaluated_ = false;    // forces and G of point_ are those of y_
  bool kernels_fit_ = false;  // those of model_.rattle
  bool finishes_ = false;  // all but the highest derivatives follows from positions and velocities
  Vector q_, v_;           // [n]: where the step is
  Vector q_next_, v_half_, v_mid_, momentum_, work_n_, spread_;  // [n]
  Vector jacobian_start_;                                        // [entries]
  Vector free_;                                                  // [n]: M^-1 f
  Vector onto_, moved_, along_, turned_;  // inputs and outputs of model_.rattle
  compile::AlignedDoubles workspace_;     // of them
  Vector lambda_, delta_;                 // [m]
  Vector matrix_;                         // [m * m]
  Vector row_sizes_;  // [m]: squares of the lengths of gradients, as they were of late
  std::vector<std::uint32_t> row_start_;  // [m + 1]: of jacobian entries
  double conditioning_ = 1;
};

}  // namespace alembert::integrate
