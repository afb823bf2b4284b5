// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What was decided about a model, and why, for people and scripts. In: a
// FlatSystem. Out: Explanation as plain data; text for people; JSON for scripts. Everything is in
// canonical order, so that the same model gives the same bytes, however it was written down.
#pragma once

#include <string>
#include <vector>

#include "alembert/structure/passes.hpp"
#include "alembert/structure/raw_counts.hpp"

namespace alembert::structure {

/// An equation's side is cut where it is longer, in characters.
inline constexpr std::size_t longest_explained_side = 400;

/// Offsets, index and degrees of freedom describe the system as written, before anything but
/// redundant equations is eliminated (Pryce: c of an equation, d of an unknown).
struct Explanation {
  struct Offset {
    std::string name;
    Index value;
  };
  struct Differentiated {
    std::string equation;
    Index times;
    Origin origin;
  };
  struct ExplainedBlock {
    Block::Kind kind;
    std::vector<std::string> unknowns;   // torn ones first
    std::vector<std::string> equations;  // as many
    Index n_torn = 0;
  };
  /// What one clock drives.
  struct ExplainedClock {
    std::string ticks;  // "every 0.1 s", "at every 2nd tick of the clock at ..."
    std::vector<std::string> variables;
    /// Of equations with derivatives: what takes a step each tick, by which method, and what had to
    /// be differentiated for it.
    std::vector<std::string> states;
    std::string method;
    std::vector<Differentiated> differentiated;
    std::vector<ExplainedBlock> blocks;  // in solve order
    Origin origin;
  };
  /// Equations whose terms cancel, so that their structure alone would mislead.
  struct Repaired {
    StructureRepair::Method method;
    std::vector<std::string> equations;
    std::string replaced;             // by a combination of them
    std::vector<std::string> added;   // combinations that became unknowns of their own
    std::vector<std::string> values;  // of parameters, "M = 2", without which nothing would cancel
  };
  /// Rows and columns of the matching; names as below.
  struct Incidence {
    std::vector<std::string> equations;
    std::vector<std::string> unknowns;
    graph::IndexLists entries;  // unknowns of each equation
  };

  std::string model;
  Index n_equations = 0;
  Index n_unknowns = 0;
  Index n_parameters = 0;
  std::vector<std::string> discrete;  // variables of the model that change at events only
  Index n_conditions = 0;             // that when-clauses watch; counted among the unknowns
  Index n_aliases_removed = 0;
  /// False where terms cancel, or constraints repeat others, such that it has no index as written.
  bool regular_as_written = true;
  Index structural_index = 0;
  Index degrees_of_freedom = 0;
  /// The true ones, where `repairs` were needed or constraints `left_out`; else the same.
  Index repaired_index = 0;
  Index repaired_degrees_of_freedom = 0;
  /// Matching before and after Pantelides, and strong components, of the system as written but for
  /// redundant equations; all zero where terms cancel such that it has none (`repairs`).
  RawCounts counts;
  /// Sizes, descending, of the blocks as written (SigmaAnalysis): by all entries, and by those of
  /// the system Jacobian.
  std::vector<Index> coarse_blocks;
  std::vector<Index> fine_blocks;
  std::vector<Offset> equation_offsets;
  std::vector<Offset> unknown_offsets;
  std::vector<std::string> redundant;  // equations that others imply
  /// Constraints that a run leaves out because others imply them, and what is taken instead.
  std::vector<std::string> left_out;
  std::vector<Repaired> repairs;
  std::vector<Differentiated> differentiated;
  std::vector<std::string> states;
  /// The states may have to change while the model runs: no choice need be good everywhere.
  bool dynamic_selection = false;
  std::vector<std::vector<std::string>> charts;  // that of `states` first; not all there are
  /// Of `states`, where their slopes are separable (separable.hpp) and nothing changes them: the
  /// shape that symplectic methods take. Else empty.
  std::vector<std::string> positions;
  std::vector<std::string> momenta;
  std::vector<ExplainedBlock> blocks;  // in solve order
  std::vector<ExplainedClock> clocks;  // those that drive something
  /// S016: conditions at the start that are too many, though they may agree.
  std::vector<Diagnostic> start_warnings;
  Incidence as_written;  // before differentiation
  Incidence ordered;     // after: rows and columns of the blocks in solve order
  std::vector<PassTime> passes;
};

/// The clocked part of a system; empty if there is none.
std::vector<Explanation::ExplainedClock> explain_clocks(const flat::FlatSystem& flat);

/// Errors of the checks and of the structure, as for a run.
Explanation explain(const flat::FlatSystem& flat);

std::string to_text(const Explanation& explanation);
std::string to_json(const Explanation& explanation);

}  // namespace alembert::structure
