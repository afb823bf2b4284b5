// SPDX-License-Identifier: Apache-2.0
// A run is a row of legs, each from one event to the next; within a leg nothing discrete changes.
#include "alembert/integrate/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/chart_control.hpp"
#include "alembert/integrate/constrained_form.hpp"
#include "alembert/integrate/dense_history.hpp"
#include "alembert/integrate/event_iteration.hpp"
#include "alembert/integrate/initialise.hpp"
#include "alembert/integrate/iteration_matrix.hpp"
#include "alembert/integrate/mode_change.hpp"
#include "alembert/integrate/model_methods.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/output_rows.hpp"
#include "alembert/integrate/run_watch.hpp"
#include "alembert/integrate/second_order.hpp"
#include "alembert/integrate/time_events.hpp"

namespace alembert::integrate {

namespace {

using compile::CompiledModel;

constexpr double eps = std::numeric_limits<double>::epsilon();

/// Without knowledge of what happens between looks, a leg is looked at this often.
constexpr double least_looks = 100;

/// Below this quality of the best chart a singular configuration lies ahead.
constexpr double passage_quality = 1e-2;

/// How far states may be from the constraints inside of the integration, in units of the tolerance;
/// what is shown is always on them.
constexpr double drift_allowed = 0.01;

bool keeps_coordinates(Formulation formulation) {
  return formulation == Formulation::projection || formulation == Formulation::baumgarte ||
         formulation == Formulation::ggl;
}

void add(Statistics& total, const Statistics& part) {
  total.steps += part.steps;
  total.rejected += part.rejected;
  total.failed += part.failed;
  total.rhs_calls += part.rhs_calls;
  total.jacobian_calls += part.jacobian_calls;
  total.factorisations += part.factorisations;
  total.method_changes += part.method_changes;
  total.method = part.method;
  total.limited_by.resize(std::max(total.limited_by.size(), part.limited_by.size()), 0);
  for (std::size_t i = 0; i < part.limited_by.size(); ++i)
    total.limited_by[i] += part.limited_by[i];
  if (!total.first_non_finite.seen) total.first_non_finite = part.first_non_finite;
}

/// The point before anything of the run itself can be made.
struct Start {
  Start(const CompiledModel& model, const SimulateOptions& options)
      : given(model.parameter_values(options.parameters)),
        point(model, given),
        events(point),
        charts(point, options.formulation) {
    if (options.resume == nullptr)
      report = initialise(point, events, charts, options);
    else
      point.use(model.static_chart());  // the rest comes from the checkpoint
    if (!is_model_method(options.method)) return;
    event_chart = &point.chart();
    point.use(model.direct_chart());
  }

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
  Simulation(const CompiledModel& model, const SimulateOptions& options)
      : model_(model),
        options_(options),
        start_(model, options),
        point_(start_.point),
        events_(start_.events),
        charts_(start_.charts),
        rows_(point_, options),
        mode_change_(point_),
        time_events_(point_, options.start),
        assertions_(point_),
        accumulation_(options.start, options.stop),
        next_checkpoint_(options.start + options.checkpoint_every),
        limited_by_(model.n_variables(), 0) {
    result_.formulation = options.formulation;
    if (options.formulation == Formulation::automatic)
      result_.formulation = charts_.dynamic() ? Formulation::dynamic : Formulation::dummy;
    stepper_ = make_model_stepper(options_.method, model, point_.constants(), options_.tolerance);
    if (stepper_) {
      y_.resize(stepper_->system().n);
      interpolated_.resize(stepper_->system().n);
    } else {
      if (keeps_coordinates(options.formulation) && model.has_choice())
        use_coordinates(options.formulation);
      make_chart_stepper();
    }
    if (options_.resume != nullptr) restore(*options_.resume);
  }

  SimulationResult run() {
    if (options_.resume == nullptr) {
      rows_.pass(options_.start);
      begin_delays();
      if (start_events()) integrate_legs();
    } else if (reached_ < options_.stop) {
      rows_.pass(reached_);
      integrate_legs();
    }
    result_.end_time = point_.time();
    result_.step_limits = step_limits(model_, limited_by_);
    result_.missing_values = find_missing(point_);
    if (result_.outcome != Outcome::done && result_.outcome != Outcome::terminated) explain_end();
    rows_.report(result_);
    result_.trajectory = rows_.take();
    result_.warnings = std::move(assertions_.warnings());
    for (std::string& text : model_.redundancies()) result_.warnings.push_back(std::move(text));
    if (auto warning = judge_switches(result_.switches, result_.statistics.steps))
      result_.warnings.push_back(std::move(*warning));
    result_.filled_starts = std::move(start_.report.filled);
    return std::move(result_);
  }

