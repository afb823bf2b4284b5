// SPDX-License-Identifier: Apache-2.0
#include <ida/ida.h>
#include <ida/ida_ls.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <Eigen/QR>
#include <algorithm>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/integrate/sundials/multistep.hpp"

namespace alembert::integrate::sundials {
namespace {

/// When Newton's iteration has arrived, in units of the tolerance. IDA's own 0.33 leaves as much
/// open as the error may be: the estimate of the error shows it, and steps stay short for
/// thousands. Near to the solution most problems take less time, and circuits half of it.
constexpr double newton_convergence = 0.005;

/// The y' of smallest norm with M y' = f: where M is singular, what it leaves open is zero.
class SlopeFinder {
 public:
  explicit SlopeFinder(const MassMatrix& mass) : diagonal_(mass.n(), 0) {
    bool is_diagonal = true;
    for (std::uint32_t j = 0; j < mass.n(); ++j)
      for (auto e = mass.column_start()[j]; e < mass.column_start()[j + 1]; ++e) {
        if (mass.row()[e] != j) is_diagonal = false;
        if (mass.row()[e] == j) diagonal_[j] = mass.value()[e];
      }
    if (is_diagonal) return;
    Eigen::MatrixXd full = Eigen::MatrixXd::Zero(mass.n(), mass.n());
    for (std::uint32_t j = 0; j < mass.n(); ++j)
      for (auto e = mass.column_start()[j]; e < mass.column_start()[j + 1]; ++e)
        full(mass.row()[e], j) = mass.value()[e];
    inverse_ = full.completeOrthogonalDecomposition().pseudoInverse();
  }

  void find(const std::vector<double>& f, std::span<double> slope) const {
    if (inverse_.size() > 0) {
      const auto n = static_cast<Eigen::Index>(f.size());
      Eigen::Map<Eigen::VectorXd>(slope.data(), n).noalias() =
          inverse_ * Eigen::Map<const Eigen::VectorXd>(f.data(), n);
      return;
    }
    for (std::size_t i = 0; i < f.size(); ++i)
      slope[i] = diagonal_[i] == 0 ? 0 : f[i] / diagonal_[i];
  }

  /// Of n that M times it is zero: slope + (n - that part of it which M sees).
  void add_open_part(const MassMatrix& mass, std::span<const double> n,
                     std::span<double> slope) const {
    std::vector<double> image(n.size()), seen(n.size());
    mass.multiply(n.data(), image.data());
    find(image, seen);
    for (std::size_t i = 0; i < n.size(); ++i) slope[i] += n[i] - seen[i];
  }

 private:
  std::vector<double> diagonal_;
  Eigen::MatrixXd inverse_;  // [n, n], where M is not diagonal
};

struct FreeNonlinearSolver {
  void operator()(SUNNonlinearSolver solver) const { SUNNonlinSolFree(solver); }
};
using NonlinearSolver =
    std::unique_ptr<std::remove_pointer_t<SUNNonlinearSolver>, FreeNonlinearSolver>;

class Ida final : public Multistep {
 public:
  explicit Ida(const OdeSystem& system)
      : Multistep(system),
        slope_finder_(mass_),
        slope_(make_vector(system.n, context_)),
        f_at_(system.n),
        memory_(IDACreate(context_.get())) {
    ensure(memory_ != nullptr, "IDA gives no memory");
    if (system.n == 0) return;  // nothing for it to solve
    const bool is_open = system.residual != nullptr;
    if (is_open) {
      ensure(mass_.is_identity() && system.residual_jacobian != nullptr,
             "a residual stands for slopes, and has a Jacobian");
      jacobian_.resize(system.residual_pattern.empty() ? std::size_t{system.n} * system.n
                                                       : system.residual_pattern.row.size());
    }
    const bool ready =
        IDAInit(memory_, is_open ? call_open_residual : call_residual, 0, solution_.get(),
                slope_.get()) == IDA_SUCCESS &&
        IDASetUserData(memory_, this) == IDA_SUCCESS &&
        IDAWFtolerances(memory_, set_weights) == IDA_SUCCESS &&
        IDASetErrHandlerFn(memory_, say_nothing, this) == IDA_SUCCESS &&
        IDASetMaxErrTestFails(memory_, most_failures) == IDA_SUCCESS &&
        IDASetMaxConvFails(memory_, most_failures) == IDA_SUCCESS &&
        IDASetNonlinConvCoef(memory_, newton_convergence) == IDA_SUCCESS &&
        IDASetLinearSolver(memory_, linear_.solver(), linear_.matrix()) == IDALS_SUCCESS &&
        IDASetJacFn(memory_, is_open ? fill_open_matrix : fill_matrix) == IDALS_SUCCESS;
    ensure(ready, "IDA could not be set up");
    if (system.project != nullptr) project_within_steps();
  }
  ~Ida() override { IDAFree(&memory_); }  // before the iteration, which it does not own

