// SPDX-License-Identifier: Apache-2.0
// A run as bytes and back, and the ends that come from outside.
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/base/text_number.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/simulation.hpp"

namespace alembert::integrate {

namespace {

/// A number for what the model says, by the names and the content of its equations: the same in
/// every process.
std::uint64_t content_of(const compile::CompiledModel& model) {
  const structure::HybridSystem& hybrid = model.hybrid();
  const symbolic::ExprPool& pool = *hybrid.flat.pool;
  std::uint64_t content = 14695981039346656037u;  // FNV-1a
  const auto add = [&](symbolic::ExprId id) {
    content = (content ^ (id.valid() ? pool.hash(id) : 0)) * 1099511628211u;
  };
  for (const flat::FlatEquation& equation : hybrid.flat.equations)
    add(equation.left), add(equation.right);
  for (const structure::Mode& mode : hybrid.modes) add(mode.value);
  for (const structure::DiscreteAssignment& assignment : hybrid.assignments) add(assignment.value);
  for (const flat::Reinit& reinit : hybrid.flat.reinits) add(reinit.condition), add(reinit.value);
  return content;
}

/// An option that later steps depend on, as text.
struct Option {
  std::string what;
  std::string value;
  std::string advice = {};
};

std::vector<Option> options_that_stay(const SimulateOptions& options) {
  const MethodInfo* const method = find_method(options.method);
  const bool is_fixed =
      options.method == "fixed" || (method != nullptr && method->step_choice == StepChoice::fixed);
  std::vector<Option> all = {
      {"the tolerance", number_text(options.tolerance)},
      {"chattering", options.chattering == Chattering::slide ? "'slide'" : "'stop'"}};
  if (is_fixed)
    all.push_back({"the step", number_text(fixed_step(options)),
                   options.step > 0 ? "" : " Give the step, which is an output interval else."});
  if (options.formulation == Formulation::baumgarte) {
    const double omega = options.baumgarte_omega;
    all.push_back({"Baumgarte's omega", omega > 0 ? number_text(omega) : "chosen by the run"});
    all.push_back({"Baumgarte's zeta", number_text(options.baumgarte_zeta)});
  }
  return all;
}

}  // namespace

void exchange_identity(Archive& archive, const compile::CompiledModel& model,
                       const SimulateOptions& options, std::vector<double> given) {
  std::vector<std::string> names = model.variable_names();
  std::string method = options.method;
  const std::string here = std::string(to_string(options.formulation)) +
                           (options.metric == Metric::mass ? " in the metric of masses" : "");
  std::string formulation = here;
  const std::vector<double> given_here = given;
  std::uint64_t equations = content_of(model);
  double start = options.start;
  const std::vector<Option> options_here = options_that_stay(options);
  std::vector<std::string> values;
  for (const Option& option : options_here) values.push_back(option.value);
  archive(names, method, formulation, given, equations, start, values);
  if (names != model.variable_names() || given.size() != given_here.size() ||
      equations != content_of(model))
    throw Error("I012", "the checkpoint belongs to another model, or to another version of it.");
  if (formulation != here)
    throw Error("I012", "the checkpoint was made with the formulation '" + formulation +
                            "' and cannot go on with '" + here + "'.");
  if (method != options.method)
    throw Error("I012", "the checkpoint was made with the method '" + method +
                            "' and cannot go on with '" + options.method + "'.");
  if (start != options.start)
    throw Error("I012", "the run of the checkpoint began at time " + number_text(start) +
                            ", not at " + number_text(options.start) + ".");
  for (std::size_t i = 0; i < model.flat().parameters.size(); ++i)
    if (given[i] != given_here[i] && !(std::isnan(given[i]) && std::isnan(given_here[i])))
      throw Error("I012", "the checkpoint was made with " +
                              model.parameter_name(static_cast<std::uint32_t>(i)) + " = " +
                              number_text(given[i]) + ", not " + number_text(given_here[i]) +
                              ": a run goes on with the parameters it had.");
  // As many, as method and formulation are the same.
  for (std::size_t i = 0; i < options_here.size(); ++i)
    if (values[i] != options_here[i].value)
      throw Error("I012", "the checkpoint was made with " + options_here[i].what + " " + values[i] +
                              " and cannot go on with " + options_here[i].value + "." +
                              options_here[i].advice);
}

bool Simulation::go_on(const BetweenSteps& now) {
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

Checkpoint Simulation::save(const BetweenSteps& now) {
  Archive archive;
  loop_ = now.state;
  const Statistics before = result_.statistics;
  result_.statistics += now.statistics();
  reached_ = stepper_->t();
  exchange(archive);
  result_.statistics = before;
  return {reached_, rows_.n_rows(), archive.bytes()};
}

void Simulation::restore(const Checkpoint& checkpoint) {
  Archive archive(checkpoint.bytes);
  exchange(archive);
  if (!archive.at_end()) throw Error("I012", "the checkpoint is damaged.");
  if (reached_ > options_.stop)
    throw Error("I012", "the run of the checkpoint has reached time " + number_text(reached_) +
                            " already, behind the stop time " + number_text(options_.stop) + ".");
  resuming_ = true;
  delays_.go_on();
  pipes_.go_on();
  y_.resize(stepper_->system().n);
}

void Simulation::exchange(Archive& archive) {
  exchange_identity(archive, model_, options_, start_.given);
  std::vector<std::string> texts = remembered_texts();  // the numbers of some are values of the run
  archive(texts);
  for (const std::string& text : texts) number_of_text(text);
  archive(in_passage_, by_series_, n_singular_steps_, n_steps_looked_, steps_to_look_,
          best_quality_, usual_quality_, result_.n_passages, result_.baumgarte_omega);
  charts_.exchange(archive);
  bool folds = folds_.has_value();
  archive(folds);
  if (!folds) folds_.reset();
  if (folds_) folds_->exchange(archive);
  if (archive.reading() && in_passage_) {
    in_passage_ = false;  // so that what rests meanwhile is there
    enter_passage();
  } else if (archive.reading() && form_ && result_.baumgarte_omega > 0) {
    use_coordinates(options_.formulation);  // with the frequency that was chosen at the start
    make_chart_stepper();
  }
  if (form_) form_->exchange(archive);
  point_.exchange(archive, !form_);
  if (archive.reading() && (point_.slides() || point_.chart().variant != nullptr))
    make_chart_stepper();
  archive(ignored_modes_, met_, ties_, away_, n_doublings_);
  mode_change_.ignore(ignored_modes_);
  events_.exchange(archive);
  mode_change_.exchange(archive);
  time_events_.exchange(archive);
  clocks_.exchange(archive);
  assertions_.exchange(archive);
  accumulation_.exchange(archive);
  rows_.exchange(archive);
  delays_.exchange(archive);
  pipes_.exchange(archive);
  if (sources_) sources_->exchange(archive);
  if (kinks_) kinks_->exchange(archive);
  if (poles_) poles_->exchange(archive);
  if (pulses_) pulses_->exchange(archive);
  archive(last_event_, event_distance_, last_step_, look_away_until_, leg_, loop_, reached_,
          next_checkpoint_, sizes_, largest_, least_tolerance_);
  stepper_->exchange(archive);
  if (resting_ != nullptr) resting_->exchange(archive);
  exchange_result(archive);
}

void Simulation::exchange_result(Archive& archive) {
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

}  // namespace alembert::integrate
