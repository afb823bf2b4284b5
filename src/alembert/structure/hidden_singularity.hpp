// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Systems whose structure lies: the plan says that the highest derivatives can be
// solved for, but terms cancel and they cannot. In: a simplified system and its plan. Out: the same
// with equations replaced by combinations of equations in which the deceptive derivatives are gone,
// and a plan that is true; Error S003 where no combination helps. The test is numerical: the rank
// of the system Jacobian d f_i^(c_i) / d x_j^(d_j), block by block, at points without a pattern.
// The repair is the linear combination method of Tan, Nedialkov and Pryce (Symbolic-numeric methods
// for improving structural analysis of DAE systems, 2016). Blocks of more than `largest_tested`
// unknowns are trusted, and so are those with choices, which may be regular elsewhere.
#pragma once

#include <vector>

#include "alembert/structure/plan.hpp"

namespace alembert::structure {

/// Equation `equation` gave way to a combination of (derivatives of) the equations `combined`, it
/// among them; all numbered as in the simplified system.
struct CombinedEquation {
  Index equation;
  std::vector<Index> combined;
};

inline constexpr std::size_t largest_tested = 60;

std::vector<CombinedEquation> resolve_hidden_singularities(SimplifiedSystem& simplified,
                                                           StructuralPlan& plan);

}  // namespace alembert::structure
