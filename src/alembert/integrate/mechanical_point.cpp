// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/mechanical_point.hpp"

#include <algorithm>
#include <limits>

#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/small_dense.hpp"

namespace alembert::integrate {

MechanicalPoint::MechanicalPoint(const compile::MechanicalModel& model,
                                 std::span<const double> constants)
    : model_(model), constants_(constants) {
  const std::size_t n = model.n_positions, m = model.n_constraints;
  force_.resize(n);
  at_rest_.assign(n, 0.0);
  row_factor_.assign(n, 1.0);
  mass_.resize(n * n);
  inverse_.resize(n * n);
  inputs_.resize(1 + 2 * n);
  outputs_.resize(2 * m + model.jacobian.size());
  gap_ = std::span(outputs_).first(m);
  gap_rate_ = std::span(outputs_).subspan(m, m);
  jacobian_ = std::span(outputs_).subspan(2 * m);
  defined_.resize(model.defined.size());
  reactions_.resize(n * m);
  std::size_t size = 0;
  for (const auto* kernel :
       {&model.constraints, &model.forces, &model.mass, &model.reactions, &model.definitions})
    size = std::max(size, kernel->shape().workspace_size);
  workspace_ = compile::AlignedDoubles(size);
}

void MechanicalPoint::enter(double t, const Vector& q) {
  inputs_[0] = t;
  std::copy(q.begin(), q.end(), inputs_.begin() + 1);
}

void MechanicalPoint::enter(double t, const Vector& q, const Vector& v) {
  enter(t, q);
  std::copy(v.begin(), v.end(), inputs_.begin() + 1 + static_cast<std::ptrdiff_t>(q.size()));
}

bool MechanicalPoint::evaluate_constraints(double t, const Vector& q, const Vector& v) {
  if (gap_.empty()) return true;
  enter(t, q, v);
  model_.constraints(inputs_.data(), constants_.data(), outputs_.data(), workspace_.data());
  return all_finite(gap_);
}

bool MechanicalPoint::evaluate_forces(double t, const Vector& q, const Vector& v) {
  enter(t, q, v);
  model_.forces(inputs_.data(), constants_.data(), force_.data(), workspace_.data());
  for (std::size_t i = 0; i < force_.size(); ++i) force_[i] *= row_factor_[i];
  return all_finite(force_);
}

bool MechanicalPoint::evaluate_masses(double t, const Vector& q) {
  const std::size_t n = q.size();
  enter(t, q);
  model_.mass(inputs_.data(), constants_.data(), mass_.data(), workspace_.data());
  if (!all_finite(mass_)) return false;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) mass_[i * n + j] *= row_factor_[i];
  if (diagonal_mass_)
    for (std::size_t i = 0; i < n; ++i) inverse_[i] = 1 / mass_[i * n + i];
  return true;
}

std::span<const double> MechanicalPoint::evaluate_definitions(double t, const Vector& q,
                                                              const Vector& v) {
  if (defined_.empty()) return defined_;
  enter(t, q, v);
  model_.definitions(inputs_.data(), constants_.data(), defined_.data(), workspace_.data());
  return defined_;
}

void MechanicalPoint::exchange(Archive& archive) {
  // Into their places: gap, its rate and the gradients are parts of the outputs.
  Vector outputs = outputs_;
  archive(diagonal_mass_, row_factor_, mass_, inverse_, force_, outputs);
  if (outputs.size() != outputs_.size()) throw Error("I012", "the checkpoint is damaged.");
  std::copy(outputs.begin(), outputs.end(), outputs_.begin());
}

void MechanicalPoint::apply_inverse_mass(const Vector& momentum, Vector& velocity) {
  if (diagonal_mass_) {
    for (std::size_t i = 0; i < momentum.size(); ++i) velocity[i] = inverse_[i] * momentum[i];
    return;
  }
  if (&velocity != &momentum) std::copy(momentum.begin(), momentum.end(), velocity.begin());
  std::copy(mass_.begin(), mass_.end(), inverse_.begin());
  if (!solve_dense(inverse_, velocity))
    std::fill(velocity.begin(), velocity.end(), std::numeric_limits<double>::quiet_NaN());
}

void MechanicalPoint::apply_mass(const Vector& velocity, Vector& momentum) const {
  const std::size_t n = velocity.size();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    if (diagonal_mass_)
      sum = mass_[i * n + i] * velocity[i];
    else
      for (std::size_t j = 0; j < n; ++j) sum += mass_[i * n + j] * velocity[j];
    momentum[i] = sum;
  }
}

}  // namespace alembert::integrate
