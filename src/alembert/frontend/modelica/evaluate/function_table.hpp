// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate, inside. What a call must know of a function, gathered once,
// and a function as a value.
#pragma once

#include <vector>

#include "alembert/frontend/modelica/evaluate/value.hpp"
#include "alembert/frontend/modelica/instance/instance.hpp"

namespace alembert::modelica {

struct FunctionHead {
  std::vector<Instance*> inputs;
  std::vector<Instance*> outputs;
  std::vector<Instance*> locals;  ///< protected ones
};

/// A function as an argument of another one: `function f(a = 1)`. `given` fill inputs by name.
struct FunctionValue {
  Instance* function = nullptr;
  std::vector<std::pair<Name, Value>> given;
};

}  // namespace alembert::modelica
