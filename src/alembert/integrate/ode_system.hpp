// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. What a stepper integrates: M y' = f(t, y), M constant and possibly singular.
// Plain function pointers and a context: a compiled model, a test or a lambda can all stand behind
// it. A function that cannot give a value (a domain error, a failed inner solve) returns false;
// non-finite results mean the same. The stepper then tries a smaller step.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace alembert::integrate {

/// Places of a square matrix that may differ from zero, column by column; rows ascend in a column.
/// Views: what they point to must outlive the system. Empty: every place, column-major.
struct ColumnPattern {
  std::span<const std::uint32_t> column_start = {};  // [n + 1]
  std::span<const std::uint32_t> row = {};           // [n_entries]

  bool empty() const { return column_start.empty(); }
};

struct OdeSystem {
  std::uint32_t n = 0;
  bool (*rhs)(void* context, double t, const double* y, double* f) = nullptr;  // f[n]
  void* context = nullptr;

  /// df/dy, [n * n] column-major or the entries of `jacobian_pattern`, and df/dt [n]; without it,
  /// implicit steppers take differences (in groups of columns, where there is a pattern).
  bool (*jacobian)(void* context, double t, const double* y, double* dfdy, double* dfdt) = nullptr;
  /// Made through derivatives of functions that may be far off (a user's own, that of an
  /// iteration): implicit steppers hold it against a difference and take differences where it is
  /// wrong.
  bool jacobian_is_doubtful = false;
  /// M, [n * n] column-major or the entries of `mass_pattern`; null is the identity.
  const double* mass = nullptr;
  ColumnPattern jacobian_pattern = {};
  ColumnPattern mass_pattern = {};

  /// The same system as r(t, y, y') = 0, where that takes less: f solves equations for slopes which
  /// r only evaluates. For methods that find slopes by themselves; M is the identity then.
  bool (*residual)(void* context, double t, const double* y, const double* slope,
                   double* r) = nullptr;  // r[n]
  /// dr/dy + factor dr/dy', [n * n] column-major or the entries of `residual_pattern`.
  bool (*residual_jacobian)(void* context, double t, const double* y, const double* slope,
                            double factor, double* entries) = nullptr;
  ColumnPattern residual_pattern = {};

  /// [n] or null: velocity_of[i] = j says that y_i' = y_j, with j the velocity of no other state;
  /// n where state i is no position. Methods for second-order systems need it.
  const std::uint32_t* velocity_of = nullptr;
  /// [n] or null: 1 for momenta, 0 for positions. Says that the system is separable: slopes of
  /// positions depend on momenta and time alone, those of momenta on positions and time. Symplectic
  /// methods need it, or velocity_of where accelerations do not depend on velocities.
  const char* is_momentum = nullptr;

  /// Moves y [n] onto the invariants of the system, or null where it has none that are kept so. For
  /// methods with a memory, which do it within a step; others start anew behind it. From `error`
  /// [n], unless it is null, it takes what leads off the invariants: that is gone with the move.
  bool (*project)(void* context, double t, double* y, double* error) = nullptr;
};

/// The local error of component i is held below absolute + relative * |y_i|.
struct Tolerances {
  double relative = 1e-6;
  double absolute = 1e-6;
  std::span<const double> absolute_each = {};  ///< [n] or empty; takes the place of `absolute`

  double scale(std::size_t i, double magnitude) const {
    return (absolute_each.empty() ? absolute : absolute_each[i]) + relative * magnitude;
  }
};

}  // namespace alembert::integrate
