// SPDX-License-Identifier: Apache-2.0
// Stage: integrate, for its own files. What steppers that read the equations of a model themselves
// have in common: their state is every variable that was kept.
#pragma once

#include <string>

#include "alembert/integrate/one_step.hpp"

namespace alembert::integrate {

class ModelStepper : public OneStep {
 public:
  const WorkCounts& work() const override { return work_; }
  std::string_view failure() const override { return failure_; }

 protected:
  using OneStep::OneStep;

  WorkCounts work_;
  std::string failure_;
};

}  // namespace alembert::integrate
