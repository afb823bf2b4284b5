// SPDX-License-Identifier: Apache-2.0
// Stage: structure. homotopy(actual, simplified) of Modelica. In: a FlatSystem in which front ends
// wrote it as actual + h*(simplified - actual), h being the discrete symbol "homotopy()". Out: the
// same with h = 0, which is what a run is about, and the equations as they were, for starts that
// find their solution by way of the simplified ones.
#pragma once

#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::structure {

/// 0: actual; 1: simplified.
symbolic::ExprId homotopy_symbol(symbolic::ExprPool& pool);

struct HomotopyEquation {
  graph::Index equation;  // of the system
  flat::FlatEquation with_homotopy;
};

/// Initial equations keep the symbol.
std::vector<HomotopyEquation> take_homotopy(flat::FlatSystem& flat);

}  // namespace alembert::structure
