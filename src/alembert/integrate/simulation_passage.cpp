// SPDX-License-Identifier: Apache-2.0
// Through configurations in which no choice of states is good, because constraints depend on each
// other there for a moment. The motion itself is smooth, so Taylor series made before such a
// configuration reach beyond it. Where the model has none, all coordinates are states on the way.
#include <algorithm>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/compile/model/series_model.hpp"
#include "alembert/integrate/model_methods.hpp"
#include "alembert/integrate/simulation.hpp"
#include "alembert/integrate/taylor_stepper.hpp"

namespace alembert::integrate {

namespace {

/// A passage ends where the best chart is so much better than where it began.
constexpr double passed_by = 2;
/// Where the equations have scales of their own, no chart is ever good by the measure of
/// mechanisms, and nothing is wrong: singular is what is worse than this part of the usual.
constexpr double part_of_usual = 0.3;
/// From here series would not reach beyond it, for noise; a step that came so close goes through.
constexpr double too_close = 1e-3;
/// A passage that takes more steps does not go over a singular configuration.
constexpr std::uint32_t long_passage = 200;
/// How a step is searched for a fold, and the part of the determinants at its ends that one leaves.
constexpr int most_looks_in_step = 6;
constexpr int looks_a_round = 8;
constexpr double turned_share = 0.3;
/// Ever shorter steps that do not lead out are not taken without end.
constexpr std::uint32_t most_singular_steps = 5000;

/// Where charts lose eight times as much in a step as they did lately, they are still far from a
/// passage by then.
std::uint32_t steps_to_next_look(double before, double quality, double loss) {
  constexpr double most_steps = 16;
  const double spare = quality - 3 * passage_quality;
  if (before == 0 || !(spare > 0)) return 1;
  return static_cast<std::uint32_t>(std::min(most_steps, 1 + spare / (8 * std::abs(loss))));
}

}  // namespace

double Simulation::passage_begins() const {
  return usual_quality_ > 0 ? std::min(passage_quality, part_of_usual * usual_quality_)
                            : passage_quality;
}

bool Simulation::has_series() {
  if (!by_series_) return false;
  try {
    model_.series();
  } catch (const Error&) {  // a function without derivatives, a delay
    by_series_ = false;
  }
  return by_series_;
}

/// Damping divides what is left of a constraint by a small number there, and multipliers grow: a
/// few more steps like the last one would be too far.
bool Simulation::singular_ahead() {
  if (in_passage_ || !model_.choice_varies()) return false;
  const bool series = has_series();
  if (!series && form_->formulation() == Formulation::projection) return false;
  const double quality = charts_.best_quality();
  const double before = std::exchange(best_quality_, quality);
  const std::uint32_t n_steps = std::max(1u, std::exchange(n_steps_looked_, 0));
  const double loss = (before - quality) / n_steps;  // in a step
  steps_to_look_ = steps_to_next_look(before, quality, loss);
  singular_in_ = loss > 0 ? last_step_ * quality / loss : infinity;
  if (quality >= passage_quality || quality >= few_steps * loss) return false;
  if (series && quality < too_close) return false;
  passage_step_ = over_and_beyond * last_step_ * quality / loss;
  return true;
}

bool Simulation::fold_ahead() {
  if (!folds_) return false;
  folds_->look();
  if (in_passage_ || start_.event_chart != nullptr || !folds_->ahead(few_steps) || !has_series())
    return false;
  change_ = Change::into_passage;
  return true;
}

/// Where nothing was seen yet, the begin of the step itself says where determinants tend to.
void Simulation::begin_to_watch_folds(const AcceptedStep& step) {
  constexpr double part = 0.05;
  if (folds_->began()) return;
  for (const double t : {step.t_old, step.t_old + part * (step.t - step.t_old)})
    if (complete_in(step, t)) folds_->look();
}

bool Simulation::turned_at_fold(const AcceptedStep& step) {
  if (!folds_ || in_passage_ || start_.event_chart != nullptr || point_.chart().variant != nullptr)
    return false;
  before_looks_.assign(point_.variables().begin(), point_.variables().end());
  if (!went_to_fold_and_back(step)) {
    // What is solved for goes on from where it was before anybody looked: from elsewhere another
    // solution may be as near.
    std::ranges::copy(before_looks_, point_.variables().begin());
    return false;
  }
  std::copy(step.y_old.begin(), step.y_old.end(), interpolated_.begin());
  if (!point_.complete(step.t_old, interpolated_)) return false;
  change_ = Change::into_passage;
  return true;
}

bool Simulation::went_to_fold_and_back(const AcceptedStep& step) {
  begin_to_watch_folds(step);
  if (!folds_->arrives_by(step.t) || !complete_in(step, step.t) || !folds_->kept_sign(step.t) ||
      !has_series())
    return false;
  // Towards the smallest determinant: one that turned has a corner there, at zero.
  const double end = folds_->share_of_last();
  const auto share_at = [&](double t) {
    return complete_in(step, t) ? folds_->share_of_last() : 0.0;
  };
  double begin = step.t_old, length = step.t - step.t_old, least = end;
  for (int round = 0; round < most_looks_in_step && least > turned_share * std::min(1.0, end);
       ++round) {
    double smallest = step.t;
    for (int k = 1; k < looks_a_round; ++k) {
      const double t = begin + length * k / looks_a_round;
      if (const double share = share_at(t); share < least) {
        least = share;
        smallest = t;
      }
    }
    begin = std::max(step.t_old, smallest - length / looks_a_round);
    length = std::min(step.t, smallest + length / looks_a_round) - begin;
  }
  return least <= turned_share * std::min(1.0, end) && !branch_turns(step);
}

/// The branch is followed with steps in which determinants change little, so that no iteration
/// leads to another one; states are those of the step. Where two branches meet, a determinant falls
/// along a straight line, whatever the steps. Where they only come near, it has a smallest value,
/// with all states that the tolerance allows.
bool Simulation::branch_turns(const AcceptedStep& step) {
  constexpr double meets = 1e-3, most_fall = 0.5, most_growth = 2, straight = 0.75;
  constexpr double states_off = 10;  // in units of the tolerance
  constexpr int most_follows = 400;
  if (form_) return false;
  const compile::CompiledChart& left = point_.chart();
  const compile::CompiledChart& chart = start_.event_chart != nullptr ? *start_.event_chart : left;
  const auto keep = [&] {
    return std::vector<double>(point_.variables().begin(), point_.variables().end());
  };
  const std::vector<double> entered = keep();
  std::vector<double> states(chart.states.size());
  // From the values `guess`; the least share, or 0 where there are no values.
  const auto share_at = [&](double t, std::span<const double> guess, double displaced = 0) {
    std::ranges::copy(guess, point_.variables().begin());
    if (!complete_in(step, t)) return 0.0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      const double state = point_.variables()[chart.states[i]];
      states[i] = state + displaced * std::max(1.0, std::abs(state));
    }
    point_.use(chart);
    std::ranges::copy(guess, point_.variables().begin());
    const double share = point_.complete(t, states) ? folds_->least_share() : 0.0;
    point_.use(left);
    return share;
  };
  std::copy(step.y_old.begin(), step.y_old.end(), interpolated_.begin());
  bool turns = point_.complete(step.t_old, interpolated_);
  std::vector<double> here = keep(), nearest = here;
  double t = step.t_old, h = (step.t - step.t_old) / looks_a_round, share = 1, least = 1;
  double nearest_at = t;
  for (int n = 0; turns && t < step.t; ++n) {
    const double next = std::min(t + h, step.t);
    const double halfway = share_at(t + 0.5 * (next - t), here);
    const double there = halfway > 0 ? share_at(next, keep()) : 0.0;
    if (there < most_fall * share || there > most_growth * share ||
        halfway < straight * std::min(share, there)) {
      h *= 0.5;
      turns = n < most_follows;
      continue;
    }
    t = next;
    h *= 1.5;
    share = there;
    here = keep();
    turns = n < most_follows && share > meets;
    if (share > least) continue;
    least = share;
    nearest = here;
    nearest_at = t;
  }
  for (const double sign : {1.0, -1.0})
    turns = turns && share_at(nearest_at, nearest, sign * states_off * tolerance()) > meets;
  std::ranges::copy(entered, point_.variables().begin());
  point_.set_time(step.t);
  return turns;
}

