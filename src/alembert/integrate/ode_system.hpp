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

struct OdeSystem {
  std::uint32_t n = 0;
  bool (*rhs)(void* context, double t, const double* y, double* f) = nullptr;  // f[n]
  void* context = nullptr;

  /// df/dy [n * n], column-major, and df/dt [n]; without it, implicit steppers take differences.
  bool (*jacobian)(void* context, double t, const double* y, double* dfdy, double* dfdt) = nullptr;
  const double* mass = nullptr;  ///< M [n * n], column-major; null is the identity
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
