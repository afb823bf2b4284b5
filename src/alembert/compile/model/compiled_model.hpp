// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. A model ready to run. In: a FlatSystem. Out: CompiledModel: immutable to
// its users, shared between threads; charts are compiled when first asked for and kept. Parameters
// are data: changing one never compiles again. All kernels read [time, values of all variables] and
// share one layout, so that going from one chart to another carries the point over as it is. Their
// parameter array holds all constants of the time between events (event_kernels.hpp).
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/model/backend.hpp"
#include "alembert/compile/model/chart_tape.hpp"
#include "alembert/compile/model/compiled_chart.hpp"
#include "alembert/compile/model/compiled_index_one.hpp"
#include "alembert/compile/model/event_kernels.hpp"
#include "alembert/compile/model/initial_system.hpp"
#include "alembert/compile/tape_derivative.hpp"
#include "alembert/flat/flat_system.hpp"
#include "alembert/flat/parameters.hpp"
#include "alembert/structure/homotopy.hpp"
#include "alembert/structure/hybrid_system.hpp"
#include "alembert/structure/reduced_system.hpp"
#include "alembert/structure/redundant_constraints.hpp"
#include "alembert/structure/separable.hpp"
#include "alembert/structure/simplify.hpp"
#include "alembert/structure/undetermined.hpp"

namespace alembert::structure {
struct TimeSources;
}

namespace alembert::compile {

class ChartPieces;
class SeriesModel;
struct DelayKernels;
struct SourceKernels;
struct MechanicalModel;
struct JumpSystem;
struct ModeVariant;

/// What steps are looked through for: functions of [time, variables...].
struct WatchedFunctions {
  Kernel kernel;                         // empty where there are none
  std::vector<std::uint32_t> variables;  // that they are made of
  bool are_smooth = true;                // in these, between events
};

class CompiledModel {
 public:
  explicit CompiledModel(flat::FlatSystem flat, Backend backend = Backend::automatic);
  ~CompiledModel();

  /// The model with its aliases and all, and modes in place of what they stand for; every
  /// expression of its symbols can be evaluated.
  const flat::FlatSystem& flat() const { return hybrid_.flat; }
  const structure::HybridSystem& hybrid() const { return hybrid_; }
  const ConstantLayout& constants() const { return constants_; }
  const EventKernels& events() const { return events_; }
  /// What is left of it without aliases and constants: what the plan and the charts are about.
  const structure::SimplifiedSystem& simplified() const { return simplified_; }
  const structure::StructuralPlan& plan() const { return plan_; }

  /// What was left out because other constraints say it already, in sentences.
  std::vector<std::string> redundancies() const;

  /// Every member of every chain, in the order of the unknowns: "x", "der(x)", "der(der(x))", "y",
  /// ..., also of unknowns that were eliminated, as far as the model has their derivatives.
  const std::vector<std::string>& variable_names() const { return names_; }
  std::uint32_t n_variables() const { return static_cast<std::uint32_t>(names_.size()); }
  std::uint32_t n_observed() const { return static_cast<std::uint32_t>(flat().observed.size()); }
  /// Place of a symbol among the variables; n_variables() if it is none.
  std::uint32_t variable_of(symbolic::ExprId symbol) const;
  /// Place of a variable of the structure among the variables.
  std::uint32_t variable_of_structure(structure::Index variable) const { return place_[variable]; }
  /// The next of a variable's chain; n_variables() at its end.
  std::uint32_t derivative_of(std::uint32_t variable) const;

  /// "'h < 0', 'x > 1' and 2 more": what modes stand for, and the names of discrete variables.
  std::string describe_modes(std::span<const std::uint32_t> modes) const;
  std::string describe_discretes(std::span<const std::uint32_t> discretes) const;

  /// Values of all constants [constants().size()]: parameters (`overrides` take the place of
  /// definitions), and what is held between events as it is before the start.
  std::vector<double> parameter_values(const flat::ParameterOverrides& overrides = {}) const;
  /// Start values as given, 0 where none is; a guess of the first point, not yet consistent.
  struct StartPoint {
    std::vector<double> values;  // [n_variables]
    std::vector<char> fixed;     // [n_variables]: must come out as given
  };
  StartPoint start_point(const std::vector<double>& parameters) const;

