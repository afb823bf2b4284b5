// SPDX-License-Identifier: Apache-2.0
// Stage: integrate, for steppers. What methods of one step have in common: the state at both ends
// of the last step, and at the end of the one that is tried.
#pragma once

#include <utility>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/integrate/counted_system.hpp"
#include "alembert/integrate/stepper.hpp"

namespace alembert::integrate {

class OneStep : public Stepper {
 public:
  double t() const override { return t_; }
  std::span<const double> y() const override { return y_; }
  std::span<double> mutable_y() override { return y_; }
  std::span<const double> y_old() const override { return y_old_; }
  std::span<const double> y_attempted() const override { return y_new_; }

 protected:
  explicit OneStep(std::size_t n) : y_(n), y_old_(n), y_new_(n) {}

  /// y_new_ becomes the state.
  void take(double t_new) {
    t_old_ = std::exchange(t_, t_new);
    y_old_.swap(y_);
    y_.swap(y_new_);
  }

  double t_ = 0, t_old_ = 0;
  std::vector<double> y_, y_old_, y_new_;  // each [n]
};

/// Of a system that is given by its right-hand side.
class OneStepOfSystem : public OneStep {
 public:
  const OdeSystem& system() const override { return counted_.system; }
  const WorkCounts& work() const override { return counted_.work; }

 protected:
  explicit OneStepOfSystem(const OdeSystem& system) : OneStep(system.n), counted_{system} {
    ensure(system.rhs != nullptr, "a stepper needs a right-hand side");
  }

  /// The state, which may be y_ itself, and its slopes, [n]; false where there are none.
  bool put(double t, std::span<const double> y, std::vector<double>& f) {
    ensure(y.size() == counted_.system.n, "the state has another size than the system");
    if (y.data() != y_.data()) std::copy(y.begin(), y.end(), y_.begin());
    t_ = t;
    return all_finite(y_.data(), y_.size()) && counted_.rhs(t, y_.data(), f.data());
  }

  CountedSystem counted_;
};

}  // namespace alembert::integrate
