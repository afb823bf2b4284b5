// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. "auto": begins with an explicit pair and goes over to an implicit method when
// the explicit one is held back by stability rather than by accuracy; and back when the stiffness
// has gone, where the implicit one takes no longer steps, or where it finds no values. With a mass
// matrix it is implicit from the start.
// A separable system that has shown itself not to be stiff gets symplectic steps in a long run,
// until they turn out not to fit. Implicit means Rodas5P (Rodas6P for tight tolerances), or CVODE
// and IDA for large sparse systems. Whether a system is stiff is read off what a step computes
// anyway. Hairer and Wanner, Solving ODEs II, IV.2; L. Petzold, SIAM J. Sci. Stat. Comput. 4, 1983.
#pragma once

#include <functional>
#include <memory>

#include "alembert/integrate/explicit_runge_kutta.hpp"
#include "alembert/integrate/rosenbrock.hpp"
#include "alembert/integrate/steady_composition.hpp"

namespace alembert::integrate {

class AutoStepper final : public Stepper {
 public:
  static constexpr MethodInfo info = {.name = "auto",
                                      .order = Dop853::info.order,
                                      .error_order = Dop853::info.error_order,
                                      .dense_order = Dop853::info.dense_order,
                                      .takes_mass = true,
                                      .uses_jacobian = true};

  explicit AutoStepper(const OdeSystem& system);

  /// Before the start: what only the implicit method asks of the system is entered into it by this,
  /// when that is made. Most runs need none.
  void prepare_implicit_by(std::function<void(OdeSystem&)> prepare) {
    prepare_implicit_ = std::move(prepare);
  }
  /// Before the start: takes over what another one has learnt of a system of nearly the same
  /// equations. The tolerance is relative.
  void learn_from(const AutoStepper& before, double tolerance);

  /// Of the method that will make the next step.
  const MethodInfo& method() const override { return next_->method(); }
  const OdeSystem& system() const override { return system_; }
  bool start(double t, std::span<const double> y) override;
  Attempt attempt(double h, const Tolerances& tolerances) override;
  void accept(double t_new) override;
  bool interpolate(double theta, std::span<double> y) override {
    return active_->interpolate(theta, y);
  }

  double t() const override { return active_->t(); }
  std::span<const double> y() const override { return active_->y(); }
  std::span<double> mutable_y() override { return active_->mutable_y(); }
  std::span<const double> y_old() const override { return active_->y_old(); }
  std::span<const double> y_attempted() const override { return active_->y_attempted(); }
  std::span<const double> f() const override { return active_->f(); }
  const WorkCounts& work() const override;
  void exchange(Archive& archive) override;

 private:
  bool is_explicit() const { return active_ == explicit_.get(); }
  /// Without what counts for dense output: that grows with the stiffness it is to tell.
  double error_of_step(const Attempt& attempt) const;
  bool refuse_explicit(const Attempt& attempt);
  void look_for_values(const Attempt& attempt);
  void look_for_stiffness();
  void look_for_its_end();
  void look_for_gain();
  void leave_explicit(double possible_step);
  void make_implicit();
  void plan(Stepper& next);

  OdeSystem system_;
  std::unique_ptr<Dop853> explicit_;
  std::unique_ptr<SteadyComposition> symplectic_;  // of separable systems
  std::unique_ptr<Stepper> implicit_;              // made when first needed
  std::function<void(OdeSystem&)> prepare_implicit_;
  double (*jacobian_norm_)(const Stepper&) = nullptr;  // of implicit_, where it can tell
  Stepper* active_ = nullptr;                          // made the last step
  Stepper* next_ = nullptr;                            // makes the next one
  double tolerance_ = 1e-6;                            // relative, of the last attempt
  double implicit_made_for_ = 0;                       // the tolerance that chose implicit_
  double h_ = 0;                                       // of the last attempt
  double stiffness_ = 0;                               // |h lambda| of the last explicit attempt
  bool creeps_ = false;                                // its error is larger than what it changed
  int signs_ = 0, signs_against_ = 0;                  // steps in a row
  int n_without_values_ = 0;                           // implicit attempts in a row
  int n_explicit_ = 0;                                 // steps by the explicit method
  int n_returns_ = 0;            // how often it has come back as the stiffness had gone
  double summed_steps_ = 0;      // lengths: explicit with signs of stiffness, or implicit
  double explicit_step_ = 0;     // what it could take when it was left; 0: not known
  int n_implicit_ = 0;           // steps in summed_steps_ by the implicit method
  bool implicit_gains_ = false;  // it has had longer steps since it was chosen
  int n_in_vain_ = 0;            // how often it was chosen and had none
  mutable WorkCounts work_;
};

}  // namespace alembert::integrate
