// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/builder. The general recipe of Lagrange multipliers, for any model whose
// equations are written as balances, not just mechanics:
//   m.balance(x) += mass * der(der(x));
//   m.balance(y) += mass * der(der(y)) + mass * g;
//   constrain(m, sqrt(x * x + y * y) - L == 0, {x, y});
// In: a model, a constraint g = 0, and the unknowns U_j whose equations shall give way to it. Out:
// the model with the constraint, a multiplier lambda, and lambda * dg/dU_j added to the balance of
// exactly these unknowns. Which of them are named decides which of them feel the force.
#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "alembert/frontend/builder/model.hpp"

namespace alembert::builder {

struct ConstrainOptions {
  std::string multiplier = "lambda";  ///< its name; where taken, "lambda2", "lambda3" and so on
  std::string unit = {};
};

/// Returns the multiplier. A constraint of speeds may name derivatives: {der(x)} adds lambda *
/// dg/d(der(x)) to the balance of x. Error F030 where the constraint has no part of a named
/// unknown, or where something else than an unknown is named.
Expr constrain(Model& model, const LocatedEquation& constraint, const std::vector<Expr>& unknowns,
               const ConstrainOptions& options = {});

}  // namespace alembert::builder
