// SPDX-License-Identifier: Apache-2.0
// Stage: flat. The boundary between the front ends and `structure`: a model without hierarchy, as
// plain data. In: what a front end collected. Out: F(t, v, der(v), ..., p) = 0 for the unknowns v,
// as many equations as unknowns (see check.hpp), with parameters p that stay constant during a run,
// and what holds at its start. All ids belong to `pool` and are canonical; ExprId::none() stands
// for "not given".
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::flat {

using symbolic::ExprId;

/// A quantity that the equations determine. Its derivatives are symbols of the same chain in the
/// pool, not unknowns of their own.
struct Unknown {
  ExprId symbol;  ///< order 0 of the chain
  /// Value at the start of a run: an expression of numbers and parameters, so that a sweep over
  /// initial values is a sweep over parameters. It holds exactly where `fixed`, and is the first
  /// guess of the initialisation where not.
  ExprId start = {};
  bool fixed = false;
  std::optional<double> min = {};
  std::optional<double> max = {};
  std::optional<double> nominal = {};  ///< typical size, for scaling
  std::string unit = {};
  std::string description = {};
  double state_priority = 0;  ///< the higher, the rather a state; a tie-break, never a command
  Origin origin = {};
};

/// A quantity that stays constant during a run and may differ from run to run.
struct Parameter {
  ExprId symbol;
  ExprId value = {};  ///< expression of numbers and other parameters; none: given for each run
  std::string unit = {};
  std::string description = {};
  Origin origin = {};
};

struct FlatEquation {
  ExprId left;
  ExprId right;
  Origin origin = {};
};

/// A quantity that follows from the others and that the user wants to see under a name.
struct Observed {
  std::string name;
  ExprId value;
  std::string unit = {};
  std::string description = {};
  Origin origin = {};
};

/// The start value of a derivative; the same meaning as `start` and `fixed` of an unknown.
struct DerivativeStart {
  ExprId symbol;  ///< order 1 or higher: der(x), der(der(x)), ...
  ExprId value;
  bool fixed = false;
  Origin origin = {};
};

struct FlatSystem {
  std::string name;
  std::shared_ptr<symbolic::ExprPool> pool;
  std::vector<Unknown> unknowns = {};
  std::vector<Parameter> parameters = {};
  std::vector<FlatEquation> equations = {};
  std::vector<FlatEquation> initial_equations = {};  ///< hold at the start, beside the equations
  std::vector<DerivativeStart> derivative_starts = {};
  std::vector<Observed> observed = {};
  Origin origin = {};
};

}  // namespace alembert::flat
