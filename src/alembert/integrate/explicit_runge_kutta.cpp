// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/explicit_runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::integrate {
namespace {

bool all_finite(const double* values, std::uint32_t n) {
  return std::all_of(values, values + n, [](double value) { return std::isfinite(value); });
}

// sum_j weights[j] * k[j][i], without the terms whose weight is zero.
template <const auto& weights, std::size_t... J>
double weighted_sum(const auto& k, std::size_t i, std::index_sequence<J...>) {
  double sum = 0;
  const auto add = [&]<std::size_t j>() {
    if constexpr (weights[j] != 0) sum += weights[j] * k[j][i];
  };
  (add.template operator()<J>(), ...);
  return sum;
}

}  // namespace

template <class Tableau>
ExplicitRungeKutta<Tableau>::ExplicitRungeKutta(const OdeSystem& system) : system_(system) {
  ensure(system.rhs != nullptr, "a stepper needs a right-hand side");
  ensure(system.mass == nullptr, "an explicit stepper takes no mass matrix");
  storage_.resize(std::size_t{system.n} * (Tableau::n_dense_stages + 4));
  double* next = storage_.data();
  const auto take = [&] { return std::exchange(next, next + system.n); };
  for (double*& stage : k_) stage = take();
  y_ = take();
  y_old_ = take();
  y_new_ = take();
  y_stage_ = take();
}

template <class Tableau>
const MethodInfo& ExplicitRungeKutta<Tableau>::method() const {
  static constexpr MethodInfo info = {.name = Tableau::name,
                                      .order = Tableau::order,
                                      .error_order = Tableau::error_order,
                                      .dense_order = Tableau::dense_order};
  return info;
}

template <class Tableau>
bool ExplicitRungeKutta<Tableau>::start(double t, std::span<const double> y) {
  ensure(y.size() == system_.n, "the state has another size than the system");
  if (y.data() != y_) std::copy(y.begin(), y.end(), y_);
  t_ = t;
  accepted_ = dense_ready_ = false;
  ++work_.rhs_calls;
  return system_.rhs(system_.context, t, y_, k_[0]) && all_finite(y_, system_.n) &&
         all_finite(k_[0], system_.n);
}

template <class Tableau>
template <std::uint32_t stage>
bool ExplicitRungeKutta<Tableau>::evaluate_stage(double t, const double* y, double h) {
  static constexpr auto& row = Tableau::a[stage];
  double* const point = stage == last ? y_new_ : y_stage_;
  for (std::size_t i = 0; i < system_.n; ++i)
    point[i] = y[i] + h * weighted_sum<row>(k_, i, std::make_index_sequence<stage>());
  ++work_.rhs_calls;
  return system_.rhs(system_.context, t + Tableau::c[stage] * h, point, k_[stage]);
}

template <class Tableau>
template <std::uint32_t first, std::uint32_t end>
bool ExplicitRungeKutta<Tableau>::evaluate_stages(double t, const double* y, double h) {
  return [&]<std::uint32_t... offset>(std::integer_sequence<std::uint32_t, offset...>) {
    return (evaluate_stage<first + offset>(t, y, h) && ...);
  }
  (std::make_integer_sequence<std::uint32_t, end - first>());
}

template <class Tableau>
Attempt ExplicitRungeKutta<Tableau>::attempt(double h, const Tolerances& tolerances) {
  if (accepted_) std::swap(k_[0], k_[last]);
  accepted_ = dense_ready_ = false;
  h_ = h;
  if (!evaluate_stages<1, Tableau::n_stages>(t_, y_, h)) return {};
  // An infinite state would hide in an infinite error scale; a bad slope would spoil the next step.
  if (!all_finite(y_new_, system_.n) || !all_finite(k_[last], system_.n)) return {};
  const double error = error_norm(h, tolerances);
  return {.finite = std::isfinite(error), .error = error};
}

template <class Tableau>
double ExplicitRungeKutta<Tableau>::error_norm(double h, const Tolerances& tolerances) const {
  using Stages = std::make_index_sequence<Tableau::n_stages>;
  double sum = 0, second_sum = 0;
  for (std::size_t i = 0; i < system_.n; ++i) {
    const double magnitude = std::max(std::abs(y_[i]), std::abs(y_new_[i]));
    const double inverse_scale = 1 / tolerances.scale(i, magnitude);
    const double e = weighted_sum<Tableau::error>(k_, i, Stages()) * inverse_scale;
    sum += e * e;
    if constexpr (Tableau::has_second_error) {
      const double e2 = weighted_sum<Tableau::second_error>(k_, i, Stages()) * inverse_scale;
      second_sum += e2 * e2;
    }
  }
  if (system_.n == 0 || sum == 0) return 0;
  if constexpr (Tableau::has_second_error)
    return std::abs(h) * sum / std::sqrt((sum + 0.01 * second_sum) * system_.n);
  return std::abs(h) * std::sqrt(sum / system_.n);
}

template <class Tableau>
void ExplicitRungeKutta<Tableau>::accept(double t_new) {
  // Three arrays take turns, so that the start of the step stays for dense output.
  double* const free = y_old_;
  y_old_ = y_;
  y_ = y_new_;
  y_new_ = free;
  t_old_ = t_;
  t_ = t_new;
  accepted_ = true;
}

template <class Tableau>
bool ExplicitRungeKutta<Tableau>::interpolate(double theta, std::span<double> y) {
  ensure(accepted_, "there is no accepted step to interpolate");
  if constexpr (Tableau::n_dense_stages > Tableau::n_stages) {
    if (!dense_ready_ &&
        !evaluate_stages<Tableau::n_stages, Tableau::n_dense_stages>(t_old_, y_old_, h_))
      return false;
    dense_ready_ = true;
  }
  std::array<double, Tableau::n_dense_stages> weights;
  for (std::uint32_t j = 0; j < Tableau::n_dense_stages; ++j) {
    double sum = 0;
    for (std::uint32_t p = Tableau::dense_degree; p-- > 0;)
      sum = (sum + Tableau::dense[j][p]) * theta;
    weights[j] = sum * h_;
  }
  for (std::uint32_t i = 0; i < system_.n; ++i) {
    double sum = 0;
    for (std::uint32_t j = 0; j < Tableau::n_dense_stages; ++j) sum += weights[j] * k_[j][i];
    y[i] = y_old_[i] + sum;
  }
  return true;
}

template class ExplicitRungeKutta<tableaus::Tsit5>;
template class ExplicitRungeKutta<tableaus::Dop853>;

}  // namespace alembert::integrate
