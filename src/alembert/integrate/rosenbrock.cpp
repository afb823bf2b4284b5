// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/rosenbrock.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::integrate {

using Eigen::MatrixXd;
using Eigen::VectorXd;

template <class Tableau>
struct Rosenbrock<Tableau>::Work {
  explicit Work(const OdeSystem& s)
      : system(s),
        jacobian(s.n, s.n),
        lu(s.n),
        iteration_matrix(s.n, s.n),
        u(s.n, Tableau::n_stages),
        f0(VectorXd::Zero(s.n)),
        f_new(s.n),
        f_stage(s.n),
        dfdt(s.n),
        y(VectorXd::Zero(s.n)),
        y_old(VectorXd::Zero(s.n)),
        y_new(s.n),
        y_stage(s.n),
        sum(s.n) {
    if (s.mass != nullptr) mass = Eigen::Map<const MatrixXd>(s.mass, s.n, s.n);
  }

  bool rhs(double at, const VectorXd& state, VectorXd& f) {
    ++counts.rhs_calls;
    return system.rhs(system.context, at, state.data(), f.data()) && f.allFinite();
  }
  bool evaluate_jacobian(double h, const Tolerances& tolerances);
  bool difference_jacobian(double h, const Tolerances& tolerances);
  bool factorise(double h);
  bool solve_stages(double h);
  double error_norm(const Tolerances& tolerances) const;

  OdeSystem system;
  WorkCounts counts;
  double t = 0;
  bool f_known = false;         // f0 = f(t, y)
  bool f_new_known = false;     // f_new = f(t + h, y_new)
  bool jacobian_known = false;  // jacobian and dfdt belong to (t, y)
  bool accepted = false;
  MatrixXd mass;      // [n, n], or empty for the identity
  MatrixXd jacobian;  // [n, n]
  Eigen::PartialPivLU<MatrixXd> lu;
  MatrixXd iteration_matrix;
  MatrixXd u;  // [n, n_stages]
  VectorXd f0, f_new, f_stage, dfdt;
  VectorXd y, y_old, y_new, y_stage, sum;
};

template <class Tableau>
bool Rosenbrock<Tableau>::Work::evaluate_jacobian(double h, const Tolerances& tolerances) {
  if (jacobian_known) return true;
  if (system.jacobian == nullptr) {
    if (!difference_jacobian(h, tolerances)) return false;
  } else {
    ++counts.jacobian_calls;
    if (!system.jacobian(system.context, t, y.data(), jacobian.data(), dfdt.data())) return false;
  }
  jacobian_known = jacobian.allFinite() && dfdt.allFinite();
  return jacobian_known;
}

template <class Tableau>
bool Rosenbrock<Tableau>::Work::difference_jacobian(double h, const Tolerances& tolerances) {
  ++counts.jacobian_calls;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const double root_eps = std::sqrt(eps);
  const auto n = static_cast<double>(y.size());
  const auto scale = [&](Eigen::Index j) {
    return tolerances.scale(static_cast<std::size_t>(j), std::abs(y[j]));
  };
  // Where a state is about zero, its increment must still rise above the rounding of f; the error
  // scale tells how much of it matters (Hindmarsh et al., SUNDIALS, ACM TOMS 31(3), 2005).
  double f_norm = 0;
  for (Eigen::Index j = 0; j < y.size(); ++j) f_norm += std::pow(f0[j] / scale(j), 2);
  f_norm = std::sqrt(f_norm / n);
  const double least = f_norm > 0 ? 1000 * std::abs(h) * eps * n * f_norm : 1;
  y_stage = y;
  for (Eigen::Index j = 0; j < y.size(); ++j) {
    const double increment = std::max(root_eps * std::abs(y[j]), least * scale(j));
    y_stage[j] = y[j] + std::copysign(increment, f0[j]);
    const double delta = y_stage[j] - y[j];
    if (!rhs(t, y_stage, f_stage)) return false;
    jacobian.col(j) = (f_stage - f0) / delta;
    y_stage[j] = y[j];
  }
  const double t_near = t + std::copysign(root_eps * std::max(std::abs(t), std::abs(h)), h);
  if (!rhs(t_near, y, f_stage)) return false;
  dfdt = (f_stage - f0) / (t_near - t);
  return true;
}

template <class Tableau>
bool Rosenbrock<Tableau>::Work::factorise(double h) {
  ++counts.factorisations;
  const double shift = 1 / (h * Tableau::gamma);
  iteration_matrix = -jacobian;
  if (mass.size() == 0)
    iteration_matrix.diagonal().array() += shift;
  else
    iteration_matrix += shift * mass;
  lu.compute(iteration_matrix);
  return lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0;  // false for nan too
}

