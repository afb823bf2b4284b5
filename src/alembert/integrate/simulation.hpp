// SPDX-License-Identifier: Apache-2.0
// Stage: integrate, for its own files. A run while it goes on: what `simulate` holds from the start
// to the end. In: a CompiledModel and options. Out: a SimulationResult. simulate.cpp goes from leg
// to leg, simulation_steps.cpp is what happens in a leg, simulation_tolerances.cpp how exact states
// have to be in it, simulation_passage.cpp how it goes through singular configurations,
// simulation_events.cpp what happens between two legs, simulation_rest.cpp how it comes to rest on
// a surface, simulation_checkpoint.cpp how a run is put aside and taken up again.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alembert/base/constants.hpp"
#include "alembert/integrate/chart_control.hpp"
#include "alembert/integrate/clock_ticks.hpp"
#include "alembert/integrate/constrained_form.hpp"
#include "alembert/integrate/delay_line.hpp"
#include "alembert/integrate/event_iteration.hpp"
#include "alembert/integrate/event_solver.hpp"
#include "alembert/integrate/fold_watch.hpp"
#include "alembert/integrate/initialise.hpp"
#include "alembert/integrate/kink_watch.hpp"
#include "alembert/integrate/mode_change.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/output_rows.hpp"
#include "alembert/integrate/pole_watch.hpp"
#include "alembert/integrate/pulse_watch.hpp"
#include "alembert/integrate/run_watch.hpp"
#include "alembert/integrate/second_order.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/integrate/source_watch.hpp"
#include "alembert/integrate/time_events.hpp"
#include "alembert/integrate/transport_line.hpp"
#include "alembert/integrate/variant_jump.hpp"

namespace alembert::integrate {

/// So many more steps before a chart ends: methods of low order take short ones.
inline constexpr double few_steps = 30;
/// The first step of a passage, in units of the way to the singular point: it ends as far behind
/// it.
inline constexpr double over_and_beyond = 2;

/// Of methods with a fixed step.
double fixed_step(const SimulateOptions& options);

/// What a checkpoint begins with: of which run it is. Error I012 where that is another one.
void exchange_identity(Archive& archive, const compile::CompiledModel& model,
                       const SimulateOptions& options, std::vector<double> given);

/// The point before anything of the run itself can be made.
struct Start {
  Start(const compile::CompiledModel& model, const SimulateOptions& options);

  std::vector<double> given;  // constants before anything happens
  ModelPoint point;
  EventIteration events;
  ChartControl charts;
  InitialReport report;
  /// Of methods that find all variables by themselves between events: the chart at events.
  const compile::CompiledChart* event_chart = nullptr;
};

class Simulation {
 public:
  Simulation(const compile::CompiledModel& model, const SimulateOptions& options);

  SimulationResult run();

 private:
  // ---- what the stepper integrates --------------------------------------------------------------

  /// All coordinates become states, from the point as it is.
  void use_coordinates(Formulation formulation);

  void make_chart_stepper();
  /// After an event: a stepper for the structure that the modes have now.
  void follow_structure();
  /// A warning for each unknown that nothing determines in the modes of the point, once.
  void note_held();
  std::string name_of(const structure::HeldUnknown& held) const;
  /// A warning of the run, unless there was one about the same thing.
  void tell_once(std::string about, std::string note);
  /// One that takes the model as it is, from the point as it is.
  void use_model_stepper(std::string_view method);

  /// What a stepper is asked for: that of the options, but passages shall not undo what a method
  /// with fixed steps keeps.
  double tolerance() const;
  void gather(std::span<double> y) const;
  /// A state that the model gives a nominal value is as exact as a part of that; others as of 1, or
  /// of ten times their size where that is less. What else the stepper has is determined by the
  /// states, and found with fewer digits.
  void set_tolerances();
  void widen_tolerance(std::size_t state);
  /// At the start of a leg.
  void measure_sizes();
  void measure_least_tolerances(std::span<const double> y);
  /// After a step to y.
  void follow_sizes(std::span<const double> y);
  /// After steps became too short; true if others are to be tried with tolerances as of 1.
  bool forgets_sizes();

  /// What a method wants to know of the system: its Jacobian, or positions and velocities.
  void describe(const MethodInfo& method, OdeSystem& system);
  void add_jacobian(OdeSystem& system);
  /// Slopes left open, where the model has such a form.
  void add_residual(OdeSystem& system);
  /// No event and no delay: the whole run is one leg, in which symplectic steps can be equal.
  bool nothing_interrupts() const;

