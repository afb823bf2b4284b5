// SPDX-License-Identifier: Apache-2.0
// Stage: structure, for messages. Equations that were taken out because they make two names one
// have a part in a conflict of equations that use both names. In: the equations in conflict. Out:
// those between their names.
#pragma once

#include <span>
#include <vector>

#include "alembert/structure/simplify.hpp"

namespace alembert::structure {

/// equations, unknowns: of the smaller system; only names of these unknowns count. Out: equations
/// of the given system, ascending.
std::vector<Index> equalities_between_names(const flat::FlatSystem& given,
                                            const SimplifiedSystem& simplified,
                                            std::span<const Index> equations,
                                            std::span<const Index> unknowns);

}  // namespace alembert::structure
