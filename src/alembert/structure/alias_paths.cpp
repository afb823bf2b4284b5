// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/alias_paths.hpp"

#include <unordered_map>

namespace alembert::structure {

AliasPaths::AliasPaths(std::size_t n_unknowns, std::span<const AliasEquation> equations)
    : steps_(n_unknowns) {
  for (const AliasEquation& alias : equations) {
    steps_[alias.one].push_back({alias.other, alias.equation});
    steps_[alias.other].push_back({alias.one, alias.equation});
  }
}

std::vector<Index> AliasPaths::between(Index from, Index to) const {
  std::unordered_map<Index, Step> came;  // looked up, never iterated
  std::vector<Index> queue{from};
  came.emplace(from, Step{graph::none, graph::none});
  for (std::size_t next = 0; next < queue.size() && !came.contains(to); ++next)
    for (const Step& step : steps_[queue[next]])
      if (came.emplace(step.other, Step{queue[next], step.equation}).second)
        queue.push_back(step.other);
  std::vector<Index> equations;
  for (auto at = came.find(to); at != came.end() && at->second.other != graph::none;
       at = came.find(at->second.other))
    equations.push_back(at->second.equation);
  return equations;
}

}  // namespace alembert::structure
