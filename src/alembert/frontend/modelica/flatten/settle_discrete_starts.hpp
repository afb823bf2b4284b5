// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. What initial equations say about discrete variables, carried
// on. In: a system in which `active = true` stands among the initial equations, `active = pre(new)`
// among the others, and pre(new) is what is really to be found. Out: the same with that value as
// the start of `new`. Equalities between two symbols are followed, in both directions; nothing is
// said where two values meet. Almost linear.
#pragma once

#include "alembert/flat/flat_system.hpp"

namespace alembert::modelica {

void settle_discrete_starts(flat::FlatSystem& system);

}  // namespace alembert::modelica
