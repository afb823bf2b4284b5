// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. What can be wrong with a KaneSystem, said with names. In: pieces of a
// derivation under way. Out: nothing, or an Error.
#pragma once

#include <span>

#include "alembert/frontend/mechanics/elimination.hpp"
#include "alembert/frontend/mechanics/kane.hpp"
#include "alembert/frontend/mechanics/motion.hpp"

namespace alembert::mechanics {

/// Numbers near the start values that are special in no way: what is singular here is singular
/// everywhere.
symbolic::Values generic_point(const ExprPool& pool, const symbolic::Values& start);

/// Products of rotations may hold sin(q)^2 + cos(q)^2 and the like, and then an expression seems to
/// depend on a coordinate and does not. The same expressions with such coordinates taken out, as
/// numbers at several places tell; the structure of a model is read from what appears.
std::vector<ExprId> without_apparent_symbols(ExprPool& pool, std::vector<ExprId> expressions,
                                             std::span<const Expr> symbols,
                                             const symbolic::Values& generic);

/// K006: bodies without mass.
void require_masses(ExprPool& pool, const KaneSystem& system, const symbolic::Values& start,
                    const Origin& origin);
/// K006: inertias that no body can have.
void require_inertias(ExprPool& pool, const KaneSystem& system, const symbolic::Values& start,
                      const Origin& origin);
/// K020: counts, symbols that are neither coordinate nor speed.
void require_speeds(ExprPool& pool, const KaneSystem& system, const Origin& origin);
/// K020: coordinates whose derivatives the kinematical equations do not give.
void require_regular_kinematics(const KaneSystem& system, const NumberMatrix& numbers,
                                const Origin& origin);
/// K020: coordinates that no speed moves, speeds that move nothing.
void require_moving(ExprPool& pool, const KaneEquations& equations, const symbolic::Values& at,
                    const Origin& origin);
/// K022. `constraints` are those of the user, in the order of the rows.
void require_independent(const NumberMatrix& rows, std::span<const Expr> constraints,
                         std::span<const double> residuals, const Origin& origin);
/// K024.
void require_inertia(ExprPool& pool, const KaneEquations& equations, const KaneSystem& system,
                     const symbolic::Values& at, const Origin& origin);

}  // namespace alembert::mechanics
