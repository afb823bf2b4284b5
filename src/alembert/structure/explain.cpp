// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/explain.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <unordered_map>

#include "alembert/base/number_text.hpp"
#include "alembert/flat/check.hpp"
#include "alembert/flat/parameters.hpp"
#include "alembert/flat/short_text.hpp"
#include "alembert/structure/homotopy.hpp"
#include "alembert/structure/separable.hpp"
#include "alembert/structure/sigma_method.hpp"
#include "alembert/structure/start_check.hpp"

namespace alembert::structure {

namespace {

constexpr std::size_t most_charts = 16;

std::string equation_text(const flat::FlatSystem& flat, Index equation) {
  return flat::short_text(flat, flat.equations[equation], longest_explained_side);
}

std::vector<Index> descending_sizes(const graph::IndexLists& blocks) {
  std::vector<Index> sizes;
  for (Index b = 0; b < blocks.size(); ++b) sizes.push_back(static_cast<Index>(blocks[b].size()));
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}

/// "e", "der(e)", "der(der(e))".
std::string version_text(const std::string& equation, Index order) {
  std::string text;
  for (Index k = 0; k < order; ++k) text += "der(";
  return text + equation + std::string(order, ')');
}

class Explainer {
 public:
  explicit Explainer(const flat::FlatSystem& flat) : flat_(flat) {}

  Explanation run() {
    timed("check", [&] { flat::check(flat_); });
    count();
    phase_ = run_passes(flat_);
    leave_out_redundant();
    timed("incidence as written", [&] { written_ = extract_structure(as_written()); });
    timed("sigma method", [&] { explain_offsets(); });
    result_.passes.insert(result_.passes.end(), phase_.times.begin(), phase_.times.end());
    result_.n_aliases_removed = static_cast<Index>(phase_.simplified.eliminated.size());
    write_texts();
    explain_repairs();
    explain_differentiated();
    explain_states(phase_.chart);
    timed("shape", [&] { explain_shape(); });
    explain_blocks();
    timed("start", [&] { result_.start_warnings = check_start(flat_, phase_); });
    timed("clocks", [&] { result_.clocks = explain_clocks(flat_); });
    explain_incidence();
    return std::move(result_);
  }

 private:
  template <class Pass>
  void timed(const char* name, Pass pass) {
    const auto start = std::chrono::steady_clock::now();
    pass();
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    result_.passes.push_back({name, taken.count()});
  }

  void count() {
    result_.model = flat_.name;
    result_.n_equations =
        static_cast<Index>(flat_.equations.size() + flat_.discrete_equations.size());
    result_.n_unknowns =
        static_cast<Index>(flat_.unknowns.size() + flat_.discrete_variables.size());
    for (const flat::DiscreteVariable& variable : flat_.discrete_variables) {
      if (variable.origin.derived_from.empty())
        result_.discrete.push_back(flat_.pool->symbol_text(variable.symbol));
      else
        ++result_.n_conditions;
    }
    result_.n_parameters = static_cast<Index>(flat_.parameters.size());
  }

  /// Equations as they were written. A substitution brings unknowns of its own, which are shown as
  /// what they stand for, and their definitions.
  void write_texts() {
    const flat::FlatSystem& simplified = phase_.simplified.flat;
    for (Index e = 0; e < phase_.simplified.kept_equations.size(); ++e) {
      const Index given = phase_.simplified.kept_equations[e];
      if (given < flat_.equations.size()) {
        texts_.push_back(equation_text(flat_, given));
        continue;
      }
      const flat::FlatEquation& definition = simplified.equations[e];
      const std::string meaning = flat::short_text(flat_, definition.right, longest_explained_side);
      stands_for_.emplace(definition.left, meaning);
      texts_.push_back("what (" + meaning + ") is made of");
    }
  }

  std::string symbol_name(ExprId symbol) const {
    const symbolic::Symbol& data = flat_.pool->symbol_of(symbol);
    const auto meaning = stands_for_.find(data.base);
    if (meaning == stands_for_.end()) return flat_.pool->symbol_text(symbol);
    return data.order == 0 ? "(" + meaning->second + ")"
                           : version_text(meaning->second, data.order);
  }

  /// The system as written, without equations that others imply: it has as many as unknowns.
  const flat::FlatSystem& as_written() const {
    return without_redundant_ ? *without_redundant_ : flat_;
  }