  /// Within this, states are those of a chart: at events variables follow from them.
  class AtEvent {
   public:
    explicit AtEvent(Simulation& simulation) : simulation_(simulation) {
      const bool without_states = simulation.start_.event_chart != nullptr &&
                                  &simulation.point_.chart() == &simulation.model_.direct_chart();
      const bool of_coordinates = simulation.form_ && !simulation.leaves_coordinates_;
      if (!without_states && !of_coordinates) return;
      left_ = &simulation.point_.chart();
      simulation_.leaves_coordinates_ = of_coordinates;
      simulation_.point_.use(without_states ? *simulation_.start_.event_chart
                                            : simulation_.model_.static_chart());
      simulation_.charts_.choose();
    }
    ~AtEvent() {
      if (left_ == nullptr) return;
      if (!simulation_.leaves_coordinates_)
        simulation_.start_.event_chart = &simulation_.point_.chart();
      simulation_.leaves_coordinates_ = false;
      simulation_.point_.use(*left_);
    }
    AtEvent(const AtEvent&) = delete;
    AtEvent& operator=(const AtEvent&) = delete;

   private:
    Simulation& simulation_;
    const compile::CompiledChart* left_ = nullptr;
  };

  /// What happens at the start itself, once it is consistent; false if the run ends there.
  bool start_events();
  void note_unused_starts();

  void integrate_legs();
  void begin_leg();
  /// A run that is taken up again may stop within the leg that it was in.
  double leg_end() const { return std::min(leg_.end, options_.stop); }
  /// What comes after a leg that ended so; false if that is the end of the run.
  bool end_leg(const AdaptiveResult& end);
  /// True if ticks follow each other, although no time passes; then the run is to end.
  bool stands_still();
  /// What becomes singular towards a time that is known, as a valve that is shut by then, has no
  /// values there: a rounding error before it is at it.
  bool is_at_known(double t) const;
  /// True if a leg that was ended by values that are missing has come to the time that is known.
  bool arrives(const AdaptiveResult& end);

  // ---- from outside -----------------------------------------------------------------------------

  bool go_on(const BetweenSteps& now);

  Checkpoint save(const BetweenSteps& now);

  void restore(const Checkpoint& checkpoint);

  /// Everything that what comes depends on, and what the result tells of the past.
  void exchange(Archive& archive);

  void exchange_result(Archive& archive);

  // ---- events -----------------------------------------------------------------------------------

  bool state_event();

  void note_event(EventRecord event);

  void note_switch(ChartSwitch change);

  void write_left_limit(double t, std::span<const double> y);
  /// The point as the event left it: a row, and an instant, which is all that is known of a run
  /// that ends there.
  void write_right_limit();

  /// From the left limit, which was written, to the right limit; false if the run ends here.
  bool handle_event(bool with_ticks);

  /// All variables once more from what was settled on: what was tried after it, and dropped, may
  /// have left other values to be shown, or none. False where there are none; the run ends here.
  bool complete_right_limit();

  /// What follows from a constraint that jumped at the event; false if the run ends here.
  bool follow_jump(ConstraintJump& jump);

  /// The end of the run is an event where the model asks for it by terminal().
  void terminal_event();

  /// False, and why, if clocked equations have no solution or tick without end.
  bool ticked();

  /// Until nothing changes; false if the run ends here.
  bool react(bool with_ticks);

  /// How far to look ahead of an event: not less than what rounding in crossing functions may have
  /// put it off by.
  double moment() const;
  EventIteration::Moment moment_ahead() const;

  // ---- along surfaces ---------------------------------------------------------------------------

