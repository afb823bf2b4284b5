// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. The structure of a model while some of its modes have the values they have.
// A perfect diode gives an equation for its voltage or for its current; with an inductance beside
// it, or a capacitance, other equations have to be differentiated and there are fewer states. The
// plan of the model is made of all branches at once and cannot know that. In: the simplified system
// with the values of its switches. Out: a plan of its own, in the layout of the model. A variant
// may also hold unknowns that nothing determines while its modes last (structure/undetermined.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/model/compiled_chart.hpp"
#include "alembert/compile/model/initial_system.hpp"
#include "alembert/compile/tape_derivative.hpp"
#include "alembert/structure/redundant_constraints.hpp"
#include "alembert/structure/simplify.hpp"
#include "alembert/structure/undetermined.hpp"

namespace alembert::compile {

/// How states go over into the structure where they do not obey its constraints: the limit of one
/// implicit Euler step, in which momentum, flux and charge are kept and impulses pass.
struct JumpSystem {
  /// Variables: the highest derivative but one of each chain. Those that the model has no place
  /// for, such as the velocity of a floor that is given by time, are numbered on from n_variables.
  std::vector<std::uint32_t> unknowns;
  std::vector<std::uint32_t> slopes;  // [unknowns]: their derivatives, n_variables where none
  std::uint32_t n_added = 0;          // unknowns without a place
  Kernel residuals;                   // over [time, variables, added]; as many as unknowns
  ColumnSparsity sparsity;            // columns: [unknowns, slopes that there are]
  Kernel jacobian;                    // its entries; empty where there is none
};

struct ModeVariant {
  structure::SimplifiedSystem simplified;
  structure::StructuralPlan plan;
  std::shared_ptr<const structure::DifferentiatedSystem> differentiated;
  /// [n variables of its structure]: variable of the model, n_variables() where that has none.
  std::vector<std::uint32_t> place;
  Kernel selection;  // as CompiledModel's; empty where a chart is chosen by structure alone
  JumpSystem jump;
  std::vector<structure::HeldUnknown> held;
  Kernel left_out;  // residuals of the equations that the held unknowns took the place of
  std::map<structure::Chart, std::unique_ptr<const CompiledChart>> charts;
  std::map<structure::Chart, std::unique_ptr<const InitialSystem>> starts;

  bool has_choice() const { return selection && !plan.selection_rows.empty(); }
  /// Numbers of its selection problem (structure/chart.hpp) at a point.
  std::vector<double> selection_entries(double time, const double* variables,
                                        const double* constants) const;
  /// Of what is left out, the first that does not hold at a point; null if all do.
  const structure::HeldUnknown* broken(double time, const double* variables,
                                       const double* constants) const;
};

}  // namespace alembert::compile
