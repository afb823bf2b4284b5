// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, instance. Selective extension (specification 3.6, 7.4): what an
// `extends` clause leaves out by `break` of the class that it names.
#pragma once

#include "alembert/frontend/modelica/instance/instance.hpp"

namespace alembert::modelica {

struct ScopeData;

/// An element of that name is left out where this layer is extended.
bool leaves_out(const ScopeData& layer, Name name);

/// A connect that stands in the layer is left out, for itself or with what it connects.
bool is_left_out(const Scope& layer, const Equation& connect);

}  // namespace alembert::modelica
