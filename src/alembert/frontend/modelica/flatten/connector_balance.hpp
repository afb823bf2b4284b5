// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Whether connectors have as many flows as potentials (Modelica
// 3.6, 9.3.1). In: the components of a model. Out: a warning M341 for each connector class that has
// not: a model made of such parts lacks equations, or has too many, and no message about those
// tells why.
#pragma once

#include "alembert/frontend/modelica/flatten/state.hpp"

namespace alembert::modelica {

[[noreturn]] void fail_without_flow(Instance& stream);
/// Error M122 where a public connector of a block has a variable without a direction.
void check_blocks(FlattenState& state);
void warn_of_unbalanced_connectors(FlattenState& state);

}  // namespace alembert::modelica
