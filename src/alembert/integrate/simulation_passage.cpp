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
/// Ever shorter steps that do not lead out are not taken without end.
constexpr std::uint32_t most_singular_steps = 5000;

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
  if (quality >= passage_quality || quality >= few_steps * (before - quality)) return false;
  if (series && quality < too_close) return false;
  passage_step_ = over_and_beyond * last_step_ * quality / (before - quality);
  return true;
}

bool Simulation::passed() {
  if (!in_passage_) return false;
  const double best = charts_.best_quality();
  if (best <= passed_by * passage_begins()) {
    if (n_singular_steps_ < long_passage || best < too_close) return false;
    usual_quality_ = best;  // nothing to pass: charts are no better here, and good enough
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
