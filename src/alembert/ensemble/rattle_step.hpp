// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. RATTLE in lanes (Andersen 1983; Hairer, Lubich and Wanner, Geometric Numerical
// Integration, VII.1.4): symplectic, of order 2, and on the constraints after each step. In: a
// model that is constrained mechanics with a constant mass matrix and forces of positions and time.
// Out: one step as a tape: straight-line code with a few Newton steps for the multipliers of the
// positions and a margin, or an iteration to the end.
#pragma once

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/ensemble/step_tape.hpp"

namespace alembert::ensemble {

/// States [positions, velocities]. Error S013 where the model is no constrained mechanics, B005
/// where the mass varies or forces depend on velocities, B002 where some coordinate has no mass.
StepTape make_rattle_step(const compile::CompiledModel& model, Pivots pivots, double step);

}  // namespace alembert::ensemble
