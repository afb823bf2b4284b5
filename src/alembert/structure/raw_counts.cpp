// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/raw_counts.hpp"

#include "alembert/flat/wording.hpp"
#include "alembert/graph/strong_components.hpp"
#include "alembert/structure/pantelides.hpp"

namespace alembert::structure {

namespace {

/// The last version of each equation by the highest derivative of each unknown.
struct HighestSystem {
  explicit HighestSystem(const Structure& s) : equations(highest_equations(s)) {
    graph::IndexLists rows;
    for (const Index e : equations) {
      for (const Index v : s.incidence[e])
        if (s.is_highest(v)) rows.items.push_back(s.variables[v].unknown);
      rows.end_list();
    }
    graph = graph::BipartiteGraph(s.n_unknowns, std::move(rows));
    matching = graph::maximum_matching(graph);
  }

  std::vector<Index> equations;
  graph::BipartiteGraph graph;
  graph::Matching matching;
};

std::string derivative_text(const std::string& text, Index order) {
  std::string result = text;
  for (Index i = 0; i < order; ++i) result = "der(" + result + ")";
  return result;
}

}  // namespace

RawCounts raw_counts(const flat::FlatSystem& flat) {
  return raw_counts(flat, extract_structure(flat));
}

RawCounts raw_counts(const flat::FlatSystem& flat, Structure s) {
  RawCounts counts{.n_equations = s.n_sources,
                   .n_unknowns = s.n_unknowns,
                   .n_matched_before = HighestSystem(s).matching.size,
                   .blocks = {}};
  pantelides(s);
  const HighestSystem after(s);
  counts.n_added = static_cast<Index>(s.equations.size()) - s.n_sources;
  counts.n_matched_after = after.matching.size;

  std::vector<Index> order(s.n_unknowns, 0);
  for (const Variable& variable : s.variables)
    order[variable.unknown] = std::max(order[variable.unknown], variable.order);
  const graph::StrongComponents blocks = graph::strong_components(after.graph, after.matching);
  counts.n_blocks = blocks.size();
  for (Index b = 0; b < blocks.size(); ++b) {
    if (blocks[b].size() < 2) continue;
    RawCounts::RawBlock block;
    for (const Index row : blocks[b]) {
      const Index unknown = after.matching.eq_to_var[row];
      const Equation& equation = s.equations[after.equations[row]];
      block.unknowns.push_back(
          derivative_text(flat.pool->symbol_text(flat.unknowns[unknown].symbol), order[unknown]));
      block.equations.push_back(derivative_text(
          flat::equation_text(flat, flat.equations[equation.source]), equation.order));
      if (blocks[b].size() > largest_matrix) continue;
      block.incidence.emplace_back();
      for (const Index other : blocks[b])
        block.incidence.back().push_back(
            after.graph.has_edge(row, after.matching.eq_to_var[other]) ? 1 : 0);
    }
    counts.blocks.push_back(std::move(block));
  }
  return counts;
}

std::string to_text(const RawCounts::RawBlock& block) {
  std::string text;
  for (std::size_t i = 0; i < block.incidence.size(); ++i) {
    text += "    ";
    for (const char there : block.incidence[i]) text += there ? "x " : ". ";
    text += " " + block.unknowns[i] + "\n";
  }
  return text;
}

}  // namespace alembert::structure
