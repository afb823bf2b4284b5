// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. Gaussian elimination of small dense matrices of numbers, with the
// largest entry left as pivot: which columns are a good basis, which rows depend on others.
#pragma once

#include <cstdint>
#include <vector>

namespace alembert::mechanics {

/// Row by row, [n_rows][n_columns].
using NumberMatrix = std::vector<std::vector<double>>;

struct Elimination {
  struct Pivot {
    std::size_t row;
    std::size_t column;
    double size;
  };
  std::vector<Pivot> pivots;  // [rank], in the order taken
  /// Rows that follow from others, and the rows they follow from (itself left out).
  struct DependentRow {
    std::size_t row;
    std::vector<std::size_t> others;  // ascending
  };
  std::vector<DependentRow> dependent;
};

/// Rows are scaled by their largest entry; what is then below `threshold` counts as zero. Rows that
/// a pivot does not touch cost nothing, so that nearly diagonal matrices are cheap.
Elimination eliminate(NumberMatrix matrix, double threshold = 1e-10);

/// Solves A x = b for several right sides, given as columns of B; false where A is singular.
bool solve_dense(NumberMatrix a, NumberMatrix& b);

}  // namespace alembert::mechanics
