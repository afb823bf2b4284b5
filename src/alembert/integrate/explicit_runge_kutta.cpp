// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/explicit_runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/integrate/archive.hpp"

namespace alembert::integrate {
namespace {

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

/// How much larger the error of the dense output may be than that of the step, by |h lambda|. On y'
/// = lambda y the stages of the dense output alone carry powers that the step does not have: both
/// errors are alike up to 4, the ratio is 77 at 6 and 4300 at 30, where a rounding error grows to
/// 1e-5 between the ends of a step that seems exact.
double share_of_dense_output(double stiffness) {
  constexpr double alike = 4, most = 1e6;
  if (stiffness <= alike) return 1;
  const double beyond = stiffness / alike;
  const double squared = beyond * beyond;
  return std::min(most, squared * squared * squared * squared);
}

/// At least the |h lambda| of a step whose dense output is spoilt: no explicit method is for that.
constexpr double spoilt = 64;

}  // namespace

template <class Tableau>
ExplicitRungeKutta<Tableau>::ExplicitRungeKutta(const OdeSystem& system) : counted_{system} {
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
bool ExplicitRungeKutta<Tableau>::start(double t, std::span<const double> y) {
  ensure(y.size() == counted_.system.n, "the state has another size than the system");
  if (y.data() != y_) std::copy(y.begin(), y.end(), y_);
  t_ = t;
  accepted_ = dense_ready_ = false;
  return counted_.rhs(t, y_, k_[0]) && all_finite(y_, counted_.system.n);
}

template <class Tableau>
void ExplicitRungeKutta<Tableau>::exchange(Archive& archive) {
  std::vector<double> state(y().begin(), y().end());
  std::vector<double> slope(f().begin(), f().end());
  archive(t_, state, slope);
  if (!archive.reading()) return;
  std::copy(state.begin(), state.end(), y_);
  std::copy(slope.begin(), slope.end(), k_[0]);
  accepted_ = dense_ready_ = false;
}

template <class Tableau>
template <std::uint32_t stage>
bool ExplicitRungeKutta<Tableau>::evaluate_stage(double t, const double* y, double h) {
  static constexpr auto& row = Tableau::a[stage];
  double* const point = stage == last ? y_new_ : y_stage_;
  for (std::size_t i = 0; i < counted_.system.n; ++i)
    point[i] = y[i] + h * weighted_sum<row>(k_, i, std::make_index_sequence<stage>());
  ++counted_.work.rhs_calls;
  n_evaluated_ = stage + 1;
  const OdeSystem& system = counted_.system;
  return last_known_ = system.rhs(system.context, t + Tableau::c[stage] * h, point, k_[stage]);
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
  // An infinite state would hide in an infinite error scale; a bad slope would spoil the next step.
  if (!evaluate_stages<1, Tableau::n_stages>(t_, y_, h) || !all_finite(y_new_, counted_.system.n) ||
      !all_finite(k_[last], counted_.system.n)) {
    note_failure(t_, h);
    return {};
  }
  return judge(h, tolerances);
}

// Stages are not looked at one by one while all is well; a bad one shows in the new state.
template <class Tableau>
void ExplicitRungeKutta<Tableau>::note_failure(double t, double h) {
  const std::uint32_t n = counted_.system.n;
  for (std::uint32_t i = 0; i < n_evaluated_; ++i) {
    const bool known = last_known_ || i + 1 < n_evaluated_;
    if (known && all_finite(k_[i], n)) continue;
    counted_.note_failure(t + Tableau::c[i] * h, k_[i], known);
    return;
  }
}

template <class Tableau>
Attempt ExplicitRungeKutta<Tableau>::judge(double h, const Tolerances& tolerances) {
  using Stages = std::make_index_sequence<Tableau::n_stages>;
  const std::uint32_t n = counted_.system.n;
  ErrorNorm norm;
  double second_sum = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double magnitude = std::max(std::abs(y_[i]), std::abs(y_new_[i]));
    const double inverse_scale = 1 / tolerances.scale(i, magnitude);
    norm.add(i, weighted_sum<Tableau::error>(k_, i, Stages()) * inverse_scale);
    if constexpr (Tableau::has_second_error) {
      const double e2 = weighted_sum<Tableau::second_error>(k_, i, Stages()) * inverse_scale;
      second_sum += e2 * e2;
    }
  }
  double error = 0;
  if (norm.sum != 0) {
    if constexpr (Tableau::has_second_error)
      error = std::abs(h) * norm.sum / std::sqrt((norm.sum + 0.01 * second_sum) * n);
    else
      error = std::abs(h) * norm.value(n);
  }
  if constexpr (has_more_dense_stages) {
    stiffness_ = stiffness_estimate(tolerances);
    const double of_rest = error <= 1 ? stiffness_of_rest(tolerances) : 0;
    stiffness_ = std::max(stiffness_, of_rest);
    dense_share_ = share_of_dense_output(stiffness_);
    // What is no error of the step is one between its ends.
    if (of_rest > 0) dense_share_ = std::max(dense_share_, 2 / std::max(error, 1e-100));
    error *= dense_share_;
  }
  return {.finite = std::isfinite(error), .error = error, .limiting = norm.limiting};
}

template <class Tableau>
double ExplicitRungeKutta<Tableau>::stiffness_estimate(const Tolerances& tolerances) const {
  double slopes = 0, states = 0;
  for (std::uint32_t i = 0; i < counted_.system.n; ++i) {
    // In units of the tolerance: a large and slow energy would hide masses that are fast. What
    // passes through zero is as large as it was before: otherwise it would seem to be stiff there.
    const double magnitude = std::max(std::abs(y_[i]), std::abs(y_new_[i]));
    const double inverse_scale = 1 / tolerances.scale(i, magnitude);
    const double df = (k_[last][i] - k_[last - 1][i]) * inverse_scale;
    const double dy = (y_new_[i] - y_stage_[i]) * inverse_scale;
    slopes += df * df;
    states += dy * dy;
  }
  return states > 0 ? std::abs(h_) * std::sqrt(slopes / states) : 0;
}

/// The estimate is one for all components together. One that is stiff and at rest moves by rounding
/// only, which counts for nothing beside others that move, and no error of the step shows it. But
/// the stages of the dense output alone multiply it by |h lambda| once more each, and between the
/// ends of the step it is anywhere. So where a component may be of that kind, those stages are
/// looked at: if they exceed all others by far, and by that lead away from the line between the
/// ends of the step by more than the tolerance. Otherwise 0.
template <class Tableau>
double ExplicitRungeKutta<Tableau>::stiffness_of_rest(const Tolerances& tolerances) {
  // (h lambda)^13 times a rounding error is as large as a tolerance from about here on.
  constexpr double amplifies = 6, exceeds = 4, far = 10;
  const std::uint32_t n = counted_.system.n;
  const auto inverse_scale = [&](std::uint32_t i) {
    return 1 / tolerances.scale(i, std::max(std::abs(y_[i]), std::abs(y_new_[i])));
  };
  const auto quotient = [&](std::uint32_t i) {
    const double dy = y_new_[i] - y_stage_[i];
    if (dy == 0 || std::abs(dy) * inverse_scale(i) > 1) return 0.0;
    return std::abs(h_ * (k_[last][i] - k_[last - 1][i]) / dy);
  };
  double largest = 0;
  for (std::uint32_t i = 0; i < n; ++i) largest = std::max(largest, quotient(i));
  if (!(largest > amplifies)) return 0;
  dense_ready_ = evaluate_stages<Tableau::n_stages, Tableau::n_dense_stages>(t_, y_, h_);
  if (!dense_ready_) return 0;
  const auto weights = dense_weights(0.5);
  for (std::uint32_t i = 0; i < n; ++i) {
    double normal = 0, beyond = 0, inside = 0;
    for (std::uint32_t j = 0; j < Tableau::n_dense_stages; ++j) {
      double& size = j < Tableau::n_stages ? normal : beyond;
      size = std::max(size, std::abs(k_[j][i]));
      inside += weights[j] * k_[j][i];
    }
    const double off = std::abs(inside - (y_new_[i] - y_[i]) / 2) * inverse_scale(i);
    if (beyond > exceeds * normal && !(off <= far)) return std::max(largest, spoilt);
  }
  return 0;
}

template <class Tableau>
double ExplicitRungeKutta<Tableau>::distance(const Tolerances& tolerances) const {
  const double* const begin = accepted_ ? y_old_ : y_;
  const double* const end = accepted_ ? y_ : y_new_;
  double largest = 0;
  for (std::uint32_t i = 0; i < counted_.system.n; ++i)
    largest =
        std::max(largest, std::abs(end[i] - begin[i]) / tolerances.scale(i, std::abs(end[i])));
  return largest;
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

/// Of the slopes, for the way from the beginning of the step.
template <class Tableau>
std::array<double, Tableau::n_dense_stages> ExplicitRungeKutta<Tableau>::dense_weights(
    double theta) const {
  std::array<double, Tableau::n_dense_stages> weights;
  for (std::uint32_t j = 0; j < Tableau::n_dense_stages; ++j) {
    double sum = 0;
    for (std::uint32_t p = Tableau::dense_degree; p-- > 0;)
      sum = (sum + Tableau::dense[j][p]) * theta;
    weights[j] = sum * h_;
  }
  return weights;
}

template <class Tableau>
bool ExplicitRungeKutta<Tableau>::interpolate(double theta, std::span<double> y) {
  ensure(accepted_, "there is no accepted step to interpolate");
  if constexpr (has_more_dense_stages) {
    if (!dense_ready_ &&
        !evaluate_stages<Tableau::n_stages, Tableau::n_dense_stages>(t_old_, y_old_, h_))
      return false;
    dense_ready_ = true;
  }
  const auto weights = dense_weights(theta);
  for (std::uint32_t i = 0; i < counted_.system.n; ++i) {
    double sum = 0;
    for (std::uint32_t j = 0; j < Tableau::n_dense_stages; ++j) sum += weights[j] * k_[j][i];
    y[i] = y_old_[i] + sum;
  }
  return true;
}

template class ExplicitRungeKutta<tableaus::Tsit5>;
template class ExplicitRungeKutta<tableaus::Dop853>;

}  // namespace alembert::integrate
