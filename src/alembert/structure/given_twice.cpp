// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/given_twice.hpp"

#include <unordered_map>

#include "alembert/flat/wording.hpp"

namespace alembert::structure {

std::string given_twice(const flat::FlatSystem& flat, std::span<const graph::Index> equations) {
  constexpr std::size_t seen_at_a_glance = 3;
  if (equations.size() <= seen_at_a_glance) return "";
  std::unordered_map<symbolic::ExprId, graph::Index> giver;  // looked up, never iterated
  for (const graph::Index e : equations) {
    const symbolic::ExprId left = flat.equations[e].left;
    if (!flat.pool->is_symbol(left) ||
        flat.pool->symbol_of(left).kind != symbolic::SymbolKind::unknown)
      continue;
    const auto [first, is_new] = giver.emplace(left, e);
    if (is_new) continue;
    const std::string there = to_string(flat.equations[first->second].origin);
    const std::string here = to_string(flat.equations[e].origin);
    return " " + flat::in_quotes(flat.pool->symbol_text(left)) + " is given twice" +
           (there.empty() || here.empty() ? "." : ": at " + there + " and at " + here + ".");
  }
  return "";
}

}  // namespace alembert::structure
