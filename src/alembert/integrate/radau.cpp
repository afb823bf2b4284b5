// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/radau.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/integrate/archive.hpp"

namespace alembert::integrate {
namespace {

using Method = tableaus::Radau5;

constexpr int most_newton_steps = 10;
/// Steps longer by more than this do not begin with what the last one foretells.
constexpr double far_beyond = 20;
/// An error that makes the control halve the step, for iterations that do not converge.
constexpr double halving_error = 10.5;
/// Below this rate of convergence the next step may use the same Jacobian.
constexpr double good_rate = 1e-3;

/// What the dense output may be off by, in units of what the step may.
constexpr double dense_allowance = 10;
/// Where the collocation polynomial is looked at: as far from its nodes as can be.
constexpr double looked_at = 0.4;

/// Weights of the stages in the collocation polynomial, which is zero at 0: y(theta) = y0 + sum.
std::array<double, 3> stage_weights(double theta) {
  std::array<double, 3> weights;
  for (std::size_t i = 0; i < 3; ++i) {
    weights[i] = theta / Method::c[i];
    for (std::size_t j = 0; j < 3; ++j)
      if (j != i) weights[i] *= (theta - Method::c[j]) / (Method::c[i] - Method::c[j]);
  }
  return weights;
}

/// Their derivatives.
std::array<double, 3> stage_slopes(double theta) {
  std::array<double, 3> slopes{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto factor = [&](std::size_t j) {
      return j == i ? theta / Method::c[i] : (theta - Method::c[j]) / (Method::c[i] - Method::c[j]);
    };
    for (std::size_t j = 0; j < 3; ++j) {
      double product = 1 / (j == i ? Method::c[i] : Method::c[i] - Method::c[j]);
      for (std::size_t k = 0; k < 3; ++k)
        if (k != j) product *= factor(k);
      slopes[i] += product;
    }
  }
  return slopes;
}

}  // namespace

Radau5::Radau5(const OdeSystem& system)
    : OneStepOfSystem(system),
      mass_(system),
      jacobian_source_(system),
      real_(system, mass_),
      complex_(system, mass_),
      jacobian_(jacobian_source_.n_values()),
      pair_(system.n) {
  for (auto* stages : {&z_, &z_old_, &w_, &f_stage_})
    for (auto& v : *stages) v.assign(system.n, 0);
  for (auto* v : {&f0_, &f_new_, &y_stage_, &sum_, &error_}) v->assign(system.n, 0);
}

bool Radau5::start(double t, std::span<const double> y) {
  h_old_ = factorised_for_ = 0;
  accepted_ = jacobian_known_ = jacobian_here_ = just_rejected_ = false;
  just_started_ = true;
  return f_known_ = put(t, y, f0_);
}

void Radau5::exchange(Archive& archive) {
  archive(t_, h_, h_old_, theta_, f_known_, jacobian_known_, jacobian_here_, just_started_,
          just_rejected_, jacobian_, f0_, y_, y_old_);
  for (auto& v : z_old_) archive(v);
  accepted_ = false;
  // The same factors come out of the same numbers.
  factorised_for_ = 0;
  real_.forget();
  complex_.forget();
}

// The estimate has order 3 and the solution order 5: an estimate as large as this keeps the error
// itself at the tolerance (Hairer and Wanner's code RADAU5).
double Radau5::tolerance_factor(const Tolerances& tolerances) const {
  return 0.1 * std::cbrt(1 / std::clamp(tolerances.relative, 1e-14, 1.0));
}

bool Radau5::prepare(double h, const Tolerances& tolerances) {
  if (!jacobian_known_ || (theta_ > good_rate && !jacobian_here_)) {
    if (!jacobian_source_.evaluate(counted_, {t_, y_.data(), f0_.data(), h}, tolerances,
                                   jacobian_.data(), nullptr))
      return false;
    jacobian_known_ = jacobian_here_ = true;
    factorised_for_ = 0;
  }
  if (factorised_for_ == h) return true;
  ++counted_.work.factorisations;
  factorised_for_ = 0;
  if (!real_.factorise(Method::gamma / h, jacobian_.data()) ||
      !complex_.factorise(std::complex(Method::alpha, Method::beta) / h, jacobian_.data()))
    return false;
  factorised_for_ = h;
  return true;
}

void Radau5::guess_stages(double h) {
  const std::uint32_t n = counted_.system.n;
  for (std::size_t i = 0; i < 3; ++i) {
    // Far beyond its step a polynomial is rounding, times the cube of the distance.
    if (h_old_ == 0 || std::abs(h) > far_beyond * std::abs(h_old_)) {
      std::fill(z_[i].begin(), z_[i].end(), 0.0);
      continue;
    }
    // The last polynomial, gone on with, from the end of its step.
    const auto weights = stage_weights(1 + Method::c[i] * h / h_old_);
    for (std::uint32_t k = 0; k < n; ++k)
      z_[i][k] =
          weights[0] * z_old_[0][k] + weights[1] * z_old_[1][k] + (weights[2] - 1) * z_old_[2][k];
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (std::uint32_t k = 0; k < n; ++k)
      w_[i][k] = Method::T_inverse[i][0] * z_[0][k] + Method::T_inverse[i][1] * z_[1][k] +
                 Method::T_inverse[i][2] * z_[2][k];
}

/// One simplified Newton iteration; the size of its change, or nan where f has no value.
double Radau5::iterate_once(double h, const Tolerances& tolerances) {
  const std::uint32_t n = counted_.system.n;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::uint32_t k = 0; k < n; ++k) y_stage_[k] = y_[k] + z_[i][k];
    if (!counted_.rhs(t_ + Method::c[i] * h, y_stage_.data(), f_stage_[i].data()))
      return std::numeric_limits<double>::quiet_NaN();
  }
  for (std::uint32_t k = 0; k < n; ++k) {
    const double f0 = f_stage_[0][k], f1 = f_stage_[1][k], f2 = f_stage_[2][k];
    for (std::size_t i = 0; i < 3; ++i)
      f_stage_[i][k] = Method::T_inverse[i][0] * f0 + Method::T_inverse[i][1] * f1 +
                       Method::T_inverse[i][2] * f2;
  }
  mass_.multiply_add(-Method::gamma / h, w_[0].data(), f_stage_[0].data());
  real_.solve(f_stage_[0].data());

