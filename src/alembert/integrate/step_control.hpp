// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. How large the first step and the next one should be.
// In: error estimates in units of the tolerance. Out: step sizes. PI control after Gustafsson (ACM
// TOMS 17(4), 1991), Hairer and Wanner II, IV.2; the first step after Hairer, Norsett and Wanner I,
// II.4.
#pragma once

#include "alembert/integrate/stepper.hpp"

namespace alembert::integrate {

class StepControl {
 public:
  explicit StepControl(std::uint32_t error_order);

  /// Factors for the step size: after a good step, after one whose error was too large, and after
  /// one in which the right-hand side had no value.
  double after_accepted(double error);
  double after_rejected(double error);
  double after_failed();

 private:
  double integral_exponent_, proportional_exponent_, plain_exponent_;
  double last_error_ = 1e-4;  // of the last accepted step; small, as no history asks for caution
  bool just_rejected_ = false;
};

struct FirstStep {
  double h = 0;  ///< signed
  std::uint64_t rhs_calls = 0;
};

/// The stepper must have been started; `t_end` gives direction and the largest size.
FirstStep choose_first_step(const Stepper& stepper, double t_end, const Tolerances& tolerances);

}  // namespace alembert::integrate
