// SPDX-License-Identifier: Apache-2.0
// Is it mechanics? M symmetric with a positive diagonal, and the multipliers push along the
// gradients of the constraints: B = G^T S with any S. Equations may have been written with any
// factors, such as divided by a mass; then factors for the rows are looked for with which it is. By
// numbers, at points on the constraints: off them, forces of constraints that repeat others are not
// along the gradients of those that were kept.
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <array>
#include <cmath>

#include "alembert/integrate/mechanical_point.hpp"
#include "alembert/integrate/small_dense.hpp"

namespace alembert::integrate {

namespace {

/// Beside the largest entry: masses are symmetric, and reactions those of constraints, up to this.
constexpr double form_tolerance = 1e-9;
/// Eigenvalues below this, of a matrix of squares, are zero.
constexpr double null_tolerance = 1e-13;
/// Gradients closer to dependent than this say nothing.
constexpr double rank_tolerance = 1e-8;
constexpr int most_assembly_passes = 20;

using Matrix = Eigen::MatrixXd;
using Rows = Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>;

Rows rows(const std::vector<double>& values, std::size_t n, std::size_t m) {
  return {values.data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(m)};
}

/// Takes out what lies along the rows of G: a projector.
Matrix across(const Matrix& g) {
  const Eigen::Index n = g.cols();
  Eigen::ColPivHouseholderQR<Matrix> qr(n, g.rows());
  qr.setThreshold(rank_tolerance);
  qr.compute(g.transpose());
  const Matrix along = qr.householderQ() * Matrix::Identity(n, qr.rank());
  return Matrix::Identity(n, n) - along * along.transpose();
}

}  // namespace

/// q moved onto the constraints by shortest steps; false where that fails.
bool MechanicalPoint::move_onto_constraints(double t, Vector& q) {
  const std::size_t n = q.size(), m = gap_.size();
  for (int pass = 0; pass < most_assembly_passes && m > 0; ++pass) {
    if (!evaluate_constraints(t, q, at_rest_)) return false;
    double size = 1e-3;
    for (const double value : q) size = std::max(size, std::abs(value));
    const Eigen::VectorXd step = dense_gradients().completeOrthogonalDecomposition().solve(
        Eigen::Map<const Eigen::VectorXd>(gap_.data(), static_cast<Eigen::Index>(m)));
    if (!step.allFinite()) return false;
    for (std::size_t i = 0; i < n; ++i) q[i] -= step[static_cast<Eigen::Index>(i)];
    if (step.lpNorm<Eigen::Infinity>() <= 1e-12 * size) return true;
  }
  return m == 0;
}

Eigen::MatrixXd MechanicalPoint::dense_gradients() const {
  Matrix g = Matrix::Zero(static_cast<Eigen::Index>(gap_.size()),
                          static_cast<Eigen::Index>(model_.n_positions));
  for (std::size_t e = 0; e < jacobian_.size(); ++e)
    g(model_.jacobian[e].row, model_.jacobian[e].column) = jacobian_[e];
  return g;
}

/// M, B (with the factors of their rows) and G at a point; false where one of them has no value.
bool MechanicalPoint::evaluate_form(double t, const Vector& q) {
  const std::size_t m = gap_.size();
  if (!evaluate_masses(t, q)) return false;
  if (m == 0) return true;
  if (!evaluate_constraints(t, q, at_rest_)) return false;
  inputs_[0] = t;
  std::copy(q.begin(), q.end(), inputs_.begin() + 1);
  model_.reactions(inputs_.data(), constants_.data(), reactions_.data(), workspace_.data());
  for (std::size_t i = 0; i < q.size(); ++i)
    for (std::size_t k = 0; k < m; ++k) reactions_[i * m + k] *= row_factor_[i];
  return all_finite(reactions_) && all_finite(jacobian_);
}

/// Why it is no mechanics at one of the points; empty where it is.
std::string MechanicalPoint::missing_form(const std::vector<Sample>& samples) {
  const std::size_t n = model_.n_positions, m = gap_.size();
  for (const auto& [t, q] : samples) {
    if (!evaluate_form(t, q)) continue;  // no value, no objection
    const Matrix mass = rows(mass_, n, n);
    if ((mass - mass.transpose()).lpNorm<Eigen::Infinity>() >
        form_tolerance * mass.lpNorm<Eigen::Infinity>())
      return "the mass matrix is not symmetric";
    if (m == 0) continue;
    const Matrix reactions = rows(reactions_, n, m);
    if ((across(dense_gradients()) * reactions).lpNorm<Eigen::Infinity>() >
        form_tolerance * reactions.lpNorm<Eigen::Infinity>())
      return "the forces of the multipliers are not along the gradients of the constraints";
  }
  return "";
}

/// Factors d of the rows with which d M is symmetric and d B along the gradients: both say N d = 0
/// with N a sum of squares. Of all such d the one nearest to equal shares.
bool MechanicalPoint::find_row_factors(const std::vector<Sample>& places) {
  const std::size_t n = model_.n_positions, m = gap_.size();
  const auto size = static_cast<Eigen::Index>(n);
  const Vector signs = row_factor_;
  Eigen::VectorXd scale = Eigen::VectorXd::Zero(size);
  std::vector<std::array<Matrix, 3>> samples;  // M, B, across G
  for (const auto& [t, q] : places) {
    if (!evaluate_form(t, q)) continue;
    samples.push_back(
        {rows(mass_, n, n), rows(reactions_, n, m), m > 0 ? across(dense_gradients()) : Matrix()});
    for (Eigen::Index i = 0; i < size; ++i)
      scale[i] = std::max({scale[i], m > 0 ? samples.back()[1].row(i).norm() : 0.0,
                           samples.back()[0].row(i).norm()});
  }
  Matrix null = Matrix::Zero(size, size);
  for (auto& [mass, reactions, across_gradients] : samples) {
    const Matrix scaled_mass = scale.cwiseInverse().asDiagonal() * mass;
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        null(i, i) += scaled_mass(i, j) * scaled_mass(i, j);
        null(j, j) += scaled_mass(j, i) * scaled_mass(j, i);
        null(i, j) -= scaled_mass(i, j) * scaled_mass(j, i);
        null(j, i) = null(i, j);
      }
    if (m == 0) continue;
    const Matrix scaled = scale.cwiseInverse().asDiagonal() * reactions;
    null += across_gradients.cwiseProduct(scaled * scaled.transpose());
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(null);
  if (solver.info() != Eigen::Success) return false;
  Eigen::VectorXd shares = Eigen::VectorXd::Zero(size);
  for (Eigen::Index k = 0; k < size; ++k)
    if (solver.eigenvalues()[k] <= null_tolerance * static_cast<double>(samples.size()))
      shares += solver.eigenvectors().col(k) * solver.eigenvectors().col(k).sum();
  if (!(shares.minCoeff() > 1e-6 * shares.maxCoeff())) return false;
  for (std::size_t i = 0; i < n; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    row_factor_[i] = signs[i] * shares[k] / scale[k];
  }
  return true;
}

/// The start and places on the constraints near and far, at other times too: a constraint that
/// moves may have no part along some coordinate now, and coordinates may be far from zero.
std::vector<MechanicalPoint::Sample> MechanicalPoint::samples_beside(double t, const Vector& at) {
  struct Place {
    double relative, absolute, later;
  };
  constexpr Place places[] = {{0.05, 0.005, 0},  {0.05, 0.005, 0.37}, {0, 0.03, 0},
                              {0, 0.03, 0.0041}, {0, 0.7, 0},         {0, 0.7, 23},
                              {0, 10, 0}};
  std::vector<Sample> samples{{t, at}};
  double number = 0;
  for (const Place& place : places) {
    Vector q = at;
    ++number;
    for (std::size_t i = 0; i < q.size(); ++i)
      q[i] += (place.relative * std::abs(q[i]) + place.absolute) *
              std::sin(static_cast<double>(7 * i + 3) * number);
    if (move_onto_constraints(t + place.later, q))
      samples.push_back({t + place.later, std::move(q)});
  }
  return samples;
}

/// At the start and beside it: what holds at one point may be an accident.
std::string MechanicalPoint::why_not(double t, const Vector& q) {
  const std::size_t n = q.size();
  std::fill(row_factor_.begin(), row_factor_.end(), 1.0);
  diagonal_mass_ = false;
  evaluate_masses(t, q);
  bool is_diagonal = model_.constant_mass;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(std::abs(mass_[i * n + i]) > 0)) return "a mass is zero";
    row_factor_[i] = mass_[i * n + i] < 0 ? -1.0 : 1.0;
    for (std::size_t j = 0; j < n; ++j)
      if (i != j && mass_[i * n + j] != 0) is_diagonal = false;
  }
  const std::vector<Sample> samples = samples_beside(t, q);
  const std::string why = missing_form(samples);
  if (!why.empty() && !(find_row_factors(samples) && missing_form(samples).empty())) return why;
  diagonal_mass_ = is_diagonal;
  evaluate_masses(t, q);
  return "";
}

}  // namespace alembert::integrate
