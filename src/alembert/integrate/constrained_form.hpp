// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. The formulations in which all coordinates are states: projection, Baumgarte's
// damping, stabilised index 2. In: a ModelPoint with a consistent start. Out: what the stepper
// integrates, from the point and back, and how its states are kept on the constraints.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "alembert/integrate/index_two_system.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/projection.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert::integrate {

/// Those in which all coordinates are states.
inline bool keeps_coordinates(Formulation formulation) {
  return formulation == Formulation::projection || formulation == Formulation::baumgarte ||
         formulation == Formulation::ggl;
}

class ConstrainedForm {
 public:
  /// Puts the point on the index-1 chart. Error I014 where the model has no derivatives for it.
  /// `omega`: of Baumgarte's damping, as it was chosen before; 0: by the options.
  ConstrainedForm(ModelPoint& point, const SimulateOptions& options, Formulation formulation,
                  double omega = 0);

  Formulation formulation() const { return formulation_; }
  double omega() const { return omega_; }
  /// How many unknowns the stepper has; the first of them are the states of the point's chart.
  std::uint32_t size() const;
  /// They as they are at the point.
  void gather(std::span<double> y) const;
  /// What the stepper integrates, where that is not the point's chart.
  IndexTwoSystem* index_two() { return index_two_ ? &*index_two_ : nullptr; }

  /// Onto the constraints, where the formulation does that: after a step of the integration. Only
  /// what is farther from them than `negligible` is moved.
  struct Settled {
    bool good = true;
    bool changed = false;
  };
  Settled settle_step(double t, std::span<double> y, double negligible);
  /// The same for a point in the middle of a step, which is only shown. `error`: as Projector.
  bool settle_shown(double t, std::span<double> y, std::span<double> error = {});
  void exchange(Archive& archive) {
    if (projector_) projector_->exchange(archive);
  }
  /// As Projector, where the last step was projected.
  bool clearly_regular() const {
    return formulation_ == Formulation::projection && projector_ && projector_->clearly_regular();
  }

 private:
  ModelPoint& point_;
  Formulation formulation_;
  double omega_ = 0;
  std::optional<Projector> projector_;
  std::optional<IndexTwoSystem> index_two_;
};

/// A frequency for Baumgarte's damping: ten times that at which the model moves at the start.
double choose_omega(const ModelPoint& point, double span);

}  // namespace alembert::integrate
