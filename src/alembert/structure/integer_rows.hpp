// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Exact elimination of sparse integer rows. In: rows of (column, coefficient), of
// which the first n_pivot_columns columns are unknowns and the rest what stands on the right. Out:
// the rows in which no unknown is left, with what is left of the right side and the rows that were
// combined. Fraction-free (Bareiss, Math. Comp. 22, 1968) with common factors taken out; rows and
// columns that occur once are peeled off first and pivots chosen after Markowitz, so that the
// incidence of a connection graph costs about its size. A row whose numbers outgrow 64 bits, or
// whose fill outgrows its worth, counts as independent.
#pragma once

#include <cstdint>
#include <vector>

#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::structure {

using graph::Index;

struct IntegerEntry {
  Index column;
  std::int64_t coefficient;

  friend bool operator==(const IntegerEntry&, const IntegerEntry&) = default;
};

using IntegerRow = std::vector<IntegerEntry>;  // columns ascending, coefficients not zero

/// sum of coefficients times rows has no unknown.
struct DependentRow {
  Index row;                    // that the others make superfluous, or contradict
  std::vector<Index> combined;  // all rows of the combination, `row` included, ascending
  IntegerRow left_over;         // right side of the combination; empty: the row is redundant
};

std::vector<DependentRow> dependent_rows(std::vector<IntegerRow> rows, Index n_pivot_columns);

}  // namespace alembert::structure
