// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Taylor series as a stepper, for models of any index. In: a SeriesModel and the
// constants of a run. The state is every variable, derivatives up to d_j included. A step: sum the
// series, correct the point by one or more Newton steps of the stages up to 0, which projects it
// onto all constraints (for mechanics in the metric of the masses) and makes it complete, and
// expand again. Step by the last coefficients (Jorba and Zou, Exp. Math. 14, 2005); dense output is
// the series, corrected in the same way. docs/theory/taylor.md.
#pragma once

#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/model/series_model.hpp"
#include "alembert/integrate/horner.hpp"
#include "alembert/integrate/model_stepper.hpp"
#include "alembert/integrate/polynomial_roots.hpp"

namespace alembert::integrate {

/// Cost grows with the square of the order and the step with tolerance^(1/order): the best order is
/// half the number of natural digits, and a little more, as a step costs something by itself. That
/// is where a run begins; its own coefficients tell whether another order leads farther for its
/// cost.
std::uint32_t taylor_stages(double tolerance);

class TaylorStepper final : public ModelStepper {
 public:
  static const MethodInfo info;

  /// `constants` are read at each call and may change where `start` is called; they and the model
  /// must outlive the stepper. The number of stages begins with what the tolerance says and follows
  /// the coefficients, unless it is given.
  TaylorStepper(const compile::SeriesModel& model, std::span<const double> constants,
                double tolerance, std::uint32_t n_stages = 0);

  const MethodInfo& method() const override { return info; }
  const OdeSystem& system() const override { return system_; }
  bool start(double t, std::span<const double> y) override;
  Attempt attempt(double h, const Tolerances& tolerances) override;
  void accept(double t_new) override;
  bool interpolate(double theta, std::span<double> y) override;

  std::uint32_t n_stages() const { return n_stages_; }
  /// From now on steps lead over a configuration in which constraints depend on each other. Where
  /// none is expected, rows that fall may as well be pivots that another order would mend, and
  /// tolerances hold.
  void expect_singularity() { expects_singularity_ = true; }
  /// Makes a point consistent, in place: what its states are not free to choose follows from them.
  /// False where that has no value. Not between `attempt` and `accept`.
  bool complete(double t, std::span<double> y);
  /// The same where everything below the highest derivatives is right already.
  bool complete_highest(double t, std::span<double> y);
  void exchange(Archive& archive) override;
  /// Of one that only completes points: the order of elimination in use, and branches.
  void exchange_completion(Archive& archive);
  std::span<const double> looks() override;

 private:
  bool choose_pivots();
  void use_pivots(const std::vector<compile::Pivot>& pivots);
  bool correct(double t, std::span<double> y);
  bool expand();
  bool settle_branches();
  bool run_series();
  void sum(double tau, std::span<double> y);
  double longest_step(const Tolerances& tolerances, std::uint32_t n_stages, Attempt& attempt,
                      double looser = 1);
  void set_stages(std::uint32_t n_stages);
  void judge_order(const Tolerances& tolerances, double longest);
  double misfit(const Tolerances& tolerances, double step) const;
  double reach_of_comparisons(double h, const Tolerances& tolerances);
  double quality() const { return corrected_[system_.n]; }
  /// True if unknowns without derivatives may leave their solution for another one on the way.
  bool may_change_branch() const { return expects_singularity_ && !model_.linear_in_highest(); }
  double first_branch_change(double h);
  bool lands(double step, const Tolerances& tolerances, Attempt& attempt, bool anywhere,
             double looser = 1);
  bool reach_beyond(double h, double longest, const Tolerances& tolerances, Attempt& attempt);

  const compile::SeriesModel& model_;
  std::span<const double> constants_;
  const compile::SeriesKernels* kernels_ = nullptr;
  std::uint32_t n_stages_ = 0;
  bool adapts_order_;
  // What the steps since the last decision say of fewer and of more stages: sums of logarithms of
  // how far they lead for their cost, beside the present ones.
  double fewer_ = 0, more_ = 0;
  std::uint32_t n_judged_ = 0;
  std::uint32_t wanted_stages_ = 0;
  OdeSystem system_;
  double h_attempt_ = 0;
  std::uint32_t n_summed_ = 0;  // stages that count in the step
  double usual_pivot_ = 0;      // smallest beside its row: the best of late
  bool expects_singularity_ = false;
  double usual_independence_ = 0;  // the same of the rows
  double independence_ = 0;        // at the point corrected last, where a singularity is expected
  double independence_new_ = 0;
  double usual_step_ = 0;                    // the longest of late
  double pivot_new_ = 0;                     // the same where the attempt ends
  bool expanded_ = false;                    // coefficients_ belong to (t_, y_)
  std::vector<double> trial_;                // [n_values]
  std::vector<double> inputs_;               // [time, y, branches]
  std::vector<double> corrected_;            // [n_values], then quality of pivots
  std::vector<SummedTogether> derivatives_;  // [longest chain], work
  std::vector<std::uint32_t> by_length_;     // unknowns, shortest chains first
  std::vector<double> highest_;              // [n_unknowns], then quality of pivots
  std::vector<double> largest_terms_;        // by power of the step, from n_stages_ - 1
  std::vector<double> outputs_;              // of the series kernel
  std::vector<double> coefficients_;         // of all unknowns
  std::vector<std::uint32_t> first_;         // [n_unknowns]: in coefficients_
  std::vector<std::size_t> changing_;        // branches that change where the step ends
  std::vector<double> comparison_sizes_;     // [n_crossings + n_branches]: the largest so far
  compile::AlignedDoubles workspace_;
  PolynomialRoots roots_;
  std::vector<double> looks_;
};

}  // namespace alembert::integrate
