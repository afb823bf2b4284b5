// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. What the text said about clocks, gathered while equations are
// read; what it means is decided by `settle_clocks` when all are there.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/frontend/modelica/evaluate/hooks.hpp"

namespace alembert::modelica {

/// hold(u), subSample(u, 3), interval(), ...: `symbol` stands for the result.
struct ClockedOperator {
  ExprId symbol;
  ClockedCall call;
  Origin origin;
};

/// Clock(...): `symbol` stands for the clock.
struct DefinedClock {
  ExprId symbol;
  ClockDefinition definition;
  Place place;
  Origin origin;
};

struct ClockRecords {
  std::vector<ClockedOperator> operators;  // arguments come before what they are arguments of
  std::vector<DefinedClock> definitions;
  std::vector<std::pair<ExprId, Origin>> clock_variables;  // components of type Clock
  std::vector<std::pair<ExprId, Origin>> previous;         // x of previous(x)
  /// Equations of `when clock then`: place among the system's equations or discrete equations, and
  /// the clock's symbol.
  std::vector<std::pair<std::size_t, ExprId>> in_when;
  std::vector<std::pair<std::size_t, ExprId>> discrete_in_when;

  bool empty() const {
    return operators.empty() && definitions.empty() && clock_variables.empty() && previous.empty();
  }
};

}  // namespace alembert::modelica
