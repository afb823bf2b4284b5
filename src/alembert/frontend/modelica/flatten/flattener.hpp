// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. From the instance tree to the flat system. In: a tree with its
// model. Out: a FlatSystem. Mistakes are collected, equation by equation, and reported together.
#pragma once

#include <functional>
#include <string>

#include "alembert/flat/flat_system.hpp"
#include "alembert/frontend/modelica/instance/tree.hpp"

namespace alembert::modelica {

/// The model of the tree, which has been instantiated; its evaluator is set here. `name` is what
/// the flat system is called.
flat::FlatSystem flatten_model(InstanceTree& tree, const std::string& name,
                               const std::function<Instance&()>& instantiate);

}  // namespace alembert::modelica
