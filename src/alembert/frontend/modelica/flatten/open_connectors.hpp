// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. What a model that becomes a part of another one can be
// connected by. In: the model, after flattening. Out: its connectors with the names of their
// quantities.
#pragma once

#include <vector>

#include "alembert/frontend/modelica/flatten/connections.hpp"
#include "alembert/frontend/modelica/modelica.hpp"

namespace alembert::modelica {

std::vector<OpenConnector> open_connectors(Instance& model, Connections& connections);

}  // namespace alembert::modelica
