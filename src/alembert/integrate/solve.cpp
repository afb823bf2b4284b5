// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/solve.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/integrate/hand_checks.hpp"
#include "alembert/integrate/hand_jacobian.hpp"
#include "alembert/integrate/run_report.hpp"

namespace alembert::integrate {
namespace {

/// a x = b with each row and each column in units of its own, so that nothing looks singular which
/// is not.
class ScaledSolver {
 public:
  explicit ScaledSolver(Eigen::MatrixXd a) : of_row_(a.rows()), of_column_(a.cols()) {
    const auto unit_of = [](const auto& line) {
      const double largest = line.template lpNorm<Eigen::Infinity>();
      return largest > 0 ? largest : 1.0;
    };
    for (Eigen::Index i = 0; i < a.rows(); ++i) a.row(i) /= of_row_[i] = unit_of(a.row(i));
    for (Eigen::Index j = 0; j < a.cols(); ++j) a.col(j) /= of_column_[j] = unit_of(a.col(j));
    factors_.compute(a);
  }
  Eigen::Index missing() const { return factors_.rows() - factors_.rank(); }
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const {
    return factors_.solve(b.cwiseQuotient(of_row_)).cwiseQuotient(of_column_);
  }

 private:
  Eigen::VectorXd of_row_, of_column_;
  Eigen::FullPivLU<Eigen::MatrixXd> factors_;
};

class HandSolution {
 public:
  HandSolution(const HandProblem& problem, const SolveOptions& options)
      : problem_(problem),
        options_(options),
        n_(problem.start.size()),
        near_(n_),
        names_(names_of(problem)) {
    if (problem.mass.size() == n_) {
      mass_.assign(n_ * n_, 0);
      for (std::size_t i = 0; i < n_; ++i) mass_[i * n_ + i] = problem.mass[i];
    } else {
      mass_ = problem.mass;
    }
  }

  SolveResult run() {
    const auto stepper = make_stepper(options_.method, system());
    ensure(stepper != nullptr, "an unknown method was checked for");
    result_.trajectory = result::Trajectory(names_);
    result_.trajectory.reserve(options_.intervals + 1);
    std::vector<double> u = problem_.start;
    const std::optional<std::size_t> unsolved = make_consistent(u);
    result_.trajectory.append(problem_.t_start, u);
    between_.resize(n_);
    const std::vector<double> absolute = absolute_tolerances(u);
    const Tolerances tolerances = {.relative = relative_tolerance(),
                                   .absolute = options_.absolute_tolerance,
                                   .absolute_each = absolute};
    if (problem_.jacobian && find_method(options_.method)->uses_jacobian)
      check_jacobian(problem_, tolerances, u);
    const AdaptiveOptions adaptive = {
        .tolerances = tolerances, .first_step = options_.step, .max_steps = options_.max_steps};
    auto observer = [this](AcceptedStep& step) { return observe(step); };
    AdaptiveResult end =
        integrate_adaptive(*stepper, problem_.t_start, problem_.t_stop, u, adaptive, observer);
    result_.outcome = end.outcome;
    result_.end_time = end.t;
    result_.statistics = std::move(end.statistics);
    if (end.outcome != Outcome::done) {
      if (unsolved && end.t == problem_.t_start) throw_no_start(*unsolved);
      if (result_.trajectory.times().back() != end.t) result_.trajectory.append(end.t, u);
      explain(stepper->method(), u);
    }
    return std::move(result_);
  }

 private:
  /// Below rounding there is nothing to be asked for.
  double relative_tolerance() const { return std::max(options_.relative_tolerance, 10 * eps); }

  /// Of a relative tolerance alone: what is zero at the start has no size that it could be a part
  /// of, and is held to next to nothing beside what it may become, or beside the largest where it
  /// does not move. What decays below all bounds is zero.
  std::vector<double> absolute_tolerances(const std::vector<double>& u) const {
    if (options_.absolute_tolerance > 0) return {};
    constexpr double next_to_nothing = 1e-3 * eps, decayed = 1e-200;
    std::vector<double> f(n_, 0.0), each(n_);
    if (mass_.empty()) evaluate(problem_.t_start, u.data(), f.data());
    const double span = std::abs(problem_.t_stop - problem_.t_start);
    const auto becomes = [&](std::size_t i) {
      return std::abs(u[i]) + (std::isfinite(f[i]) ? span * std::abs(f[i]) : 0.0);
    };
    double largest = 0;
    for (std::size_t i = 0; i < n_; ++i) largest = std::max(largest, becomes(i));
    for (std::size_t i = 0; i < n_; ++i) {
      const double size = becomes(i) > 0 ? becomes(i) : largest > 0 ? largest : 1.0;
      each[i] = u[i] != 0 ? decayed : next_to_nothing * size;
    }
    return each;
  }

