// SPDX-License-Identifier: Apache-2.0
// Stage: graph. The coarse decomposition of Dulmage and Mendelsohn (Canad. J. Math. 10, 1958).
// In: a BipartiteGraph and a maximum matching of it. Out: the part with more equations than
// unknowns, the part with as many, and the part with fewer; the parts do not depend on which
// maximum matching was found, so a message about them is the same whatever the order of the model.
#pragma once

#include <cstdint>
#include <vector>

#include "alembert/graph/bipartite_graph.hpp"
#include "alembert/graph/matching.hpp"

namespace alembert::graph {

struct SystemPart {
  std::vector<Index> equations;  // ascending
  std::vector<Index> unknowns;   // ascending

  bool empty() const { return equations.empty() && unknowns.empty(); }
};

struct DulmageMendelsohn {
  SystemPart over;   ///< more equations than unknowns: some of them are redundant or contradict
  SystemPart well;   ///< as many, perfectly matched
  SystemPart under;  ///< fewer equations than unknowns: something is left undetermined
};

DulmageMendelsohn dulmage_mendelsohn(const BipartiteGraph& graph, const Matching& maximum);

}  // namespace alembert::graph
