// SPDX-License-Identifier: Apache-2.0
// Stage: graph. Strongly connected components in solve order (Tarjan, SIAM J. Comput. 1(2), 1972).
// In: a directed graph "vertex -> what it needs", or a matched BipartiteGraph, where an equation
// needs the equations that its other unknowns are matched to. Out: components, each after all that
// it needs, which is the block lower triangular order. Iterative, linear time.
#pragma once

#include "alembert/graph/bipartite_graph.hpp"
#include "alembert/graph/matching.hpp"

namespace alembert::graph {

/// Lists of vertices, ascending within a component; a component comes after those it points to.
using StrongComponents = IndexLists;

/// Components of the directed graph with an edge i -> j for each j of successors[i].
StrongComponents strong_components(const IndexLists& successors);

/// Blocks of equations. An unmatched equation is a block of its own, after all that it needs;
/// unmatched unknowns are taken as given.
StrongComponents strong_components(const BipartiteGraph& graph, const Matching& matching);

}  // namespace alembert::graph