  void leave_out_redundant() {
    if (phase_.simplified.redundant.empty()) return;
    without_redundant_ = flat_;
    auto& equations = without_redundant_->equations;
    for (auto r = phase_.simplified.redundant.rbegin(); r != phase_.simplified.redundant.rend();
         ++r)
      equations.erase(equations.begin() + static_cast<std::ptrdiff_t>(r->equation));
  }

  void explain_offsets() {
    const SigmaAnalysis sigma = analyse(signature_matrix(written_));
    result_.regular_as_written = sigma.structurally_regular;
    if (!sigma.structurally_regular) return;  // `repairs` and `left_out` say more
    result_.counts = raw_counts(as_written(), written_);
    result_.structural_index = sigma.structural_index;
    result_.degrees_of_freedom = static_cast<Index>(sigma.value);
    result_.coarse_blocks = descending_sizes(sigma.coarse_blocks);
    result_.fine_blocks = descending_sizes(sigma.fine_blocks);
    for (Index e = 0; e < written_.n_sources; ++e) {
      const Index source = written_.equations[e].source;
      result_.equation_offsets.push_back(
          {equation_text(as_written(), source), sigma.equation_offsets[source]});
    }
    for (const Variable& variable : written_.variables)
      if (variable.order == 0)
        result_.unknown_offsets.push_back(
            {flat_.pool->symbol_text(flat_.unknowns[variable.unknown].symbol),
             sigma.unknown_offsets[variable.unknown]});
  }

  std::vector<std::string> value_texts(std::span<const ExprId> parameters) const {
    std::vector<std::string> texts;
    if (parameters.empty()) return texts;
    const std::vector<double> values = flat::examine_parameters(flat_).values;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::ranges::find(parameters, flat_.parameters[i].symbol) != parameters.end())
        texts.push_back(flat_.pool->symbol_text(flat_.parameters[i].symbol) + " = " +
                        number_text(values[i]));
    std::sort(texts.begin(), texts.end());
    return texts;
  }

  void explain_repairs() {
    for (const RedundantEquation& redundant : phase_.simplified.redundant)
      result_.redundant.push_back(equation_text(flat_, redundant.equation));
    for (const DroppedConstraint& dropped : phase_.dropped)
      result_.left_out.push_back(describe(phase_.simplified.flat, dropped));
    for (const StructureRepair& repair : phase_.repairs) {
      Explanation::Repaired repaired{repair.method, {}, {}, {}, {}};
      for (const Index e : repair.equations) repaired.equations.push_back(texts_[e]);
      // In the order of their texts, which is not that in which they were written.
      std::sort(repaired.equations.begin(), repaired.equations.end());
      if (repair.replaced != none) repaired.replaced = texts_[repair.replaced];
      const flat::FlatSystem& flat = phase_.simplified.flat;
      for (const Index j : repair.added_unknowns)
        repaired.added.push_back(symbol_name(flat.unknowns[j].symbol));
      repaired.values = value_texts(repair.by_values);
      result_.repairs.push_back(std::move(repaired));
    }
    const bool repaired =
        !phase_.repairs.empty() || !phase_.dropped.empty() || !result_.regular_as_written;
    result_.repaired_index = repaired ? phase_.plan.structural_index : result_.structural_index;
    result_.repaired_degrees_of_freedom =
        repaired ? phase_.plan.degrees_of_freedom : result_.degrees_of_freedom;
  }

  void explain_differentiated() {
    for (Index e = 0; e < phase_.plan.structure.n_sources; ++e) {
      const Index source = phase_.plan.structure.equations[e].source;
      if (phase_.plan.differentiations[source] > 0)
        result_.differentiated.push_back({texts_[source], phase_.plan.differentiations[source],
                                          phase_.simplified.flat.equations[source].origin});
    }
  }

  std::string name(Index variable) const {
    return symbol_name(phase_.differentiated.variables[variable]);
  }

  std::vector<std::string> states_of(const Chart& chart) const {
    std::vector<std::string> names;
    const Structure& s = phase_.plan.structure;
    for (Index v = 0; v < s.variables.size(); ++v) {
      const Variable& variable = s.variables[v];
      if (variable.order + chart.n_dummies[variable.unknown] <
          phase_.plan.highest_order[variable.unknown])
        names.push_back(name(v));
    }
    return names;
  }

  /// Constraints with coefficients that do not vary are as well-conditioned everywhere as at one
  /// point.
  bool coefficients_vary() const {
    const auto& entries = phase_.differentiated.selection_jacobian;
    for (const ExprId symbol : symbolic::free_symbols(*flat_.pool, entries)) {
      const auto kind = flat_.pool->symbol_of(symbol).kind;
      if (kind == symbolic::SymbolKind::unknown || kind == symbolic::SymbolKind::time) return true;
    }
    return false;
  }

