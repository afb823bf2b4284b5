// SPDX-License-Identifier: Apache-2.0
// Stage: structure. The structural phase as a list of passes (all_passes). In: a checked
// FlatSystem. Out: everything decided about it, with the time each pass took. A pass reads what the
// passes before it made and adds one thing; only the search for hidden singularities replaces
// equations and the plan. `explain` runs all of them; a compiled model runs those that come before
// the choice of states and makes charts on demand.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "alembert/structure/hidden_singularity.hpp"
#include "alembert/structure/hybrid_system.hpp"
#include "alembert/structure/reduced_system.hpp"
#include "alembert/structure/redundant_constraints.hpp"
#include "alembert/structure/simplify.hpp"

namespace alembert::structure {

struct PassTime {
  std::string name;
  double milliseconds;
};

/// In the order in which it is made.
struct StructuralPhase {
  const flat::FlatSystem* given = nullptr;
  flat::FlatSystem* extensible = nullptr;  // `given`, where passes may add unknowns to it
  std::span<const Mode> modes = {};        // what comparisons of `given` became, if anything
  SimplifiedSystem simplified;             // without aliases, constants and redundant equations
  Structure structure;                     // as integers; handed on to the plan
  std::vector<DroppedConstraint> dropped;  // constraints that repeat others
  StructuralPlan plan;  // what is differentiated, and between which states to choose
  std::vector<StructureRepair> repairs;  // where the structure did not tell the truth
  DifferentiatedSystem differentiated;   // as symbols
  Chart chart;                           // by structure and priorities alone
  ReducedSystem reduced;                 // blocks in solve order
  std::vector<PassTime> times;
};

/// All passes in order.
StructuralPhase run_passes(const flat::FlatSystem& given);

/// Those that all charts share. `given` gets an unknown and an equation for each derivative that
/// only initial equations ask for.
StructuralPhase run_shared_passes(HybridSystem& given);

}  // namespace alembert::structure
