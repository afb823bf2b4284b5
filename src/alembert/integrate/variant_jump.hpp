// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. The way into the structure of some modes (compile/model/mode_variant.hpp). In:
// a ModelPoint as it was before, its constants those of the new modes. Out: states that obey the
// constraints of the new structure. Where they do so already they stay; else they jump as in the
// limit of an implicit Euler step, in which what the equations conserve is conserved: the momentum
// of bodies that are coupled, the charge of capacitances that are connected. Also: the same jump
// within one structure, where a constraint itself jumps at an event, such as the ratio of a gear.
#pragma once

#include <vector>

#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

/// False, and the point at what was found, where there are no such states, or where the impulses of
/// the jump speak against the modes: a diode would have to carry a current backwards.
/// chart: of a variant; it is in use afterwards. span: of the run. jumped: true if states are
/// others.
bool enter_variant(ModelPoint& point, const compile::CompiledChart& chart, double span,
                   bool& jumped);

/// Of the equations that the point's chart leaves out because others say the same, the first that
/// does not hold at the point, which is complete; null if all do.
const structure::HeldUnknown* broken_equation(const ModelPoint& point);

/// Variables that follow from the states by constraints, over an event at which no state is given
/// another value.
class ConstraintJump {
 public:
  /// With the point just before the event.
  explicit ConstraintJump(ModelPoint& point);

  enum class End {
    none,        ///< nothing jumped, or nothing follows from it
    states,      ///< states are others now
    too_high,    ///< second derivatives are needed of what jumped: no impulse is enough
    no_solution  ///< what follows from it was not found
  };
  /// With the point just behind the event; span: of the run.
  End follow(double span);
  /// What jumped first of them all, and from where.
  std::uint32_t variable() const { return variable_; }
  double value_before() const { return before_[variable_]; }

 private:
  bool differs(std::uint32_t variable) const;

  ModelPoint& point_;
  const compile::CompiledChart* chart_ = nullptr;  // null where there is nothing to watch
  std::vector<std::uint32_t> dependent_;           // variables with derivatives that are no states
  std::vector<double> before_;                     // [n_variables]
  double least_ = 1;                               // what is small beside the states
  std::uint32_t variable_ = 0;
};

}  // namespace alembert::integrate
