// SPDX-License-Identifier: Apache-2.0
// Stage: integrate, for steppers. The right-hand side, counted and checked: where it has no value
// the first bad row is kept for the report.
#pragma once

#include <algorithm>
#include <cmath>

#include "alembert/integrate/stepper.hpp"

namespace alembert::integrate {

inline bool all_finite(const double* values, std::size_t n) {
  return std::all_of(values, values + n, [](double value) { return std::isfinite(value); });
}

struct CountedSystem {
  OdeSystem system;
  WorkCounts work = {};

  bool rhs(double t, const double* y, double* f) {
    ++work.rhs_calls;
    const bool known = system.rhs(system.context, t, y, f);
    if (known && all_finite(f, system.n)) return true;
    note_failure(t, f, known);
    return false;
  }

  /// r(t, y, y'), of a system that has it.
  bool residual(double t, const double* y, const double* slope, double* r) {
    ++work.rhs_calls;
    const bool known = system.residual(system.context, t, y, slope, r);
    if (known && all_finite(r, system.n)) return true;
    note_failure(t, r, known);
    return false;
  }

  /// `f` is what a call at t left behind; `known`, what it returned.
  void note_failure(double t, const double* f, bool known) {
    if (work.first_non_finite.seen) return;
    work.first_non_finite = {.seen = true, .t = t};
    if (!known) return;
    for (std::uint32_t i = 0; i < system.n; ++i)
      if (!std::isfinite(f[i])) {
        work.first_non_finite.component = i;
        return;
      }
  }
};

/// Root mean square of e_i / scale_i, and the largest component.
struct ErrorNorm {
  double sum = 0, largest = -1;
  std::uint32_t limiting = no_component;

  void add(std::uint32_t i, double scaled) {
    const double square = scaled * scaled;
    sum += square;
    if (square > largest) {
      largest = square;
      limiting = i;
    }
  }
  double value(std::uint32_t n) const { return n == 0 ? 0 : std::sqrt(sum / n); }
};

}  // namespace alembert::integrate
