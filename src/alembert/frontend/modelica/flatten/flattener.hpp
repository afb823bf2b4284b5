// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. From the instance tree to the flat system. In: a tree with its
// model. Out: a FlatSystem. Mistakes are collected, equation by equation, and reported together.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/frontend/modelica/instance/tree.hpp"

namespace alembert::modelica {

struct OpenConnector;
using DisplayUnits = std::map<std::string, std::string, std::less<>>;

/// `instantiate` makes the model in the tree, once the tree has its evaluator. `name` is what the
/// flat system is called. Functions that run while the model runs look things up in the tree again:
/// the pool of the system keeps `owner`, which holds the tree, as long as it needs it. With
/// `connectors` the model is a part of another one, and they are told.
flat::FlatSystem flatten_model(InstanceTree& tree, const std::string& name,
                               const std::function<Instance&()>& instantiate,
                               std::shared_ptr<const void> owner,
                               std::vector<OpenConnector>* connectors = nullptr,
                               DisplayUnits* display_units = nullptr);

}  // namespace alembert::modelica