 private:
  // ---- what the stepper integrates --------------------------------------------------------------

  /// All coordinates become states, from the point as it is.
  void use_coordinates(Formulation formulation) {
    form_.emplace(point_, options_, formulation);
    result_.baumgarte_omega = form_->omega();
  }

  void make_chart_stepper() {
    std::string method = options_.method;
    if (!find_method(method)) {
      std::string names;
      for (const auto methods : {all_methods(), model_methods()})
        for (const MethodInfo* known : methods)
          names += (names.empty() ? "" : ", ") + std::string(known->name);
      throw Error("I003", "there is no method named '" + options_.method + "'. The methods are " +
                              names + ".");
    }
    OdeSystem system;
    if (IndexTwoSystem* index_two = form_ ? form_->index_two() : nullptr) {
      if (method == "auto") method = "radau5";
      if (method != "radau5" && method != "ida")
        throw Error("I014", "the formulation ggl is a system of index 2, which the method '" +
                                method + "' does not solve. Use radau5 or ida.");
      system = index_two->system();
      absolute_each_ = index_two->tolerances(options_.tolerance);
    } else {
      system.n = point_.n_states();
      system.context = this;
      system.rhs = [](void* self, double t, const double* y, double* f) {
        return static_cast<Simulation*>(self)->point_.derivatives(t, y, f);
      };
      describe(*find_method(method), system);
      absolute_each_.clear();
    }
    stepper_ = make_stepper(method, system);
    y_.resize(system.n);
    interpolated_.resize(system.n);
  }

  void gather(std::span<double> y) const {
    if (form_)
      form_->gather(y);
    else
      point_.copy_states(y);
  }

  /// What a method wants to know of the system: its Jacobian, or positions and velocities.
  void describe(const MethodInfo& method, OdeSystem& system) {
    if (method.needs_velocities && !charts_.dynamic()) {
      second_order_ = second_order_structure(model_, point_.chart());
      if (method.needs_separable && !second_order_.separable)
        throw Error("I010", "the method '" + options_.method +
                                "' is for accelerations that do not depend on velocities, and "
                                "here one does. Use newmark, or a method with error control.");
      system.velocity_of = second_order_.velocity_of.data();
    }
    if (!method.uses_jacobian || !point_.use_jacobian()) return;
    // A pattern holds for one chart; where charts change, the Jacobian is dense.
    dense_jacobian_ = (charts_.dynamic() && !form_) || system.n <= largest_dense;
    if (!dense_jacobian_) system.jacobian_pattern = point_.jacobian_pattern();
    system.jacobian = [](void* self, double t, const double* y, double* dfdy, double* dfdt) {
      auto& simulation = *static_cast<Simulation*>(self);
      return simulation.point_.jacobian(t, y, simulation.dense_jacobian_, dfdy, dfdt);
    };
  }

  /// Within this, states are those of a chart: at events variables follow from them.
  class AtEvent {
   public:
    explicit AtEvent(Simulation& simulation) : simulation_(simulation) {
      if (simulation_.start_.event_chart == nullptr) return;
      simulation_.point_.use(*simulation_.start_.event_chart);
      simulation_.charts_.choose();
    }
    ~AtEvent() {
      if (simulation_.start_.event_chart == nullptr) return;
      simulation_.start_.event_chart = &simulation_.point_.chart();
      simulation_.point_.use(simulation_.model_.direct_chart());
    }
    AtEvent(const AtEvent&) = delete;
    AtEvent& operator=(const AtEvent&) = delete;

   private:
    Simulation& simulation_;
  };

  /// What happens at the start itself, once it is consistent; false if the run ends there.
  bool start_events() {
    const AtEvent at_event(*this);
    if (model_.hybrid().has_events() && !react(false)) return false;
    if (options_.dense != nullptr) options_.dense->add(point_);
    if (options_.save_at.empty() || options_.save_at.front() <= point_.time()) rows_.write();
    if (!time_events_.tick(point_.time())) return checked();
    ++result_.n_time_events;
    return handle_event(true);
  }

