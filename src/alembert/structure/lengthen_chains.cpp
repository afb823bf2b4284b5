// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/lengthen_chains.hpp"

namespace alembert::structure {

void lengthen_chains(Structure& structure, std::span<const Index> orders) {
  structure.var_to_eq.clear();  // other variables are the highest ones
  std::vector<Index> highest = highest_variables(structure);
  const std::size_t n_before = structure.variables.size();
  for (std::size_t v = 0; v < n_before; ++v) {
    if (structure.variables[v].order > 0) continue;
    const Index j = structure.variables[v].unknown;  // in canonical order
    while (structure.variables[highest[j]].order < orders[j]) {
      const auto next = static_cast<Index>(structure.variables.size());
      structure.variables[highest[j]].derivative = next;
      structure.variables.push_back({j, structure.variables[highest[j]].order + 1});
      highest[j] = next;
    }
  }
}

}  // namespace alembert::structure
