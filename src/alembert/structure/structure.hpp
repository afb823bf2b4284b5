// SPDX-License-Identifier: Apache-2.0
// Stage: structure. The system as integers: which variable occurs in which equation, and what is the derivative
// of what. In: a FlatSystem. Out: Structure, on which matching, Pantelides and state selection decide; nothing in
// it knows an expression. A variable is one member of an unknown's chain: x, der(x), der(der(x)).
#pragma once

#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::structure {

using graph::Index;
using graph::none;

struct Variable {
  Index unknown;           // of the flat system
  Index order;             // how often differentiated
  Index derivative = none;  // variable
};

struct Equation {
  Index source;            // equation of the flat system
  Index order = 0;         // how often differentiated
  Index derivative = none;  // equation
};

struct Structure {
  std::vector<Variable> variables;
  std::vector<Equation> equations;
  graph::IndexLists incidence;   // variables of each equation, ascending
  Index n_unknowns = 0;          // of the flat system
  Index n_sources = 0;           // equations of the flat system

  bool is_highest(Index variable) const { return variables[variable].derivative == none; }
};

Structure extract_structure(const flat::FlatSystem& flat);

/// Throws Error S001 or S002 if no choice of derivatives could make the system regular: names the part at fault.
void require_structurally_regular(const flat::FlatSystem& flat, const Structure& structure);

}  // namespace alembert::structure