  const MethodInfo& method() const override { return ida_info; }

  bool start(double t, std::span<const double> y) override {
    if (!put(t, y)) return false;
    if (y.empty()) return true;
    slope_finder_.find(f_, data(slope_.get()));
    ensure(IDAReInit(memory_, t, solution_.get(), slope_.get()) == IDA_SUCCESS,
           "IDA could not start anew");
    started_anew();
    first_ = true;
    return true;
  }

  Attempt attempt(double h, const Tolerances& tolerances) override {
    accepted_ = false;
    tolerances_ = tolerances;
    if (counted_.system.n == 0) return {.finite = true, .error = 0, .t_new = t_ + h};
    failed_here_ = false;
    if (std::exchange(first_, false)) {
      const double least = least_first_step(h);
      const double chosen = first_step(h);
      const double first = std::abs(chosen) < std::abs(least) ? least : chosen;
      if (judges_all() && !mass_.is_identity()) set_algebraic_slopes(first);
      IDASetInitStep(memory_, first);
    }
    IDASetStopTime(memory_, t_ + h);
    double reached = t_;
    const int flag =
        IDASolve(memory_, t_ + h, &reached, solution_.get(), slope_.get(), IDA_ONE_STEP);
    count_work();
    if (flag == IDA_LSETUP_FAIL) return {};  // a singular pencil
    if (flag < 0) return {.finite = !failed_here_, .error = infinity};
    if (!all_finite(data(solution_.get()).data(), counted_.system.n)) return {};
    IDAGetEstLocalErrors(memory_, scratch_.get());
    return {.finite = true, .error = 0.5, .limiting = limiting(), .t_new = reached};
  }

  bool read_polynomial(double t) override {
    return IDAGetDky(memory_, t, 0, scratch_.get()) == IDA_SUCCESS;
  }

 private:
  double weighted_norm(std::span<const double> values) const {
    ErrorNorm norm;
    for (std::uint32_t i = 0; i < values.size(); ++i)
      norm.add(i, values[i] / tolerances_.scale(i, std::abs(y_[i])));
    return norm.value(static_cast<std::uint32_t>(values.size()));
  }

  /// The step at which the error of order 1 is half the tolerance, from the slope a little ahead.
  /// IDA's own choice is that of a method of order 0, too small by orders of magnitude, which hurts
  /// where events make it start often. `furthest` is signed, as is the result.
  double first_step(double furthest) {
    const std::span<const double> slope = data(slope_.get());
    const std::span<double> ahead = data(scratch_.get());
    const double size = weighted_norm(y_), speed = weighted_norm(slope);
    if (!(speed > 0)) return 1e-3 * furthest;
    const double probe = std::copysign(
        std::min(1e-3 * std::abs(furthest), 1e-2 * std::max(size, 1.0) / speed), furthest);
    for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] = y_[i] + probe * slope[i];
    if (!counted_.rhs(t_ + probe, ahead.data(), f_at_.data())) return 0.01 * probe;
    slope_finder_.find(f_at_, ahead);
    for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] -= slope[i];
    const double bend = weighted_norm(ahead) / std::abs(probe);
    const double step = bend > 0 ? std::sqrt(1 / bend) : std::abs(furthest);
    return std::copysign(std::min({step, 1e-3 * std::abs(furthest), 100 * std::abs(probe)}),
                         furthest);
  }

  /// What M leaves open of y' moves with the rest: 0 = d/dt of the equations without derivatives.
  /// A start with zero in its place predicts algebraic unknowns that stand still, and no step is
  /// small enough for their error. (M - h J) y' = M y'0 + h df/dt gives it up to O(h): in rows
  /// of M that are zero it says J y' + df/dt = 0.
  void set_algebraic_slopes(double step) {
    const double h = 1e-6 * step;
    const std::span<double> slope = data(slope_.get());
    std::vector<double> open(slope.size()), by_time(slope.size());
    IterationMatrix<double> matrix(counted_.system, mass_);
    if (!jacobian_source_.evaluate(counted_, {t_, y_.data(), f_.data(), step}, tolerances_,
                                   jacobian_.data(), by_time.data()) ||
        !matrix.factorise(1 / h, jacobian_.data()))
      return;  // the first step will find the same, and say so
    mass_.multiply(slope.data(), open.data());
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = open[i] / h + by_time[i];
    matrix.solve(open.data());
    slope_finder_.add_open_part(mass_, open, slope);
    ensure(IDAReInit(memory_, t_, solution_.get(), slope_.get()) == IDA_SUCCESS,
           "IDA could not start anew");
    started_anew();
  }

  bool judges_all() const {
    return std::ranges::all_of(tolerances_.absolute_each,
                               [](double allowed) { return std::isfinite(allowed); });
  }