  /// The initial system, in which start values of the chart's states are filled in first.
  const InitialSystem& start_system(const CompiledChart& chart) const;
  /// The equations of the chart in the form of a start, in which its states are given: for events
  /// at which the kernels of the chart find no values. `chart` is an ordinary one, of ours.
  const InitialSystem& event_system(const CompiledChart& chart) const;
  /// Modes that stand in equations which the chart solves together, directly or by way of discrete
  /// variables: one list for each block that has some.
  std::vector<std::vector<std::uint32_t>> coupled_modes(const CompiledChart& chart) const;
  /// Some rows at once, by all columns in them but those kept: for starts where the order of blocks
  /// is singular, or conditions are too many.
  InitialStage joint_start(const InitialSystem& system, std::span<const std::uint32_t> rows,
                           std::span<const std::uint32_t> kept_columns) const;
  TornStage torn_start(const InitialSystem& system, const InitialStage& stage) const;
  /// A block of a start as a model of its own, as Modelica text: its equations, its unknowns with
  /// their guesses and bounds, and as parameters all that it depends on. values: [time, columns].
  std::string stage_as_model(const InitialSystem& system, const InitialStage& stage,
                             std::span<const double> values,
                             std::span<const double> constants) const;
  /// The row as text, in quotes, and where it comes from.
  /// variant: of the system that has the row.
  Diagnostic describe_initial_row(const structure::InitialRow& row,
                                  const ModeVariant* variant = nullptr) const;
  /// The same of the first equation with this unknown alone on a side; no text where there is none.
  Diagnostic describe_equation_of(symbolic::ExprId unknown) const;
  Origin place_of_fixed_start(std::uint32_t variable) const;
  /// The first of the places that is in the file of the model, if one is; at least one is given.
  Origin user_place(std::span<const Origin> places) const;
  struct Range {
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
  };
  Range range_of(std::uint32_t variable) const;
  /// Typical size; 0 where none is given.
  double nominal_of(std::uint32_t variable) const;
  const std::string& parameter_name(std::uint32_t parameter) const;

  /// A chart by structure and priorities alone.
  const CompiledChart& static_chart() const;
  const CompiledChart& compile(const structure::Chart& chart) const;
  /// The chart of the structure that the model has while its modes and discrete variables are as
  /// among the constants (mode_variant.hpp), for a point where the charts of all modes at once find
  /// no values. Made when first asked for and kept; null where that structure has no plan, or no
  /// choice between equations depends on a mode.
  const CompiledChart* mode_chart(double time, const double* variables,
                                  const double* constants) const;
  /// One with these dummies.
  const CompiledChart* mode_chart(const structure::Chart& chart, const double* constants) const;
  /// The same for modes that leave unknowns undetermined, which keep their values then: equations
  /// that repeat others at the point are left out (structure/undetermined.hpp). Null where there
  /// are no such unknowns.
  const CompiledChart* holding_chart(double time, const double* variables,
                                     const double* constants) const;
  /// Those that were made before for modes like these: they may hold at this point as well.
  std::vector<const CompiledChart*> known_holding_charts(double time, const double* variables,
                                                         const double* constants) const;
  /// One with these dummies.
  const CompiledChart* holding_chart(const std::vector<structure::Undetermined>& undetermined,
                                     const structure::Chart& chart, const double* constants) const;
  /// How its states go on from values that break its constraints (mode_variant.hpp).
  const JumpSystem& jump_system(const CompiledChart& chart) const;
  /// Its states as positions and momenta; empty where it is not separable, or holds for some modes
  /// only (structure/separable.hpp).
  std::vector<structure::Part> separable_parts(const CompiledChart& chart) const;
  /// The operations behind its kernel `derivatives`, for those who make larger kernels of them.
  Tape right_hand_side(const CompiledChart& chart) const;
  /// Exact, solved blocks included; made when first asked for and kept. `chart` is one of ours.
  const ChartJacobian& jacobian(const CompiledChart& chart) const;
  /// The chart with its slopes left open (structure/formulations.hpp), for methods that find slopes
  /// by themselves; made when first asked for and kept. Null where no block would stay open, and
  /// where it calls functions whose derivatives are not known or not sure. `chart` is one of ours.
  const ChartResidual* residual(const CompiledChart& chart) const;

  /// Taylor coefficients of the solution, on the equations as they are; made when first asked for
  /// and kept. Errors as SeriesModel.
  const SeriesModel& series() const;
  /// What drives it from outside; made when first asked for and kept.
  const SourceKernels& sources() const;
  /// The same of what is delayed, and its kinks.
  const DelayKernels& delayed() const;
  /// Functions that change their sign where the slopes of its states have kinks or jumps that make
  /// no events (structure/hidden_kinks.hpp), of inputs [time, variables...]; empty where there are
  /// none. Made when first asked for and kept.
  const WatchedFunctions& kinks() const;
  /// The same of what slopes are divided by.
  const WatchedFunctions& denominators() const;
  /// The same of where slopes may have narrow pulses and steps.
  const WatchedFunctions& narrow_places() const;
  /// The model as constrained mechanics; made when first asked for and kept. Error S013 where it is
  /// none.
  const MechanicalModel& mechanics() const;
  /// Every variable that was kept is taken as given, in the order of the structure: for methods
  /// that find all of them by themselves. It has no derivatives.
  const CompiledChart& direct_chart() const;