  void integrate_legs() {
    AdaptiveOptions adaptive;
    adaptive.tolerances = {options_.tolerance, options_.tolerance, absolute_each_};
    if (stepper_->method().step_choice == StepChoice::fixed)
      adaptive.first_step =
          options_.step > 0 ? options_.step
                            : (options_.stop - options_.start) / std::max(1u, options_.intervals);
    if ((mode_change_.any() && !stepper_->method().tells_looks) || point_.n_states() == 0)
      adaptive.max_step = (options_.stop - options_.start) / least_looks;
    adaptive.max_step = std::min(adaptive.max_step, shortest_delay_);
    auto observer = [this](AcceptedStep& step) { return observe(step); };
    auto between_steps = [this](const BetweenSteps& now) { return go_on(now); };
    if (options_.interrupt != nullptr || options_.on_checkpoint)
      adaptive.between_steps = between_steps;
    while (resuming_ || point_.time() < options_.stop) {
      adaptive.resume = std::exchange(resuming_, false) ? &loop_ : nullptr;
      if (adaptive.resume == nullptr) {
        leg_.known = next_known();
        gather(y_);
        mode_change_.begin(point_.time(), y_);
        // While looking away a leg ends with that moment.
        const bool away = look_away_until_ > point_.time();
        leg_.start = point_.time();
        leg_.end = std::min({leg_.known, options_.stop, away ? look_away_until_ : infinity});
      }
      const double known = leg_.known;
      const double leg_end = std::min(leg_.end, options_.stop);
      found_event_ = false;
      adaptive.max_steps = options_.max_steps - result_.statistics.steps;
      const AdaptiveResult end =
          integrate_adaptive(*stepper_, leg_.start, leg_end, y_, adaptive, observer);
      add(result_.statistics, end.statistics);
      for (std::size_t i = 0; i < point_.n_states(); ++i)
        limited_by_[point_.chart().states[i]] += end.statistics.limited_by[i];
      if (change_ != Change::none) {
        change_form();
        continue;
      }
      if (!found_event_ && result_.outcome == Outcome::done) point_.enter(end.t, y_.data());
      if (found_event_) {
        ++result_.n_state_events;
        if (!state_event()) return;
      } else if (end.outcome != Outcome::done) {
        if (result_.outcome == Outcome::done) result_.outcome = end.outcome;
        return;
      } else if (known <= leg_end) {
        ++result_.n_time_events;
        note_event({known, {}});
        write_left_limit(known, y_);
        if (!handle_event(time_events_.tick(known))) return;
      }
    }
  }

  // ---- from outside -----------------------------------------------------------------------------

  bool go_on(const BetweenSteps& now) {
    const bool interrupted = options_.interrupt != nullptr && options_.interrupt->load();
    const double t = stepper_->t();
    const double every = options_.checkpoint_every;
    const bool due = every > 0 && t >= next_checkpoint_;
    if (options_.on_checkpoint && (due || interrupted)) {
      if (due)
        next_checkpoint_ = options_.start + every * (std::floor((t - options_.start) / every) + 1);
      if (!options_.on_checkpoint(save(now))) result_.outcome = Outcome::paused;
    }
    if (interrupted) result_.outcome = Outcome::interrupted;
    return result_.outcome == Outcome::done;
  }

  Checkpoint save(const BetweenSteps& now) {
    Archive archive;
    loop_ = now.state;
    const Statistics before = result_.statistics;
    add(result_.statistics, now.statistics());
    reached_ = stepper_->t();
    exchange(archive);
    result_.statistics = before;
    return {reached_, rows_.n_rows(), archive.bytes()};
  }

  void restore(const Checkpoint& checkpoint) {
    Archive archive(checkpoint.bytes);
    exchange(archive);
    if (!archive.at_end()) throw Error("I012", "the checkpoint is damaged.");
    resuming_ = true;
    if (history_.size() > 0) point_.follow(&history_);
    y_.resize(stepper_->system().n);
  }