  /// Where the mass matrix is singular, some combinations of the equations have no derivatives and
  /// determine some combinations of the unknowns. A start that is not what they say moves there
  /// along these, by Newton's method; where that leads nowhere it stays as it is. Error I005 where
  /// they do not determine them: all methods are for index 1. The row that is furthest from what it
  /// says where it leads nowhere.
  std::optional<std::size_t> make_consistent(std::vector<double>& u) const {
    if (mass_.empty()) return std::nullopt;
    const auto n = static_cast<Eigen::Index>(n_);
    const Eigen::Map<const Eigen::MatrixXd> mass(mass_.data(), n, n);
    const Eigen::FullPivLU<Eigen::MatrixXd> factors(mass);
    if (factors.isInvertible()) return std::nullopt;
    const Eigen::MatrixXd along = factors.kernel();
    const Eigen::MatrixXd equations =
        Eigen::FullPivLU<Eigen::MatrixXd>(mass.transpose()).kernel().transpose();
    Eigen::VectorXd at = Eigen::Map<const Eigen::VectorXd>(u.data(), n), f(n), near(n), first(n);
    const auto worst_row = [&] {
      Eigen::Index worst = 0;
      (equations.transpose() * (equations * f)).cwiseAbs().maxCoeff(&worst);
      return static_cast<std::size_t>(worst);
    };
    constexpr int most_steps = 30;
    for (int step = 0; step < most_steps; ++step) {
      evaluate(problem_.t_start, at.data(), f.data());
      Eigen::MatrixXd slopes(equations.rows(), along.cols());
      for (Eigen::Index k = 0; k < along.cols(); ++k) {
        const double by = std::sqrt(eps) * std::max(1.0, at.lpNorm<Eigen::Infinity>());
        const Eigen::VectorXd beside = at + by * along.col(k);
        evaluate(problem_.t_start, beside.data(), near.data());
        slopes.col(k) = equations * (near - f) / by;
      }
      if (!slopes.allFinite() || !f.allFinite()) return std::nullopt;
      const ScaledSolver solver(slopes);
      if (solver.missing() > 0) {
        if (step == 0) throw_index(solver.missing());
        return worst_row();
      }
      const Eigen::VectorXd change = -along * solver.solve(equations * f);
      const double allowed = step == 0 ? 1 : 1e-6;  // what the tolerance allows may stay
      if (step == 0) first = change;
      // Of a relative tolerance alone, zero itself is met to rounding of the way to it.
      const bool is_small =
          (change.array().abs() <=
           allowed * (options_.absolute_tolerance + relative_tolerance() * at.array().abs()) +
               (step == 0 ? 0 : eps) * first.array().abs())
              .all();
      if (is_small && step == 0) return std::nullopt;
      at += change;
      if (!is_small) continue;
      std::copy(at.begin(), at.end(), u.begin());
      return std::nullopt;
    }
    return worst_row();
  }

  OdeSystem system() {
    OdeSystem system{.n = static_cast<std::uint32_t>(n_), .context = this};
    system.rhs = [](void* self, double t, const double* u, double* f) {
      static_cast<HandSolution*>(self)->evaluate(t, u, f);
      return true;
    };
    if (problem_.jacobian)
      system.jacobian = [](void* self, double t, const double* u, double* dfdu, double* dfdt) {
        static_cast<HandSolution*>(self)->evaluate_jacobian(t, u, dfdu, dfdt);
        return true;
      };
    if (!mass_.empty()) system.mass = mass_.data();
    if (!problem_.velocity_of.empty()) system.velocity_of = problem_.velocity_of.data();
    return system;
  }

  void evaluate(double t, const double* u, double* f) const {
    problem_.f({f, n_}, {u, n_}, problem_.parameters, t);
  }

  // Of the Jacobian by hand the part by time is missing: a difference of two calls.
  void evaluate_jacobian(double t, const double* u, double* dfdu, double* dfdt) {
    std::fill_n(dfdu, n_ * n_, 0.0);
    problem_.jacobian({dfdu, n_ * n_}, {u, n_}, problem_.parameters, t);
    const double span = std::abs(problem_.t_stop - problem_.t_start);
    const double size = std::max(std::abs(t), 1e-3 * span);
    const double t_near = t + std::sqrt(eps) * size;
    evaluate(t, u, dfdt);
    evaluate(t_near, u, near_.data());
    for (std::size_t i = 0; i < n_; ++i) dfdt[i] = (near_[i] - dfdt[i]) / (t_near - t);
  }

