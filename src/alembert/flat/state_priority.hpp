// SPDX-License-Identifier: Apache-2.0
// Stage: flat. Values of Unknown::state_priority that mean more than "rather than another".
#pragma once

namespace alembert::flat {

/// From here on, and down from its negative: shall always be a state, or never (stateSelect). It is
/// obeyed as far as numbers allow.
inline constexpr double demanded_priority = 1000;

/// Of unknowns that a pass added, and of what it merely looks at: nobody gave them a start, so they
/// are states only where nothing else can be, and others keep their starts before them; below any
/// unknown of a user.
inline constexpr double priority_of_added = -2 * demanded_priority;

}  // namespace alembert::flat
