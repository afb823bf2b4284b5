// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/strong_components.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"

namespace alembert::graph {
namespace {

/// All that is asked of a vertex in one place: a large graph is in no cache, and each look at
/// another place waits for the memory.
struct Vertex {
  Index low = none;     // lowest discovery number reachable; `none`: not discovered
  Index number = none;  // of discovery; `none` again once it is in a component
  Index next = 0;       // the first successor not looked at yet, and the end of them
  Index end = 0;
};

StrongComponents tarjan(const IndexLists& successors) {
  const Index n = successors.size();
  StrongComponents result;
  result.items.reserve(n);
  result.begin.reserve(n + 1);
  std::vector<Vertex> vertices(n);
  for (Index v = 0; v < n; ++v) {
    vertices[v].next = successors.begin[v];
    vertices[v].end = successors.begin[v + 1];
  }
  std::vector<Index> path, open;
  Index discovered = 0;

  const auto enter = [&](Index v) {
    Vertex& vertex = vertices[v];
    vertex.number = vertex.low = discovered++;
    path.push_back(v);
    open.push_back(v);
    for (const Index w : successors[v]) __builtin_prefetch(&vertices[w]);
  };
  const auto close = [&](Index root) {
    const std::size_t first = result.items.size();
    Index member;
    do {
      member = open.back();
      open.pop_back();
      vertices[member].number = none;
      result.items.push_back(member);
    } while (member != root);
    std::sort(result.items.begin() + static_cast<std::ptrdiff_t>(first), result.items.end());
    result.end_list();
  };

  for (Index start = 0; start < n; ++start) {
    if (vertices[start].low != none) continue;
    enter(start);
    while (!path.empty()) {
      Vertex& vertex = vertices[path.back()];
      Index child = none;
      while (vertex.next < vertex.end && child == none) {
        const Index w = successors.items[vertex.next++];
        if (vertices[w].low == none)
          child = w;
        else
          vertex.low = std::min(vertex.low, vertices[w].number);  // of a closed one: no change
      }
      if (child != none) {
        enter(child);
        continue;
      }
      const Index v = path.back();
      path.pop_back();
      if (!path.empty())
        vertices[path.back()].low = std::min(vertices[path.back()].low, vertex.low);
      if (vertex.low == vertex.number) close(v);
    }
  }
  return result;
}

}  // namespace

StrongComponents strong_components(const IndexLists& successors) {
  const Index n = successors.size();
  for (Index w : successors.items) ensure(w < n, "a successor is outside the graph");
  return tarjan(successors);
}

StrongComponents strong_components(const BipartiteGraph& graph, const Matching& matching) {
  ensure(matching.eq_to_var.size() == graph.n_equations() &&
             matching.var_to_eq.size() == graph.n_unknowns(),
         "the matching belongs to another graph");
  IndexLists needed;  // the equations that give the other unknowns of each
  needed.begin.reserve(std::size_t{graph.n_equations()} + 1);
  needed.items.reserve(graph.n_edges());
  for (Index e = 0; e < graph.n_equations(); ++e) {
    for (const Index unknown : graph.unknowns_of(e)) {
      const Index owner = matching.var_to_eq[unknown];
      if (owner != e && owner != none) needed.items.push_back(owner);
    }
    needed.end_list();
  }
  return tarjan(needed);
}

}  // namespace alembert::graph