  static int call_residual(double t, N_Vector y, N_Vector slope, N_Vector residual, void* self) {
    auto& stepper = *static_cast<Ida*>(self);
    if (!stepper.counted_.rhs(t, NV_DATA_S(y), stepper.f_at_.data())) {
      stepper.failed_here_ = true;
      return 1;  // to be tried again with a smaller step
    }
    stepper.mass_.multiply(NV_DATA_S(slope), NV_DATA_S(residual));
    for (std::size_t i = 0; i < stepper.f_at_.size(); ++i)
      NV_DATA_S(residual)[i] -= stepper.f_at_[i];
    return 0;
  }

  static int fill_matrix(double t, double cj, N_Vector y, N_Vector slope, N_Vector residual,
                         SUNMatrix matrix, void* self, N_Vector, N_Vector, N_Vector) {
    auto& stepper = *static_cast<Ida*>(self);
    stepper.mass_.multiply(NV_DATA_S(slope), stepper.f_at_.data());
    for (std::size_t i = 0; i < stepper.f_at_.size(); ++i)
      stepper.f_at_[i] -= NV_DATA_S(residual)[i];
    if (!stepper.jacobian_source_.evaluate(
            stepper.counted_, {t, NV_DATA_S(y), stepper.f_at_.data(), 1 / cj}, stepper.tolerances_,
            stepper.jacobian_.data(), nullptr)) {
      stepper.failed_here_ = true;
      return 1;
    }
    stepper.linear_.fill(matrix, cj, -1, stepper.jacobian_.data());
    return 0;
  }

  static int call_open_residual(double t, N_Vector y, N_Vector slope, N_Vector residual,
                                void* self) {
    auto& stepper = *static_cast<Ida*>(self);
    if (stepper.counted_.residual(t, NV_DATA_S(y), NV_DATA_S(slope), NV_DATA_S(residual))) return 0;
    stepper.failed_here_ = true;
    return 1;
  }

  static int fill_open_matrix(double t, double cj, N_Vector y, N_Vector slope, N_Vector,
                              SUNMatrix matrix, void* self, N_Vector, N_Vector, N_Vector) {
    auto& stepper = *static_cast<Ida*>(self);
    const OdeSystem& system = stepper.counted_.system;
    ++stepper.counted_.work.jacobian_calls;
    if (!system.residual_jacobian(system.context, t, NV_DATA_S(y), NV_DATA_S(slope), cj,
                                  stepper.jacobian_.data())) {
      stepper.failed_here_ = true;
      return 1;
    }
    stepper.linear_.fill(matrix, 0, 1, stepper.jacobian_.data());
    return 0;
  }

  /// IDA knows no projection. But what its Newton iteration finds is the correction of the
  /// predicted point, from which the error is estimated and the history goes on: an iteration that
  /// ends on the invariants makes every step end there, and the memory with it.
  void project_within_steps() {
    iteration_.reset(SUNNonlinSol_Newton(solution_.get(), context_.get()));
    ensure(iteration_ != nullptr, "SUNDIALS gives no Newton iteration");
    iteration_->ops->solve = solve_and_project;
    ensure(IDASetNonlinearSolver(memory_, iteration_.get()) == IDA_SUCCESS,
           "IDA could not be told of the projection");
  }

  static int solve_and_project(SUNNonlinearSolver iteration, N_Vector predicted,
                               N_Vector correction, N_Vector weights, double tolerance,
                               int calls_setup, void* memory) {
    const int flag = SUNNonlinSolSolve_Newton(iteration, predicted, correction, weights, tolerance,
                                              calls_setup, memory);
    if (flag != SUN_NLS_SUCCESS) return flag;
    double t, cj;
    N_Vector y, y_slope, at, at_slope, residual;
    void* self = nullptr;
    IDAGetNonlinearSystemData(memory, &t, &y, &y_slope, &at, &at_slope, &residual, &cj, &self);
    auto& stepper = *static_cast<Ida*>(self);
    N_VLinearSum(1, predicted, 1, correction, stepper.scratch_.get());
    const OdeSystem& system = stepper.counted_.system;
    if (!system.project(system.context, t, data(stepper.scratch_.get()).data(), nullptr)) {
      stepper.failed_here_ = true;
      return SUN_NLS_CONV_RECVR;  // to be tried again with a smaller step
    }
    N_VLinearSum(1, stepper.scratch_.get(), -1, predicted, correction);
    return SUN_NLS_SUCCESS;
  }

  void count_work() {
    long rejections = 0, setups = 0;
    IDAGetNumErrTestFails(memory_, &rejections);
    IDAGetNumLinSolvSetups(memory_, &setups);
    add_work(rejections, setups);
  }

  SlopeFinder slope_finder_;
  Vector slope_;
  std::vector<double> f_at_;   // [n]
  NonlinearSolver iteration_;  // where steps end on invariants
  void* memory_;
};

}  // namespace

std::unique_ptr<Stepper> make_ida(const OdeSystem& system) { return std::make_unique<Ida>(system); }

}  // namespace alembert::integrate::sundials
