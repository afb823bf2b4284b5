// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. One step of a method: attempt, judge, accept, interpolate.
// A stepper owns its state (t, y) and all work arrays, which are made once; nothing below allocates
// after construction. Step control, events and observers are the business of the loop around it.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>

#include "alembert/integrate/ode_system.hpp"

namespace alembert::integrate {

/// Who decides how long a step is.
enum class StepChoice : std::uint8_t {
  by_error,  ///< the loop, from the error estimate
  fixed,     ///< the user: there is no estimate, all steps are equal but the last
  own,       ///< the method (multistep): `attempt` is told only how far it may go
};

struct MethodInfo {
  std::string_view name;
  std::uint32_t order = 0;
  std::uint32_t error_order = 0;  ///< the error estimate of a step goes with h^(error_order + 1)
  std::uint32_t dense_order = 0;  ///< errors within steps go with h^(dense_order + 1)
  StepChoice step_choice = StepChoice::by_error;
  bool takes_mass = false;
  bool uses_jacobian = false;
  bool finds_slopes = false;      ///< OdeSystem::residual is used where it is there
  bool needs_velocities = false;  ///< OdeSystem::velocity_of must be there
  bool needs_separable = false;   ///< OdeSystem::is_momentum, or velocity_of, must be there
  bool tells_looks = false;       ///< Stepper::looks has an answer
  /// A step that could grow by less than this stays as it is: its factorisation can be used again.
  double least_growth = 1;
  bool starts_anew = false;  ///< at every checkpoint, as it cannot tell its history
  /// A step that was good is never shortened: all shall be equal while the error allows it.
  bool keeps_step = false;
};

inline constexpr std::uint32_t no_component = std::numeric_limits<std::uint32_t>::max();

struct Attempt {
  bool finite = false;  ///< false: the right-hand side failed somewhere in the step
  double error = 0;     ///< in units of the tolerance; the step is good up to 1
  std::uint32_t limiting = no_component;  ///< the state with the largest share of the error
  double t_new = 0;                       ///< of methods that choose their steps: where this ends
};

/// Where the right-hand side first had no value. `component` is the first row that is not finite;
/// no_component where the function itself said that it has none.
struct NonFiniteValue {
  bool seen = false;
  double t = 0;
  std::uint32_t component = no_component;
};

struct WorkCounts {
  std::uint64_t rhs_calls = 0;
  std::uint64_t jacobian_calls = 0;
  std::uint64_t factorisations = 0;
  std::uint64_t inner_rejections = 0;  ///< of methods that choose their steps
  NonFiniteValue first_non_finite = {};
};

class Archive;

class Stepper {
 public:
  virtual ~Stepper() = default;

  virtual const MethodInfo& method() const = 0;
  virtual const OdeSystem& system() const = 0;

  /// Puts the stepper at (t, y); again whenever the state was changed from outside. False where the
  /// right-hand side has no value.
  virtual bool start(double t, std::span<const double> y) = 0;
  /// Computes a step of size h (negative: backwards) from the current state, which stays as it is.
  /// A method that chooses its own steps goes h at most, and has tried everything when it fails.
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
  /// Where the last attempt would end, before it is accepted; empty where a method does not tell.
  virtual std::span<const double> y_attempted() const { return {}; }
  /// f(t, y) as `start` or the last step left it; empty where a method does not keep it.
  virtual std::span<const double> f() const { return {}; }
  virtual const WorkCounts& work() const = 0;
  /// Times in the step accepted last, ascending, its end the last, between which no crossing of a
  /// model changes its sign twice; empty where a method cannot tell.
  virtual std::span<const double> looks() { return {}; }
  /// Of methods that keep constraints: how far these are from depending on each other, 0 where they
  /// do.
  virtual double conditioning() const { return 1; }
  /// Why an attempt found no values, where the method knows; else empty.
  virtual std::string_view failure() const { return {}; }

  /// Between two steps: saves what the steps to come depend on, or takes it over from a stepper of
  /// the same method, which then goes on with the same bits. A method that cannot tell its history
  /// starts anew, where it is saved as where it is restored: both go on alike.
  virtual void exchange(Archive& archive);
};

/// All methods, in the order of the documentation.
std::span<const MethodInfo* const> all_methods();
/// Null where no method has that name; those of models count too.
const MethodInfo* find_method(std::string_view name);

/// Methods that read the equations of a model themselves; `simulate` makes them.
std::span<const MethodInfo* const> model_methods();

/// Null for a name that no method has. Error I010 where the method does not fit the system: a mass
/// matrix it does not take, velocities it needs and does not have.
std::unique_ptr<Stepper> make_stepper(std::string_view method, const OdeSystem& system);

}  // namespace alembert::integrate
