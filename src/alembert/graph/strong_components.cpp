// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/strong_components.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"

namespace alembert::graph {
namespace {

// `neighbours(i)` is a range of raw entries, `target(i, raw)` the vertex one leads to, or `none`.
template <class Neighbours, class Target>
StrongComponents tarjan(Index n, Neighbours neighbours, Target target) {
  StrongComponents result;
  result.items.reserve(n);
  std::vector<Index> low(n, none);     // lowest discovery number reachable; `none`: not discovered
  std::vector<Index> scanned(n, 0);    // position in the neighbours
  std::vector<bool> closed(n, false);  // already in a component
  std::vector<Index> path, open;
  std::vector<Index> number(n);
  Index discovered = 0;

  const auto enter = [&](Index v) {
    number[v] = low[v] = discovered++;
    path.push_back(v);
    open.push_back(v);
  };
  const auto close = [&](Index root) {
    const std::size_t first = result.items.size();
    Index member;
    do {
      member = open.back();
      open.pop_back();
      closed[member] = true;
      result.items.push_back(member);
    } while (member != root);
    std::sort(result.items.begin() + static_cast<std::ptrdiff_t>(first), result.items.end());
    result.end_list();
  };

  for (Index start = 0; start < n; ++start) {
    if (low[start] != none) continue;
    enter(start);
    while (!path.empty()) {
      const Index v = path.back();
      const auto row = neighbours(v);
      Index child = none;
      while (scanned[v] < row.size() && child == none) {
        const Index w = target(v, row[scanned[v]++]);
        if (w == none || closed[w]) continue;
        if (low[w] == none)
          child = w;
        else
          low[v] = std::min(low[v], number[w]);
      }
      if (child != none) {
        enter(child);
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[v]);
      if (low[v] == number[v]) close(v);
    }
  }
  return result;
}

}  // namespace

StrongComponents strong_components(const IndexLists& successors) {
  const Index n = successors.size();
  for (Index w : successors.items) ensure(w < n, "a successor is outside the graph");
  return tarjan(
      n, [&](Index v) { return successors[v]; }, [](Index, Index w) { return w; });
}

StrongComponents strong_components(const BipartiteGraph& graph, const Matching& matching) {
  ensure(matching.eq_to_var.size() == graph.n_equations() &&
             matching.var_to_eq.size() == graph.n_unknowns(),
         "the matching belongs to another graph");
  return tarjan(
      graph.n_equations(), [&](Index e) { return graph.unknowns_of(e); },
      [&](Index e, Index unknown) {
        const Index needed = matching.var_to_eq[unknown];
        return needed == e ? none : needed;
      });
}

}  // namespace alembert::graph
