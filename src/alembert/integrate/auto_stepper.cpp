// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/auto_stepper.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/sundials/sundials_steppers.hpp"

namespace alembert::integrate {
namespace {

/// |h lambda| beyond which stability holds the steps of DOP853 down, and not what they are to
/// resolve: its limit is 6.1 for decaying solutions, and from 4 on its dense output is watched.
constexpr double explicit_stability = 4;
/// So far beyond it every stage is larger than the one before, and an estimate of the error by
/// differences of stages says nothing any more: it is small beside what has become of the state.
constexpr double explicit_nonsense = 60;
/// An error, in units of the tolerance, that is not that of a system at rest.
constexpr double noticed_error = 1e-3;
/// Attempts of the implicit method in a row that end without values before it is given up.
constexpr int most_without_values = 6;
/// Steps near that limit before it counts as stiff, and well within it before it does not.
constexpr int steps_to_leave = 15, steps_to_forget = 6, steps_to_return = 25;
/// Explicit steps before symplectic ones: enough to tell stiffness, and few runs that are shorter
/// would gain from an energy that is kept.
constexpr int steps_to_symplectic = 60;
/// Steps over which the lengths of implicit steps are compared with those of the explicit ones.
constexpr int steps_to_compare = 25;
/// Each time that the implicit method was chosen in vain it takes twice the signs to choose it
/// again, up to this many doublings.
constexpr int most_doublings = 8;
/// Two ways back and forth are a change of the problem; more are a sign that both will do.
constexpr int most_returns = 3;
/// Below this relative tolerance order 6 needs less work than order 5.
constexpr double tight = 1e-8;
/// Above this, factors of a sparse matrix that serve for many steps count for more than the order.
/// Below it methods of Rosenbrock's kind take less work, and they are stable for oscillations.
constexpr std::uint32_t large = 1000;

}  // namespace

AutoStepper::AutoStepper(const OdeSystem& system) : system_(system) {
  if (system.mass == nullptr) {
    explicit_ = std::make_unique<Dop853>(system);
    active_ = next_ = explicit_.get();
    if (system.is_momentum != nullptr) symplectic_ = std::make_unique<SteadyComposition>(system);
  } else {
    make_implicit();
    active_ = next_ = implicit_.get();
  }
}

void AutoStepper::make_implicit() {
  if (implicit_) return;
  if (prepare_implicit_) prepare_implicit_(system_);
  implicit_made_for_ = tolerance_;
  if (system_.n > large && solves_sparsely(system_)) {
    implicit_ =
        system_.mass == nullptr ? sundials::make_cvode(system_) : sundials::make_ida(system_);
    return;
  }
  const auto use = [this]<class Method>(std::unique_ptr<Method> made) {
    implicit_ = std::move(made);
    jacobian_norm_ = [](const Stepper& s) { return static_cast<const Method&>(s).jacobian_norm(); };
  };
  if (tolerance_ < tight)
    use(std::make_unique<Rodas6p>(system_));
  else
    use(std::make_unique<Rodas5p>(system_));
}

void AutoStepper::learn_from(const AutoStepper& before, double tolerance) {
  tolerance_ = tolerance;
  n_returns_ = before.n_returns_;
  n_in_vain_ = before.n_in_vain_;
  if (before.next_ != before.implicit_.get()) return;
  explicit_step_ = before.explicit_step_;
  implicit_gains_ = before.implicit_gains_;
  make_implicit();
  active_ = next_ = implicit_.get();
}

bool AutoStepper::start(double t, std::span<const double> y) {
  Stepper* const from = active_;
  // Signs count on over events: a leg may have fewer steps than it takes to be sure.
  active_ = next_;
  // A state given as our own belongs to the method that made the last step.
  return active_->start(t, y.data() == from->y().data() ? from->y() : y);
}

void AutoStepper::plan(Stepper& next) {
  next_ = &next;
  signs_ = signs_against_ = n_implicit_ = 0;
  summed_steps_ = 0;
}

void AutoStepper::leave_explicit(double possible_step) {
  make_implicit();
  plan(*implicit_);
  explicit_step_ = possible_step;
  implicit_gains_ = false;
}

Attempt AutoStepper::attempt(double h, const Tolerances& tolerances) {
  tolerance_ = tolerances.relative;
  h_ = h;
  if (next_ != active_) {
    Stepper& from = *active_;
    active_ = next_;
    if (!active_->start(from.t(), from.y())) return {};
  }
  const Attempt attempt = active_->attempt(h, tolerances);
  if (active_ == symplectic_.get() && symplectic_->misfits()) plan(*explicit_);
  if (active_ == implicit_.get() && explicit_) look_for_values(attempt);
  if (!is_explicit()) return attempt;
  stiffness_ = attempt.finite ? explicit_->stiffness() : 0;
  // What changes by less than the tolerance needs no formula of high order to be followed.
  creeps_ = attempt.finite && error_of_step(attempt) > noticed_error &&
            explicit_->distance(tolerances) < 1;
  if (!refuse_explicit(attempt)) return attempt;
  active_ = next_;
  if (!active_->start(explicit_->t(), explicit_->y())) return {};
  return active_->attempt(h, tolerances);
}

double AutoStepper::error_of_step(const Attempt& attempt) const {
  return attempt.error / explicit_->dense_share();
}

/// A Jacobian may have no value where the slopes have one, as that of sqrt(|x|) at zero. An
/// explicit method needs none.
void AutoStepper::look_for_values(const Attempt& attempt) {
  if (attempt.finite) {
    n_without_values_ = 0;
  } else if (++n_without_values_ == most_without_values) {
    n_without_values_ = 0;
    plan(*explicit_);
  }
}

/// Whether the attempt is to be made again by the implicit method.
bool AutoStepper::refuse_explicit(const Attempt& attempt) {
  if (!attempt.finite || error_of_step(attempt) > 1 || stiffness_ < explicit_nonsense) return false;
  leave_explicit(std::abs(h_) * explicit_stability / stiffness_);
  return true;
}

void AutoStepper::accept(double t_new) {
  active_->accept(t_new);
  if (is_explicit())
    look_for_stiffness();
  else if (active_ == implicit_.get() && explicit_ && jacobian_norm_ != nullptr)
    look_for_its_end();
}

void AutoStepper::look_for_stiffness() {
  if (stiffness_ > explicit_stability || creeps_) {
    signs_against_ = 0;
    summed_steps_ += std::abs(h_);
    if (++signs_ >= steps_to_leave << std::min(n_in_vain_, most_doublings))
      leave_explicit(summed_steps_ / signs_);
  } else if (++signs_against_ == steps_to_forget) {
    signs_ = signs_against_ = 0;
    summed_steps_ = 0;
  }
  if (++n_explicit_ >= steps_to_symplectic && signs_ == 0 && next_ == explicit_.get() &&
      symplectic_ && !symplectic_->misfits())
    plan(*symplectic_);
}

void AutoStepper::look_for_its_end() {
  if (std::abs(h_) * jacobian_norm_(*implicit_) > 0.75 * explicit_stability)
    signs_ = 0;
  else if (++signs_ == steps_to_return && n_returns_ < most_returns) {
    ++n_returns_;
    plan(*explicit_);
    return;
  }
  look_for_gain();
}

/// A step of Rodas asks for a Jacobian and its factors besides its stages, so that it costs more
/// than one of DOP853: where it is not even longer, the system is a little stiff at most, and
/// accuracy asks for short steps anyway, as in machines on alternating current. The norm of a
/// Jacobian does not tell: it is as large as the units of the states make it.
void AutoStepper::look_for_gain() {
  summed_steps_ += std::abs(h_);
  if (++n_implicit_ < steps_to_compare) return;
  const double mean = summed_steps_ / n_implicit_;
  n_implicit_ = 0;
  summed_steps_ = 0;
  if (mean > explicit_step_) {
    implicit_gains_ = true;
    return;
  }
  if (!implicit_gains_) ++n_in_vain_;
  plan(*explicit_);
}

void AutoStepper::exchange(Archive& archive) {
  bool has_implicit = implicit_ != nullptr;
  const auto number_of = [&](const Stepper* stepper) {
    return stepper == explicit_.get() ? 0 : stepper == symplectic_.get() ? 1 : 2;
  };
  int active = number_of(active_), next = number_of(next_);
  archive(has_implicit, active, next, implicit_made_for_, h_, signs_, signs_against_, n_explicit_,
          n_returns_, summed_steps_, explicit_step_, n_implicit_, implicit_gains_, n_in_vain_);
  if (archive.reading() && has_implicit) {
    tolerance_ = implicit_made_for_;
    make_implicit();
  }
  if (explicit_) explicit_->exchange(archive);
  if (symplectic_) symplectic_->exchange(archive);
  if (has_implicit) implicit_->exchange(archive);
  const auto numbered = [&](int number) -> Stepper* {
    if (number == 0) return explicit_.get();
    return number == 1 ? symplectic_.get() : implicit_.get();
  };
  active_ = numbered(active);
  next_ = numbered(next);
  if (active_ == nullptr || next_ == nullptr) throw Error("I012", "the checkpoint is damaged.");
}

const WorkCounts& AutoStepper::work() const {
  work_ = {};
  for (const Stepper* stepper : {static_cast<const Stepper*>(explicit_.get()),
                                 static_cast<const Stepper*>(symplectic_.get()),
                                 static_cast<const Stepper*>(implicit_.get())}) {
    if (stepper == nullptr) continue;
    const WorkCounts& w = stepper->work();
    work_.rhs_calls += w.rhs_calls;
    work_.jacobian_calls += w.jacobian_calls;
    work_.factorisations += w.factorisations;
    work_.inner_rejections += w.inner_rejections;
    if (!work_.first_non_finite.seen) work_.first_non_finite = w.first_non_finite;
  }
  return work_;
}

}  // namespace alembert::integrate