  /// Everything that what comes depends on, and what the result tells of the past.
  void exchange(Archive& archive) {
    exchange_identity(archive);
    archive(in_passage_, result_.n_passages);
    if (archive.reading() && in_passage_) {
      use_coordinates(Formulation::projection);
      make_chart_stepper();
    }
    point_.exchange(archive, !form_);
    events_.exchange(archive);
    mode_change_.exchange(archive);
    time_events_.exchange(archive);
    assertions_.exchange(archive);
    accumulation_.exchange(archive);
    rows_.exchange(archive);
    history_.exchange(archive);
    std::vector<double> arrivals(arrivals_.begin(), arrivals_.end());
    archive(arrivals, delayed_, sent_, shortest_delay_, last_step_, look_away_until_, leg_, loop_,
            reached_, next_checkpoint_);
    arrivals_ = std::set<double>(arrivals.begin(), arrivals.end());
    stepper_->exchange(archive);
    exchange_result(archive);
  }

  void exchange_identity(Archive& archive) {
    std::vector<std::string> names = model_.variable_names();
    std::string method = options_.method;
    std::string formulation(to_string(options_.formulation));
    std::vector<double> given = start_.given;
    archive(names, method, formulation, given);
    if (names != model_.variable_names() || given.size() != start_.given.size())
      throw Error("I012", "the checkpoint belongs to another model, or to another version of it.");
    if (formulation != to_string(options_.formulation))
      throw Error("I012", "the checkpoint was made with the formulation '" + formulation +
                              "' and cannot go on with '" +
                              std::string(to_string(options_.formulation)) + "'.");
    if (method != options_.method)
      throw Error("I012", "the checkpoint was made with the method '" + method +
                              "' and cannot go on with '" + options_.method + "'.");
    for (std::size_t i = 0; i < model_.flat().parameters.size(); ++i)
      if (given[i] != start_.given[i] && !(std::isnan(given[i]) && std::isnan(start_.given[i])))
        throw Error("I012", "the checkpoint was made with " +
                                model_.parameter_name(static_cast<std::uint32_t>(i)) + " = " +
                                number_text(given[i]) + ", not " + number_text(start_.given[i]) +
                                ": a run goes on with the parameters it had.");
  }

  void exchange_result(Archive& archive) {
    Statistics& s = result_.statistics;
    archive(s.steps, s.rejected, s.failed, s.rhs_calls, s.jacobian_calls, s.factorisations,
            s.method_changes, s.limited_by, s.first_non_finite, result_.n_state_events,
            result_.n_time_events, result_.n_switches);
    std::uint64_t n_events = result_.events.size();
    std::uint64_t n_switches = result_.switches.size();
    archive(n_events, n_switches);
    if (archive.reading()) {
      result_.events.assign(n_events, {});
      result_.switches.assign(n_switches, {});
    }
    for (EventRecord& event : result_.events) archive(event.time, event.modes);
    for (ChartSwitch& change : result_.switches)
      archive(change.time, change.block, change.from, change.to, change.quality_before,
              change.quality_after);
    archive(start_.report.filled, limited_by_);
  }

  // ---- events -----------------------------------------------------------------------------------

  bool state_event() {
    const double t = point_.time();
    note_event({t, mode_change_.changed()});
    const AccumulationWatch::Verdict verdict = accumulation_.add(t);
    if (verdict == AccumulationWatch::Verdict::chatter)
      look_away_until_ = t + accumulation_.moment(t);
    if (verdict == AccumulationWatch::Verdict::accumulation) {
      result_.outcome = Outcome::accumulation;
      reason_ = "the events of " + model_.describe_modes(mode_change_.changed()) +
                " follow each other in ever shorter times. Give the model another way to go on "
                "from here, such as a state of rest.";
      return false;
    }
    return handle_event(time_events_.tick(t));
  }

  void note_event(EventRecord event) {
    if (result_.events.size() < most_event_records) result_.events.push_back(std::move(event));
  }

  void note_switch(ChartSwitch change) {
    ++result_.n_switches;
    if (result_.switches.size() < most_event_records) result_.switches.push_back(std::move(change));
  }

  void write_left_limit(double t, std::span<const double> y) {
    point_.complete(t, y);
    rows_.write();
    rows_.pass(t);
  }

  /// From the left limit, which was written, to the right limit; false if the run ends here.
  bool handle_event(bool with_ticks) {
    const AtEvent at_event(*this);
    events_.advance_previous();
    if (!react(with_ticks)) return false;
    if (!form_) improve_chart();
    if (!complete_settled()) point_.complete();
    rows_.write();
    note_arrivals();
    return checked();
  }

