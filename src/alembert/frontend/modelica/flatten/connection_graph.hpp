// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Overconstrained connections: where connectors carry redundant
// variables (the rotation matrix of a frame), a loop of connections would give too many equations.
// In: the graph of such records, as integers: branches, which are kept, connections, which may be
// broken, and roots. Out: a spanning forest with one root a tree: which connections are broken,
// which nodes are roots, how far each is from its root. Language specification: Modelica 3.6,
// section 9.4. Near-linear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace alembert::modelica {

struct ConnectionGraph {
  struct PotentialRoot {
    std::uint32_t node = 0;
    std::int64_t priority = 0;  ///< the lowest is chosen first
  };
  std::uint32_t n_nodes = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> branches = {};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> connections = {};
  std::vector<std::uint32_t> roots = {};
  std::vector<PotentialRoot> potential_roots = {};
};

/// What is wrong with a graph; the members that say where depend on the kind.
struct ConnectionGraphFault {
  enum class Kind {
    branch_loop,  ///< branches[index] closes a loop of branches
    two_roots,    ///< roots[index] and roots[other] are connected by branches only
    no_root,      ///< the tree of node `index` has neither a root nor a potential root
  };
  Kind kind = Kind::branch_loop;
  std::size_t index = 0;
  std::size_t other = 0;
};

struct SpanningForest {
  std::vector<char> broken;             // [n_connections]
  std::vector<char> is_root;            // [n_nodes]
  std::vector<std::uint32_t> distance;  // [n_nodes] edges to the root of the tree
  std::optional<ConnectionGraphFault> fault;
};

SpanningForest span_connection_graph(const ConnectionGraph& graph);

}  // namespace alembert::modelica
