// SPDX-License-Identifier: Apache-2.0
// Stage: flat. A system as text for people, in the manner of Modelica: what the front end
// understood. In: a FlatSystem, checked or not. Out: `model Pendulum ... equation ... end
// Pendulum;`. The same system gives the same bytes.
#pragma once

#include <string>

#include "alembert/flat/flat_system.hpp"

namespace alembert::flat {

std::string to_text(const FlatSystem& system);

}  // namespace alembert::flat
