// SPDX-License-Identifier: Apache-2.0
// Stage: graph. The strong components of more than one vertex. In: a directed graph, as
// strong_components takes it. Out: those components, in its order. In most systems few vertices lie
// on cycles. What clearly does not is left out first, by sweeps over the vertices in their order
// that look at one bit of each other vertex: bits of a million vertices stay in the nearest caches,
// where the numbers of Tarjan's search do not.
#pragma once

#include "alembert/graph/strong_components.hpp"

namespace alembert::graph {

StrongComponents cyclic_components(const IndexLists& successors);

}  // namespace alembert::graph
