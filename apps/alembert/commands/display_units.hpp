// SPDX-License-Identifier: Apache-2.0
// Values in the units that a user wants to see, "deg,bar,km/h", in place of those of the model.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "alembert/result/trajectory.hpp"

namespace alembert::commands {

using UnitsByName = std::map<std::string, std::string, std::less<>>;

/// Columns whose unit measures like one of `wanted` (with commas) are converted, and `units` says
/// so afterwards. Error U007 for a text that is no unit, or one that no column could be shown in.
result::Trajectory in_display_units(result::Trajectory trajectory, const std::string& wanted,
                                    UnitsByName& units);

}  // namespace alembert::commands
