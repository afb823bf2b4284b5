// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. The values that the variable of a for-equation takes. In: the
// equation and one of its iterators. Out: values, in order; without a range it follows from the
// arrays that the variable is a subscript of.
#pragma once

#include <vector>

#include "alembert/frontend/modelica/flatten/state.hpp"

namespace alembert::modelica {

std::vector<Value> loop_values(FlattenState& state, const Equation& equation,
                               const Iterator& iterator, const EvaluationScope& scope);

}  // namespace alembert::modelica
