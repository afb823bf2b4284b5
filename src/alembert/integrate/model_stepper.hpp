// SPDX-License-Identifier: Apache-2.0
// Stage: integrate, for its own files. What steppers that read the equations of a model themselves
// have in common: their state is every variable that was kept, at both ends of the last step and at
// the end of the one that is tried.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "alembert/integrate/stepper.hpp"

namespace alembert::integrate {

class ModelStepper : public Stepper {
 public:
  double t() const override { return t_; }
  std::span<const double> y() const override { return y_; }
  std::span<double> mutable_y() override { return y_; }
  std::span<const double> y_old() const override { return y_old_; }
  const WorkCounts& work() const override { return work_; }
  std::string_view failure() const override { return failure_; }

 protected:
  explicit ModelStepper(std::size_t n_values) : y_(n_values), y_old_(n_values), y_new_(n_values) {}

  /// y_new_ becomes the state.
  void take(double t_new) {
    t_old_ = std::exchange(t_, t_new);
    std::swap(y_old_, y_);
    std::swap(y_, y_new_);
  }

  double t_ = 0, t_old_ = 0;
  std::vector<double> y_, y_old_, y_new_;  // [n_values]
  WorkCounts work_;
  std::string failure_;
};

}  // namespace alembert::integrate
