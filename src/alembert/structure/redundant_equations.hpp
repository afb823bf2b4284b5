// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Equations that integer combinations of others repeat or contradict. In:
// residuals; those that are linear in the unknowns with rational coefficients count. Out: the
// superfluous ones, each with the others of the combination; a Contradiction is thrown where what
// is left of a combination is not 0 = 0. Derivatives are unknowns of their own here.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/structure/simplify.hpp"

namespace alembert::structure {

/// An equation of the system in a form that others may have been put into.
struct CurrentEquation {
  Index equation;  // of the flat system, for messages
  ExprId residual;
};

/// A combination of equations that leaves `left_over` = 0. Thrown while a system is made smaller,
/// and made an Error at the end of that alone (simplify.hpp): what an Error proposes is tried
/// before, by making other systems smaller.
struct Contradiction {
  std::vector<Index> equations;
  ExprId left_over;
};

std::vector<RedundantEquation> redundant_equations(
    const flat::FlatSystem& flat, std::size_t n_equations,
    const std::function<CurrentEquation(std::size_t)>& equation_at);

/// S004.
Error contradiction_error(const flat::FlatSystem& flat, const Contradiction& contradiction);

/// What a user can do about equations that contradict each other or are too many: texts of
/// components are not theirs to change, but components and connections are. Where there are no more
/// equations than unknowns, one that is taken away must be replaced.
std::string repair_of_contradiction(const flat::FlatSystem& flat, std::span<const Index> equations);

}  // namespace alembert::structure
