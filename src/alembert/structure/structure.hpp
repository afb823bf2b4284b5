// SPDX-License-Identifier: Apache-2.0
// Stage: structure. The system as integers: which variable occurs in which equation, and what is
// the derivative of what. In: a FlatSystem. Out: Structure, on which matching, Pantelides and state
// selection decide; nothing in it knows an expression. A variable is one member of an unknown's
// chain: x, der(x), der(der(x)). Unknowns and equations are numbered by name and content, so that
// no decision depends on the order in which a model was written.
#pragma once

#include <span>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::structure {

using graph::Index;
using graph::none;

struct Variable {
  Index unknown;            // of the flat system
  Index order;              // how often differentiated
  Index derivative = none;  // variable
};

struct Equation {
  Index source;             // equation of the flat system
  Index order = 0;          // how often differentiated
  Index derivative = none;  // equation
};

/// The variables of an equation that was differentiated `order` times, where a function in it tells
/// its own derivative (the `derivative` annotation of Modelica): others than those of the equation
/// and their derivatives.
struct ToldRow {
  struct Entry {
    Index unknown;
    Index order;
  };
  Index source;
  Index order;
  std::vector<Entry> entries;
};

struct Structure {
  std::vector<Variable> variables;  // order 0 of all chains in the canonical order of unknowns
  std::vector<Equation> equations;  // the first n_sources are those of the flat system
  graph::IndexLists incidence;      // variables of each equation, ascending
  Index n_unknowns = 0;             // of the flat system
  Index n_sources = 0;              // equations of the flat system
  /// The equation each highest derivative is matched to, as many as can be; `none` for lower ones
  /// and those left over. Empty until `match_highest` has been asked, unless every equation is
  /// written for one of its own: x = ..., der(x) = ...
  std::vector<Index> var_to_eq;    // [n variables]
  std::vector<ToldRow> told_rows;  // by source, then by order

  bool is_highest(Index variable) const { return variables[variable].derivative == none; }
};

/// Reads the residuals (residual.hpp), in which what stands on both sides has cancelled.
Structure extract_structure(const flat::FlatSystem& flat);
/// The same where the residuals [n equations] are known already.
Structure extract_structure(const flat::FlatSystem& flat,
                            std::span<const symbolic::ExprId> residuals);

/// The last of each unknown's chain: variables, [n_unknowns].
std::vector<Index> highest_variables(const Structure& structure);
/// The last version of each equation: equations, [n_sources], by source.
std::vector<Index> highest_equations(const Structure& structure);

/// A maximum matching of the equations of the flat system and highest derivatives. Every later pass
/// goes on from it: at a million equations it is the dearest thing done on integers.
void match_highest(Structure& structure);

/// Throws an Error if no number of differentiations could make the system regular: one S001 for
/// every part with too many equations, one S002 for every part with too few.
void require_structurally_regular(const flat::FlatSystem& flat, Structure& structure);

}  // namespace alembert::structure
