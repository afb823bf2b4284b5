// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/connection_graph.hpp"

#include <algorithm>

#include "alembert/graph/disjoint_sets.hpp"

namespace alembert::modelica {

namespace {

using FaultKind = ConnectionGraphFault::Kind;

constexpr std::uint32_t none = 0xffffffffu;

/// Trees that grow, each with at most one root.
struct Trees {
  graph::DisjointSets sets;
  std::vector<std::uint32_t> root;  // [n_nodes] by representative: index into graph.roots, or none

  bool unite(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t known = std::min(root[sets.find(a)], root[sets.find(b)]);
    if (!sets.unite(a, b)) return false;
    root[sets.find(a)] = known;
    return true;
  }
};

/// The neighbours of each node, in compressed rows.
struct Neighbours {
  std::vector<std::uint32_t> first;  // [n_nodes + 1]
  std::vector<std::uint32_t> nodes;
};

Neighbours neighbours_of(const ConnectionGraph& graph, const std::vector<char>& broken) {
  Neighbours result;
  result.first.assign(graph.n_nodes + 1, 0);
  const auto for_each_edge = [&](auto&& visit) {
    for (const auto& [a, b] : graph.branches) visit(a, b);
    for (std::size_t i = 0; i < graph.connections.size(); ++i)
      if (!broken[i]) visit(graph.connections[i].first, graph.connections[i].second);
  };
  for_each_edge([&](std::uint32_t a, std::uint32_t b) {
    ++result.first[a + 1];
    ++result.first[b + 1];
  });
  for (std::uint32_t i = 0; i < graph.n_nodes; ++i) result.first[i + 1] += result.first[i];
  result.nodes.resize(result.first.back());
  std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
  for_each_edge([&](std::uint32_t a, std::uint32_t b) {
    result.nodes[next[a]++] = b;
    result.nodes[next[b]++] = a;
  });
  return result;
}

void measure_distances(const ConnectionGraph& graph, SpanningForest& forest) {
  const Neighbours neighbours = neighbours_of(graph, forest.broken);
  forest.distance.assign(graph.n_nodes, none);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t node = 0; node < graph.n_nodes; ++node) {
    if (!forest.is_root[node]) continue;
    forest.distance[node] = 0;
    queue.push_back(node);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::uint32_t node = queue[i];
    for (std::uint32_t k = neighbours.first[node]; k < neighbours.first[node + 1]; ++k) {
      const std::uint32_t next = neighbours.nodes[k];
      if (forest.distance[next] != none) continue;
      forest.distance[next] = forest.distance[node] + 1;
      queue.push_back(next);
    }
  }
}

}  // namespace

SpanningForest span_connection_graph(const ConnectionGraph& graph) {
  SpanningForest forest;
  forest.broken.assign(graph.connections.size(), 0);
  forest.is_root.assign(graph.n_nodes, 0);
  const auto report = [&](FaultKind kind, std::size_t index, std::size_t other = 0) {
    if (!forest.fault) forest.fault = {.kind = kind, .index = index, .other = other};
  };

  Trees trees{.sets = graph::DisjointSets(graph.n_nodes),
              .root = std::vector<std::uint32_t>(graph.n_nodes, none)};
  for (std::size_t i = 0; i < graph.branches.size(); ++i)
    if (!trees.unite(graph.branches[i].first, graph.branches[i].second))
      report(FaultKind::branch_loop, i);
  for (std::size_t i = 0; i < graph.roots.size(); ++i) {
    std::uint32_t& root = trees.root[trees.sets.find(graph.roots[i])];
    if (root != none && graph.roots[root] != graph.roots[i]) report(FaultKind::two_roots, i, root);
    if (root == none) root = static_cast<std::uint32_t>(i);
    forest.is_root[graph.roots[i]] = 1;
  }
  for (std::size_t i = 0; i < graph.connections.size(); ++i) {
    const auto [a, b] = graph.connections[i];
    const bool both_rooted =
        trees.root[trees.sets.find(a)] != none && trees.root[trees.sets.find(b)] != none;
    forest.broken[i] = both_rooted || !trees.unite(a, b);
  }

  std::vector<std::size_t> candidates(graph.potential_roots.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i] = i;
  std::stable_sort(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) {
    return graph.potential_roots[a].priority < graph.potential_roots[b].priority;
  });
  std::vector<char> has_root(graph.n_nodes, 0);  // by representative
  for (const std::uint32_t root : graph.roots) has_root[trees.sets.find(root)] = 1;
  for (const std::size_t i : candidates) {
    const std::uint32_t node = graph.potential_roots[i].node;
    char& rooted = has_root[trees.sets.find(node)];
    if (rooted) continue;
    rooted = 1;
    forest.is_root[node] = 1;
  }
  // A tree without any root is measured from its first node, so that `rooted` still has an answer.
  for (std::uint32_t node = 0; node < graph.n_nodes; ++node) {
    char& rooted = has_root[trees.sets.find(node)];
    if (rooted) continue;
    rooted = 1;
    forest.is_root[node] = 1;
    report(FaultKind::no_root, node);
  }
  measure_distances(graph, forest);
  return forest;
}

}  // namespace alembert::modelica
