// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/structure.hpp"

#include <algorithm>
#include <unordered_map>

#include "alembert/base/error.hpp"
#include "alembert/graph/dulmage_mendelsohn.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/symbolic/print.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using symbolic::ExprId;

namespace {

std::string quoted_list(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i)
    text += (i == 0 ? "'" : i + 1 == names.size() ? " and '" : ", '") + names[i] + "'";
  if (names.size() > shown) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

std::string equation_text(const flat::FlatSystem& flat, Index equation) {
  return to_text(*flat.pool, flat.equations[equation].left) + " = " +
         to_text(*flat.pool, flat.equations[equation].right);
}

}  // namespace

Structure extract_structure(const flat::FlatSystem& flat) {
  const symbolic::ExprPool& pool = *flat.pool;
  Structure structure;
  structure.n_unknowns = static_cast<Index>(flat.unknowns.size());
  structure.n_sources = static_cast<Index>(flat.equations.size());

  std::unordered_map<ExprId, Index> unknown_of;  // looked up, never iterated
  for (Index i = 0; i < flat.unknowns.size(); ++i) unknown_of.emplace(flat.unknowns[i].symbol, i);

  struct Occurrence {
    Index unknown;
    Index order;
  };
  std::vector<std::vector<Occurrence>> occurrences(flat.equations.size());
  std::vector<Index> highest(flat.unknowns.size(), 0);
  for (std::size_t i = 0; i < flat.equations.size(); ++i) {
    const ExprId sides[] = {flat.equations[i].left, flat.equations[i].right};
    const symbolic::Reach reach(pool, sides);
    for (const ExprId node : reach.nodes()) {
      if (!pool.is_symbol(node)) continue;
      const symbolic::Symbol& symbol = pool.symbol_of(node);
      const auto found = unknown_of.find(symbol.base);
      if (found == unknown_of.end()) continue;
      occurrences[i].push_back({found->second, symbol.order});
      highest[found->second] = std::max(highest[found->second], Index{symbol.order});
    }
  }

  std::vector<Index> first(flat.unknowns.size());
  for (Index j = 0; j < flat.unknowns.size(); ++j) {
    first[j] = static_cast<Index>(structure.variables.size());
    for (Index k = 0; k <= highest[j]; ++k)
      structure.variables.push_back({j, k, k < highest[j] ? first[j] + k + 1 : none});
  }
  std::vector<Index> row;
  for (Index i = 0; i < flat.equations.size(); ++i) {
    structure.equations.push_back({.source = i});
    row.clear();
    for (const Occurrence& o : occurrences[i]) row.push_back(first[o.unknown] + o.order);
    std::sort(row.begin(), row.end());
    structure.incidence.items.insert(structure.incidence.items.end(), row.begin(), row.end());
    structure.incidence.end_list();
  }
  return structure;
}

void require_structurally_regular(const flat::FlatSystem& flat, const Structure& structure) {
  graph::IndexLists rows;
  for (Index i = 0; i < structure.n_sources; ++i) {
    for (const Index v : structure.incidence[i]) rows.items.push_back(structure.variables[v].unknown);
    rows.end_list();
  }
  const graph::BipartiteGraph graph(structure.n_unknowns, std::move(rows));
  const graph::Matching matching = graph::maximum_matching(graph);
  if (matching.perfect()) return;
  const graph::DulmageMendelsohn parts = graph::dulmage_mendelsohn(graph, matching);

  std::vector<Note> notes;
  const auto name_part = [&](const graph::SystemPart& part) {
    for (const Index i : part.equations)
      notes.push_back({"equation '" + equation_text(flat, i) + "'", flat.equations[i].origin});
    std::vector<std::string> names;
    for (const Index j : part.unknowns)
      names.push_back(flat.pool->symbol_text(flat.unknowns[j].symbol));
    return quoted_list(names);
  };
  if (!parts.over.empty()) {
    const std::string names = name_part(parts.over);
    throw Error("S001", "too many equations for some unknowns: " +
                            std::to_string(parts.over.equations.size()) + " equations contain " +
                            (names.empty() ? "no unknown at all" : "only " + names) +
                            ". Remove one of the equations listed, or make a parameter in them an "
                            "unknown.",
                flat.equations[parts.over.equations.front()].origin, std::move(notes));
  }
  const std::string names = name_part(parts.under);
  throw Error("S002", "structurally singular: " + std::to_string(parts.under.equations.size()) +
                          " equations for " + std::to_string(parts.under.unknowns.size()) +
                          " unknowns; nothing determines all of " + names +
                          ". Add an equation or make one of them a parameter.",
              flat.unknowns[parts.under.unknowns.front()].origin, std::move(notes));
}

}  // namespace alembert::structure
