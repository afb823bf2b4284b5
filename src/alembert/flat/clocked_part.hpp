// SPDX-License-Identifier: Apache-2.0
// Stage: flat. What clocks drive, as part of a FlatSystem. A clocked variable changes at the ticks
// of its clock only. It is among the discrete variables, with the discrete equation v = pre(v); at
// a tick the clocked equations of that clock are solved for its variables once, from left limits
// (`samples`), before anything else happens at that event, and pre(v) takes the new value too. In
// them pre(v) is the value at the tick before, and a variable of another clock has the value of its
// last tick, the present one included. Their comparisons make no events.
//
// Equations with derivatives are written down as they are, with a clocked variable for each
// derivative. `structure/discretise_clocks` chooses states and replaces the derivatives by steps of
// the clock's solver method.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "alembert/flat/flat_system.hpp"

namespace alembert::flat {

/// What clocks count. Periodic: every `interval` seconds from the start of the run on. Where that
/// varies, it is what it is at each tick until the next one, after or before the tick
/// (Modelica 3.6, section 16.3, which tells Clock(n, resolution) from Clock(T)). Else: each event
/// at which `count` grows.
struct BaseClock {
  ExprId interval = {};        ///< of numbers and parameters; an exact number gives exact ticks
  bool varies = false;         ///< `interval` is of variables that tick with this clock
  bool by_previous = false;    ///< of their values before the tick
  ExprId count = {};           ///< a discrete variable; none: periodic
  ExprId start_interval = {};  ///< with `count`: what interval() is at the first tick
  Origin origin = {};
};

/// How states go from tick to tick (Modelica 3.6, section 16.8.2).
enum class SolverMethod : std::uint8_t { none, explicit_euler, implicit_euler, implicit_trapezoid };

struct NamedSolverMethod {
  SolverMethod method;
  std::string_view name;
};
inline constexpr std::array<NamedSolverMethod, 3> solver_methods = {
    {{SolverMethod::explicit_euler, "ExplicitEuler"},
     {SolverMethod::implicit_euler, "ImplicitEuler"},
     {SolverMethod::implicit_trapezoid, "ImplicitTrapezoid"}}};

/// Empty for `none`.
constexpr std::string_view name(SolverMethod method) {
  for (const NamedSolverMethod& known : solver_methods)
    if (known.method == method) return known.name;
  return {};
}

/// Ticks first + k * step, k = 0, 1, ..., both exact, of its base clock.
struct Clock {
  std::uint32_t base = 0;
  symbolic::Number first = 0;
  symbolic::Number step = 1;
  ExprId interval = {};                      ///< discrete symbol: seconds since the tick before
  ExprId first_tick = {};                    ///< discrete symbol: 1 at the first tick, 0 afterwards
  SolverMethod method = SolverMethod::none;  ///< there, if equations of it have derivatives
  Origin origin = {};
};

struct ClockedVariable {
  ExprId symbol;  ///< of a discrete variable
  std::uint32_t clock = 0;
  /// The clocked variable before it that this one is the derivative of; no equation says so.
  ExprId derivative_of = {};
  double state_priority = 0;  ///< as that of an unknown
};

struct ClockedEquation {
  ExprId left;
  ExprId right;
  std::uint32_t clock = 0;
  bool is_real = true;  ///< else it gives a Boolean or Integer, as a DiscreteEquation does
  Origin origin = {};
};

/// `symbol` (kind discrete) is the left limit of `value`, at every event.
struct ClockedSample {
  ExprId symbol;
  ExprId value;
  Origin origin = {};
};

struct ClockedPart {
  std::vector<BaseClock> bases = {};
  std::vector<Clock> clocks = {};
  std::vector<ClockedVariable> variables = {};
  std::vector<ClockedEquation> equations = {};  ///< as many, but for derivatives
  /// Hold at the first tick of their clock, if that has equations with derivatives.
  std::vector<ClockedEquation> initial_equations = {};
  std::vector<ClockedSample> samples = {};
};

}  // namespace alembert::flat