  /// Until nothing changes; false if the run ends here.
  bool react(bool with_ticks) {
    const auto solve = [this] { return point_.complete(); };
    if (!accept(events_.run(solve))) return false;
    if (with_ticks) {
      time_events_.silence();
      if (!accept(events_.run(solve))) return false;
    }
    const double scale =
        std::max(std::abs(point_.time()), 1e-3 * std::abs(options_.stop - options_.start));
    // Not less than what rounding in crossing functions may have put the event off by.
    return accept(events_.look_ahead(std::max(16 * eps * scale, 1e-11 * last_step_), solve));
  }

  /// False, and why, if the run cannot go on after an event or shall not.
  bool accept(const EventIteration::Result& result) {
    if (result.end != EventIteration::End::settled) {
      result_.outcome = Outcome::event_failed;
      reason_ = explain(model_, result);
      return false;
    }
    if (!result.terminated) return true;
    result_.outcome = Outcome::terminated;
    result_.message = model_.flat().terminations[result.termination].message;
    if (point_.complete()) rows_.write();
    return false;
  }

  bool checked() {
    auto failure = assertions_.check();
    if (!failure) return true;
    result_.outcome = Outcome::assertion_failed;
    reason_ = std::move(*failure);
    return false;
  }

  // ---- times known ahead ------------------------------------------------------------------------

  double next_known() {
    double known = time_events_.any() ? time_events_.next() : infinity;
    while (!arrivals_.empty() && *arrivals_.begin() <= point_.time())
      arrivals_.erase(arrivals_.begin());
    return arrivals_.empty() ? known : std::min(known, *arrivals_.begin());
  }

  /// A jump of what is delayed stepwise arrives later.
  void note_arrivals() {
    const std::size_t n = history_.size();
    if (n == 0) return;
    const auto numbers = point_.delays();
    for (std::size_t k = 0; k < n; ++k) {
      if (numbers[k] == sent_[k] || !model_.events().stepwise_delays[k]) continue;
      sent_[k] = numbers[k];
      if (numbers[n + k] > 0) arrivals_.insert(point_.time() + numbers[n + k]);
    }
  }

  // ---- delays -----------------------------------------------------------------------------------

  void begin_delays() {
    const std::size_t n = model_.flat().delays.size();
    if (n == 0) return;
    const auto numbers = point_.delays();
    for (std::size_t k = 0; k < n; ++k) {
      if (!(numbers[n + k] >= 0))
        throw Error("I009",
                    "a quantity is delayed by " + number_text(numbers[n + k]) +
                        ", and nothing can be known before it happens. Give a positive delay.",
                    model_.flat().delays[k].origin);
      // A delay that vanishes beside the run is looked up in the continued last step.
      const double least = 1e-6 * (options_.stop - options_.start);
      if (numbers[n + k] > least && !model_.events().stepwise_delays[k])
        shortest_delay_ = std::min(shortest_delay_, numbers[n + k]);
    }
    history_ = DelayHistory({numbers.begin() + static_cast<std::ptrdiff_t>(2 * n), numbers.end()});
    history_.begin(point_.time(), numbers.first(n));
    delayed_.resize(DelayHistory::n_points * n);
    sent_.assign(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n));
    point_.follow(&history_);
  }

  /// Remembers what is delayed, over the step up to `end`; false where there are no values.
  bool remember(const AcceptedStep& step, double end) {
    const std::size_t n = history_.size();
    if (n == 0) return true;
    for (std::size_t i = 0; i < DelayHistory::n_points; ++i) {
      const double t =
          step.t_old + (end - step.t_old) * double(i) / double(DelayHistory::n_points - 1);
      if (!complete_in(step, t)) return false;
      const auto values = point_.delays().first(n);
      std::copy(values.begin(), values.end(),
                delayed_.begin() + static_cast<std::ptrdiff_t>(i * n));
    }
    history_.add(step.t_old, end, delayed_);
    return true;
  }

  // ---- steps ------------------------------------------------------------------------------------

  std::optional<double> find_mode_change(const AcceptedStep& step) {
    const std::span<const double> looks = stepper_->looks();
    return looks.empty() ? mode_change_.find(step) : mode_change_.find(step, looks);
  }

