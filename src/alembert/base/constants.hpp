// SPDX-License-Identifier: Apache-2.0
// Stage: base. Numbers that every numerical file needs.
#pragma once

#include <limits>

namespace alembert {

/// The distance from 1 to the next double.
inline constexpr double eps = std::numeric_limits<double>::epsilon();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace alembert
