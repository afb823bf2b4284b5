// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. The way into the structure of some modes (compile/model/mode_variant.hpp). In:
// a ModelPoint as it was before, its constants those of the new modes. Out: states that obey the
// constraints of the new structure. Where they do so already they stay; else they jump as in the
// limit of an implicit Euler step, in which what the equations conserve is conserved: the momentum
// of bodies that are coupled, the charge of capacitances that are connected.
#pragma once

#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

/// False, and the point at what was found, where there are no such states, or where the impulses of
/// the jump speak against the modes: a diode would have to carry a current backwards.
/// chart: of a variant; it is in use afterwards. span: of the run. jumped: true if states are
/// others.
bool enter_variant(ModelPoint& point, const compile::CompiledChart& chart, double span,
                   bool& jumped);

}  // namespace alembert::integrate
