// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Motion along the surface where a comparison is undecided, because on either
// side the equations lead back to it (Filippov, Differential Equations with Discontinuous Righthand
// Sides, 1988). In: the constants of a model on both sides, and the crossing function g of the
// comparison. Out: the share a of the second side such that dg/dt vanishes in (1 - a) f0 + a f1;
// beyond 0 and 1 the motion leaves the surface to one side. dg/dt on each side by central
// differences along its own derivatives. Where neither side moves on the surface itself, or has no
// value there, as roots of what is zero, each is looked at a little beside it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace alembert::integrate {

class Archive;
class ModelPoint;

class Sliding {
 public:
  /// Where the two sides are looked at: this state is changed such that g is -width and width, its
  /// slope by that state being given. On the surface, at whatever g is, where the width is 0.
  struct Beside {
    std::uint32_t state = 0;
    double slope = 1;
    double width = 0;
  };

  Sliding() = default;
  /// Constants of the model where the crossing function is below zero, and where it is above.
  Sliding(std::uint32_t crossing, std::span<const double> below, std::span<const double> above,
          const Beside& beside);

  std::span<double> constants(bool second) { return sides_[second]; }
  /// The share at (t, y), not confined to [0, 1]; NaN where a side has no values or both sides
  /// change g alike. Leaves the derivatives of both sides behind, and the point's constants are
  /// those of one of them.
  double share(ModelPoint& point, double t, std::span<const double> y);
  /// True if both sides lead to the surface, or one does and the other stays on it.
  bool leads_back(ModelPoint& point, double t, std::span<const double> y);
  std::span<const double> derivatives(bool second) const { return slopes_[second]; }
  /// Where a side was looked at by the last `share`.
  std::span<const double> states(bool second) const { return states_[second]; }
  /// True if, by the last looks of both, what the two sides differ by is clearly less than it is
  /// with `farther`, which looks at them farther from the surface: on it they agree.
  bool vanishes_beside(const Sliding& farther) const;
  void exchange(Archive& archive);

 private:
  bool measure(ModelPoint& point, double t, std::span<const double> y, bool second);

  std::uint32_t crossing_ = 0;
  Beside beside_;
  std::array<std::vector<double>, 2> sides_;   // constants
  std::array<std::vector<double>, 2> states_;  // [n_states]
  std::array<std::vector<double>, 2> slopes_;  // [n_states]
  std::array<double, 2> rates_ = {};           // of g
  std::vector<double> moved_, modes_;
};

}  // namespace alembert::integrate