/// Of a method that goes over folds by itself.
bool Simulation::leaps_at_fold(AcceptedStep& step) {
  constexpr double shorter = 0.25;
  if (!folds_ || in_passage_ || start_.event_chart == nullptr || !complete_in(step, step.t) ||
      folds_->least_share() > 0 || !branch_turns(step))
    return false;
  step.retry_step = shorter * (step.t - step.t_old);
  return true;
}

bool Simulation::jumped_at_fold(const AcceptedStep& step) {
  if (!folds_ || !in_passage_ || !complete_in(step, step.t)) return false;
  if (!folds_->jumped()) {
    if (folds_->least_share() > 0 || !branch_turns(step)) return false;
    folds_->disregard_until(step.t);
  } else if (!folds_->look_on_in_vain()) {
    folds_.reset();
  }
  std::copy(step.y_old.begin(), step.y_old.end(), interpolated_.begin());
  point_.complete(step.t_old, interpolated_);
  change_ = Change::out_of_passage;
  return true;
}

bool Simulation::passed() {
  if (!in_passage_) return false;
  const double best = charts_.best_quality();
  const bool at_fold = folds_ && !folds_->clear();
  if (best <= passed_by * passage_begins() || at_fold) {
    if (n_singular_steps_ < long_passage || best < too_close) return false;
    // Nothing to pass: charts are no better here, and good enough; a determinant that stays small
    // is one of another scale.
    if (at_fold) folds_->take_for_usual();
    if (at_fold && !folds_->look_on_in_vain()) folds_.reset();
    usual_quality_ = best;
  }
  change_ = Change::out_of_passage;
  return true;
}

