// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. The components of a model in the order of their declaration,
// depth first. In: the instance tree. Out: those that are really there, by themselves: entries of
// arrays, no `outer` ones, none whose condition does not hold. Mistakes in declarations are told
// together.
#pragma once

#include <vector>

#include "alembert/frontend/modelica/instance/tree.hpp"

namespace alembert::modelica {

struct Components {
  std::vector<Instance*> structured;  ///< the model first, then what is inside; parents first
  std::vector<Instance*> simple;      ///< Real, Integer, ...; arrays of those are one
};

/// All of the model, without the `inner` ones that nobody declared (see `walk_component`).
Components walk_model(Instance& model);
/// Appends one component and what is inside of it.
void walk_component(Instance& component, Components& components);

/// A connector, also one of a simple type (`connector RealInput = input Real`).
bool is_connector(Instance& component);
bool is_expandable(Instance& component);

}  // namespace alembert::modelica
