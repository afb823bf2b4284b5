// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Initial equations and fixed starts that are too many, told before anything is
// run. In: a FlatSystem and what the passes made of it. Out: a finding S016 for each set of
// conditions of which one is too many. Too many by structure may agree by their numbers, which is
// for the run to find out, so that those are warnings. Where the conditions can be followed from
// value to value by closed forms, and do not agree, no run could accept them: that is an Error.
#pragma once

#include <string_view>
#include <vector>

#include "alembert/structure/initial_plan.hpp"
#include "alembert/structure/passes.hpp"

namespace alembert::structure {

/// Warnings; throws an Error with the contradictions if there are any. `phase`: of run_passes.
/// where_they_agree: what comes of conditions that may agree.
std::vector<Diagnostic> check_start(
    const flat::FlatSystem& given, const StructuralPhase& phase,
    std::string_view where_they_agree = "A run ends at once if they do not agree");

/// What a condition of the start is, in the user's words, and where it stands.
Note describe_start_row(const HybridSystem& given, const SimplifiedSystem& simplified,
                        const StructuralPlan& plan, const InitialRow& row);

/// A fixed start of an unknown or derivative, as it was declared.
Note describe_fixed_start(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                          ExprId column);

}  // namespace alembert::structure
