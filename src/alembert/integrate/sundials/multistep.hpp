// SPDX-License-Identifier: Apache-2.0
// Stage: integrate/sundials. The part of a Stepper that is the same for CVODE and IDA: states
// before and after a step, counted calls, the tolerances of the attempt under way.
#pragma once

#include <cmath>
#include <vector>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/integrate/jacobian_source.hpp"
#include "alembert/integrate/sundials/linear_solver.hpp"
#include "alembert/integrate/sundials/sundials_steppers.hpp"

namespace alembert::integrate::sundials {

class Multistep : public Stepper {
 public:
  explicit Multistep(const OdeSystem& system)
      : counted_{system},
        mass_(system),
        jacobian_source_(system),
        context_(make_context()),
        solution_(make_vector(system.n, context_)),
        scratch_(make_vector(system.n, context_)),
        linear_(system, mass_, solution_.get(), context_),
        jacobian_(jacobian_source_.n_values()),
        y_(system.n),
        y_old_(system.n),
        f_(system.n),
        offset_(system.n) {
    ensure(system.rhs != nullptr, "a stepper needs a right-hand side");
  }

  const OdeSystem& system() const override { return counted_.system; }
  double t() const override { return t_; }
  std::span<const double> y() const override { return y_; }
  std::span<double> mutable_y() override { return y_; }
  std::span<const double> y_old() const override { return y_old_; }
  const WorkCounts& work() const override { return counted_.work; }

  void exchange(Archive& archive) override {
    linear_.forget();
    Stepper::exchange(archive);
  }

  void accept(double t_new) override {
    y_old_.swap(y_);
    const std::span<const double> reached = data(solution_.get());
    std::copy(reached.begin(), reached.end(), y_.begin());
    t_old_ = t_;
    t_ = t_new;
    accepted_ = true;
    offset_known_ = false;
  }

  /// The polynomial of SUNDIALS, which begins a rounding error of time beside the state that the
  /// step began with, moved so that it begins there: what an event has just made positive would
  /// else be negative again, and a second event.
  bool interpolate(double theta, std::span<double> y) override {
    ensure(accepted_, "there is no accepted step to interpolate");
    if (counted_.system.n == 0) return true;
    const std::span<const double> values = data(scratch_.get());
    if (!offset_known_) {
      if (!read_polynomial(t_old_)) return false;
      for (std::size_t i = 0; i < values.size(); ++i) offset_[i] = y_old_[i] - values[i];
      offset_known_ = true;
    }
    if (!read_polynomial(theta == 1 ? t_ : t_old_ + theta * (t_ - t_old_))) return false;
    for (std::size_t i = 0; i < values.size(); ++i) y[i] = values[i] + (1 - theta) * offset_[i];
    return true;
  }

 protected:
  /// At a time within the last step, into the scratch vector.
  virtual bool read_polynomial(double t) = 0;

  bool put(double t, std::span<const double> y) {
    ensure(y.size() == counted_.system.n, "the state has another size than the system");
    if (y.data() != y_.data()) std::copy(y.begin(), y.end(), y_.begin());
    std::copy(y_.begin(), y_.end(), data(solution_.get()).begin());
    t_ = t;
    accepted_ = false;
    return all_finite(y_.data(), y_.size()) && counted_.rhs(t, y_.data(), f_.data());
  }

  /// 1 / scale, the weights in which SUNDIALS measures; -1 where a scale is zero.
  static int set_weights(N_Vector y, N_Vector weights, void* self) {
    const Tolerances& tolerances = static_cast<Multistep*>(self)->tolerances_;
    const std::span<double> w = data(weights), at = data(y);
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double scale = tolerances.scale(i, std::abs(at[i]));
      if (!(scale > 0)) return -1;
      w[i] = 1 / scale;
    }
    return 0;
  }

  /// SUNDIALS counts from its last start: what has come since the last call is added.
  void add_work(long rejections, long setups) {
    counted_.work.inner_rejections += static_cast<std::uint64_t>(rejections - rejections_seen_);
    counted_.work.factorisations += static_cast<std::uint64_t>(setups - setups_seen_);
    rejections_seen_ = rejections;
    setups_seen_ = setups;
  }
  void started_anew() { rejections_seen_ = setups_seen_ = 0; }

  /// The state with the largest part in the error, of local errors left in the scratch vector.
  std::uint32_t limiting() const {
    const std::span<const double> errors = data(scratch_.get()), at = data(solution_.get());
    std::uint32_t largest = no_component;
    double most = 0;
    for (std::uint32_t i = 0; i < errors.size(); ++i) {
      const double e = std::abs(errors[i]) / tolerances_.scale(i, std::abs(at[i]));
      if (e > most) {
        most = e;
        largest = i;
      }
    }
    return largest;
  }

  /// The shortest step that moves t by more than rounding, and goes no further than h: where slopes
  /// are so steep that a first step would be chosen below it, as in a pulse of a picosecond.
  double least_first_step(double h) const {
    return std::copysign(std::min(std::abs(h), 64 * eps * std::abs(t_)), h);
  }

  /// How often a step may be shortened, for either reason. What is nearly a jump, as the voltage of
  /// a diode that begins to block, is a billion times shorter than the steps before it.
  static constexpr int most_failures = 50;

  static void say_nothing(int, const char*, const char*, char*, void*) {}

  CountedSystem counted_;
  MassMatrix mass_;
  JacobianSource jacobian_source_;
  Context context_;
  Vector solution_, scratch_;
  LinearSolver linear_;
  std::vector<double> jacobian_;
  std::vector<double> y_, y_old_, f_, offset_;  // each [n]
  double t_ = 0, t_old_ = 0;
  bool accepted_ = false;
  bool offset_known_ = false;  // of the polynomial of the last step
  bool first_ = true;          // no step since the start
  bool failed_here_ = false;   // f or its Jacobian had no value in the attempt under way
  Tolerances tolerances_;

 private:
  long rejections_seen_ = 0, setups_seen_ = 0;
};

}  // namespace alembert::integrate::sundials
