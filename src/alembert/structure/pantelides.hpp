// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Pantelides' algorithm: how often each equation must be differentiated until the
// highest derivatives can be solved for. In: a structurally regular Structure. Out: the same with
// differentiated equations and variables added. C. C. Pantelides, SIAM J. Sci. Stat. Comput. 9(2),
// 1988; starts from a maximum matching, so that only equations left over cost a search. Iterative.
#pragma once

#include "alembert/structure/structure.hpp"

namespace alembert::structure {

/// Reads and extends `structure`; guarantees afterwards that the highest version of every equation
/// can be matched to a highest derivative of its own, with as few differentiations as possible.
void pantelides(Structure& structure);

}  // namespace alembert::structure
