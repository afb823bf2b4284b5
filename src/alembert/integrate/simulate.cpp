// SPDX-License-Identifier: Apache-2.0
// A run is a row of legs, each from one event to the next; within a leg nothing discrete changes.
#include "alembert/integrate/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/base/printed.hpp"
#include "alembert/compile/model/mode_variant.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/dense_history.hpp"
#include "alembert/integrate/model_methods.hpp"
#include "alembert/integrate/simulation.hpp"
#include "alembert/integrate/start_changes.hpp"

namespace alembert::integrate {

using compile::CompiledModel;

namespace {

/// Without knowledge of what happens between looks, a leg is looked at this often.
constexpr double least_looks = 100;

std::vector<double> given_constants(const CompiledModel& model, const SimulateOptions& options) {
  std::vector<double> constants = model.parameter_values(options.parameters);
  change_discrete_starts(model, options.starts, constants);
  return constants;
}

void require(bool holds, std::string_view option, double value, std::string_view what) {
  if (holds) return;
  throw Error("I011", std::string(option) + " is " + number_text(value) + ", and must be " +
                          std::string(what) + ".");
}

void check_numbers(const SimulateOptions& options) {
  const auto is_number = [](double value) { return std::isfinite(value); };
  require(is_number(options.start), "the start of the run", options.start, "a number");
  require(is_number(options.stop), "the end of the run", options.stop, "a number");
  require(options.stop >= options.start, "the end of the run", options.stop,
          "no earlier than its start, which is " + number_text(options.start));
  require(is_number(options.tolerance) && options.tolerance > 0, "the tolerance", options.tolerance,
          "a number above zero");
  require(is_number(options.step) && options.step >= 0, "the step", options.step,
          "a positive number, or 0 for an output interval");
  require(is_number(options.baumgarte_omega) && options.baumgarte_omega >= 0,
          "the frequency of Baumgarte's damping", options.baumgarte_omega,
          "a positive number, or 0 for one chosen by the run");
  require(is_number(options.baumgarte_zeta) && options.baumgarte_zeta > 0,
          "the ratio of Baumgarte's damping", options.baumgarte_zeta, "a number above zero");
}

/// Rows that nobody would see, or at other times than asked for.
void check_times(const SimulateOptions& options) {
  for (const double t : options.save_at)
    if (!(t >= options.start) || !(t <= options.stop))
      throw Error("I011", "a row at time " + number_text(t) + " was asked for, and the run goes " +
                              "from " + number_text(options.start) + " to " +
                              number_text(options.stop) +
                              ": times of output must be numbers within it.");
  if (!std::is_sorted(options.save_at.begin(), options.save_at.end()))
    throw Error("I011", "the times of output must ascend.");
}

SourceWatch::Range range_of_sources(const SimulateOptions& options) {
  const double span = options.stop - options.start;
  return {options.start, options.stop,
          options.step > 0 ? options.step : span / std::max(1u, options.intervals)};
}

}  // namespace

double fixed_step(const SimulateOptions& options) {
  return options.step > 0 ? options.step
                          : (options.stop - options.start) / std::max(1u, options.intervals);
}

Start::Start(const CompiledModel& model, const SimulateOptions& options)
    : given(given_constants(model, options)),
      point(model, given),
      events(point),
      charts(point, options.formulation) {
  // Before a row of the earlier run is touched.
  if (options.resume != nullptr) {
    Archive archive(options.resume->bytes);
    exchange_identity(archive, model, options, given);
  }
  AssertionWatch(point).require_parameters();
  if (options.resume == nullptr)
    report = initialise(point, events, charts, options);
  else
    point.use(model.static_chart());  // the rest comes from the checkpoint
  if (!is_model_method(options.method)) return;
  event_chart = &point.chart();
  point.use(model.direct_chart());
}

Simulation::Simulation(const CompiledModel& model, const SimulateOptions& options)
    : model_(model),
      options_(options),
      start_(model, options),
      point_(start_.point),
      events_(start_.events),
      event_solver_(point_, options.stop - options.start),
      charts_(start_.charts),
      rows_(point_, options),
      mode_change_(point_),
      time_events_(point_, options.start, options.stop),
      clocks_(point_, options.start),
      assertions_(point_),
      accumulation_(options.start, options.stop),
      delays_(point_, options.tolerance, range_of_sources(options)),
      pipes_(point_, options.tolerance),
      next_checkpoint_(options.start + options.checkpoint_every),
      largest_(model.n_variables(), 0),
      least_tolerance_(model.n_variables(), 0),
      limited_by_(model.n_variables(), 0) {
  events_.before_giving_up([this] { return event_solver_.allow_holding(); });
  result_.formulation = options.formulation;
  if (options.formulation == Formulation::automatic)
    result_.formulation = charts_.dynamic() ? Formulation::dynamic : Formulation::dummy;
  if (model_.kinks().kernel) kinks_.emplace(point_, model_.kinks());
  if (model_.denominators().kernel) poles_.emplace(point_, model_.denominators());
  if (model_.narrow_places().kernel) pulses_.emplace(point_, model_.narrow_places());
  // Where comparisons change the equations, a determinant that is small on one branch may be the
  // usual one on the next, and a branch that ends is an event.
  const compile::CompiledChart& chart =
      start_.event_chart != nullptr ? *start_.event_chart : point_.chart();
  if (!mode_change_.any() && !folds_.emplace(point_, chart).any()) folds_.reset();
  if (is_model_method(options_.method)) {
    use_model_stepper(options_.method);
    if (stepper_->method().step_choice == StepChoice::fixed) folds_.reset();
  } else {
    if (keeps_coordinates(options.formulation) && model.has_choice())
      use_coordinates(options.formulation);
    make_chart_stepper();
  }
  sources_.emplace(model_.sources(), range_of_sources(options));
  if (!sources_->any()) sources_.reset();
  if (options_.resume != nullptr) restore(*options_.resume);
}

SimulationResult Simulation::run() {
  if (options_.resume == nullptr) {
    rows_.pass(options_.start);
    delays_.begin(options_.stop - options_.start);
    pipes_.begin();
    if (start_events()) integrate_legs();
  } else if (reached_ < options_.stop) {
    rows_.pass(reached_);
    integrate_legs();
  }
  const bool good_end = result_.outcome == Outcome::done || result_.outcome == Outcome::terminated;
  if (good_end) terminal_event();
  // A run that ends early shows how far it came, unless it is to be taken up again.
  else if (!options_.on_checkpoint && (options_.save_at.empty() || options_.rows != nullptr) &&
           rows_.last_time() < point_.time() && point_.complete())
    rows_.write();
  print_waiting();
  result_.end_time = point_.time();
  result_.step_limits = step_limits(model_, limited_by_);
  result_.missing_values = find_missing(point_);
  if (result_.outcome != Outcome::done && result_.outcome != Outcome::terminated) explain_end();
  rows_.report(result_);
  result_.trajectory = rows_.take();
  result_.warnings = std::move(assertions_.warnings());
  for (std::string& text : notes_) result_.warnings.push_back(std::move(text));
  for (std::string& text : model_.redundancies()) result_.warnings.push_back(std::move(text));
  for (std::string& text : charts_.judge(result_.switches, result_.statistics.steps))
    result_.warnings.push_back(std::move(text));
  for (std::uint32_t i = 0; i < largest_.size(); ++i)
    if (model_.nominal_of(i) > 0 || (!sizes_.empty() && sizes_[i] > 0)) largest_[i] = 0;
  if (std::string text = warn_of_small_states(model_, largest_, options_.tolerance); !text.empty())
    result_.warnings.push_back(std::move(text));
  if (const double left_out = std::min(sources_ ? sources_->shortest_left_out() : infinity,
                                       delays_.shortest_left_out());
      left_out < infinity)
    result_.warnings.push_back(
        "a sine of time with a period of " + rounded_text(left_out) +
        " s turns too often in this run for steps to follow it: they may go over it, so that what "
        "it "
        "drives is not resolved. Simulate a shorter time, or put its mean in its place.");
  if (delays_.gave_up())
    result_.warnings.push_back(
        "what is delayed changes too fast for all of it to be kept: between the points that were "
        "kept it is not resolved. Delay something smoother, or simulate a shorter time.");
  if (std::string text = rows_.warn_of_bounds(); !text.empty())
    result_.warnings.push_back(std::move(text));
  result_.filled_starts = std::move(start_.report.filled);
  return std::move(result_);
}

void Simulation::integrate_legs() {
  AdaptiveOptions adaptive;
  if ((mode_change_.any() && !stepper_->method().tells_looks) || point_.n_states() == 0)
    adaptive.max_step = (options_.stop - options_.start) / least_looks;
  adaptive.max_step = std::min(adaptive.max_step, delays_.shortest());
  auto observer = [this](AcceptedStep& step) { return observe(step); };
  auto between_steps = [this](const BetweenSteps& now) { return go_on(now); };
  auto after_rejected = [this](double h, std::span<const double> y) { return way_to_kink(h, y); };
  if (kinks_) adaptive.after_rejected = after_rejected;
  if (options_.interrupt != nullptr || options_.on_checkpoint)
    adaptive.between_steps = between_steps;
  while (resuming_ || point_.time() < options_.stop) {
    print_waiting();  // of the start, or of the event before this leg
    adaptive.resume = std::exchange(resuming_, false) ? &loop_ : nullptr;
    if (adaptive.resume == nullptr) begin_leg();
    if (sources_) sources_->begin(leg_.start, point_.constants());
    delays_.begin_leg(leg_.start);
    found_event_ = false;
    set_tolerances();
    const double first_step = std::exchange(passage_step_, 0.0);
    adaptive.first_step =
        stepper_->method().step_choice == StepChoice::fixed ? fixed_step(options_) : first_step;
    const double retry_step = std::exchange(retry_step_, 0.0);
    adaptive.first_limit = std::min({retry_step > 0 ? retry_step : limit_after_event(leg_.start),
                                     limit_by_sources(leg_.start), way_to_break(leg_.start)});
    adaptive.tolerances = {tolerance(), tolerance(), absolute_each_};
    const std::uint64_t attempts = result_.statistics.steps + result_.statistics.rejected;
    adaptive.max_steps = options_.max_steps - std::min(options_.max_steps, attempts);
    const AdaptiveResult end =
        integrate_adaptive(*stepper_, leg_.start, leg_end(), y_, adaptive, observer);
    result_.statistics += end.statistics;
    for (std::size_t i = 0; i < point_.n_states(); ++i)
      limited_by_[point_.chart().states[i]] += end.statistics.limited_by[i];
    if (!end_leg(end)) return;
  }
}

void Simulation::begin_leg() {
  leg_.start = point_.time();
  leg_.known = std::min({time_events_.any() ? time_events_.next() : infinity, clocks_.next(),
                         delays_.next_arrival()});
  // While looking away a leg ends with that moment.
  const bool away = look_away_until_ > leg_.start;
  leg_.end = std::min({leg_.known, options_.stop, away ? look_away_until_ : infinity});
  gather(y_);
  mode_change_.begin(leg_.start, y_);
  steps_to_look_ = 1;
  measure_sizes();
  if ((!kinks_ && !poles_ && !pulses_) || !point_.complete()) return;
  if (kinks_) kinks_->begin();
  if (poles_) poles_->begin();
  if (pulses_) pulses_->begin();
}

bool Simulation::end_leg(const AdaptiveResult& end) {
  if (retry_step_ > 0) return true;
  if (end.outcome == Outcome::step_too_small && forgets_sizes()) {
    point_.enter(end.t, y_.data());
    if (point_.complete()) return true;
  }
  if (change_ != Change::none || fails_at_singularity(end.outcome)) {
    change_form();
    return true;
  }
  if (series_failed(end.outcome)) {
    pass_without_series();
    return true;
  }
  const bool from_outside =
      result_.outcome == Outcome::interrupted || result_.outcome == Outcome::paused;
  if (!found_event_ && (result_.outcome == Outcome::done || from_outside))
    point_.enter(end.t, y_.data());
  if (found_event_) {
    ++result_.n_state_events;
    return state_event();
  }
  if (end.outcome != Outcome::done && !arrives(end)) {
    const bool at_edge = std::exchange(at_edge_, false);
    // A method that chooses its own steps may tell either of a step without values.
    const bool no_step =
        end.outcome == Outcome::non_finite || end.outcome == Outcome::step_too_small;
    if ((at_edge || no_step) && (rest_on_surface(end.t) || step_over_edge(end.t))) return true;
    if (at_edge && result_.outcome == Outcome::done) return true;
    if (jump()) return true;
    if (result_.outcome == Outcome::done) result_.outcome = end.outcome;
    return false;
  }
  if (leg_.known > leg_end()) return true;
  if (stands_still()) return false;
  ++result_.n_time_events;
  note_event({leg_.known, {}});
  write_left_limit(leg_.known, y_);
  if (point_.slides()) end_sliding();  // the event may change what holds on either side
  return handle_event(time_events_.tick(leg_.known));
}

bool Simulation::stands_still() {
  constexpr int most_ticks = 1000;
  n_ticks_here_ = leg_.known > leg_.start ? 0 : n_ticks_here_ + 1;
  if (n_ticks_here_ < most_ticks) return false;
  result_.outcome = Outcome::accumulation;
  reason_ =
      "a clock ticks again and again without any time passing: its interval is less than the "
      "rounding of the time. Give it a longer one.";
  return true;
}

bool Simulation::is_at_known(double t) const {
  const double scale =
      std::max(std::abs(leg_.known), 1e-3 * std::abs(options_.stop - options_.start));
  return result_.outcome == Outcome::done && !form_ && start_.event_chart == nullptr &&
         leg_.known <= options_.stop && leg_.known - t <= 1e-12 * scale;
}

bool Simulation::arrives(const AdaptiveResult& end) {
  if (std::exchange(arrived_, false)) {
    gather(y_);
    return true;
  }
  const bool no_step = end.outcome == Outcome::non_finite || end.outcome == Outcome::step_too_small;
  if (!no_step || !is_at_known(end.t)) return false;
  point_.enter(leg_.known, y_.data());
  return true;
}

bool Simulation::has_own_structure() const {
  const compile::CompiledChart* const own =
      model_.mode_chart(point_.time(), point_.variables().data(), point_.constants().data());
  return own != nullptr && own->variant->plan.differentiations != model_.plan().differentiations;
}

void Simulation::explain_end() {
  result_.message = "stopped at time " + rounded_text(point_.time()) + " of " +
                    rounded_text(options_.stop) + ": ";
  if (result_.outcome == Outcome::interrupted || result_.outcome == Outcome::paused) {
    result_.message += std::string(to_string(result_.outcome)) + ".";
    return;
  }
  if (reason_.empty() && start_.event_chart != nullptr && has_own_structure())
    reason_ =
        "with its modes as they are now the model has a structure of its own: other equations "
        "have to be differentiated than with all modes at once. The method '" +
        options_.method + "' does not follow that. Use auto, or another method with states.";
  if (reason_.empty() && !stepper_->failure().empty())
    reason_ = std::string(stepper_->failure()) + ".";
  if (reason_.empty()) reason_ = charts_.explain();
  if (reason_.empty()) reason_ = explain_last_step();
  result_.message += reason_;
}

std::string Simulation::explain_last_step() {
  const MethodInfo* const method = find_method(options_.method);
  const bool is_stiff = method != nullptr && method->uses_jacobian;
  if (result_.outcome == Outcome::too_many_steps)
    return explain_many_steps(result_.statistics, result_.step_limits, is_stiff);
  const bool without_states = start_.event_chart != nullptr;
  std::optional<AtEvent> with_states;
  if (without_states) with_states.emplace(*this);
  const double span = options_.stop - options_.start;
  std::vector<double> states(point_.n_states()), slopes(states.size());
  point_.copy_states(states);
  point_.derivatives(point_.time(), states.data(), slopes.data());
  if (std::string text =
          explain_overflow(point_.state_names(), states, stepper_->method().step_choice);
      !text.empty())
    return text;
  // What is missing right ahead is the reason, or what an attempt that went further met last; what
  // was missing before led to shorter steps, and no end.
  const std::vector<MissingValue> ahead = missing_ahead(states, slopes);
  std::vector<MissingValue> missing = ahead;
  if (missing.empty()) missing = find_missing(point_, point_.last_failure());
  if (!missing.empty() && missing.front().time < point_.time()) missing.clear();
  if (ahead.empty() && without_states)
    return std::string(to_string(result_.outcome)) +
           ". No step of this method leads on from here; try a shorter one, or another method.";
  return explain_stop(point_, ahead.empty() ? result_.outcome : Outcome::non_finite, span, states,
                      slopes, missing, result_.step_limits);
}

std::vector<MissingValue> Simulation::missing_ahead(std::span<const double> y,
                                                    std::span<const double> slopes) {
  constexpr double shortest = 1e-16, longest = 1e-9;
  const double t = point_.time();
  const double scale = std::max(std::abs(t), options_.stop - options_.start);
  std::vector<double> there(y.begin(), y.end());
  for (double way = 0; way <= longest * scale; way = way > 0 ? 10 * way : shortest * scale) {
    for (std::size_t i = 0; i < y.size(); ++i)
      there[i] = y[i] + (std::isfinite(slopes[i]) ? way * slopes[i] : 0.0);
    point_.enter(t + way, there.data());
    std::vector<MissingValue> missing = find_missing(point_, point_.failure_here());
    if (missing.empty()) continue;
    point_.enter(t, y.data());
    return missing;
  }
  point_.enter(t, y.data());
  return {};
}

SimulationResult simulate(const CompiledModel& model, const SimulateOptions& options) {
  check_numbers(options);
  check_times(options);
  return Simulation(model, options).run();
}

}  // namespace alembert::integrate
