// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/column_colouring.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace alembert::graph {
namespace {

// Calls visit(other) once for each column that shares a row with `column`. `seen` holds, for each
// column, the stamp of the last call that met it.
template <class Visit>
void for_each_neighbour(const BipartiteGraph& pattern, Index column, Index stamp,
                        std::vector<Index>& seen, Visit visit) {
  seen[column] = stamp;
  for (Index row : pattern.equations_of(column))
    for (Index other : pattern.unknowns_of(row))
      if (seen[other] != stamp) {
        seen[other] = stamp;
        visit(other);
      }
}

std::vector<Index> neighbour_counts(const BipartiteGraph& pattern) {
  std::vector<Index> count(pattern.n_unknowns(), 0), seen(pattern.n_unknowns(), none);
  for (Index c = 0; c < pattern.n_unknowns(); ++c)
    for_each_neighbour(pattern, c, c, seen, [&](Index) { ++count[c]; });
  return count;
}

std::vector<Index> natural_order(Index n) {
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

std::vector<Index> largest_first_order(const BipartiteGraph& pattern) {
  const std::vector<Index> count = neighbour_counts(pattern);
  std::vector<Index> order = natural_order(pattern.n_unknowns());
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return count[a] > count[b]; });
  return order;
}

// Buckets by remaining neighbours. An entry whose count has changed since it was filed is stale and
// is skipped when met; each decrement files one entry.
std::vector<Index> smallest_last_order(const BipartiteGraph& pattern) {
  const Index n = pattern.n_unknowns();
  std::vector<Index> count = neighbour_counts(pattern), seen(n, none), order(n);
  std::vector<bool> taken(n, false);
  std::vector<std::vector<Index>> buckets(
      n == 0 ? 0 : *std::max_element(count.begin(), count.end()) + 1);
  for (Index c = n; c-- > 0;) buckets[count[c]].push_back(c);

  Index least = 0;
  for (Index place = n; place-- > 0;) {
    Index column = none;
    while (column == none) {
      while (buckets[least].empty()) ++least;
      const Index candidate = buckets[least].back();
      buckets[least].pop_back();
      if (!taken[candidate] && count[candidate] == least) column = candidate;
    }
    taken[column] = true;
    order[place] = column;
    for_each_neighbour(pattern, column, column, seen, [&](Index other) {
      if (!taken[other]) buckets[--count[other]].push_back(other);
    });
    least = least == 0 ? 0 : least - 1;
  }
  return order;
}

Colouring first_fit(const BipartiteGraph& pattern, const std::vector<Index>& order) {
  Colouring result{std::vector<Index>(pattern.n_unknowns(), none), 0};
  std::vector<Index> forbidden;  // [n_colours] the last column that must not have the colour
  for (Index column : order) {
    for (Index row : pattern.equations_of(column))
      for (Index other : pattern.unknowns_of(row))
        if (result.colour[other] != none) forbidden[result.colour[other]] = column;
    Index colour = 0;
    while (colour < result.n_colours && forbidden[colour] == column) ++colour;
    result.colour[column] = colour;
    if (colour == result.n_colours) {
      ++result.n_colours;
      forbidden.push_back(none);
    }
  }
  return result;
}

std::vector<Index> column_order(const BipartiteGraph& pattern, ColouringOrder order) {
  switch (order) {
    case ColouringOrder::largest_first: return largest_first_order(pattern);
    case ColouringOrder::smallest_last: return smallest_last_order(pattern);
    case ColouringOrder::best:
    case ColouringOrder::natural: break;
  }
  return natural_order(pattern.n_unknowns());
}

}  // namespace

Colouring column_colouring(const BipartiteGraph& pattern, const ColouringOptions& options) {
  Colouring best = first_fit(pattern, column_order(pattern, options.order));
  if (options.order != ColouringOrder::best) return best;

  std::size_t longest_row = 0;  // its columns all differ: no colouring has fewer colours
  for (Index row = 0; row < pattern.n_equations(); ++row)
    longest_row = std::max(longest_row, pattern.unknowns_of(row).size());
  for (ColouringOrder order : {ColouringOrder::largest_first, ColouringOrder::smallest_last}) {
    if (best.n_colours <= std::max<std::size_t>(longest_row, 1)) break;
    Colouring next = first_fit(pattern, column_order(pattern, order));
    if (next.n_colours < best.n_colours) best = std::move(next);
  }
  return best;
}

}  // namespace alembert::graph
