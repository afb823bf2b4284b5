// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/step_control.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace alembert::integrate {
namespace {

constexpr double safety = 0.9;
constexpr double least_factor = 0.2;
constexpr double most_factor = 10;

}  // namespace

StepControl::StepControl(std::uint32_t error_order)
    : integral_exponent_(0.7 / (error_order + 1)),
      proportional_exponent_(0.4 / (error_order + 1)),
      plain_exponent_(1.0 / (error_order + 1)) {}

double StepControl::after_accepted(double error) {
  error = std::max(error, 1e-10);
  double factor =
      safety * std::pow(error, -integral_exponent_) * std::pow(last_error_, proportional_exponent_);
  factor = std::clamp(factor, least_factor, just_rejected_ ? 1.0 : most_factor);
  last_error_ = std::max(error, 1e-4);
  just_rejected_ = false;
  return factor;
}

double StepControl::after_rejected(double error) {
  just_rejected_ = true;
  return std::clamp(safety * std::pow(error, -plain_exponent_), least_factor, safety);
}

double StepControl::after_failed() {
  just_rejected_ = true;
  return 0.25;
}

FirstStep choose_first_step(const Stepper& stepper, double t_end, const Tolerances& tolerances) {
  const OdeSystem& system = stepper.system();
  const std::span<const double> y = stepper.y(), f = stepper.f();
  const double span = std::abs(t_end - stepper.t());
  const double direction = t_end < stepper.t() ? -1 : 1;
  // With a mass matrix f is not the slope of y; begin small, the control grows tenfold a step.
  if (system.mass != nullptr || f.empty()) return {.h = direction * 1e-5 * span, .rhs_calls = 0};

  const auto norm = [&](auto component) {
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double e = component(i) / tolerances.scale(i, std::abs(y[i]));
      sum += e * e;
    }
    return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(y.size(), 1)));
  };
  const double d0 = norm([&](std::size_t i) { return y[i]; });
  const double d1 = norm([&](std::size_t i) { return f[i]; });
  double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  h0 = std::min(h0, span);

  // An explicit Euler step shows how fast the slope changes.
  std::vector<double> y1(y.size()), f1(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) y1[i] = y[i] + direction * h0 * f[i];
  const bool known = system.rhs(system.context, stepper.t() + direction * h0, y1.data(), f1.data());
  const double d2 = norm([&](std::size_t i) { return f1[i] - f[i]; }) / h0;
  if (!known || !std::isfinite(d2)) return {.h = direction * 0.1 * h0, .rhs_calls = 1};

  const double steepest = std::max(d1, d2);
  const double h1 = steepest <= 1e-15
                        ? std::max(1e-6, h0 * 1e-3)
                        : std::pow(0.01 / steepest, 1.0 / (stepper.method().error_order + 1));
  return {.h = direction * std::min({100 * h0, h1, span}), .rhs_calls = 1};
}

}  // namespace alembert::integrate
