// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/solve.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"

namespace alembert::integrate {
namespace {

void require_size(std::string_view what, std::size_t size, std::size_t expected) {
  if (size == expected) return;
  throw Error("I011", std::string(what) + " has " + std::to_string(size) + " values where " +
                          std::to_string(expected) + " are needed: one for each unknown.");
}

class HandSolution {
 public:
  HandSolution(const HandProblem& problem, const SolveOptions& options)
      : problem_(problem), options_(options), n_(problem.start.size()), near_(n_), names_(names()) {
    if (!problem.velocity_of.empty()) require_size("velocity_of", problem.velocity_of.size(), n_);
    if (problem.mass.size() == n_) {
      mass_.assign(n_ * n_, 0);
      for (std::size_t i = 0; i < n_; ++i) mass_[i * n_ + i] = problem.mass[i];
    } else {
      mass_ = problem.mass;
      if (!mass_.empty()) require_size("the mass matrix", mass_.size(), n_ * n_);
    }
  }

  SolveResult run() {
    const auto stepper = make_stepper(options_.method, system());
    if (!stepper) throw_unknown_method();
    result_.trajectory = result::Trajectory(names_);
    result_.trajectory.reserve(options_.intervals + 1);
    std::vector<double> u = problem_.start;
    make_consistent(u);
    result_.trajectory.append(problem_.t_start, u);
    between_.resize(n_);
    const AdaptiveOptions adaptive = {.tolerances = {.relative = options_.relative_tolerance,
                                                     .absolute = options_.absolute_tolerance},
                                      .first_step = options_.step,
                                      .max_steps = options_.max_steps};
    auto observer = [this](AcceptedStep& step) { return observe(step); };
    AdaptiveResult end =
        integrate_adaptive(*stepper, problem_.t_start, problem_.t_stop, u, adaptive, observer);
    result_.outcome = end.outcome;
    result_.end_time = end.t;
    result_.statistics = std::move(end.statistics);
    if (end.outcome != Outcome::done) explain();
    return std::move(result_);
  }

 private:
  std::vector<std::string> names() const {
    std::vector<std::string> names = problem_.names;
    if (names.empty())
      for (std::size_t i = 0; i < n_; ++i) names.push_back("u[" + std::to_string(i + 1) + "]");
    require_size("the list of names", names.size(), n_);
    return names;
  }

  /// Where the mass matrix is singular, some combinations of the equations have no derivatives and
  /// determine some combinations of the unknowns. A start that is not what they say moves there
  /// along these, by Newton's method; where that leads nowhere it stays as it is.
  void make_consistent(std::vector<double>& u) const {
    if (mass_.empty()) return;
    const auto n = static_cast<Eigen::Index>(n_);
    const Eigen::Map<const Eigen::MatrixXd> mass(mass_.data(), n, n);
    const Eigen::FullPivLU<Eigen::MatrixXd> factors(mass);
    if (factors.isInvertible()) return;
    const Eigen::MatrixXd along = factors.kernel();
    const Eigen::MatrixXd equations =
        Eigen::FullPivLU<Eigen::MatrixXd>(mass.transpose()).kernel().transpose();
    Eigen::VectorXd at = Eigen::Map<const Eigen::VectorXd>(u.data(), n), f(n), near(n);
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
      const Eigen::FullPivLU<Eigen::MatrixXd> solver(slopes);
      if (!slopes.allFinite() || !f.allFinite() || !solver.isInvertible()) return;
      const Eigen::VectorXd change = -along * solver.solve(equations * f);
      const double allowed = step == 0 ? 1 : 1e-6;  // what the tolerance allows may stay
      const bool is_small =
          ((change.array().abs()) <=
           allowed * (options_.absolute_tolerance + options_.relative_tolerance * at.array().abs()))
              .all();
      if (is_small && step == 0) return;
      at += change;
      if (!is_small) continue;
      std::copy(at.begin(), at.end(), u.begin());
      return;
    }
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

  [[noreturn]] void throw_unknown_method() const {
    std::string names;
    for (const MethodInfo* method : all_methods())
      names += (names.empty() ? "" : ", ") + std::string(method->name);
    throw Error("I003", "there is no method named '" + options_.method + "'. The methods are " +
                            names + ".");
  }

  void explain() {
    const Statistics& statistics = result_.statistics;
    std::string& text = result_.message;
    text = "stopped at time " + rounded_text(result_.end_time) + " of " +
           rounded_text(problem_.t_stop) + ": ";
    switch (result_.outcome) {
      case Outcome::too_many_steps:
        text += "more than " + std::to_string(options_.max_steps) + " steps. ";
        break;
      case Outcome::non_finite:
        text += "the equations have no solution here or ahead, with however small a step. ";
        break;
      default: text += std::string(to_string(result_.outcome)) + ". ";
    }
    if (statistics.first_non_finite.seen && statistics.first_non_finite.component < n_)
      text += "The equation in row " + std::to_string(statistics.first_non_finite.component + 1) +
              " was not finite at time " + rounded_text(statistics.first_non_finite.t) + ". ";
    const auto most = std::max_element(statistics.limited_by.begin(), statistics.limited_by.end());
    if (most != statistics.limited_by.end() && *most > 0)
      text += "Most steps were limited by '" +
              names_[static_cast<std::size_t>(most - statistics.limited_by.begin())] + "'. ";
    text +=
        "Look for a singularity: a division by something that becomes zero, or unknowns that "
        "no longer determine the others; choose other unknowns there.";
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
  return HandSolution(problem, options).run();
}

}  // namespace alembert::integrate
