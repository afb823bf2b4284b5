// SPDX-License-Identifier: Apache-2.0
#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>

#include <algorithm>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/integrate/sundials/multistep.hpp"

namespace alembert::integrate::sundials {
namespace {

/// CVODE keeps a Jacobian for fifty steps. After a start these grow by powers of ten, and a slope
/// of the first moment, such as that of a root beside its edge, may be millions of times too steep
/// for what comes: corrections of Newton's iteration are tiny then, which looks like convergence,
/// and the state stays where it was foretold. So a step that is longer by this has its own.
constexpr double much_longer = 10;

class Cvode final : public Multistep {
 public:
  explicit Cvode(const OdeSystem& system)
      : Multistep(system), memory_(CVodeCreate(CV_BDF, context_.get())) {
    ensure(memory_ != nullptr, "CVODE gives no memory");
    if (system.n == 0) return;  // nothing for it to solve
    const bool ready =
        CVodeInit(memory_, call_rhs, 0, solution_.get()) == CV_SUCCESS &&
        CVodeSetUserData(memory_, this) == CV_SUCCESS &&
        CVodeWFtolerances(memory_, set_weights) == CV_SUCCESS &&
        CVodeSetErrHandlerFn(memory_, say_nothing, this) == CV_SUCCESS &&
        CVodeSetMaxErrTestFails(memory_, most_failures) == CV_SUCCESS &&
        CVodeSetMaxConvFails(memory_, most_failures) == CV_SUCCESS &&
        CVodeSetLinearSolver(memory_, linear_.solver(), linear_.matrix()) == CVLS_SUCCESS &&
        CVodeSetLinSysFn(memory_, fill_matrix) == CVLS_SUCCESS;
    ensure(ready, "CVODE could not be set up");
    if (system.project != nullptr)
      ensure(CVodeSetProjFn(memory_, project) == CV_SUCCESS,
             "CVODE could not be told of the projection");
  }
  ~Cvode() override { CVodeFree(&memory_); }

  const MethodInfo& method() const override { return cvode_info; }

  bool start(double t, std::span<const double> y) override {
    if (!put(t, y)) return false;
    if (y.empty()) return true;
    ensure(CVodeReInit(memory_, t, solution_.get()) == CV_SUCCESS, "CVODE could not start anew");
    started_anew();
    first_ = true;
    length_at_jacobian_ = 0;
    return true;
  }

  Attempt attempt(double h, const Tolerances& tolerances) override {
    accepted_ = false;
    tolerances_ = tolerances;
    if (counted_.system.n == 0) return {.finite = true, .error = 0, .t_new = t_ + h};
    failed_here_ = false;
    const bool is_first = std::exchange(first_, false);
    const double least = least_first_step(h);
    if (is_first)
      CVodeSetInitStep(memory_, own_bound() < std::abs(least) ? least : 0);  // 0: as it chooses
    CVodeSetStopTime(memory_, t_ + h);
    double reached = t_;
    int flag = CVode(memory_, t_ + h, solution_.get(), &reached, CV_ONE_STEP);
    if (is_first && flag == CV_REPTD_RHSFUNC_ERR) {
      // Its looks ahead for a first step met no values. Steps that do grow shorter until they meet
      // some.
      CVodeSetInitStep(memory_, std::copysign(std::max(std::abs(least), 1e-12 * std::abs(h)), h));
      flag = CVode(memory_, t_ + h, solution_.get(), &reached, CV_ONE_STEP);
    }
    count_work();
    if (flag < 0) return {.finite = !failed_here_, .error = infinity};
    if (!all_finite(data(solution_.get()).data(), counted_.system.n)) return {};
    CVodeGetEstLocalErrors(memory_, scratch_.get());
    return {.finite = true, .error = 0.5, .limiting = limiting(), .t_new = reached};
  }

  bool read_polynomial(double t) override {
    return CVodeGetDky(memory_, t, 0, scratch_.get()) == CV_SUCCESS;
  }

 private:
  /// What CVODE bounds its first step by: a tenth of the states, by their slopes.
  double own_bound() const {
    double bound = infinity;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double reach = 0.1 * std::abs(y_[i]) + tolerances_.scale(i, std::abs(y_[i]));
      bound = std::min(bound, reach / std::abs(f_[i]));
    }
    return bound;
  }

  static int call_rhs(double t, N_Vector y, N_Vector f, void* self) {
    auto& stepper = *static_cast<Cvode*>(self);
    if (stepper.counted_.rhs(t, NV_DATA_S(y), NV_DATA_S(f))) return 0;
    stepper.failed_here_ = true;
    return 1;  // to be tried again with a smaller step
  }

  static int fill_matrix(double t, N_Vector y, N_Vector f, SUNMatrix matrix, int jacobian_is_good,
                         int* jacobian_is_new, double gamma, void* self, N_Vector, N_Vector,
                         N_Vector) {
    auto& stepper = *static_cast<Cvode*>(self);
    const double length = std::abs(gamma);
    const bool evaluates =
        jacobian_is_good == 0 || length > much_longer * stepper.length_at_jacobian_;
    *jacobian_is_new = evaluates ? 1 : 0;
    if (evaluates) {
      if (!stepper.jacobian_source_.evaluate(
              stepper.counted_, {t, NV_DATA_S(y), NV_DATA_S(f), gamma}, stepper.tolerances_,
              stepper.jacobian_.data(), nullptr)) {
        stepper.failed_here_ = true;
        return 1;
      }
      stepper.length_at_jacobian_ = length;
    }
    stepper.linear_.fill(matrix, 1, -gamma, stepper.jacobian_.data());
    return 0;
  }

  /// The step that takes y onto the invariants, and what is left of the error then.
  static int project(double t, N_Vector y, N_Vector step, double, N_Vector error, void* self) {
    auto& stepper = *static_cast<Cvode*>(self);
    const std::span<const double> from = data(y);
    const std::span<double> moved = data(step);
    std::copy(from.begin(), from.end(), moved.begin());
    const OdeSystem& system = stepper.counted_.system;
    if (!system.project(system.context, t, moved.data(),
                        error == nullptr ? nullptr : NV_DATA_S(error)))
      return 1;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] -= from[i];
    return 0;
  }

  void count_work() {
    long rejections = 0, setups = 0;
    CVodeGetNumErrTestFails(memory_, &rejections);
    CVodeGetNumLinSolvSetups(memory_, &setups);
    add_work(rejections, setups);
  }

  void* memory_;
  double length_at_jacobian_ = 0;  // of the step, times a factor of the method
};

}  // namespace

std::unique_ptr<Stepper> make_cvode(const OdeSystem& system) {
  return std::make_unique<Cvode>(system);
}

}  // namespace alembert::integrate::sundials