  /// A crossing function, and which surface it has; others may have the same.
  struct Tie {
    static constexpr std::uint32_t follows = ~0u;  // as others decide, which it depends on
    std::uint32_t crossing;
    std::uint32_t surface;  // of those that are slid along
    std::uint32_t opposed;  // 1: it is above zero where the first of the surface is below
  };
  /// With this method and choice of states.
  bool may_slide() const;
  /// Begins to slide along the surfaces of comparisons that changed, here or a moment ago, as far
  /// as they are led back to. False, and nothing changed, if there are none.
  bool slide_from_here(std::span<const std::uint32_t> undecided);  // modes
  bool slide_along(std::vector<std::uint32_t> crossings);
  void look_away_while_sliding();
  void leave_surfaces(std::vector<Tie>& ties, std::span<const Sliding::Place> places);
  std::uint32_t crossing_met(std::uint32_t mode);
  void note_met(std::span<const std::uint32_t> modes);
  std::vector<std::uint32_t> surfaces_met(std::span<const std::uint32_t> undecided);
  std::vector<double> states_here() const;
  std::vector<Tie> tie(std::span<const std::uint32_t> crossings, double t,
                       std::span<const double> y);
  /// The first crossing function of each surface.
  static std::vector<std::uint32_t> surfaces_of(std::span<const Tie> ties);
  /// Constants of the model beside these surfaces, the point's being those of the moment.
  std::vector<double> constants_at(std::span<const Tie> ties, Sliding::Corner corner);
  Sliding sliding_along(std::span<const Tie> ties, Sliding::Beside beside, double t,
                        std::span<const double> y);
  void let_follow(std::span<const Tie> ties, Sliding& sliding, Sliding::Corner corner, double t,
                  std::span<const double> y, std::span<double> constants);
  std::vector<std::uint32_t> modes_that_differ(Sliding& sliding) const;
  void go_along(Sliding sliding, std::vector<Tie> ties);
  void tell_of_sliding();
  /// On the sides that had the larger shares. Surfaces that are undecided still are remembered.
  void end_sliding();
  /// Along those that are undecided still, after what has ended it.
  void resume_sliding();
  void step_off(std::span<const Tie> left, Sliding::Corner corner);
  bool leave_to_side(std::span<const std::uint32_t> crossings, double t, std::span<const double> y);

  /// Where in the step a sliding motion leaves its surface, if it does.
  std::optional<double> end_of_sliding(const AcceptedStep& step);
  /// Where an equation that repeated others while its modes last, and was left out, does so no
  /// more: a valve that was shut begins to open.
  std::optional<double> end_of_holding(const AcceptedStep& step);

  /// Where the solution that was followed ends, such as at a fold, the model may jump to another
  /// one: an event. False, and nothing changed, if there is none.
  bool jump();

  /// Where the branch that was followed has values on its own side of a comparison only, such as
  /// the root of a level above an edge, no step leads over it: the comparison changes a moment
  /// ahead of t, and the run goes on behind it. False, and nothing changed, if none does.
  bool step_over_edge(double t);

  /// Where both sides of a comparison lead to equality in a finite time, the slower the nearer they
  /// come, as the levels of two tanks do, nothing moves across the surface any more, and a rounding
  /// error behind it the branch that was followed may have no value: the run goes on along it. At t
  /// and y_, where steps lead no further. False, and nothing changed, if it is no such place.
  bool rest_on_surface(double t);
  bool rest_along(std::span<const std::uint32_t> crossings, double t, std::span<const double> y);
  /// True if anything in the model jumps between the sides.
  bool shows_side(Sliding& sliding, double t);
  std::optional<Sliding::Beside> place_beside(std::vector<Tie>& ties, double t,
                                              std::span<const double> y);
  struct Slopes;
  Slopes slopes_of(std::span<const std::uint32_t> crossings, double t, std::span<const double> y);
  /// Those that are as near to zero as states can tell that are known so well.
  void keep_those_here(std::vector<std::uint32_t>& crossings, double t, std::span<const double> y,
                       double nearness);
  double surface_tolerance() const;
  /// What a state is as large as, at least by its tolerance.
  double scale_of_state(std::size_t state, double value) const;

  /// False, and why, if the run cannot go on after an event or shall not.
  bool accept(const EventIteration::Result& result);

  bool checked();

  // ---- steps ------------------------------------------------------------------------------------

  std::optional<double> find_mode_change(const AcceptedStep& step);

  ObserverAction observe(AcceptedStep& step);

  /// How long the next step from t may be, by what drives the model from outside.
  double limit_by_sources(double t);
  /// The same by how far the last two state events lie apart.
  double limit_after_event(double t) const;

  /// True if the step goes over a kink that its estimate of the error did not see: it is to be made
  /// again with the length that it then has been given.
  bool misses_kink(AcceptedStep& step);
  /// Of a step from the present state whose error was too large: the way to a kink in it, or 0.
  double way_to_kink(double h, std::span<const double> y_attempted);
  double way_to_break(double t);
  bool watches_kinks() const;
  /// The same for a narrow pulse.
  bool misses_pulse(AcceptedStep& step);
  bool goes_by_series() const;
  bool slopes_beside_series(double t, const std::vector<double>& y, std::vector<double>& f);
  /// True where slopes are those of states, and steps are as long as their errors allow.
  bool sees_slopes() const;
  bool watches_poles() const;
  bool leads_over_pole(AcceptedStep& step);
  /// The same for steps whose length is given: the run ends where such a step began.
  bool ends_at_pole(const AcceptedStep& step);
  /// Of a step that met an event: true if it is to be made again with shorter ones, from its begin.
  bool takes_back(const AcceptedStep& step);
  /// The step meets an event at t, where it ends.
  ObserverAction end_at_event(AcceptedStep& step, double t);
  /// The states go on, but from somewhere in the step on what follows from them has no values, such
  /// as a constraint that nothing meets any more. The run ends where there were values last.
  ObserverAction end_of_values(AcceptedStep& step);
  /// The last time in a step with values, and the first without: apart by rounding.
  struct BranchEnd {
    double before, after;
  };
  /// Of a step without values at `until`.
  BranchEnd branch_end(const AcceptedStep& step, double until);
  /// A branch that ends with its condition has no values beyond it, where rounding may have led: an
  /// event. False if no condition changes there.
  bool edge_event(AcceptedStep& step, const BranchEnd& end);
  bool creeps_at_edge(const AcceptedStep& step);