  void explain_states(const Chart& chart) {
    result_.states = states_of(chart);
    result_.charts = {result_.states};
    list_other_charts(chart);
    result_.dynamic_selection = result_.charts.size() > 1 && coefficients_vary();
  }

  /// Each unknown of the selection problem in turn is made the best of dummies.
  void list_other_charts(const Chart& chart) {
    std::set<Chart> met = {chart};
    for (const SelectionPart& part : phase_.plan.selection_parts)
      for (const Index favourite : part.unknowns) {
        if (result_.charts.size() == most_charts) return;
        const Chart other = chart_without(favourite);
        if (met.insert(other).second) result_.charts.push_back(states_of(other));
      }
  }

  void explain_shape() {
    if (result_.dynamic_selection) return;
    const std::vector<Part> parts = separable_parts(
        *flat_.pool, phase_.plan.structure, phase_.differentiated.variables, phase_.reduced);
    for (std::size_t i = 0; i < parts.size(); ++i)
      (parts[i] == Part::position ? result_.positions : result_.momenta)
          .push_back(name(phase_.reduced.states[i]));
  }

  /// The chart at a made-up point where `favourite` has by far the largest coefficients.
  Chart chart_without(Index favourite) const {
    std::vector<double> entries;
    for (Index r = 0; r < phase_.plan.selection_rows.size(); ++r)
      for (const Index unknown : phase_.plan.selection_incidence[r]) {
        // Numbers without a pattern, the same in every run.
        const double generic = 0.5 + ((entries.size() * 2654435761u) % 1024) / 1024.0;
        entries.push_back(unknown == favourite ? 64.0 * generic : generic);
      }
    return best_chart(phase_.simplified.flat, phase_.plan, SelectionEntries{entries}).chart;
  }

  void explain_blocks() {
    for (const Block& block : phase_.reduced.blocks) {
      Explanation::ExplainedBlock explained{
          block.kind, {}, {}, static_cast<Index>(block.tears.size())};
      for (const Index v : block.unknowns()) explained.unknowns.push_back(name(v));
      for (const Index e : block.equations()) explained.equations.push_back(version(e));
      result_.blocks.push_back(std::move(explained));
    }
  }

  std::string version(Index equation) const {
    const Equation& e = phase_.plan.structure.equations[equation];
    return version_text(texts_[e.source], e.order);
  }

  void explain_incidence() {
    Explanation::Incidence& before = result_.as_written;
    for (Index e = 0; e < written_.n_sources; ++e)
      before.equations.push_back(equation_text(as_written(), written_.equations[e].source));
    before.entries = written_.incidence;
    for (Index v = 0; v < written_.variables.size(); ++v) {
      ExprId symbol = flat_.unknowns[written_.variables[v].unknown].symbol;
      for (Index k = 0; k < written_.variables[v].order; ++k)
        symbol = flat_.pool->derivative_symbol(symbol);
      before.unknowns.push_back(flat_.pool->symbol_text(symbol));
    }

    Explanation::Incidence& after = result_.ordered;
    std::vector<Index> column(phase_.plan.structure.variables.size(), none);
    for (const Block& block : phase_.reduced.blocks)
      for (const Index v : block.unknowns()) {
        column[v] = static_cast<Index>(after.unknowns.size());
        after.unknowns.push_back(name(v));
      }
    for (const Block& block : phase_.reduced.blocks)
      for (const Index e : block.equations()) {
        after.equations.push_back(version(e));
        for (const Index v : phase_.plan.structure.incidence[e])
          if (column[v] != none) after.entries.items.push_back(column[v]);
        after.entries.end_list();
      }
  }

  const flat::FlatSystem& flat_;
  std::optional<flat::FlatSystem> without_redundant_;  // none where there are no redundant ones
  Structure written_;
  StructuralPhase phase_;
  std::unordered_map<ExprId, std::string> stands_for_;  // looked up, never iterated
  std::vector<std::string> texts_;  // [n equations of the simplified system]: as written
  Explanation result_;
};

}  // namespace

Explanation explain(const flat::FlatSystem& flat) {
  flat::FlatSystem actual = flat;
  take_homotopy(actual);
  return Explainer(actual).run();
}

}  // namespace alembert::structure
