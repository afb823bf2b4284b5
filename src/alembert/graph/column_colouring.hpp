// SPDX-License-Identifier: Apache-2.0
// Stage: graph. Columns of a sparse matrix in few groups such that no row meets a group twice; a
// Jacobian then costs one directional derivative a group. In: the pattern (equations = rows,
// unknowns = columns). Out: a colour a column. Partial distance-2 colouring: Curtis, Powell and
// Reid (1974); orders after Gebremedhin, Manne and Pothen (SIAM Review 47(4), 2005).
#pragma once

#include <vector>

#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::graph {

enum class ColouringOrder {
  best,     ///< tries the others in this order, stops at the lower bound, keeps the fewest colours
  natural,  ///< as the columns come: optimal for bands
  largest_first,  ///< by number of columns met, descending
  smallest_last,  ///< repeatedly takes out the column that meets the fewest of those left
};

struct ColouringOptions {
  ColouringOrder order = ColouringOrder::best;
};

struct Colouring {
  std::vector<Index> colour;  // [n_unknowns], below n_colours
  Index n_colours = 0;
};

/// Costs the sum of squared row lengths, so never more than one evaluation of the compressed
/// Jacobian.
Colouring column_colouring(const BipartiteGraph& pattern, const ColouringOptions& options = {});

}  // namespace alembert::graph