template <class Tableau>
bool Rosenbrock<Tableau>::Work::solve_stages(double h) {
  for (std::uint32_t i = 0; i < Tableau::n_stages; ++i) {
    if (i == 0) {
      f_stage = f0;
    } else {
      y_stage = y;
      for (std::uint32_t j = 0; j < i; ++j)
        if (Tableau::a[i][j] != 0) y_stage += Tableau::a[i][j] * u.col(j);
      if (!rhs(t + Tableau::c[i] * h, y_stage, f_stage)) return false;
      sum.setZero();
      for (std::uint32_t j = 0; j < i; ++j) sum += (Tableau::C[i][j] / h) * u.col(j);
      if (mass.size() == 0)
        f_stage += sum;
      else
        f_stage.noalias() += mass * sum;
    }
    if (Tableau::d[i] != 0) f_stage += (h * Tableau::d[i]) * dfdt;
    u.col(i) = lu.solve(f_stage);
  }
  // Stiffly accurate: the last stage is at the embedded solution, and corrects it.
  y_new = y_stage + u.col(Tableau::n_stages - 1);
  return y_new.allFinite();
}

template <class Tableau>
double Rosenbrock<Tableau>::Work::error_norm(const Tolerances& tolerances) const {
  double total = 0;
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    const double magnitude = std::max(std::abs(y[i]), std::abs(y_new[i]));
    const double e =
        u(i, Tableau::n_stages - 1) / tolerances.scale(static_cast<std::size_t>(i), magnitude);
    total += e * e;
  }
  return y.size() == 0 ? 0 : std::sqrt(total / static_cast<double>(y.size()));
}

template <class Tableau>
Rosenbrock<Tableau>::Rosenbrock(const OdeSystem& system) {
  ensure(system.rhs != nullptr, "a stepper needs a right-hand side");
  work_ = std::make_unique<Work>(system);
}

template <class Tableau>
Rosenbrock<Tableau>::~Rosenbrock() = default;

template <class Tableau>
const MethodInfo& Rosenbrock<Tableau>::method() const {
  static constexpr MethodInfo info = {.name = Tableau::name,
                                      .order = Tableau::order,
                                      .error_order = Tableau::error_order,
                                      .dense_order = Tableau::dense_order};
  return info;
}

template <class Tableau>
bool Rosenbrock<Tableau>::start(double t, std::span<const double> y) {
  Work& w = *work_;
  ensure(y.size() == w.system.n, "the state has another size than the system");
  if (y.data() != w.y.data()) std::copy(y.begin(), y.end(), w.y.data());
  w.t = t;
  w.accepted = w.jacobian_known = false;
  w.f_known = w.y.allFinite() && w.rhs(t, w.y, w.f0);
  return w.f_known;
}

template <class Tableau>
Attempt Rosenbrock<Tableau>::attempt(double h, const Tolerances& tolerances) {
  Work& w = *work_;
  w.accepted = w.f_new_known = false;
  if (w.system.n == 0) return {.finite = true, .error = 0};
  if (!w.f_known) w.f_known = w.rhs(w.t, w.y, w.f0);
  if (!w.f_known || !w.evaluate_jacobian(h, tolerances) || !w.factorise(h) || !w.solve_stages(h))
    return {};
  const double error = w.error_norm(tolerances);
  // A step that will be taken must end where the next can begin.
  if (error <= 1) {
    w.f_new_known = w.rhs(w.t + h, w.y_new, w.f_new);
    if (!w.f_new_known) return {};
  }
  return {.finite = std::isfinite(error), .error = error};
}

template <class Tableau>
void Rosenbrock<Tableau>::accept(double t_new) {
  Work& w = *work_;
  w.y_old.swap(w.y);
  w.y.swap(w.y_new);
  w.t = t_new;
  w.accepted = true;
  w.f0.swap(w.f_new);
  w.f_known = std::exchange(w.f_new_known, false);
  w.jacobian_known = false;
}

template <class Tableau>
bool Rosenbrock<Tableau>::interpolate(double theta, std::span<double> y) {
  Work& w = *work_;
  ensure(w.accepted, "there is no accepted step to interpolate");
  const auto& D = Tableau::dense;
  for (std::uint32_t i = 0; i < w.system.n; ++i) {
    double K1 = 0, K2 = 0, K3 = 0;
    for (std::uint32_t j = 0; j < Tableau::n_stages; ++j) {
      K1 += D[0][j] * w.u(i, j);
      K2 += D[1][j] * w.u(i, j);
      K3 += D[2][j] * w.u(i, j);
    }
    y[i] = (1 - theta) * w.y_old[i] +
           theta * (w.y[i] + (1 - theta) * (K1 + theta * (K2 + theta * K3)));
  }
  return true;
}

template <class Tableau>
const OdeSystem& Rosenbrock<Tableau>::system() const {
  return work_->system;
}

template <class Tableau>
double Rosenbrock<Tableau>::t() const {
  return work_->t;
}

template <class Tableau>
std::span<const double> Rosenbrock<Tableau>::y() const {
  return {work_->y.data(), work_->system.n};
}

template <class Tableau>
std::span<double> Rosenbrock<Tableau>::mutable_y() {
  return {work_->y.data(), work_->system.n};
}

template <class Tableau>
std::span<const double> Rosenbrock<Tableau>::y_old() const {
  return {work_->y_old.data(), work_->system.n};
}

template <class Tableau>
std::span<const double> Rosenbrock<Tableau>::f() const {
  if (!work_->f_known) return {};
  return {work_->f0.data(), work_->system.n};
}

template <class Tableau>
const WorkCounts& Rosenbrock<Tableau>::work() const {
  return work_->counts;
}

template class Rosenbrock<tableaus::Rodas5p>;

}  // namespace alembert::integrate
