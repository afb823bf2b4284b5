// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/bipartite_graph.hpp"

#include <algorithm>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::graph {
namespace {

// Counting sort of the entries by their target. Sources are met in ascending order, so the lists of
// the result are sorted; an entry that repeats is next to its twin and is dropped.
IndexLists transpose(const IndexLists& lists, Index n_targets) {
  std::vector<Index> fill(std::size_t{n_targets} + 1, 0);
  for (Index target : lists.items) {
    ensure(target < n_targets, "an entry of the incidence is outside the graph");
    ++fill[target + 1];
  }
  for (std::size_t i = 1; i < fill.size(); ++i) fill[i] += fill[i - 1];
  const std::vector<Index> first = fill;

  IndexLists result;
  result.items.resize(lists.items.size());
  for (Index source = 0; source < lists.size(); ++source)
    for (Index target : lists[source]) {
      Index& end = fill[target];
      if (end > first[target] && result.items[end - 1] == source) continue;
      result.items[end++] = source;
    }

  result.begin.reserve(first.size());
  Index kept = 0;
  for (Index target = 0; target < n_targets; ++target) {
    for (Index i = first[target]; i < fill[target]; ++i) result.items[kept++] = result.items[i];
    result.begin.push_back(kept);
  }
  result.items.resize(kept);
  return result;
}

// The same for lists that repeat nothing. What is written goes all over the memory, so it is called
// for ahead.
IndexLists transpose_unique(const IndexLists& lists, Index n_targets) {
  constexpr std::size_t stride = 16;
  IndexLists result;
  std::vector<Index>& begin = result.begin;
  // While lists are filled, list i ends at begin[i + 1]: at first where it begins.
  begin.assign(std::size_t{n_targets} + 2, 0);
  for (const Index target : lists.items) {
    ensure(target < n_targets, "an entry of the incidence is outside the graph");
    ++begin[target + 2];
  }
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  const std::span<const Index> targets = lists.items;
  result.items.resize(targets.size());
  for (Index source = 0; source < lists.size(); ++source)
    for (std::size_t k = lists.begin[source]; k < lists.begin[source + 1]; ++k) {
      if (k + 2 * stride < targets.size())
        __builtin_prefetch(&begin[targets[k + 2 * stride] + 1], 1);
      if (k + stride < targets.size())
        __builtin_prefetch(result.items.data() + begin[targets[k + stride] + 1], 1);
      result.items[begin[targets[k] + 1]++] = source;
    }
  begin.pop_back();
  return result;
}

IndexLists rows_from_edges(Index n_equations, std::span<const Edge> edges) {
  ensure(edges.size() < none, "too many edges for 32-bit offsets");
  IndexLists rows;
  rows.begin.assign(std::size_t{n_equations} + 1, 0);
  for (const Edge& edge : edges) {
    ensure(edge.equation < n_equations, "an edge names an equation outside the graph");
    ++rows.begin[edge.equation + 1];
  }
  for (std::size_t i = 1; i < rows.begin.size(); ++i) rows.begin[i] += rows.begin[i - 1];
  std::vector<Index> fill(rows.begin.begin(), rows.begin.end() - 1);
  rows.items.resize(edges.size());
  for (const Edge& edge : edges) rows.items[fill[edge.equation]++] = edge.unknown;
  return rows;
}

bool is_sorted_and_unique(const IndexLists& lists) {
  for (Index i = 0; i < lists.size(); ++i) {
    const auto list = lists[i];
    for (std::size_t k = 1; k < list.size(); ++k)
      if (list[k - 1] >= list[k]) return false;
  }
  return true;
}

}  // namespace

BipartiteGraph::BipartiteGraph(Index n_equations, Index n_unknowns, std::span<const Edge> edges)
    : BipartiteGraph(n_unknowns, rows_from_edges(n_equations, edges)) {}

BipartiteGraph::BipartiteGraph(Index n_unknowns, IndexLists unknowns_of_equations) {
  ensure(unknowns_of_equations.items.size() < none, "too many edges for 32-bit offsets");
  ensure(unknowns_of_equations.begin.back() == unknowns_of_equations.items.size(),
         "the last list of the incidence is not ended");
  // Two transpositions sort both directions and drop duplicates in linear time. They write all over
  // the memory, so the second is done only where there is something to sort.
  if (is_sorted_and_unique(unknowns_of_equations)) {
    columns_ = transpose_unique(unknowns_of_equations, n_unknowns);
    rows_ = std::move(unknowns_of_equations);
  } else {
    columns_ = transpose(unknowns_of_equations, n_unknowns);
    rows_ = transpose_unique(columns_, unknowns_of_equations.size());
  }
}

bool BipartiteGraph::has_edge(Index equation, Index unknown) const {
  const auto row = unknowns_of(equation);
  return std::binary_search(row.begin(), row.end(), unknown);
}

}  // namespace alembert::graph