  ObserverAction observe(AcceptedStep& step) {
    last_step_ = step.t - step.t_old;
    if (mode_change_.any() && step.t > look_away_until_)
      if (const auto t = find_mode_change(step)) {
        if (options_.dense != nullptr) options_.dense->add(point_, step, *t);
        if (!write_rows(step, *t, false) || !remember(step, *t)) return ObserverAction::stop;
        found_event_ = true;
        write_left_limit(*t, mode_change_.state());
        return ObserverAction::stop;
      }
    if (assertions_.any())
      if (const auto t = first_violation(step)) {
        if (write_rows(step, *t, false) && complete_in(step, *t)) rows_.write();
        checked();
        return ObserverAction::stop;
      }
    if (options_.dense != nullptr) options_.dense->add(point_, step, step.t);
    if (!write_rows(step, step.t, true) || !remember(step, step.t) ||
        !point_.complete(step.t, step.y))
      return end_of_values(step);
    if (!checked()) return ObserverAction::stop;
    if (!model_.has_choice() || start_.event_chart != nullptr) return ObserverAction::go_on;
    return form_ ? keep_coordinates(step) : keep_chart(step);
  }

  /// The states go on, but from somewhere in the step on what follows from them has no values, such
  /// as a constraint that nothing meets any more. The run ends where there were values last.
  ObserverAction end_of_values(AcceptedStep& step) {
    double before = step.t_old;
    double after = step.t;
    while (after - before > 4 * eps * std::max(std::abs(after), std::abs(before))) {
      const double middle = 0.5 * (before + after);
      if (middle <= before || middle >= after) break;
      (complete_in(step, middle) ? before : after) = middle;
    }
    if (after < step.t && step.interpolate(after, interpolated_)) {
      point_.enter(after, interpolated_.data());
      ModelPoint::Failure failure{
          &point_.chart(), {after}, {point_.constants().begin(), point_.constants().end()}};
      failure.inputs.insert(failure.inputs.end(), point_.variables().begin(),
                            point_.variables().end());
      reason_ = explain_end_of_values(find_missing(point_, failure));
    }
    if (complete_in(step, before) && before > step.t_old) rows_.write();
    result_.outcome = Outcome::stopped;  // the point stays where it is
    return ObserverAction::stop;
  }

  bool improve_chart() {
    std::vector<ChartSwitch> changes = charts_.improve();
    for (ChartSwitch& change : changes) note_switch(std::move(change));
    return !changes.empty();
  }

  ObserverAction keep_chart(AcceptedStep& step) {
    const bool changed = improve_chart();
    if (changed) point_.copy_states(step.y);
    const double quality = charts_.quality();
    step.next_step_limit = charts_.time_in_chart(step.t - step.t_old);
    if (charts_.dynamic() && quality < passage_quality && step.next_step_limit < last_step_)
      change_ = Change::into_passage;
    if (change_ != Change::none || quality < singular_quality) return ObserverAction::stop;
    return changed ? ObserverAction::state_changed : ObserverAction::go_on;
  }

  ObserverAction keep_coordinates(AcceptedStep& step) {
    // Near a singular configuration a small residual may be a large error: nothing is negligible.
    const double negligible = in_passage_ ? 0 : drift_allowed * options_.tolerance;
    const auto settled = form_->settle_step(step.t, step.y, negligible);
    if (!settled.good) return ObserverAction::stop;
    if (settled.changed && !point_.complete(step.t, step.y)) return ObserverAction::stop;
    if (in_passage_ && charts_.best_quality() > 4 * passage_quality) {
      change_ = Change::out_of_passage;
      return ObserverAction::stop;
    }
    return settled.changed ? ObserverAction::state_changed : ObserverAction::go_on;
  }

  /// Through a configuration in which no choice of states is good: with all coordinates as states,
  /// and back to few when it lies behind.
  void change_form() {
    if (change_ == Change::into_passage) {
      use_coordinates(Formulation::projection);
      in_passage_ = true;
      ++result_.n_passages;
    } else {
      form_.reset();
      in_passage_ = false;
      charts_.go_to_best();
    }
    make_chart_stepper();
    change_ = Change::none;
  }