  /// The quality of the chart afterwards; chart_changed_ tells whether it is another.
  double improve_chart();

  ObserverAction keep_chart(AcceptedStep& step);

  ObserverAction keep_coordinates(AcceptedStep& step);
  bool may_look_away();

  /// The same where the method takes the model as it is.
  ObserverAction keep_method();

  // ---- passages through singular configurations -------------------------------------------------

  /// The quality of the best chart below which a configuration counts as nearly singular.
  double passage_begins() const;
  bool has_series();
  /// After a step in which all coordinates are states.
  bool singular_ahead();
  /// Where a block of its own turns singular, whatever the states: after a step, and in one that
  /// went there and back again, of which nothing is kept.
  bool fold_ahead();
  bool turned_at_fold(const AcceptedStep& step);
  bool went_to_fold_and_back(const AcceptedStep& step);
  void begin_to_watch_folds(const AcceptedStep& step);
  /// A step of a passage that leads to another branch, where the one that was followed ends, or
  /// goes on by itself.
  bool jumped_at_fold(const AcceptedStep& step);
  /// The same of a step outside of passages, which then is to be made again with the length that it
  /// has been given.
  bool leaps_at_fold(AcceptedStep& step);
  /// In the step a determinant comes near to zero, and the branch that was followed turns there
  /// without meeting another.
  bool branch_turns(const AcceptedStep& step);
  /// True if the passage lies behind; then the form is to be changed.
  bool passed();
  /// True if a passage takes steps without end; then the run is to end.
  bool crawls();
  /// True if a method with fixed steps failed where a passage may lead on.
  bool fails_at_singularity(Outcome outcome);
  /// True if Taylor series do not lead on; then there is another way.
  bool series_failed(Outcome outcome) const;
  void enter_passage();
  void pass_without_series();
  /// Into a passage, or back to what was asked for.
  void change_form();

  /// All variables at the end of an accepted step; false where there are no values.
  bool complete_at_end(const AcceptedStep& step);
  /// All variables at a time within the step; false where there are no values.
  bool complete_in(const AcceptedStep& step, double t);
  /// The states alone.
  bool enter_in(const AcceptedStep& step, double t);
  /// Whether they tell functions, by the chart that this was asked for last.
  struct ToldByStates {
    const compile::CompiledChart* chart = nullptr;
    bool is_so = false;
  };
  bool states_tell(const compile::WatchedFunctions& functions, ToldByStates& told) const;

  /// The point again, on its constraints, where the formulation keeps it there; false where it does
  /// not.
  bool complete_settled();

  /// Where in the step an assertion fails, if it does so at the end of it.
  std::optional<double> first_violation(const AcceptedStep& step);

  /// Warnings of assertions that begin to be so within the step.
  void tell_warnings(const AcceptedStep& step);

  /// True if contents of a pipe would be carried through all of it, within one step.
  bool carries_too_far(AcceptedStep& step);
  /// Remembers what is delayed, over the step up to `end`; false where there are no values.
  bool remember(const AcceptedStep& step, double end);

  /// Rows at equidistant times up to `end`; false where there are no values.
  bool write_rows(AcceptedStep& step, double end, bool with_end);

  /// With the modes as they are other equations are differentiated than in the model's plan.
  bool has_own_structure() const;
  void explain_end();

  std::string explain_last_step();
  BeyondGap beyond_gap(const AcceptedStep& step, double gap, std::span<const MissingValue> missing);
  /// What has no value at the point, or a moment ahead of it along the slopes of its states.
  std::vector<MissingValue> missing_ahead(std::span<const double> y,
                                          std::span<const double> slopes);

