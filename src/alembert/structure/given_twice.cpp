// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/given_twice.hpp"

#include <algorithm>
#include <unordered_map>

#include "alembert/flat/derived_from.hpp"
#include "alembert/flat/wording.hpp"

namespace alembert::structure {

namespace {

bool is_connection(const flat::FlatEquation& equation) {
  const std::string& made_from = equation.origin.derived_from;
  return made_from == flat::from_connection || made_from == flat::from_balance;
}

}  // namespace

bool has_connection(const flat::FlatSystem& flat, std::span<const graph::Index> equations) {
  return std::ranges::any_of(equations,
                             [&](graph::Index e) { return is_connection(flat.equations[e]); });
}

std::optional<GivenTwice> find_given_twice(const flat::FlatSystem& flat,
                                           std::span<const graph::Index> equations) {
  constexpr std::size_t seen_at_a_glance = 3;
  if (equations.size() <= seen_at_a_glance) return std::nullopt;
  const bool is_connected = has_connection(flat, equations);
  std::unordered_map<symbolic::ExprId, graph::Index> giver;  // looked up, never iterated
  for (const graph::Index e : equations) {
    const flat::FlatEquation& equation = flat.equations[e];
    if (is_connection(equation) || (is_connected && !equation.origin.path.empty())) continue;
    const symbolic::ExprId left = equation.left;
    if (!flat.pool->is_symbol(left) ||
        flat.pool->symbol_of(left).kind != symbolic::SymbolKind::unknown)
      continue;
    const auto [first, is_new] = giver.emplace(left, e);
    if (is_new) continue;
    const std::string there = to_string(flat.equations[first->second].origin);
    const std::string here = to_string(flat.equations[e].origin);
    return GivenTwice{
        first->second, e,
        flat::in_quotes(flat.pool->symbol_text(left)) + " is given twice" +
            (there.empty() || here.empty() ? "." : ": at " + there + " and at " + here + ".")};
  }
  return std::nullopt;
}

std::string given_twice(const flat::FlatSystem& flat, std::span<const graph::Index> equations) {
  const std::optional<GivenTwice> found = find_given_twice(flat, equations);
  return found ? " " + found->sentence : "";
}

}  // namespace alembert::structure
