// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What changes at events, taken out of the equations. In: a FlatSystem. Out: the
// same with every comparison that varies, outside noEvent and smooth, replaced by a *mode*: a
// symbol that holds its truth value between events; floor, ceil, integer, sign, div, mod and rem
// likewise. What is left between events is continuous; discrete variables, pre(v) and modes are
// constants of it. The discrete equations become assignments in the order of their dependencies.
// abs, min, max make no modes, nor do assertions, which are looked at as they are. Linear in the
// size of the system. Errors S010 (no side of a discrete equation is a discrete variable), S011 (no
// assignment).
#pragma once

#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::structure {

using graph::Index;
using symbolic::ExprId;

struct Mode {
  ExprId symbol;  ///< kind discrete
  ExprId value;   ///< what it would be now, a number; of comparisons 1 or 0
  ExprId source;  ///< as it was written
  /// Where it depends on time (linearly), constants and discrete quantities only: the time at which
  /// it changes next or changed last. none: it must be looked for.
  ExprId change_time = {};
  Index first_crossing = 0;  ///< the value can change only where one of these is zero
  Index n_crossings = 0;
};

/// Discrete variable `variable` = value, of the values that others have by then.
struct DiscreteAssignment {
  Index variable;  // of flat.discrete_variables
  Index equation;  // of flat.discrete_equations
  ExprId value;
};

/// Crossing functions that are the same but for their sign, as those of 0 < x and x < 0 are, are
/// zero on one surface.
struct Surface {
  Index crossing;        ///< the first of them
  bool opposed = false;  ///< above zero where that one is below
};

/// The sides of an equation before modes were put into it.
struct WrittenSides {
  Index equation;
  ExprId left, right;
};

/// Of those equations alone that modes were put into, each by number.
struct WrittenEquations {
  std::vector<WrittenSides> equations, discrete_equations, initial_equations;
};

struct HybridSystem {
  flat::FlatSystem flat;  // modes in place of what they stand for
  std::vector<Mode> modes;
  std::vector<ExprId> crossings;
  std::vector<Surface> surfaces;                // [n_crossings]
  std::vector<DiscreteAssignment> assignments;  // in solve order, loops in the order of the system
  std::vector<ExprId> previous_unknowns;        // each x of which some pre(x) is used
  /// [2 n_transports], kind discrete: the positions at which a jump leaves a pipe next, at its end
  /// 0 and at its end 1. The run holds them.
  std::vector<ExprId> fronts;
  WrittenEquations written;

  bool has_events() const {
    return !modes.empty() || !flat.discrete_variables.empty() || !flat.samples.empty() ||
           !flat.reinits.empty() || !flat.terminations.empty() || flat.clocked != nullptr;
  }
};

HybridSystem split(flat::FlatSystem flat);

/// Equation number `index` of those that `written` is about, as people wrote it.
flat::FlatEquation as_written(const std::vector<WrittenSides>& written, Index index,
                              flat::FlatEquation equation);

/// A side of an equation that is a variable, or 1 where a Boolean one is 0 and 0 where it is 1.
struct DiscreteSide {
  ExprId symbol = {};
  bool negated = false;
};
DiscreteSide discrete_side(const symbolic::ExprPool& pool, ExprId side);

/// The discrete equations solved; called by `split`.
std::vector<DiscreteAssignment> order_assignments(const flat::FlatSystem& flat);

}  // namespace alembert::structure
