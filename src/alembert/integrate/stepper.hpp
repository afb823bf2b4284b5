// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. One step of a one-step method: attempt, judge, accept, interpolate.
// A stepper owns its state (t, y) and all work arrays, which are made once; nothing below allocates
// after construction. Step control, events and observers are the business of the loop around it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "alembert/integrate/ode_system.hpp"

namespace alembert::integrate {

struct MethodInfo {
  std::string_view name;
  std::uint32_t order = 0;
  std::uint32_t error_order = 0;  ///< the error estimate of a step goes with h^(error_order + 1)
  std::uint32_t dense_order = 0;
};

struct Attempt {
  bool finite = false;  ///< false: the right-hand side failed somewhere in the step
  double error = 0;     ///< in units of the tolerance; the step is good up to 1
};

struct WorkCounts {
  std::uint64_t rhs_calls = 0;
  std::uint64_t jacobian_calls = 0;
  std::uint64_t factorisations = 0;
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  virtual const MethodInfo& method() const = 0;
  virtual const OdeSystem& system() const = 0;

  /// Puts the stepper at (t, y); again whenever the state was changed from outside. False where the
  /// right-hand side has no value.
  virtual bool start(double t, std::span<const double> y) = 0;
  /// Computes a step of size h (negative: backwards) from the current state, which stays as it is.
  virtual Attempt attempt(double h, const Tolerances& tolerances) = 0;
  /// Takes the attempted step, which ends at t_new: t + h, or a target hit exactly.
  virtual void accept(double t_new) = 0;
  /// The state at fraction theta in [0, 1] of the step accepted last, until the next `start` or
  /// `attempt`. May call the right-hand side; false where that has no value.
  virtual bool interpolate(double theta, std::span<double> y) = 0;

  virtual double t() const = 0;
  virtual std::span<const double> y() const = 0;
  /// The current state, to be changed in place; `start` must be called before the next attempt.
  virtual std::span<double> mutable_y() = 0;
  virtual std::span<const double> y_old() const = 0;  ///< at the start of the step accepted last
  /// f(t, y) as `start` or the last step left it; empty where a method does not keep it.
  virtual std::span<const double> f() const { return {}; }
  virtual const WorkCounts& work() const = 0;
};

/// "tsit5", "dop853" or "rodas5p"; null for any other name.
std::unique_ptr<Stepper> make_stepper(std::string_view method, const OdeSystem& system);

}  // namespace alembert::integrate