bool Simulation::crawls() {
  const bool singular = in_passage_ || (form_ && best_quality_ < too_close && best_quality_ > 0);
  n_singular_steps_ = singular ? n_singular_steps_ + 1 : 0;
  if (n_singular_steps_ <= most_singular_steps) return false;
  result_.outcome = Outcome::stopped;
  return true;
}

bool Simulation::series_failed(Outcome outcome) const {
  return in_passage_ && !form_ && !found_event_ &&
         (outcome == Outcome::step_too_small || outcome == Outcome::non_finite);
}

bool Simulation::fails_at_singularity(Outcome outcome) {
  if (in_passage_ || found_event_ || start_.event_chart == nullptr ||
      stepper_->method().step_choice != StepChoice::fixed ||
      (outcome != Outcome::step_too_small && outcome != Outcome::non_finite) ||
      charts_.best_quality() > passed_by * passage_begins() || !has_series())
    return false;
  change_ = Change::into_passage;
  return true;
}

void Simulation::enter_passage() {
  if (!std::exchange(in_passage_, true) && is_model_method(options_.method))
    resting_ = std::move(stepper_);
  form_.reset();
  if (has_series()) {
    start_.event_chart = &model_.static_chart();
    point_.use(model_.direct_chart());
    use_model_stepper("taylor");
    static_cast<TaylorStepper&>(*stepper_).expect_singularity();
    passage_step_ = 0;  // series tell how far they reach
    return;
  }
  start_.event_chart = nullptr;
  use_coordinates(Formulation::projection);
  make_chart_stepper();
}

void Simulation::pass_without_series() {
  if (folds_ && !folds_->clear()) {
    // No way over a fold: as it would have been without a look at it.
    folds_.reset();
    if (charts_.best_quality() > passage_begins()) {
      change_ = Change::out_of_passage;
      change_form();
      return;
    }
  }
  by_series_ = false;
  point_.use(model_.static_chart());
  enter_passage();
}

void Simulation::change_form() {
  if (std::exchange(change_, Change::none) == Change::into_passage) {
    enter_passage();
    ++result_.n_passages;
    return;
  }
  in_passage_ = false;
  form_.reset();
  start_.event_chart = nullptr;
  charts_.go_to_best();
  best_quality_ = 0;
  steps_to_look_ = 1;
  if (is_model_method(options_.method)) {
    start_.event_chart = &point_.chart();
    point_.use(model_.direct_chart());
    if (resting_ == nullptr) {
      use_model_stepper(options_.method);
    } else {
      stepper_ = std::move(resting_);
      y_.resize(stepper_->system().n);
      interpolated_.resize(stepper_->system().n);
    }
    return;
  }
  charts_.forget();
  if (keeps_coordinates(options_.formulation)) use_coordinates(options_.formulation);
  make_chart_stepper();
}

}  // namespace alembert::integrate
