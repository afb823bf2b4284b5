// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. What a model looks like. In: the components of the model. Out:
// a flat::Scene, or null. Shapes come from two places:
//
// - an annotation of a class, read for every component of that class, names as in its equations:
//     annotation(__Alembert(scene = {Rod(from = {0, 0}, to = {x, y}),
//                                    Trace(at = {x, y}, seconds = 2)}))
// - components that have what a shape of Modelica's MultiBody library has (shapeType, R, r,
//   r_shape, lengthDirection, widthDirection, length, width, height, color), whatever their class
//   is called.
//
// Error M333: a shape or argument that does not exist, or does not fit.
#pragma once

#include <memory>

#include "alembert/flat/scene.hpp"
#include "alembert/frontend/modelica/flatten/state.hpp"

namespace alembert::modelica {

std::shared_ptr<const flat::Scene> read_scene(FlattenState& state);

}  // namespace alembert::modelica
