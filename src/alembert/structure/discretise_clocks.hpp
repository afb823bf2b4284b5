// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Derivatives in clocked equations (Modelica 3.6, section 16.8): from one tick to
// the next the states go one step of the clock's solver method. In: a FlatSystem whose clocked part
// has derivatives. Out: the same without. The equations of each such clock are first treated as
// those of a continuous model: aliases, index reduction and the choice of states are those of
// `passes`. Equations that were differentiated then hold at a tick beside the others, and dummy
// derivatives are algebraic; each state has one equation: its step, or at the first tick a
// condition of the start, as initial_plan.hpp chooses them. Where nothing is differentiated, the
// equations stay as they were written. States are chosen once, near the start values. Errors as
// those of the passes, S016 (too many conditions) and S017 (what jumps at a tick would have to be
// differentiated).
#pragma once

#include <vector>

#include "alembert/flat/clocked_part.hpp"
#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::structure {

struct DiscretisedClock {
  struct Differentiated {
    flat::ClockedEquation equation;
    graph::Index times;
  };
  std::uint32_t clock;
  std::vector<flat::ExprId> states;  // symbols of clocked variables, as many as steps
  std::vector<Differentiated> differentiated;
};

struct DiscretisedSystem {
  flat::FlatSystem flat;
  std::vector<DiscretisedClock> clocks;  // those with derivatives
};

DiscretisedSystem discretise_clocks(flat::FlatSystem flat);

}  // namespace alembert::structure