  /// All variables at a time within the step; false where there are no values.
  bool complete_in(const AcceptedStep& step, double t) {
    if (t == step.t)
      std::copy(step.y.begin(), step.y.end(), interpolated_.begin());
    else if (!step.interpolate(t, interpolated_))
      return false;
    if (form_ && !form_->settle_shown(t, interpolated_)) return false;
    return point_.complete(t, interpolated_);
  }

  /// The point again, on its constraints, where the formulation keeps it there; false where it does
  /// not.
  bool complete_settled() {
    if (!form_) return false;
    gather(y_);
    return form_->settle_shown(point_.time(), y_) && point_.complete(point_.time(), y_);
  }

  /// Where in the step an assertion fails, if it does so at the end of it.
  std::optional<double> first_violation(const AcceptedStep& step) {
    if (!complete_in(step, step.t) || !assertions_.violated()) return std::nullopt;
    double before = step.t_old;
    double after = step.t;
    while (after - before > 2 * eps * std::max(std::abs(after), std::abs(before))) {
      const double middle = 0.5 * (before + after);
      if (middle <= before || middle >= after || !complete_in(step, middle)) break;
      (assertions_.violated() ? after : before) = middle;
    }
    return after;
  }

  /// Rows at equidistant times up to `end`; false where there are no values.
  bool write_rows(AcceptedStep& step, double end, bool with_end) {
    for (double t = rows_.next_time(); t < end || (with_end && t == end); t = rows_.next_time()) {
      if (!complete_in(step, t)) return false;
      rows_.write();
      rows_.pass(t);
    }
    return true;
  }

  void explain_end() {
    result_.message = "stopped at time " + rounded_text(point_.time()) + " of " +
                      rounded_text(options_.stop) + ": ";
    if (result_.outcome == Outcome::interrupted || result_.outcome == Outcome::paused) {
      result_.message += std::string(to_string(result_.outcome)) + ".";
      return;
    }
    if (reason_.empty() && !stepper_->failure().empty())
      reason_ = std::string(stepper_->failure()) + ".";
    if (reason_.empty() && start_.event_chart != nullptr)
      reason_ = std::string(to_string(result_.outcome)) + ".";
    if (reason_.empty()) reason_ = charts_.explain();
    if (reason_.empty()) reason_ = explain_last_step();
    result_.message += reason_;
  }

  std::string explain_last_step() {
    std::vector<double> slopes(point_.n_states());
    point_.copy_states(y_);
    point_.derivatives(point_.time(), y_.data(), slopes.data());
    return explain_stop(point_, result_.outcome, options_.stop - options_.start, y_, slopes,
                        result_.missing_values, result_.step_limits);
  }

  static constexpr double infinity = std::numeric_limits<double>::infinity();

  const CompiledModel& model_;
  const SimulateOptions& options_;
  Start start_;
  ModelPoint& point_;
  EventIteration& events_;
  ChartControl& charts_;
  OutputRows rows_;
  ModeChange mode_change_;
  TimeEvents time_events_;
  AssertionWatch assertions_;
  AccumulationWatch accumulation_;
  std::optional<ConstrainedForm> form_;  // where all coordinates are states
  enum class Change { none, into_passage, out_of_passage } change_ = Change::none;
  bool in_passage_ = false;
  std::unique_ptr<Stepper> stepper_;
  std::vector<double> absolute_each_;  // of the stepper's unknowns, where they differ
  SecondOrderStructure second_order_;  // where the method asks for it
  bool dense_jacobian_ = true;
  std::vector<double> y_;             // of the stepper
  std::vector<double> interpolated_;  // the same
  DelayHistory history_{{}};
  std::vector<double> delayed_;  // [points][n_delays]
  double shortest_delay_ = infinity;
  std::vector<double> sent_;   // [n_delays]: what was last noted to arrive later
  std::set<double> arrivals_;  // of jumps that are delayed
  double last_step_ = 0;
  double look_away_until_ = -infinity;
  bool found_event_ = false;
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
  std::vector<std::uint64_t> limited_by_;  // [n_variables]: attempts, as Statistics::limited_by
  std::string reason_;                     // why the run ends, where it does so early
  SimulationResult result_;
};

}  // namespace

SimulationResult simulate(const CompiledModel& model, const SimulateOptions& options) {
  if (!std::is_sorted(options.save_at.begin(), options.save_at.end()))
    throw Error("I011", "the times of output must ascend.");
  return Simulation(model, options).run();
}

}  // namespace alembert::integrate
