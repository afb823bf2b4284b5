// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Conditions of unknowns that equations give by time alone, such as `phase < 0.5`
// with phase = mod(time, 1). In: a FlatSystem. Out: each such condition in terms of time, in which
// it is known ahead when it changes; without it, it would be looked for in every step. Only where
// time enters linearly but for floor, mod and their kind, which change at times that are known.
#pragma once

#include <span>

#include "alembert/flat/flat_system.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::structure {

/// Of the comparisons, and of floor and its kind, in `roots`: those that can be put so.
symbolic::Replacements timed_conditions(const flat::FlatSystem& flat,
                                        std::span<const symbolic::ExprId> roots);

}  // namespace alembert::structure
