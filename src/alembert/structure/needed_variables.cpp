// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/needed_variables.hpp"

#include <algorithm>

#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using symbolic::NodeIndex;

bool asks_for(const Block& block, std::span<const char> needed) {
  return std::ranges::any_of(block.unknowns(), [&](Index v) { return needed[v] != 0; });
}

std::vector<char> needed_variables(const DrivenSystem& system) {
  const auto& variables = system.differentiated.variables;
  NodeIndex places(system.pool);
  for (Index v = 0; v < variables.size(); ++v) places.set(variables[v], v);
  std::vector<char> needed(variables.size(), 0);
  const auto need = [&](ExprId expression) {
    for (const ExprId symbol : symbolic::free_symbols(system.pool, expression))
      if (const Index v = places[symbol]; v != NodeIndex::absent) needed[v] = 1;
  };
  if (system.of_slopes)
    for (const Index slope : system.reduced.derivatives) needed[slope] = 1;
  for (const ExprId expression : system.watched) need(expression);
  if (!system.watched.empty())
    for (const ExprId value : system.eliminated_values) need(value);
  const auto& blocks = system.reduced.blocks;
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    if (block->tears.empty()) {
      for (auto a = block->assignments.rbegin(); a != block->assignments.rend(); ++a)
        if (needed[a->unknown]) need(a->value);
      continue;
    }
    if (!asks_for(*block, needed)) continue;
    for (const Assignment& a : block->assignments) need(a.value);
    for (const Index e : block->residuals) need(system.differentiated.residuals[e]);
    for (const Index v : block->unknowns()) needed[v] = 1;
  }
  return needed;
}

std::vector<ExprId> needed_expressions(const DrivenSystem& system) {
  const std::vector<char> needed = needed_variables(system);
  std::vector<ExprId> found(system.watched.begin(), system.watched.end());
  for (const Block& block : system.reduced.blocks) {
    for (const Assignment& a : block.assignments)
      if (needed[a.unknown]) found.push_back(a.value);
    if (!asks_for(block, needed)) continue;
    for (const Index e : block.residuals) found.push_back(system.differentiated.residuals[e]);
  }
  return found;
}

}  // namespace alembert::structure