  /// All coordinates as states, and the invariants between them; made when first asked for and
  /// kept.
  const CompiledIndexOne& index_one(structure::Damping damping = {},
                                    structure::Settle settle = structure::Settle::all) const;
  /// The operations behind its kernel `residuals`, as right_hand_side.
  Tape invariants(const CompiledIndexOne& form) const;
  /// The same with a multiplier for each invariant that only another one implies.
  const CompiledIndexTwo& index_two() const;

  /// Numbers of the selection problem at a point. variables: [n_variables], parameters:
  /// [constants().size()].
  struct Selection {
    structure::ChartChoice best;
    double current_quality = 0;  ///< of the chart asked about
  };
  Selection select(const structure::Chart& current, double time, const double* variables,
                   const double* parameters) const;
  /// The first half of it. Here and below, row_sizes are those of structure::SelectionEntries.
  structure::ChartChoice best_chart(double time, const double* variables, const double* parameters,
                                    std::span<const double> row_sizes = {}) const;
  /// `wanted`, or a chart that is not much worse at the point and has more states whose start
  /// values were given: from those the others follow at the start.
  structure::Chart start_chart(const structure::Chart& wanted, double time, const double* variables,
                               const double* parameters) const;
  structure::ChartImprovement improve(const structure::Chart& current, double ratio, double time,
                                      const double* variables, const double* parameters,
                                      std::span<const double> row_sizes = {}) const;
  std::vector<double> selection_row_lengths(double time, const double* variables,
                                            const double* parameters) const;
  /// Names of a mechanism's states on a chart.
  std::vector<std::string> states_of_part(const structure::Chart& chart,
                                          structure::Index part) const;
  /// The quality of one chart alone, which costs less.
  double chart_quality(const structure::Chart& chart, double time, const double* variables,
                       const double* parameters, std::span<const double> row_sizes = {}) const;
  /// How far the chart is from being singular, as smooth functions of the point.
  std::vector<double> log_determinants(const structure::Chart& chart, double time,
                                       const double* variables, const double* parameters,
                                       std::span<const double> row_sizes = {}) const;
  /// True if there is more than one chart to choose from.
  bool has_choice() const { return !plan_.selection_rows.empty(); }
  /// False if what is best at the start is best all the time: no coefficient of the selection
  /// problem varies.
  bool choice_varies() const { return choice_varies_; }

  /// Largest |left - right| over all equations that were differentiated, by level: first of their
  /// highest versions, then of those one below, and so on. out: [n_constraint_levels()].
  void constraint_residuals(double time, const double* variables, const double* parameters,
                            std::span<double> out) const;
  std::uint32_t n_constraint_levels() const {
    return static_cast<std::uint32_t>(constraints_of_level_.size());
  }
  /// How many constraints have a version of that level.
  std::uint32_t n_constraints(std::uint32_t level) const { return constraints_of_level_[level]; }

 private:
  /// Order 0 of the equations with homotopy in place of the actual ones; true if there are any.
  bool enter_homotopy(structure::DifferentiatedSystem& system) const;
  /// What the repair of a structure that lied brought in becomes part of the model.
  void append_added();
  void list_variables();
  void compile_outputs(CompiledChart& chart) const;
  CompiledChart compile_chart(structure::ReducedSystem reduced,
                              std::shared_ptr<const structure::DifferentiatedSystem> differentiated,
                              const ModeVariant* variant = nullptr) const;
  void find_switches() const;
  ModeVariant* variant_at(const double* constants) const;
  /// The kernel of what `find` finds in the expressions that slopes of states need.
  std::vector<symbolic::ExprId> of_states(std::vector<symbolic::ExprId> functions,
                                          const structure::ReducedSystem& reduced) const;
  template <class Find>
  const WatchedFunctions& watched(std::shared_ptr<const WatchedFunctions>& functions,
                                  Find find) const;
  /// Empty where there are no outputs.
  Kernel kernel_of(std::span<const symbolic::ExprId> inputs,
                   const std::vector<symbolic::ExprId>& outputs) const;
  SourceKernels compile_sources(const structure::TimeSources& found) const;
  std::vector<char> driving_delays(const structure::ReducedSystem& reduced,
                                   std::span<const symbolic::ExprId> values) const;
  std::vector<double> switch_values(const double* constants) const;
  structure::SimplifiedSystem with_switches(std::span<const double> values) const;
  std::unique_ptr<ModeVariant> make_variant(structure::SimplifiedSystem with_modes) const;
  std::vector<structure::Undetermined> undetermined_at(
      const structure::SimplifiedSystem& simplified, const structure::StructuralPlan& plan,
      double time, const double* variables, const double* constants) const;
  ModeVariant* holding_variant(const double* constants,
                               const std::vector<structure::Undetermined>& undetermined) const;
  /// True if the model has a place for every unknown in the expressions.
  bool are_here(std::span<const symbolic::ExprId> expressions,
                std::span<const symbolic::ExprId> added = {}) const;
  JumpSystem make_jump(const flat::FlatSystem& simplified, const structure::StructuralPlan& plan,
                       const structure::DifferentiatedSystem& differentiated) const;
  const CompiledChart* variant_chart(ModeVariant& variant, const structure::Chart& chart) const;
  const CompiledChart* best_variant_chart(ModeVariant& variant, double time,
                                          const double* variables, const double* constants) const;
  const CompiledChart& make_direct_chart() const;
  bool put_together(CompiledChart& chart) const;
  ChartTapeRequest tape_request(const CompiledChart& chart) const;
  Tape derivatives_tape(const CompiledChart& chart) const;
  Tape invariants_tape(const CompiledIndexOne& form) const;
  std::vector<symbolic::ExprId> kernel_inputs() const;