  const compile::CompiledModel& model_;
  const SimulateOptions& options_;
  Start start_;
  ModelPoint& point_;
  EventIteration& events_;
  EventSolver event_solver_;
  ChartControl& charts_;
  OutputRows rows_;
  ModeChange mode_change_;
  std::vector<std::uint32_t> ignored_modes_;  // while sliding: those that differ by the side
  struct MetSurface {
    std::uint32_t mode;
    double time;
  };
  std::vector<MetSurface> met_;            // comparisons that changed lately, or were slid along
  std::vector<Tie> ties_;                  // of surfaces, while sliding
  double away_ = 0;                        // how long it was looked away for while sliding
  int n_doublings_ = 0;                    // of that
  std::vector<std::uint32_t> slid_along_;  // crossings, undecided at the event that ended it
  bool leaves_surface_ = false;            // the event is that a sliding motion leaves one
  bool cannot_slide_ = false;              // with this method or choice of states
  TimeEvents time_events_;
  ClockTicks clocks_;
  AssertionWatch assertions_;
  AccumulationWatch accumulation_;
  std::optional<SourceWatch> sources_;  // unless nothing drives the model from outside
  std::optional<KinkWatch> kinks_;      // unless all kinks are events
  std::optional<PoleWatch> poles_;      // if anything is divided by
  std::vector<double> before_looks_;    // [n_variables], work
  ToldByStates kinks_told_, pulses_told_;
  std::optional<PulseWatch> pulses_;     // if slopes may have any that are narrow
  std::optional<FoldWatch> folds_;       // unless there is none to look for
  std::optional<ConstrainedForm> form_;  // where all coordinates are states
  bool leaves_coordinates_ = false;      // at events, for the states of a chart
  enum class Change { none, into_passage, out_of_passage } change_ = Change::none;
  bool in_passage_ = false;
  double passage_step_ = 0;             // to begin a passage with
  double retry_step_ = 0;               // no longer than this, after a step that was taken back
  double last_event_ = -infinity;       // time of the last state event
  double event_distance_ = infinity;    // from the one before it
  bool by_series_ = true;               // passages, unless that failed
  std::uint32_t n_singular_steps_ = 0;  // in a row
  std::uint32_t n_steps_looked_ = 0;    // since charts were looked at, where that is now and then
  std::uint32_t steps_to_look_ = 1;     // when they are next, where all coordinates are states
  double best_quality_ = 0;             // at the last step, where all coordinates are states
  double singular_in_ = infinity;       // the way to where it would vanish, by the last two
  double usual_quality_ = 0;            // the best that a chart had so far
  bool chart_changed_ = false;          // after the last step
  bool looks_away_ = false;             // from charts, at this step
  std::unique_ptr<Stepper> stepper_;
  const compile::ModeVariant* stepper_variant_ = nullptr;  // the structure that it was made for
  std::unique_ptr<Stepper> resting_;   // in a passage: one that takes the model as it is
  std::vector<double> absolute_each_;  // [stepper's unknowns]: tolerances
  std::vector<double> sizes_;          // [n_variables]: of states so far; 0: not known, or rounding
  std::vector<std::uint32_t> small_states_;  // of the chart: whose tolerances follow their sizes
  SecondOrderStructure second_order_;        // where the method asks for it
  bool dense_jacobian_ = true;
  std::vector<double> y_;             // of the stepper
  std::vector<double> interpolated_;  // the same
  DelayLine delays_;
  TransportLine pipes_;
  double last_step_ = 0;
  double look_away_until_ = -infinity;
  bool found_event_ = false;
  double no_values_at_ = 0;              // where in a step `complete_in` failed last
  bool arrived_ = false;                 // at the time that is known, where there are no values
  bool ends_holding_ = false;            // that event is of no mode: it is the end of holding
  bool at_edge_ = false;                 // of a branch: steps have become too short to matter
  int n_tiny_steps_ = 0;                 // one after the other
  std::uint64_t n_failures_before_ = 0;  // them: how often slopes had no value
  int n_ticks_here_ = 0;                 // at one time
  struct Leg {
    double start = 0;
    double known = 0;  // the next time known ahead
    double end = 0;
  };
  Leg leg_;
  LoopState loop_;         // of a checkpoint
  bool resuming_ = false;  // the leg under way is that of the checkpoint
  double reached_ = 0;     // at the checkpoint
  double next_checkpoint_ = 0;
  std::vector<double> largest_;            // [n_variables]: of states so far
  std::vector<double> least_tolerance_;    // [n_variables]: of states, absolute
  std::vector<std::uint64_t> limited_by_;  // [n_variables]: attempts, as Statistics::limited_by
  std::vector<std::string> notes_;         // warnings of the run itself
  std::vector<std::string> told_;          // what some of them are about, each told once
  std::string reason_;                     // why the run ends, where it does so early
  SimulationResult result_;
};

}  // namespace alembert::integrate
