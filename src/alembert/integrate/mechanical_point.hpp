// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Constrained mechanics at a point: masses, forces and constraints of a model
// that was recognised as M(q) q'' = f - G^T lambda, g(q) = 0. In: a MechanicalModel, a time,
// positions and velocities. Out: numbers. Equations may have been written with any factors, such as
// divided by a mass: `why_not` finds those with which M is symmetric.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/model/mechanical_model.hpp"

namespace alembert::integrate {

class Archive;

class MechanicalPoint {
 public:
  using Vector = std::vector<double>;

  MechanicalPoint(const compile::MechanicalModel& model, std::span<const double> constants);

  const compile::MechanicalModel& model() const { return model_; }

  /// Looked at once, at (t, q) on the constraints and beside: why the numbers are not those of
  /// mechanics; empty where they are. Masses are evaluated there then.
  std::string why_not(double t, const Vector& q);

  /// Each is false where something has no value.
  bool evaluate_constraints(double t, const Vector& q, const Vector& v);
  bool evaluate_forces(double t, const Vector& q, const Vector& v);
  /// M and, where it is diagonal, the inverse of its diagonal.
  bool evaluate_masses(double t, const Vector& q);
  /// Quantities that follow from positions and velocities alone, [model().defined].
  std::span<const double> evaluate_definitions(double t, const Vector& q, const Vector& v);

  std::span<const double> gap() const { return gap_; }            // g, [m]
  std::span<const double> gap_rate() const { return gap_rate_; }  // dg/dt, [m]
  std::span<const double> jacobian() const { return jacobian_; }  // entries of G, row by row
  const Vector& force() const { return force_; }                  // [n]
  const Vector& mass() const { return mass_; }                    // [n * n]
  bool diagonal_mass() const { return diagonal_mass_; }
  const Vector& row_factors() const { return row_factor_; }  // [n]: that forces were multiplied by
  /// G at a point that was looked at by other means.
  void set_jacobian(std::span<const double> entries) {
    std::copy(entries.begin(), entries.end(), jacobian_.begin());
  }
  const Vector& inverse_masses() const { return inverse_; }  // [n] first, where diagonal

  /// What was found out at the start, and what was evaluated last.
  void exchange(Archive& archive);

  void apply_mass(const Vector& velocity, Vector& momentum) const;
  void apply_inverse_mass(const Vector& momentum, Vector& velocity);

 private:
  struct Sample {
    double t;
    Vector q;
  };
  void enter(double t, const Vector& q);
  void enter(double t, const Vector& q, const Vector& v);
  std::vector<Sample> samples_beside(double t, const Vector& q);
  bool move_onto_constraints(double t, Vector& q);
  bool evaluate_form(double t, const Vector& q);
  std::string missing_form(const std::vector<Sample>& samples);
  bool find_row_factors(const std::vector<Sample>& samples);
  Eigen::MatrixXd dense_gradients() const;

  const compile::MechanicalModel& model_;
  std::span<const double> constants_;
  bool diagonal_mass_ = false;
  Vector inputs_;              // [1 + 2n]
  Vector force_, row_factor_;  // [n]
  Vector mass_, inverse_;      // [n * n]
  Vector outputs_;             // of the constraints' kernel: these three
  std::span<double> gap_, gap_rate_, jacobian_;
  Vector defined_, reactions_, at_rest_;
  compile::AlignedDoubles workspace_;
};

}  // namespace alembert::integrate
