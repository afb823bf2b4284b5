// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Parameters with fixed = false that an initial equation gives
// outright. In: a system with `p = expression of other parameters` among its initial equations.
// Out: the same with the expression as the value of p, which then need not be solved for: Booleans
// and Integers could not be. Linear. Fixed starts that follow from what is still to be solved for
// become initial equations.
#pragma once

#include "alembert/flat/flat_system.hpp"

namespace alembert::modelica {

void settle_parameters(flat::FlatSystem& system);

}  // namespace alembert::modelica
