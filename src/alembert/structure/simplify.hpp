// SPDX-License-Identifier: Apache-2.0
// Stage: structure. A flat system without what is trivially known: aliases x = y and x = -y,
// constants x = c of numbers and parameters, and equations that integer combinations of others
// repeat. In: a FlatSystem. Out: a smaller one with the same solutions, and for every unknown left
// out an expression of what stayed. Decisions do not depend on the order of the model. What is
// merely explicit, x = f(y, time), stays: that is a block of its own. Errors S004 (equations that
// contradict each other) and S005 (attributes that do). Near-linear.
#pragma once

#include <string>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/graph/bipartite_graph.hpp"
#include "alembert/structure/alias_paths.hpp"

namespace alembert::structure {

using graph::Index;
using symbolic::ExprId;

/// An unknown that is a kept one up to sign, or an expression of numbers and parameters.
struct EliminatedUnknown {
  Index unknown;            // of the given system
  ExprId value;             // of symbols of the smaller system
  bool constant = false;    // so that its derivatives are 0
  Index highest_order = 0;  // with which it occurred
};

/// An equation that others imply: their combination with integer coefficients leaves 0 = 0.
struct RedundantEquation {
  Index equation;               // of the given system
  std::vector<Index> combined;  // it and the others, ascending
};

struct SimplifiedSystem {
  flat::FlatSystem flat;                       // same pool, parameters and discrete part
  std::vector<ExprId> residuals;               // [n equations of flat]: residual.hpp, found once
  std::vector<Index> kept_unknowns;            // [n unknowns of flat]: of the given system
  std::vector<Index> kept_equations;           // [n equations of flat]: of the given system
  std::vector<EliminatedUnknown> eliminated;   // by unknown, ascending
  std::vector<RedundantEquation> redundant;    // by equation, ascending
  std::vector<AliasEquation> alias_equations;  // of the given system
};

SimplifiedSystem simplify_system(const flat::FlatSystem& flat);
/// The same, for what tries repairs: throws a Contradiction (redundant_equations.hpp), not S004.
SimplifiedSystem simplify_or_contradict(const flat::FlatSystem& flat);

/// An equation of the smaller system, in quotes, with the names that it was given where it is the
/// model's own.
std::string text_as_given(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                          Index equation);

/// What stands for the order-th derivative of an eliminated unknown.
ExprId eliminated_value(symbolic::ExprPool& pool, const EliminatedUnknown& eliminated, Index order);

}  // namespace alembert::structure
