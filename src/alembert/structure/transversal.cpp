// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/transversal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/base/constants.hpp"

namespace alembert::structure {

using graph::Index;

std::vector<Index> largest_transversal(std::span<const double> matrix, Index n) {
  constexpr Index none = std::numeric_limits<Index>::max();
  const auto cost = [&](Index row, Index column) {
    const double size = std::abs(matrix[std::size_t{row} * n + column]);
    return size > 0 ? -std::log(size) : infinity;
  };
  std::vector<double> row_price(n, 0), column_price(n, 0), distance(n);
  std::vector<Index> row_of(n, none), came_from(n);
  std::vector<char> done(n);
  for (Index start = 0; start < n; ++start) {
    // Dijkstra over the columns, from the row that has none.
    std::fill(distance.begin(), distance.end(), infinity);
    std::fill(done.begin(), done.end(), 0);
    std::fill(came_from.begin(), came_from.end(), none);
    Index row = start, last = none;
    double reached = 0;
    while (true) {
      for (Index j = 0; j < n; ++j) {
        const double through = reached + cost(row, j) - row_price[row] - column_price[j];
        if (done[j] || !(through < distance[j])) continue;
        distance[j] = through;
        came_from[j] = last;
      }
      Index next = none;
      for (Index j = 0; j < n; ++j)
        if (!done[j] && distance[j] < infinity && (next == none || distance[j] < distance[next]))
          next = j;
      if (next == none) return {};
      reached = distance[next];
      done[next] = 1;
      last = next;
      if (row_of[next] == none) break;
      row = row_of[next];
    }
    row_price[start] += reached;
    for (Index j = 0; j < n; ++j) {
      if (!done[j] || j == last) continue;
      column_price[j] -= reached - distance[j];
      row_price[row_of[j]] += reached - distance[j];
    }
    for (Index j = last; j != none;) {
      const Index before = came_from[j];
      row_of[j] = before == none ? start : row_of[before];
      j = before;
    }
  }
  return row_of;
}

}  // namespace alembert::structure