  structure::HybridSystem hybrid_;
  ConstantLayout constants_;
  Backend backend_;
  structure::SimplifiedSystem simplified_;
  std::vector<structure::DroppedConstraint> dropped_;
  structure::StructuralPlan plan_;
  structure::DifferentiatedSystem differentiated_;
  std::vector<structure::HomotopyEquation> homotopy_equations_;  // of flat()
  std::vector<symbolic::ExprId> symbols_;                        // [n_variables]
  std::vector<std::uint32_t> unknown_of_;                        // [n_variables]: unknown of flat()
  std::vector<std::uint32_t> derivative_;  // [n_variables]: variable; n_variables: end of chain
  std::vector<std::uint32_t> place_;       // [n variables of the structure]: variable
  std::vector<EliminatedVariable> eliminated_;
  std::vector<std::string> names_;
  std::unordered_map<symbolic::ExprId, std::uint32_t> variable_of_;  // looked up, never iterated
  EventKernels events_;
  std::vector<double> selection_at(double time, const double* variables,
                                   const double* parameters) const;
  Kernel selection_;    // inputs as above; outputs: entries of the selection problem
  Kernel constraints_;  // inputs as above; outputs: residuals
  std::vector<std::uint32_t> level_of_constraint_;   // [outputs of constraints_]
  std::vector<std::uint32_t> constraints_of_level_;  // [n_constraint_levels]
  bool choice_varies_ = false;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const SeriesModel> series_;
  mutable std::shared_ptr<const MechanicalModel> mechanics_;
  mutable std::shared_ptr<const SourceKernels> sources_;
  mutable std::shared_ptr<const DelayKernels> delayed_;
  mutable std::shared_ptr<const WatchedFunctions> kinks_, denominators_, narrow_places_;
  mutable std::unique_ptr<const CompiledChart> direct_chart_;
  mutable std::shared_ptr<ChartPieces> pieces_;
  mutable std::map<structure::Chart, std::unique_ptr<const CompiledChart>> charts_;
  mutable std::map<structure::Chart, std::unique_ptr<const InitialSystem>> starts_;
  mutable std::map<structure::Chart, std::unique_ptr<const InitialSystem>> event_systems_;
  mutable std::map<std::pair<structure::Damping, structure::Settle>,
                   std::unique_ptr<const CompiledIndexOne>>
      index_one_;
  mutable std::unique_ptr<const CompiledIndexTwo> index_two_;
  /// Conditions on discrete variables that decide between branches of equations; looked for once.
  mutable std::vector<symbolic::ExprId> switches_;
  mutable Kernel switch_values_;  // no inputs; outputs: 1 where a switch is true, else 0
  mutable bool has_switches_ = false;
  mutable std::map<std::vector<double>, std::unique_ptr<ModeVariant>> variants_;  // by their values
  mutable std::map<std::vector<double>, std::vector<std::unique_ptr<ModeVariant>>>
      holding_variants_;                            // likewise
  mutable std::shared_ptr<const JumpSystem> jump_;  // of all modes at once
  // By the address of the chart: looked up, never iterated.
  mutable std::unordered_map<const CompiledChart*, std::unique_ptr<const ChartJacobian>> jacobians_;
  mutable std::unordered_map<const CompiledChart*, std::unique_ptr<const ChartResidual>> residuals_;
};

}  // namespace alembert::compile
