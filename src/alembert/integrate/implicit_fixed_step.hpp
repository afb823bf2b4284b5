// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Implicit methods with a step that the user fixes: Euler's, BDF2, the
// trapezoidal rule, the implicit midpoint rule and Newmark's method with the average acceleration.
// In: M y' = f, M possibly singular (Newmark: y'' = a(t, y, y') without M). Each stage is solved by
// a simplified Newton iteration, far below the tolerance, so that what the methods keep (energy,
// constraints) stays kept. Hairer and Wanner, Solving ODEs II, III.5, IV.8; N. M. Newmark, J. Eng.
// Mech. 85 (1959).
#pragma once

#include "alembert/integrate/fixed_step.hpp"

namespace alembert::integrate {

inline constexpr MethodInfo implicit_euler_info = {.name = "implicit-euler",
                                                   .order = 1,
                                                   .error_order = 1,
                                                   .dense_order = 0,
                                                   .step_choice = StepChoice::fixed,
                                                   .takes_mass = true,
                                                   .uses_jacobian = true};
inline constexpr MethodInfo bdf2_info = {.name = "bdf2",
                                         .order = 2,
                                         .error_order = 2,
                                         .dense_order = 1,
                                         .step_choice = StepChoice::fixed,
                                         .takes_mass = true,
                                         .uses_jacobian = true};
inline constexpr MethodInfo trapezoidal_info = {.name = "trapezoidal",
                                                .order = 2,
                                                .error_order = 2,
                                                .dense_order = 1,
                                                .step_choice = StepChoice::fixed,
                                                .takes_mass = true,
                                                .uses_jacobian = true};
inline constexpr MethodInfo midpoint_info = {.name = "midpoint",
                                             .order = 2,
                                             .error_order = 2,
                                             .dense_order = 1,
                                             .step_choice = StepChoice::fixed,
                                             .takes_mass = true,
                                             .uses_jacobian = true};
inline constexpr MethodInfo newmark_info = {.name = "newmark",
                                            .order = 2,
                                            .error_order = 2,
                                            .dense_order = 1,
                                            .step_choice = StepChoice::fixed,
                                            .uses_jacobian = true,
                                            .needs_velocities = true};

std::unique_ptr<Stepper> make_implicit_euler(const OdeSystem& system);
std::unique_ptr<Stepper> make_bdf2(const OdeSystem& system);
std::unique_ptr<Stepper> make_trapezoidal(const OdeSystem& system);
std::unique_ptr<Stepper> make_midpoint(const OdeSystem& system);
std::unique_ptr<Stepper> make_newmark(const OdeSystem& system);

}  // namespace alembert::integrate
