// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. What expressions need from the model that is being put
// together: which symbols vary how, and entries of the flat system that expressions bring about.
// The flattener implements it; the evaluator calls it. What is not overridden ends in Error M2xx
// that says what cannot be used at that place.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "alembert/frontend/modelica/evaluate/value.hpp"
#include "alembert/frontend/modelica/syntax/source.hpp"

namespace alembert::modelica {

class Instance;

/// One scalar of an operator of clocked equations.
struct ClockedCall {
  enum class Kind {
    // clang-format off
    sample, hold, sub_sample, super_sample, shift_sample, back_sample, no_clock, interval, first_tick,
    // clang-format on
  };
  Kind kind;
  ExprId argument = {};  ///< a number, or the symbol of a clock; none: of the equation
  ValueKind type = ValueKind::real;
  ExprId clock = {};        ///< of sample; none: inferred
  std::int64_t factor = 0;  ///< of subSample and superSample; 0: inferred
  std::int64_t shift = 0;   ///< of shiftSample and backSample: shift / resolution intervals
  std::int64_t resolution = 1;
};

/// Clock(...); with nothing given it is inferred.
struct ClockDefinition {
  ExprId interval = {};        ///< seconds
  bool by_previous = false;    ///< where it varies: as it was before the tick
  ExprId condition = {};       ///< Clock(condition, startInterval)
  ExprId start_interval = {};  ///< the same
  ExprId clock = {};           ///< Clock(c, solverMethod): the same ticks
  std::string solver_method = {};
};

/// One quantity of spatialDistribution(...).
struct TransportCall {
  std::array<ExprId, 2> inputs;
  ExprId position;
  ExprId forward;  ///< a condition
  std::vector<ExprId> points, values;
};

class ModelHooks {
 public:
  virtual ~ModelHooks() = default;

  /// The kind of the symbols of a variable (an instance of a basic type that is neither constant
  /// nor parameter): unknown, or discrete for Booleans, Integers, enumerations, and Reals assigned
  /// in when-clauses.
  virtual symbolic::SymbolKind kind_of(const Instance& variable);

  /// "initial()", a discrete symbol with the numbers 0 and 1; the evaluator makes `<> 0` of it.
  virtual ExprId initial(Place place);
  /// The same for terminal().
  virtual ExprId terminal(Place place);
  /// sample(start, interval): its discrete symbol with the numbers 0 and 1.
  virtual ExprId sample(ExprId start, ExprId interval, Place place);
  /// delay(value, delay, longest): its symbol. `longest` is none where not given.
  virtual ExprId delay(ExprId value, ExprId delay, ExprId longest, Place place);
  /// spatialDistribution(...) of one quantity: the symbols of what is at both ends.
  virtual std::array<ExprId, 2> transport(const TransportCall& call, Place place);
  /// A condition that holds at the events where `condition` becomes true (not at the start): for
  /// when-statements of algorithms and for edge(e), change(e) of what is not a plain variable. The
  /// flattener makes an auxiliary Boolean w = condition and answers edge(w); conditions that are
  /// `initial()` itself are answered as they are.
  virtual ExprId edge(ExprId condition, Place place);

  /// The discrete symbol that stands for the result.
  virtual ExprId clocked_call(const ClockedCall& call, Place place);
  virtual ExprId clock(const ClockDefinition& definition, Place place);
  /// `==` or `<>` stands between Reals that vary, outside of functions.
  virtual void note_real_equality(bool is_equal, Place place);
  /// previous(v) was asked for.
  virtual void note_previous(ExprId variable, Place place);

  /// inStream(v) and actualStream(v): `variable` is an instance of Real declared `stream` (an
  /// element of an array has its subscripts in `index`, counted from 0).
  virtual ExprId in_stream(Instance& variable, std::span<const std::int64_t> index, Place place);
  virtual ExprId actual_stream(Instance& variable, std::span<const std::int64_t> index,
                               Place place);

  /// How many connects mention the connector.
  virtual std::int64_t cardinality(Instance& connector, Place place);
  /// Connections.isRoot(frame.R), Connections.rooted(frame.R); `record` is frame.R.
  virtual bool is_root(Instance& record, Place place);
  virtual bool rooted(Instance& record, Place place);

  /// The parameter of a connector that gives `parameter`, another connector's, its value because
  /// they are connected; null if there is none.
  virtual Instance* shared_parameter(const Instance& parameter);

  /// assert, terminate and reinit of algorithms; `condition` is under which the statement runs, and
  /// for assert already: if it runs, the asserted condition holds. Those of functions come here
  /// too, where nothing known decides them. The condition under which the equation counts whose
  /// expressions are being evaluated; none: always.
  virtual ExprId guard() const;
  /// What is being read holds all the time, neither at events nor at the start only.
  virtual bool is_continuous() const;
  /// What is being read holds at the ticks of a clock only.
  virtual bool is_clocked() const;
  /// The number of a call that must be made at events though nothing may need its result.
  virtual void perform(ExprId call, Place place);
  virtual void assertion(ExprId condition, const Text& message, bool is_warning, Place place);
  virtual void termination(ExprId condition, const Text& message, Place place);
  virtual void reinit(ExprId condition, ExprId unknown, ExprId value, Place place);
};

}  // namespace alembert::modelica
