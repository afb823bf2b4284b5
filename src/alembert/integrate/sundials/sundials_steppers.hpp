// SPDX-License-Identifier: Apache-2.0
// Stage: integrate/sundials. The multistep methods of SUNDIALS as steppers: CVODE for y' = f, IDA
// for M y' = f with any M of index 1, or r(t, y, y') = 0 where the system has that. They choose
// their own steps and orders; `start` begins anew at order 1. Exact Jacobians where the system has
// them, dense or KLU by size. Hindmarsh et al., SUNDIALS, ACM TOMS 31(3), 2005.
#pragma once

#include <memory>

#include "alembert/integrate/stepper.hpp"

namespace alembert::integrate::sundials {

inline constexpr MethodInfo cvode_info = {.name = "cvode",
                                          .order = 5,
                                          .error_order = 5,
                                          .dense_order = 5,
                                          .step_choice = StepChoice::own,
                                          .uses_jacobian = true,
                                          .starts_anew = true};
inline constexpr MethodInfo ida_info = {.name = "ida",
                                        .order = 5,
                                        .error_order = 5,
                                        .dense_order = 5,
                                        .step_choice = StepChoice::own,
                                        .takes_mass = true,
                                        .uses_jacobian = true,
                                        .finds_slopes = true,
                                        .starts_anew = true};

std::unique_ptr<Stepper> make_cvode(const OdeSystem& system);
std::unique_ptr<Stepper> make_ida(const OdeSystem& system);

}  // namespace alembert::integrate::sundials
