// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Derivatives in clocked equations (Modelica 3.6, section 16.8):
// from one tick to the next a state goes one step of the clock's solver method. In: clocked
// equations with a variable for each derivative. Out: an equation more for each state. At the first
// tick it is what initial equations say, or else its start value. Error M354.
#pragma once

#include <string>
#include <vector>

#include "alembert/flat/clocked_part.hpp"

namespace alembert::modelica {

struct ClockedDerivatives {
  struct Pair {
    flat::ExprId state;
    flat::ExprId derivative;
    std::uint32_t clock;
    Origin origin;
  };
  std::vector<Pair> pairs;
  std::vector<flat::FlatEquation> initial;  // of clocked variables
};

/// solver_methods: [n_clocks]. Start values are taken from the variables of `system`.
void discretise(flat::ClockedPart& part, const std::vector<std::string>& solver_methods,
                const ClockedDerivatives& derivatives, const flat::FlatSystem& system);

}  // namespace alembert::modelica