  const double alpha = Method::alpha / h, beta = Method::beta / h;
  mass_.multiply_add(-alpha, w_[1].data(), f_stage_[1].data());
  mass_.multiply_add(beta, w_[2].data(), f_stage_[1].data());
  mass_.multiply_add(-beta, w_[1].data(), f_stage_[2].data());
  mass_.multiply_add(-alpha, w_[2].data(), f_stage_[2].data());
  for (std::uint32_t k = 0; k < n; ++k) pair_[k] = {f_stage_[1][k], f_stage_[2][k]};
  complex_.solve(pair_.data());

  double sum = 0;
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::array<double, 3> change = {f_stage_[0][k], pair_[k].real(), pair_[k].imag()};
    const double scale = tolerances.scale(k, std::abs(y_[k]));
    for (std::size_t i = 0; i < 3; ++i) {
      w_[i][k] += change[i];
      sum += (change[i] / scale) * (change[i] / scale);
    }
    for (std::size_t i = 0; i < 3; ++i)
      z_[i][k] =
          Method::T[i][0] * w_[0][k] + Method::T[i][1] * w_[1][k] + Method::T[i][2] * w_[2][k];
  }
  return std::sqrt(sum / (3.0 * n)) / tolerance_factor(tolerances);
}

Radau5::Newton Radau5::iterate(double h, const Tolerances& tolerances) {
  const double relative = tolerances.relative * tolerance_factor(tolerances);
  const double goal = std::max(10 * eps / relative, std::min(0.03, std::sqrt(relative)));
  double last = 0;
  theta_ = good_rate;
  for (int iteration = 0; iteration < most_newton_steps; ++iteration) {
    const double change = iterate_once(h, tolerances);
    if (!std::isfinite(change)) return Newton::no_value;
    if (iteration > 0) {
      theta_ = last > 0 ? change / last : 0;
      if (theta_ >= 0.99) return change <= goal ? Newton::converged : Newton::too_slow;
      const double left = change * theta_ / (1 - theta_);
      if (left <= goal) return Newton::converged;
      if (left * std::pow(theta_, most_newton_steps - 2 - iteration) > goal)
        return Newton::too_slow;
    } else if (change <= 1e-3 * goal) {
      return Newton::converged;
    }
    last = change;
  }
  return Newton::too_slow;
}

/// (gamma/h M - J)^-1 (f + M sum_i e_i / h z_i), into error_.
void Radau5::estimate_error(double h, const double* f) {
  for (std::uint32_t k = 0; k < counted_.system.n; ++k) {
    sum_[k] =
        (Method::error[0] * z_[0][k] + Method::error[1] * z_[1][k] + Method::error[2] * z_[2][k]) /
        h;
    error_[k] = f[k];
  }
  mass_.multiply_add(1, sum_.data(), error_.data());
  real_.solve(error_.data());
}

