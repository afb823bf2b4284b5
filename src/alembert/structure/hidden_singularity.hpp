// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Systems whose structure lies: the plan says that the highest derivatives can be
// solved for, but terms cancel and they cannot. In: a simplified system and its plan. Out: the same
// with equations replaced so that the deceptive derivatives are gone, and a plan that is true;
// Error S003 where nothing helps, S004 where a combination says 0 = 1. The test is numerical: the
// rank of the system Jacobian d f_i^(c_i) / d x_j^(d_j), block by block, at points without a
// pattern. The repairs are the linear combination and the expression substitution methods of Tan,
// Nedialkov and Pryce (Symbolic-numeric methods for improving structural analysis of DAE systems,
// 2016). Before that, and in blocks of up to `largest_counted` equations, those in which the
// highest derivatives have whole numbers as factors, such as Kirchhoff's, are combined exactly (the
// currents of inductances that meet in a node). Other blocks of more than `largest_tested` unknowns
// are trusted, and so are those with choices, which may be regular elsewhere. Last, models of up to
// `largest_solved` equations are tested at points where their equations hold (solution_set.hpp):
// factors may vanish there only. What is regular in general may be singular with the values that
// parameters have: coils that are coupled without loss. Such blocks are combined or substituted in
// for these values, which then are part of the structure.
#pragma once

#include <vector>

#include "alembert/structure/plan.hpp"

namespace alembert::structure {

/// All numbered as in the simplified system.
struct StructureRepair {
  enum class Method {
    combination,  ///< of (derivatives of) the equations, in place of `replaced`
    substitution  ///< of new unknowns for combinations of derivatives, in all the equations
  };
  Method method;
  std::vector<Index> equations;       // concerned, ascending
  Index replaced = none;              // by a combination
  std::vector<Index> added_unknowns;  // by a substitution, behind those that were there
  std::vector<ExprId> by_values;      // parameters whose values make it so; else none
};

inline constexpr std::size_t largest_tested = 200;
inline constexpr std::size_t largest_counted = 2000;
inline constexpr std::size_t largest_solved = 500;

/// Unknowns and equations that a substitution adds come after all others; `kept_unknowns` and
/// `kept_equations` number them on from the end of `given`.
std::vector<StructureRepair> resolve_hidden_singularities(const flat::FlatSystem& given,
                                                          SimplifiedSystem& simplified,
                                                          StructuralPlan& plan);

}  // namespace alembert::structure
