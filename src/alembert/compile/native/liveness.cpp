// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Next uses; see liveness.hpp.
#include "alembert/compile/native/liveness.hpp"

namespace alembert::compile::native {

Liveness find_liveness(const Block& block) {
  Liveness liveness;
  std::vector<std::uint32_t>& next = liveness.first_use;
  next.assign(block.n_values(), never);
  liveness.next_use.resize(block.nodes.size());
  for (std::size_t i = block.nodes.size(); i-- > 0;) {
    const Node& node = block.nodes[i];
    const int n = operand_count(node);
    std::array<std::uint32_t, 3>& after = liveness.next_use[i];
    // Read all before writing any: an operand may occur twice.
    if (n > 0) after[0] = next[node.a];
    if (n > 1) after[1] = next[node.b];
    if (n > 2) after[2] = next[node.c];
    const auto position = static_cast<std::uint32_t>(i);
    if (n > 0) next[node.a] = position;
    if (n > 1) next[node.b] = position;
    if (n > 2) next[node.c] = position;
  }
  return liveness;
}

}  // namespace alembert::compile::native
