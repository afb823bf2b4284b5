// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Unknowns that parameters of value zero take out of an
// equation, which structure could not see: a derivative in i = C*der(v) with C = 0, also where C is
// a variable that such parameters make zero, so that v is no state by mistake; and, where the
// parameter is final, any unknown: R*i = v. In: a flat system with values for its parameters. Out:
// the same without those terms; the parameters are structural then. Linear in the equations and the
// definitions that coefficients of derivatives need.
#pragma once

#include <span>

#include "alembert/flat/flat_system.hpp"

namespace alembert::modelica {

void remove_vanishing_terms(flat::FlatSystem& system,
                            std::span<const flat::ExprId> final_parameters);

}  // namespace alembert::modelica
