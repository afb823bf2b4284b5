// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. A compiled model from start to end. In: CompiledModel, times, tolerance,
// parameter values. Out: a Trajectory of every variable and observed quantity, how it ended, and
// what happened on the way. States are re-selected while the model runs: before a chart degrades,
// the point is carried over, as it is, to a better one. Between events discrete variables and modes
// are constants; at an event both its sides become rows of the same time (docs/theory/events.md).
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/adaptive.hpp"
#include "alembert/integrate/checkpoint.hpp"
#include "alembert/integrate/run_report.hpp"
#include "alembert/result/row_sink.hpp"

namespace alembert::integrate {

class DenseHistory;

/// What becomes of constraints that had to be differentiated (docs/theory/formulations.md).
enum class Formulation {
  automatic,   ///< dynamic; through a singular configuration by projection
  dynamic,     ///< dummy derivatives, re-selected at run time where a choice exists
  dummy,       ///< dummy derivatives, selected once by structure and priorities
  projection,  ///< all coordinates are states, brought back onto all constraints after each step
  baumgarte,   ///< all coordinates are states, errors of the constraints die out like oscillations
  ggl,         ///< stabilised index 2: multipliers hold positions as well as velocities
};

/// "auto", "dynamic", "dummy", ...
std::string_view to_string(Formulation formulation);
/// Error I015 for a name that no formulation has; "static" is another name of dummy.
Formulation formulation_named(std::string_view name);

/// What `projection` takes for the nearest point on the constraints.
enum class Metric {
  euclidean,  ///< all states count alike
  mass,       ///< by kinetic energy, of models that are mechanics: M(q) q'' = f - G' lambda
};

/// What becomes of a run whose events follow each other without end because the equations lead back
/// to the same comparison from both sides (docs/theory/events.md).
enum class Chattering {
  stop,   ///< it ends, and the comparison is named
  slide,  ///< it goes on along the surface where the comparison is undecided (Filippov)
};

struct SimulateOptions {
  double start = 0;
  double stop = 1;
  double tolerance = 1e-6;        ///< relative and absolute
  std::uint32_t intervals = 500;  ///< equidistant output
  std::string method = "auto";    ///< a name of all_methods()
  double step = 0;                ///< of methods with a fixed step; 0: an output interval
  Formulation formulation = Formulation::automatic;
  Metric metric = Metric::euclidean;  ///< of the formulation projection
  Chattering chattering = Chattering::stop;
  /// Where no consistent start is found, the block that failed is written there as a model of its
  /// own, with its guesses and all that it depends on; empty: nowhere.
  std::string replay_path = {};
  /// Of Baumgarte's damping: frequency, 0: chosen by how fast the model moves at the start; and
  /// damping ratio.
  double baumgarte_omega = 0;
  double baumgarte_zeta = 1;
  using Values = std::map<std::string, double, std::less<>>;
  Values parameters = {};                ///< values that differ from the model's
  Values starts = {};                    ///< start values that differ from the model's, by variable
  std::uint64_t max_steps = 10'000'000;  ///< accepted and rejected ones
  /// Times of output, ascending, in place of equidistant ones.
  std::vector<double> save_at = {};
  /// Rows go there as they come, and the result's trajectory stays empty; its `commit` is not
  /// called.
  result::RowSink* rows = nullptr;
  /// Rows have the parameters too, after all that varies.
  bool parameter_columns = false;
  /// The run ends, with all that was computed, soon after this became true.
  const std::atomic<bool>* interrupt = nullptr;
  /// Called between two steps, whenever this much of simulated time has passed and before an
  /// interrupt ends the run. The run goes on as if it had not been called, or, where it returns
  /// false, ends there (Outcome::paused).
  double checkpoint_every = 0;
  std::function<bool(const Checkpoint&)> on_checkpoint = {};
  /// Keeps the states at every time, not only at those of output (problem.hpp).
  DenseHistory* dense = nullptr;
  /// Goes on from there in place of a start; parameters, and options that steps depend on, must be
  /// the same. Rows that the earlier run kept are part of the result, rows that it gave away are
  /// not given again.
  const Checkpoint* resume = nullptr;
};

struct ChartSwitch {
  double time;
  std::uint32_t block;            ///< which mechanism: a part of the plan's selection problem
  std::vector<std::string> from;  ///< states of the mechanism before
  std::vector<std::string> to;    ///< and after
  double quality_before;          ///< 1 is best, 0 singular
  double quality_after;

  /// How much the dummies may magnify errors.
  double condition_before() const { return 1 / quality_before; }
  double condition_after() const { return 1 / quality_after; }
};

/// How well a run kept the constraints of one level: 0 the highest versions (accelerations), 1
/// those below (velocities), 2 positions.
struct ConstraintLevel {
  std::uint32_t below_highest;
  std::uint32_t n_constraints;
  double largest_residual;  ///< over all output points
};

/// A quantity that the model calls an energy or a momentum, and how far it went from its start.
struct Conserved {
  std::string name;
  double start;
  double largest_change;
};

/// An event: when, and the comparisons that changed; empty where its time was known ahead.
struct EventRecord {
  double time;
  std::vector<std::uint32_t> modes;  // of CompiledModel::hybrid
};

struct SimulationResult {
  result::Trajectory trajectory;  // complete up to end_time
  Outcome outcome = Outcome::done;
  double end_time = 0;
  std::string message;  ///< where it did not reach the end: why, and what to try
  Statistics statistics;
  std::vector<StepLimit> step_limits;        ///< states that limited the step, the worst first
  std::vector<MissingValue> missing_values;  ///< the first value that was missing, if any was
  std::uint64_t n_switches = 0;
  std::vector<ChartSwitch> switches;  ///< the first `most_event_records` of them
  std::uint64_t n_state_events = 0;   ///< found by comparisons
  std::uint64_t n_time_events = 0;    ///< known ahead
  std::vector<EventRecord> events;    ///< the first `most_event_records` of them
  std::vector<std::string> warnings;
  /// Variables whose start values were taken as conditions, because nothing else determined them.
  std::vector<std::string> filled_starts;
  double largest_constraint_residual =
      0;  ///< over all output points and all levels of differentiation
  std::vector<ConstraintLevel> constraint_levels;  ///< highest versions last
  std::vector<Conserved> conserved;
  Formulation formulation = Formulation::dynamic;  ///< that was used
  double baumgarte_omega = 0;                      ///< that was used, if any
  std::uint64_t n_passages = 0;  ///< through configurations singular in all charts
};

inline constexpr std::size_t most_event_records = 10'000;

/// Error I001: no consistent start; I002: a fixed start contradicts the equations; I003: unknown
/// method; I005: constraints singular at the start; I006: events at the start without an outcome;
/// I007: a clock without a positive interval; I008: too many conditions at the start; I011: times
/// of output that do not ascend, options that cannot be meant; I012: a checkpoint of another model;
/// I013: a start that cannot be changed.
SimulationResult simulate(const compile::CompiledModel& model, const SimulateOptions& options = {});

}  // namespace alembert::integrate