/// What is left of the equations between the nodes of the polynomial, through the matrix: the error
/// of the dense output, into error_. That of the step is damped in fast components, which follow
/// slow ones at the nodes in steps of any length, and says nothing of what lies between.
bool Radau5::defect_inside(double h) {
  const auto weights = stage_weights(looked_at), slopes = stage_slopes(looked_at);
  for (std::uint32_t k = 0; k < counted_.system.n; ++k) {
    y_stage_[k] = y_[k];
    sum_[k] = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      y_stage_[k] += weights[i] * z_[i][k];
      sum_[k] -= slopes[i] / h * z_[i][k];
    }
  }
  if (!counted_.rhs(t_ + looked_at * h, y_stage_.data(), error_.data())) return false;
  mass_.multiply_add(1, sum_.data(), error_.data());
  real_.solve(error_.data());
  return true;
}

Attempt Radau5::judge(double h, const Tolerances& tolerances) {
  const std::uint32_t n = counted_.system.n;
  for (std::uint32_t k = 0; k < n; ++k) y_new_[k] = y_[k] + z_[2][k];
  if (!all_finite(y_new_.data(), n)) return {};
  const auto measure = [&] {
    ErrorNorm norm;
    for (std::uint32_t k = 0; k < n; ++k)
      norm.add(k, error_[k] / tolerances.scale(k, std::max(std::abs(y_[k]), std::abs(y_new_[k]))));
    return norm;
  };
  estimate_error(h, f0_.data());
  ErrorNorm norm = measure();
  const double factor = tolerance_factor(tolerances);
  // The estimate does not vanish for fast components; once more through the matrix, and it does.
  if (norm.value(n) > factor && (just_started_ || just_rejected_)) {
    for (std::uint32_t k = 0; k < n; ++k) y_stage_[k] = y_[k] + error_[k];
    if (!counted_.rhs(t_, y_stage_.data(), f_new_.data())) return {};
    estimate_error(h, f_new_.data());
    norm = measure();
  }
  double error = norm.value(n) / factor;
  if (!std::isfinite(error)) return {};
  if (error <= 1) {
    f_new_known_ = counted_.rhs(t_ + h, y_new_.data(), f_new_.data());
    if (!f_new_known_ || !defect_inside(h)) return {};
    const ErrorNorm inside = measure();
    const double dense = inside.value(n) / dense_allowance;
    if (!std::isfinite(dense)) return {};
    if (dense > error) {
      error = dense;
      norm.limiting = inside.limiting;
    }
  }
  return {.finite = true, .error = error, .limiting = norm.limiting};
}

Attempt Radau5::attempt(double h, const Tolerances& tolerances) {
  accepted_ = f_new_known_ = false;
  h_ = h;
  if (counted_.system.n == 0) return {.finite = true, .error = 0};
  if (!f_known_) f_known_ = counted_.rhs(t_, y_.data(), f0_.data());
  if (!f_known_ || !prepare(h, tolerances)) return {};
  guess_stages(h);
  Newton newton = iterate(h, tolerances);
  if (newton == Newton::too_slow && !jacobian_here_) {
    jacobian_known_ = false;  // an old one may be the reason
    if (!prepare(h, tolerances)) return {};
    guess_stages(h);
    newton = iterate(h, tolerances);
  }
  Attempt result;
  if (newton == Newton::converged)
    result = judge(h, tolerances);
  else if (newton == Newton::too_slow)
    result = {.finite = true, .error = halving_error};
  just_rejected_ = !result.finite || result.error > 1;
  return result;
}

void Radau5::accept(double t_new) {
  take(t_new);
  z_old_.swap(z_);
  h_old_ = h_;
  accepted_ = true;
  f0_.swap(f_new_);
  f_known_ = std::exchange(f_new_known_, false);
  jacobian_here_ = just_started_ = just_rejected_ = false;
}

bool Radau5::interpolate(double theta, std::span<double> y) {
  ensure(accepted_, "there is no accepted step to interpolate");
  const auto weights = stage_weights(theta);
  for (std::uint32_t k = 0; k < counted_.system.n; ++k)
    y[k] = y_old_[k] + weights[0] * z_old_[0][k] + weights[1] * z_old_[1][k] +
           weights[2] * z_old_[2][k];
  return true;
}

}  // namespace alembert::integrate
