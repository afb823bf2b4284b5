// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/equal_names.hpp"

#include <set>
#include <unordered_map>

#include "alembert/symbolic/evaluate.hpp"

namespace alembert::structure {

namespace {

/// By symbol: what it is a name of, as an unknown of the smaller system that was asked for.
std::unordered_map<ExprId, ExprId> meanings(const flat::FlatSystem& given,
                                            const SimplifiedSystem& simplified,
                                            std::span<const Index> unknowns) {
  std::unordered_map<ExprId, ExprId> meaning;
  for (const Index j : unknowns) {
    const ExprId symbol = simplified.flat.unknowns[j].symbol;
    meaning.emplace(symbol, symbol);
  }
  for (const EliminatedUnknown& eliminated : simplified.eliminated) {
    if (eliminated.constant) continue;
    const ExprId kept = symbolic::free_symbols(*given.pool, eliminated.value).front();
    if (meaning.contains(kept)) meaning.emplace(given.unknowns[eliminated.unknown].symbol, kept);
  }
  return meaning;
}

}  // namespace

std::vector<Index> equalities_between_names(const flat::FlatSystem& given,
                                            const SimplifiedSystem& simplified,
                                            std::span<const Index> equations,
                                            std::span<const Index> unknowns) {
  const auto meaning = meanings(given, simplified, unknowns);  // looked up, never iterated
  std::unordered_map<ExprId, Index> unknown_of;
  for (Index j = 0; j < given.unknowns.size(); ++j) unknown_of.emplace(given.unknowns[j].symbol, j);
  const AliasPaths paths(given.unknowns.size(), simplified.alias_equations);
  std::unordered_map<ExprId, Index> first_name;  // of what it means
  std::set<Index> between;
  for (const Index e : equations) {
    const Index source = simplified.kept_equations[e];
    if (source >= given.equations.size()) continue;  // not of the user's
    const ExprId sides[] = {given.equations[source].left, given.equations[source].right};
    for (const ExprId symbol : symbolic::free_symbols(*given.pool, sides)) {
      const ExprId name = given.pool->symbol_of(symbol).base;
      const auto found = meaning.find(name);
      if (found == meaning.end() || !unknown_of.contains(name)) continue;
      const Index first = first_name.emplace(found->second, unknown_of.at(name)).first->second;
      const std::vector<Index> path = paths.between(first, unknown_of.at(name));
      between.insert(path.begin(), path.end());
    }
  }
  return {between.begin(), between.end()};
}

}  // namespace alembert::structure
