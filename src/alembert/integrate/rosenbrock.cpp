// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/rosenbrock.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/integrate/archive.hpp"

namespace alembert::integrate {
namespace {

/// What the dense output may be off by, in units of what the step may.
constexpr double dense_allowance = 10;
/// Steps so long beside the fastest component, whose own error they damp, are looked at inside.
constexpr double stiff_step = 10;
constexpr double looked_at = 0.5;

}  // namespace

template <class Tableau>
Rosenbrock<Tableau>::Rosenbrock(const OdeSystem& system)
    : OneStepOfSystem(system),
      mass_(system),
      jacobian_source_(system),
      matrix_(system, mass_),
      jacobian_(jacobian_source_.n_values()),
      u_(std::size_t{system.n} * Tableau::n_dense_stages) {
  for (auto* v : {&f0_, &f_new_, &dfdt_, &y_stage_, &sum_, &residual_}) v->assign(system.n, 0);
}

template <class Tableau>
bool Rosenbrock<Tableau>::evaluate_jacobian(double h, const Tolerances& tolerances) {
  if (!jacobian_known_)
    jacobian_known_ = jacobian_source_.evaluate(counted_, {t_, y_.data(), f0_.data(), h},
                                                tolerances, jacobian_.data(), dfdt_.data());
  return jacobian_known_;
}

template <class Tableau>
bool Rosenbrock<Tableau>::factorise(double h) {
  ++counted_.work.factorisations;
  return matrix_.factorise(1 / (h * Tableau::gamma), jacobian_.data());
}

template <class Tableau>
bool Rosenbrock<Tableau>::solve_stages(std::uint32_t first, std::uint32_t end, double t,
                                       const double* y, double h) {
  const std::uint32_t n = counted_.system.n;
  for (std::uint32_t i = first; i < end; ++i) {
    double* const u = stage(i);
    if (i == 0) {
      std::copy(f0_.begin(), f0_.end(), u);
    } else {
      std::copy_n(y, n, y_stage_.begin());
      std::fill(sum_.begin(), sum_.end(), 0.0);
      for (std::uint32_t j = 0; j < i; ++j) {
        const double* const earlier = stage(j);
        const double a = Tableau::a[i][j], c = Tableau::C[i][j] / h;
        for (std::uint32_t k = 0; k < n; ++k) {
          y_stage_[k] += a * earlier[k];
          sum_[k] += c * earlier[k];
        }
      }
      if (!counted_.rhs(t + Tableau::c[i] * h, y_stage_.data(), u)) return false;
      mass_.multiply_add(1, sum_.data(), u);
    }
    if (Tableau::d[i] != 0)
      for (std::uint32_t k = 0; k < n; ++k) u[k] += h * Tableau::d[i] * dfdt_[k];
    matrix_.solve(u);
  }
  return true;
}

template <class Tableau>
bool Rosenbrock<Tableau>::start(double t, std::span<const double> y) {
  accepted_ = jacobian_known_ = false;
  return f_known_ = put(t, y, f0_);
}

template <class Tableau>
void Rosenbrock<Tableau>::exchange(Archive& archive) {
  archive(t_, y_, f0_, f_known_);
  accepted_ = jacobian_known_ = false;
  matrix_.forget();
}

template <class Tableau>
Attempt Rosenbrock<Tableau>::attempt(double h, const Tolerances& tolerances) {
  const std::uint32_t n = counted_.system.n;
  accepted_ = f_new_known_ = dense_ready_ = false;
  h_ = h;
  if (n == 0) return {.finite = true, .error = 0};
  if (!f_known_) f_known_ = counted_.rhs(t_, y_.data(), f0_.data());
  if (!f_known_ || !evaluate_jacobian(h, tolerances) || !factorise(h) ||
      !solve_stages(0, Tableau::n_stages, t_, y_.data(), h))
    return {};
  // Stiffly accurate: the last stage is at the embedded solution, and corrects it.
  const double* const correction = stage(Tableau::n_stages - 1);
  ErrorNorm norm;
  for (std::uint32_t i = 0; i < n; ++i) {
    y_new_[i] = y_stage_[i] + correction[i];
    const double magnitude = std::max(std::abs(y_[i]), std::abs(y_new_[i]));
    norm.add(i, correction[i] / tolerances.scale(i, magnitude));
  }
  if (!all_finite(y_new_.data(), n)) return {};
  double error = norm.value(n);
  // A step that will be taken must end where the next can begin.
  if (error <= 1) {
    f_new_known_ = counted_.rhs(t_ + h, y_new_.data(), f_new_.data());
    if (!f_new_known_) return {};
    if (std::abs(h) * jacobian_norm() > stiff_step) {
      const ErrorNorm inside = dense_error(h, tolerances);
      const double dense = inside.value(n) / dense_allowance;
      if (!std::isfinite(dense)) return {};
      if (dense > error) {
        error = dense;
        norm.limiting = inside.limiting;
      }
    }
  }
  return {.finite = std::isfinite(error), .error = error, .limiting = norm.limiting};
}

template <class Tableau>
void Rosenbrock<Tableau>::accept(double t_new) {
  take(t_new);
  accepted_ = true;
  f0_.swap(f_new_);
  f_known_ = std::exchange(f_new_known_, false);
  jacobian_known_ = false;
}

template <class Tableau>
bool Rosenbrock<Tableau>::prepare_dense(double t, const double* y) {
  if (Tableau::n_dense_stages > Tableau::n_stages && !dense_ready_)
    dense_ready_ = solve_stages(Tableau::n_stages, Tableau::n_dense_stages, t, y, h_);
  return dense_ready_ || Tableau::n_dense_stages == Tableau::n_stages;
}

/// Of the dense output of the step that would be accepted: what is left of the equations inside of
/// it, through the matrix of the step. A fast component that follows a slow one is exact at the end
/// of steps of any length, and says nothing of what lies between.
template <class Tableau>
ErrorNorm Rosenbrock<Tableau>::dense_error(double h, const Tolerances& tolerances) {
  const std::uint32_t n = counted_.system.n;
  ErrorNorm norm;
  norm.sum = std::numeric_limits<double>::quiet_NaN();
  if (!prepare_dense(t_, y_.data())) return norm;
  for (std::uint32_t k = 0; k < n; ++k) {
    y_stage_[k] = y_[k] + looked_at * (y_new_[k] - y_[k]);
    sum_[k] = (y_[k] - y_new_[k]) / h;  // less the slope
  }
  for (std::uint32_t j = 0; j < Tableau::n_dense_stages; ++j) {
    double sum = 0, rate = 0;
    for (std::size_t r = Tableau::dense.size(); r-- > 0;) {
      rate = rate * looked_at + sum;
      sum = sum * looked_at + Tableau::dense[r][j];
    }
    const double weight = looked_at * (1 - looked_at) * sum;
    const double slope = ((1 - 2 * looked_at) * sum + looked_at * (1 - looked_at) * rate) / h;
    const double* const u = stage(j);
    for (std::uint32_t k = 0; k < n; ++k) {
      y_stage_[k] += weight * u[k];
      sum_[k] -= slope * u[k];
    }
  }
  if (!counted_.rhs(t_ + looked_at * h, y_stage_.data(), residual_.data())) return norm;
  mass_.multiply_add(1, sum_.data(), residual_.data());
  matrix_.solve(residual_.data());
  norm.sum = 0;
  for (std::uint32_t k = 0; k < n; ++k)
    norm.add(k, residual_[k] / tolerances.scale(k, std::max(std::abs(y_[k]), std::abs(y_new_[k]))));
  return norm;
}

template <class Tableau>
bool Rosenbrock<Tableau>::interpolate(double theta, std::span<double> y) {
  ensure(accepted_, "there is no accepted step to interpolate");
  if (!prepare_dense(t_old_, y_old_.data())) return false;
  std::array<double, Tableau::n_dense_stages> weights;
  for (std::uint32_t j = 0; j < Tableau::n_dense_stages; ++j) {
    double sum = 0;
    for (std::size_t r = Tableau::dense.size(); r-- > 0;) sum = sum * theta + Tableau::dense[r][j];
    weights[j] = theta * (1 - theta) * sum;
  }
  for (std::uint32_t i = 0; i < counted_.system.n; ++i)
    y[i] = y_old_[i] + theta * (y_[i] - y_old_[i]);  // what rests does so to the last bit
  for (std::uint32_t j = 0; j < Tableau::n_dense_stages; ++j) {
    const double* const u = stage(j);
    for (std::uint32_t i = 0; i < counted_.system.n; ++i) y[i] += weights[j] * u[i];
  }
  return true;
}

template <class Tableau>
double Rosenbrock<Tableau>::jacobian_norm() const {
  const ColumnPattern& pattern = counted_.system.jacobian_pattern;
  const std::uint32_t n = counted_.system.n;
  // Column sums bound the eigenvalues as well as row sums do, and need no array.
  double largest = 0;
  for (std::uint32_t j = 0; j < n; ++j) {
    const std::size_t begin = pattern.empty() ? std::size_t{j} * n : pattern.column_start[j];
    const std::size_t end = pattern.empty() ? begin + n : pattern.column_start[j + 1];
    double sum = 0;
    for (std::size_t e = begin; e < end; ++e) sum += std::abs(jacobian_[e]);
    largest = std::max(largest, sum);
  }
  return largest;
}

template class Rosenbrock<tableaus::Rodas5p>;
template class Rosenbrock<tableaus::Rodas6p>;

}  // namespace alembert::integrate
