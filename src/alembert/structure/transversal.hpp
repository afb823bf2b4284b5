// SPDX-License-Identifier: Apache-2.0
// Stage: structure. One entry in each row and column of a square matrix of numbers, with the
// largest product of their sizes. Of a symmetric positive definite matrix whose rows were written
// in any order and with any factors these are its diagonal: |m_ij|^2 < m_ii m_jj. Shortest
// augmenting paths (Kuhn and Munkres; Jonker and Volgenant, Computing 38, 1987), n^3.
#pragma once

#include <span>
#include <vector>

#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::structure {

/// matrix: [n * n], row by row. Out: the row of each column; none at all where there is no such
/// choice without zeros.
std::vector<graph::Index> largest_transversal(std::span<const double> matrix, graph::Index n);

}  // namespace alembert::structure
