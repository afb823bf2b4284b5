// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Ports that nothing flows through. In: a flat system. Out: the
// same, with `y = semiLinear(x, a, b)` replaced by `a = b` where x and y are zero all the time: the
// equation would say nothing then, and nothing else says what a is (Modelica 3.6, 3.7.4.1).
#pragma once

#include "alembert/flat/flat_system.hpp"

namespace alembert::modelica {

void settle_semi_linear(flat::FlatSystem& system);

}  // namespace alembert::modelica