  ObserverAction observe(AcceptedStep& step) {
    if (options_.intervals == 0) {
      result_.trajectory.append(step.t, step.y);
      return ObserverAction::go_on;
    }
    const double direction = problem_.t_stop < problem_.t_start ? -1 : 1;
    for (; next_ <= options_.intervals; ++next_) {
      const double t = next_ == options_.intervals
                           ? problem_.t_stop
                           : problem_.t_start +
                                 (problem_.t_stop - problem_.t_start) * next_ / options_.intervals;
      if (direction * (t - step.t) > 0) break;
      if (t == step.t)
        std::copy(step.y.begin(), step.y.end(), between_.begin());
      else if (!step.interpolate(t, between_))
        return ObserverAction::stop;
      result_.trajectory.append(t, between_);
    }
    return ObserverAction::go_on;
  }

  [[noreturn]] void throw_index(Eigen::Index missing) const {
    throw Error("I005",
                "the index of these equations is above 1, or their start is singular: where the "
                "mass matrix leaves no derivatives, " +
                    std::to_string(missing) + (missing == 1 ? " unknown is" : " unknowns are") +
                    " not determined by the equations at the start. Differentiate the constraint "
                    "that does not contain them, start elsewhere, or write a Model, for which that "
                    "is done.");
  }

  [[noreturn]] void throw_no_start(std::size_t row) const {
    bool stands_alone = true;
    for (std::size_t j = 0; j < n_; ++j) stands_alone &= mass_[j * n_ + row] == 0;
    const std::string number = std::to_string(row + 1);
    throw Error("I001",
                "no consistent start: the mass matrix leaves " +
                    (stands_alone ? "row " + number + " of f"
                                  : "a combination of rows of f, row " + number + " among them,") +
                    " without derivatives, so that it must be 0, and near the start no "
                    "unknowns were found for which it is. Start nearer to a solution; if "
                    "there is none, look for a mistake there.");
  }

  void explain(const MethodInfo& method, std::span<const double> u) {
    std::string& text = result_.message;
    text = "stopped at time " + rounded_text(result_.end_time) + " of " +
           rounded_text(problem_.t_stop) + ": ";
    const std::string overflow = explain_overflow(names_, u, method.step_choice);
    text += !overflow.empty()
                ? overflow
                : explain_last_step() + doubted_jacobian(method, u) + std::string(advice());
  }

  std::string_view advice() const {
    if (result_.outcome == Outcome::too_many_steps)
      return "Look for something that is much quicker than what you want to see. Try larger "
             "tolerances (relative_tolerance, absolute_tolerance), a method for stiff equations "
             "(auto, radau5, ida), or allow more steps (max_steps).";
    return "Look for a singularity: a division by something that becomes zero, or unknowns that no "
           "longer determine the others; choose other unknowns there.";
  }

  std::string doubted_jacobian(const MethodInfo& method, std::span<const double> u) const {
    return method.uses_jacobian ? doubt_jacobian(problem_, result_.end_time, u) : "";
  }

  std::string explain_last_step() const {
    const Statistics& statistics = result_.statistics;
    std::string text;
    switch (result_.outcome) {
      case Outcome::too_many_steps:
        text = "more than " + std::to_string(options_.max_steps) + " steps, of which " +
               std::to_string(statistics.rejected) + " were rejected. ";
        break;
      case Outcome::non_finite:
        text = "the equations have no solution here or ahead, with however small a step. ";
        break;
      default: text = std::string(to_string(result_.outcome)) + ". ";
    }
    if (statistics.first_non_finite.seen && statistics.first_non_finite.component < n_)
      text += "The equation in row " + std::to_string(statistics.first_non_finite.component + 1) +
              " was not finite at time " + rounded_text(statistics.first_non_finite.t) + ". ";
    const auto most = std::max_element(statistics.limited_by.begin(), statistics.limited_by.end());
    if (most != statistics.limited_by.end() && *most > 0)
      text += "Most steps were limited by '" +
              names_[static_cast<std::size_t>(most - statistics.limited_by.begin())] + "'. ";
    return text;
  }

  const HandProblem& problem_;
  const SolveOptions& options_;
  std::size_t n_;
  std::vector<double> mass_, near_, between_;
  std::vector<std::string> names_;
  std::uint32_t next_ = 1;
  SolveResult result_;
};

}  // namespace

SolveResult solve(const HandProblem& problem, const SolveOptions& options) {
  if (!problem.f) throw Error("I011", "there is nothing to solve: the problem has no function f.");
  check_sizes(problem);
  check_options(problem, options);
  check_function(problem);
  check_method(problem, options);
  return HandSolution(problem, options).run();
}

}  // namespace alembert::integrate
