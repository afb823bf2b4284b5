// SPDX-License-Identifier: Apache-2.0
// Stage: flat. The boundary between the front ends and `structure`: a model without hierarchy, as
// plain data. In: what a front end collected. Out: F(t, v, der(v), ..., p, d) = 0 for the unknowns
// v, as many equations as unknowns (see check.hpp), with parameters p that stay constant during a
// run, discrete variables d that change at events only, and what holds at the start. All ids belong
// to `pool` and are canonical; ExprId::none() stands for "not given".
//
// Events. A comparison of quantities that vary, outside noEvent and smooth, makes an event where it
// changes, wherever it stands: in an equation, a discrete equation, a condition below. At an event
// the equations and the discrete equations are solved in turn until nothing changes; then every
// pre(v) takes the value of v, and if that changes a discrete variable, once more. There are no
// when-clauses here: a front end writes `when c then v = e; end when` as
//   w = (if c then 1 else 0),   v = if edge(w) then e else pre(v),
// where edge(w) stands for: initial() = 0 and w <> 0 and pre(w) = 0; `initial()` is a symbol that
// is 1 while the start is computed and 0 afterwards, so that `when initial()` is `initial() <> 0`.
// Truth values are the numbers 0 and 1, enumerations count from 1.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::flat {

using symbolic::ExprId;

struct Scene;        // scene.hpp
struct ClockedPart;  // clocked_part.hpp

/// What the numbers of a quantity mean. Enumerations are integers; texts are numbers as
/// base/text_number.hpp gives them.
enum class ValueType { real, integer, boolean, text };

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
  double state_priority = 0;  ///< the higher, the rather a state (state_priority.hpp)
  Origin origin = {};
};

/// A quantity that stays constant during a run and may differ from run to run.
struct Parameter {
  ExprId symbol;
  ExprId value = {};  ///< expression of numbers and other parameters; none: given for each run
  /// Found by the initial equations, as many more of which there are; `value` is the first guess.
  bool solved_for = false;
  /// Sizes, choices or numbers of the equations were made from its value: another one needs another
  /// system.
  bool structural = false;
  ValueType type = ValueType::real;
  std::string unit = {};
  std::string description = {};
  Origin origin = {};
};

struct FlatEquation {
  ExprId left;
  ExprId right;
  Origin origin = {};
};

/// A quantity that changes at events only: the target of a when-clause, any Boolean or Integer. Its
/// pre(v) is pool->previous_symbol(symbol).
struct DiscreteVariable {
  ExprId symbol;      ///< kind discrete
  ExprId start = {};  ///< of numbers and parameters: pre(v) at the start; none: 0
  bool fixed = false;
  ValueType type = ValueType::real;
  std::string unit = {};
  std::string description = {};
  Origin origin = {};
};

/// One for each discrete variable, in a form that gives its value: one side is the symbol itself,
/// or (booleans) its negation. Which side is solved is decided later. Any pre(v) may be used: of a
/// discrete variable its value before the event, of an unknown its left limit.
using DiscreteEquation = FlatEquation;

/// Where `condition` holds at an event (an edge, as above), the unknown gets a new value.
struct Reinit {
  ExprId condition;
  ExprId unknown;  ///< symbol, order 0 or higher; it must turn out to be a state
  ExprId value;
  Origin origin = {};
};

/// Must hold all the time. The message may hold values: "{1}" stands for values[0].
struct Assertion {
  ExprId condition;
  std::string message;
  std::vector<ExprId> values = {};
  bool is_warning = false;
  Origin origin = {};
};

/// Ends the run, successfully, where `condition` holds at an event. The message may hold values.
struct Termination {
  ExprId condition;
  std::string message;
  std::vector<ExprId> values = {};
  Origin origin = {};
};

/// sample(start, interval): `symbol` (kind discrete) is 1 at the event of each tick and 0
/// otherwise.
struct SampleClock {
  ExprId symbol;
  ExprId start;  ///< of numbers and parameters, as `interval`
  ExprId interval;
  Origin origin = {};
};

/// delay(value, time): `symbol` (kind discrete) is what `value` was `delay` ago, its first value
/// before that. It varies continuously all the same.
struct Delay {
  ExprId symbol;
  ExprId value;
  ExprId delay;         ///< may vary, up to `longest`
  ExprId longest = {};  ///< of numbers and parameters; none: `delay` is
  Origin origin = {};
};

/// spatialDistribution: a pipe of length 1 and what moves in it. Each symbol of `outputs` (kind
/// discrete) is what is at that end, 0 or 1: at the one where it enters, that input; at the other
/// what entered when the position was less by 1, or was there at the start. Both vary continuously
/// all the same, but for jumps.
struct Transport {
  std::array<ExprId, 2> outputs;
  std::array<ExprId, 2> inputs;
  ExprId position;  ///< how far everything has moved, in lengths of the pipe
  ExprId forward;   ///< a condition: it enters at 0
  /// At the start: places from 0 to 1, not falling, and what is there; of numbers and parameters.
  std::vector<ExprId> points, values;
  Origin origin = {};
};

/// What a model says about how it wants to be run.
struct Experiment {
  std::optional<double> start = {};
  std::optional<double> stop = {};
  std::optional<double> tolerance = {};
  std::optional<double> interval = {};
};

/// A quantity that follows from the others and that the user wants to see under a name.
struct Observed {
  std::string name;
  ExprId value;
  std::string unit = {};
  std::string description = {};
  ValueType type = ValueType::real;
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
  std::vector<DiscreteVariable> discrete_variables = {};
  std::vector<DiscreteEquation> discrete_equations = {};  ///< as many
  std::vector<Reinit> reinits = {};
  std::vector<Assertion> assertions = {};
  std::vector<Termination> terminations = {};
  std::vector<SampleClock> samples = {};
  std::vector<Delay> delays = {};
  std::vector<Transport> transports = {};
  std::shared_ptr<const ClockedPart> clocked = {};  ///< what clocks drive; null: nothing
  ExprId initial_symbol = {};  ///< "initial()", kind discrete; none: nobody asks
  std::vector<Observed> observed = {};
  Experiment experiment = {};
  std::shared_ptr<const Scene> scene = {};  ///< what it looks like; null: nobody said
  Origin origin = {};
};

}  // namespace alembert::flat
