// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Explicit methods with a step that the user fixes: Euler and the classical
// Runge-Kutta method; semi-implicit Euler; for separable second-order systems (q'' = a(t, q)) the
// velocity Verlet method and its symmetric compositions of higher order, all symplectic. Dense
// output is the cubic with the slopes at both ends. Hairer, Lubich and Wanner, Geometric Numerical
// Integration, I.1 and V.3.
#pragma once

#include <vector>

#include "alembert/integrate/one_step.hpp"

namespace alembert::integrate {

/// What methods with a fixed step share: `advance` makes y_new_ and, where it can, f_new_.
class FixedStep : public OneStepOfSystem {
 public:
  FixedStep(const OdeSystem& system, const MethodInfo& info);

  const MethodInfo& method() const override { return *info_; }
  bool start(double t, std::span<const double> y) override;
  Attempt attempt(double h, const Tolerances& tolerances) override;
  void accept(double t_new) override;
  bool interpolate(double theta, std::span<double> y) override;

  std::span<const double> f() const override { return f_; }
  void exchange(Archive& archive) override;

 protected:
  virtual bool advance(double h, const Tolerances& tolerances) = 0;

  double h_ = 0;
  std::vector<double> f_, f_old_, f_new_;  // each [n]: slopes at y_, y_old_ and y_new_
  bool accepted_ = false;

 private:
  const MethodInfo* info_;
};

/// Places of positions and velocities. Error I010 where a state is neither.
struct PhaseSpace {
  explicit PhaseSpace(const OdeSystem& system, std::string_view method);

  std::vector<std::uint32_t> position, velocity;  // pairs
};

/// Steps of a symmetric composition of velocity Verlet: half a kick, a drift, half a kick; for each
/// of the parts of the step in turn.
class KicksAndDrifts {
 public:
  /// `half` of the weights, the middle one last. Error I010 where the system is not separable.
  KicksAndDrifts(const OdeSystem& system, std::span<const double> half, std::string_view method);

  /// From (t, y), with slopes f, to y_new with slopes f_new; all [n]. False where there is no
  /// value.
  bool advance(CountedSystem& system, double t, double h, const std::vector<double>& y,
               const std::vector<double>& f, std::vector<double>& y_new,
               std::vector<double>& f_new) const;

 private:
  std::vector<std::uint32_t> position_, momentum_;
  /// [positions]: where the slope of a position is a state; empty where some are not.
  std::vector<std::uint32_t> velocity_;
  std::vector<double> weights_;
};

inline constexpr MethodInfo euler_info = {.name = "euler",
                                          .order = 1,
                                          .error_order = 1,
                                          .dense_order = 0,
                                          .step_choice = StepChoice::fixed};
inline constexpr MethodInfo rk4_info = {.name = "rk4",
                                        .order = 4,
                                        .error_order = 4,
                                        .dense_order = 3,
                                        .step_choice = StepChoice::fixed};
inline constexpr MethodInfo semi_implicit_euler_info = {.name = "semi-implicit-euler",
                                                        .order = 1,
                                                        .error_order = 1,
                                                        .dense_order = 0,
                                                        .step_choice = StepChoice::fixed,
                                                        .needs_velocities = true};
inline constexpr MethodInfo verlet_info = {.name = "verlet",
                                           .order = 2,
                                           .error_order = 2,
                                           .dense_order = 1,
                                           .step_choice = StepChoice::fixed,
                                           .needs_velocities = true,
                                           .needs_separable = true};
inline constexpr MethodInfo symplectic4_info = {.name = "symplectic4",
                                                .order = 4,
                                                .error_order = 4,
                                                .dense_order = 3,
                                                .step_choice = StepChoice::fixed,
                                                .needs_velocities = true,
                                                .needs_separable = true};
inline constexpr MethodInfo symplectic6_info = {.name = "symplectic6",
                                                .order = 6,
                                                .error_order = 6,
                                                .dense_order = 3,
                                                .step_choice = StepChoice::fixed,
                                                .needs_velocities = true,
                                                .needs_separable = true};
inline constexpr MethodInfo symplectic8_info = {.name = "symplectic8",
                                                .order = 8,
                                                .error_order = 8,
                                                .dense_order = 3,
                                                .step_choice = StepChoice::fixed,
                                                .needs_velocities = true,
                                                .needs_separable = true};

std::unique_ptr<Stepper> make_euler(const OdeSystem& system);
std::unique_ptr<Stepper> make_rk4(const OdeSystem& system);
std::unique_ptr<Stepper> make_semi_implicit_euler(const OdeSystem& system);
std::unique_ptr<Stepper> make_verlet(const OdeSystem& system);
std::unique_ptr<Stepper> make_symplectic4(const OdeSystem& system);
std::unique_ptr<Stepper> make_symplectic6(const OdeSystem& system);
std::unique_ptr<Stepper> make_symplectic8(const OdeSystem& system);

}  // namespace alembert::integrate
