// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/implicit_fixed_step.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/iteration_matrix.hpp"
#include "alembert/integrate/jacobian_source.hpp"
#include "alembert/integrate/newton_rate.hpp"

namespace alembert::integrate {
namespace {

class ImplicitFixedStep : public FixedStep {
 public:
  ImplicitFixedStep(const OdeSystem& system, const MethodInfo& info)
      : FixedStep(system, info),
        mass_(system),
        jacobian_source_(system),
        matrix_(system, mass_),
        jacobian_(jacobian_source_.n_values()) {
    for (auto* v : {&older_, &residual_, &difference_, &psi_}) v->assign(system.n, 0);
  }

  bool start(double t, std::span<const double> y) override {
    h_before_ = factorised_for_ = 0;
    jacobian_known_ = has_history_ = false;
    return FixedStep::start(t, y);
  }

  void accept(double t_new) override {
    older_.swap(y_old_);  // FixedStep puts the current state there
    h_before_ = has_history_ ? h_last_ : 0;
    FixedStep::accept(t_new);
    h_last_ = h_;
    has_history_ = true;
  }

  void exchange(Archive& archive) override {
    FixedStep::exchange(archive);
    archive(older_, h_before_, h_last_, has_history_, jacobian_, jacobian_known_);
    factorised_for_ = 0;
    matrix_.forget();
  }

  bool interpolate(double theta, std::span<double> y) override {
    if (mass_.is_identity()) return FixedStep::interpolate(theta, y);
    ensure(accepted_, "there is no accepted step to interpolate");
    // Slopes are not known behind a mass matrix: the parabola through the last three states.
    const double r = h_before_ / h_;
    const double bend = r > 0 ? theta * (theta - 1) / (r * (r + 1)) : 0;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double straight = y_old_[i] + theta * (y_[i] - y_old_[i]);
      y[i] = straight + bend * (older_[i] - y_old_[i] + r * (y_[i] - y_old_[i]));
    }
    return true;
  }

 protected:
  /// Solves M (Y - psi_) = step (f(t, Y) + given), from the guess in y_new_ and into it.
  bool solve(double t, double step, const double* given, const Tolerances& tolerances) {
    return solve_stage(t, step, given, tolerances) ||
           solve_stage_patiently(t, step, given, tolerances);
  }

  /// The same with one Jacobian for all iterations.
  bool solve_stage(double t, double step, const double* given, const Tolerances& tolerances) {
    if (iterate(t, step, given, tolerances)) return true;
    if (jacobian_here_) return false;
    jacobian_known_ = false;  // an old one may be the reason
    std::copy(y_.begin(), y_.end(), y_new_.begin());
    return iterate(t, step, given, tolerances);
  }

  /// With a Jacobian of its own for every iteration, from the guess psi_: where a valve shuts, the
  /// flow through it may have to shrink by orders of magnitude, which halves a time; and a step
  /// that is fixed may be long for the Jacobian at its start.
  bool solve_stage_patiently(double t, double step, const double* given,
                             const Tolerances& tolerances) {
    constexpr int most_iterations = 60, most_halvings = 30;
    constexpr double small = 0.01;  // of the tolerance
    const std::uint32_t n = counted_.system.n;
    jacobian_known_ = false;  // what is left of it belongs to an iterate
    factorised_for_ = 0;
    y_new_ = psi_;
    std::fill(difference_.begin(), difference_.end(), 0.0);  // the last change
    for (int k = 0; k < most_iterations; ++k) {
      for (int halvings = 0; !counted_.rhs(t, y_new_.data(), f_new_.data()); ++halvings) {
        if (k == 0 || halvings == most_halvings) return false;
        for (std::uint32_t i = 0; i < n; ++i) y_new_[i] -= (difference_[i] /= 2);
      }
      if (!jacobian_source_.evaluate(counted_, {t, y_new_.data(), f_new_.data(), step}, tolerances,
                                     jacobian_.data(), nullptr))
        return false;
      ++counted_.work.factorisations;
      if (!matrix_.factorise(1 / step, jacobian_.data())) return false;
      for (std::uint32_t i = 0; i < n; ++i) difference_[i] = y_new_[i] - psi_[i];
      residual_ = f_new_;
      for (std::uint32_t i = 0; i < n && given != nullptr; ++i) residual_[i] += given[i];
      mass_.multiply_add(-1 / step, difference_.data(), residual_.data());
      matrix_.solve(residual_.data());
      // Across a kink full steps may go to and fro for ever.
      const double relaxation = k < 15 ? 1 : 0.7;
      ErrorNorm norm;
      for (std::uint32_t i = 0; i < n; ++i) {
        difference_[i] = relaxation * residual_[i];
        y_new_[i] += difference_[i];
        norm.add(i, residual_[i] / tolerances.scale(i, std::abs(y_new_[i])));
      }
      if (norm.value(n) < small) return true;
    }
    return false;
  }

  MassMatrix mass_;
  std::vector<double> psi_;     // [n]
  std::vector<double> older_;   // [n]: the state before y_old_
  double h_before_ = 0;         // from older_ to y_old_; 0: no such state
  double h_last_ = 0;           // from y_old_ to y_
  bool has_history_ = false;    // there was a step since the start
  bool jacobian_here_ = false;  // of this attempt

 private:
  bool prepare(double step, const Tolerances& tolerances) {
    if (!jacobian_known_) {
      if (!jacobian_source_.evaluate(counted_, {t_, y_.data(), f_.data(), step}, tolerances,
                                     jacobian_.data(), nullptr))
        return false;
      jacobian_known_ = jacobian_here_ = true;
      factorised_for_ = 0;
    }
    if (factorised_for_ == step) return true;
    ++counted_.work.factorisations;
    factorised_for_ = 0;
    if (!matrix_.factorise(1 / step, jacobian_.data())) return false;
    factorised_for_ = step;
    return true;
  }

  bool iterate(double t, double step, const double* given, const Tolerances& tolerances) {
    if (!prepare(step, tolerances)) return false;
    const std::uint32_t n = counted_.system.n;
    NewtonRate rate(tolerances.relative);
    for (int k = 0; k < NewtonRate::most_iterations; ++k) {
      if (!counted_.rhs(t, y_new_.data(), residual_.data())) return false;
      for (std::uint32_t i = 0; i < n; ++i) {
        if (given != nullptr) residual_[i] += given[i];
        difference_[i] = y_new_[i] - psi_[i];
      }
      mass_.multiply_add(-1 / step, difference_.data(), residual_.data());
      matrix_.solve(residual_.data());
      ErrorNorm norm;
      for (std::uint32_t i = 0; i < n; ++i) {
        y_new_[i] += residual_[i];
        norm.add(i, residual_[i] / tolerances.scale(i, std::abs(y_[i])));
      }
      const NewtonRate::Verdict verdict = rate.after(norm.value(n));
      if (verdict == NewtonRate::Verdict::converged) {
        if (k > 3) jacobian_known_ = false;  // next time a new one
        return true;
      }
      if (verdict == NewtonRate::Verdict::diverges) return false;
    }
    return false;
  }

  JacobianSource jacobian_source_;
  IterationMatrix<double> matrix_;
  std::vector<double> jacobian_;
  std::vector<double> residual_, difference_;  // each [n]
  double factorised_for_ = 0;                  // the step in the factorisation; 0: none
  bool jacobian_known_ = false;
};

/// Where the iteration does not converge, as at an impact, the step is made of shorter ones, which
/// grow again as soon as they may.
class ImplicitEuler final : public ImplicitFixedStep {
 public:
  explicit ImplicitEuler(const OdeSystem& system)
      : ImplicitFixedStep(system, implicit_euler_info), here_(system.n) {}

  /// A straight line: slopes at the start belong to what the step damps away, as after an impact.
  bool interpolate(double theta, std::span<double> y) override {
    ensure(accepted_, "there is no accepted step to interpolate");
    for (std::size_t i = 0; i < y_.size(); ++i) y[i] = (1 - theta) * y_old_[i] + theta * y_[i];
    return true;
  }

 private:
  static constexpr int most_halvings = 20;

  bool advance(double h, const Tolerances& tolerances) override {
    jacobian_here_ = false;
    here_ = y_;
    double done = 0, part = 1;  // shares of the step, powers of 1/2
    while (done < 1) {
      const double t = t_ + (done + part) * h;
      psi_ = here_;
      y_new_ = here_;
      // The Jacobian of the step is that of its start.
      if ((done == 0 && solve_stage(t, part * h, nullptr, tolerances)) ||
          solve_stage_patiently(t, part * h, nullptr, tolerances)) {
        here_ = y_new_;
        done += part;
        // Twice as long where that still ends at a multiple of itself.
        if (std::fmod(done, 2 * part) == 0 && done + 2 * part <= 1) part *= 2;
      } else {
        part /= 2;
        if (part < std::ldexp(1.0, -most_halvings)) return false;
      }
    }
    return counted_.rhs(t_ + h, y_new_.data(), f_new_.data());
  }

  std::vector<double> here_;  // [n]
};

/// Variable coefficients, so that steps may differ. The first step is made of parts that double,
/// from 2^-10 of it; the very first is implicit Euler, whose error is then of no account.
class Bdf2 final : public ImplicitFixedStep {
 public:
  explicit Bdf2(const OdeSystem& system)
      : ImplicitFixedStep(system, bdf2_info), before_(system.n), here_(system.n) {}

 private:
  static constexpr int doublings = 10;

  bool advance(double h, const Tolerances& tolerances) override {
    jacobian_here_ = false;
    const bool done =
        has_history_ ? step(h, h_last_, y_, y_old_, t_ + h, tolerances) : first_step(h, tolerances);
    return done && counted_.rhs(t_ + h, y_new_.data(), f_new_.data());
  }

  bool step(double h, double h_last, const std::vector<double>& here,
            const std::vector<double>& before, double t_new, const Tolerances& tolerances) {
    const double w = h / h_last;
    for (std::size_t i = 0; i < psi_.size(); ++i) {
      psi_[i] = ((1 + w) * (1 + w) * here[i] - w * w * before[i]) / (1 + 2 * w);
      y_new_[i] = here[i] + w * (here[i] - before[i]);
    }
    return solve(t_new, h * (1 + w) / (1 + 2 * w), nullptr, tolerances);
  }

  bool first_step(double h, const Tolerances& tolerances) {
    double part = std::ldexp(1.0, -doublings);  // where it got to, and the length of the part
    std::copy(y_.begin(), y_.end(), psi_.begin());
    std::copy(y_.begin(), y_.end(), y_new_.begin());
    if (!solve(t_ + part * h, part * h, nullptr, tolerances)) return false;
    std::copy(y_.begin(), y_.end(), before_.begin());
    double last = part;
    for (; part < 1; part *= 2) {  // from part to twice that
      std::copy(y_new_.begin(), y_new_.end(), here_.begin());
      if (!step(part * h, last * h, here_, before_, t_ + 2 * part * h, tolerances)) return false;
      before_.swap(here_);
      last = part;
    }
    return true;
  }

  std::vector<double> before_, here_;  // each [n]
};

class Trapezoidal final : public ImplicitFixedStep {
 public:
  explicit Trapezoidal(const OdeSystem& system) : ImplicitFixedStep(system, trapezoidal_info) {}

 private:
  bool advance(double h, const Tolerances& tolerances) override {
    jacobian_here_ = false;
    std::copy(y_.begin(), y_.end(), psi_.begin());
    std::copy(y_.begin(), y_.end(), y_new_.begin());
    return solve(t_ + h, 0.5 * h, f_.data(), tolerances) &&
           counted_.rhs(t_ + h, y_new_.data(), f_new_.data());
  }
};

class Midpoint final : public ImplicitFixedStep {
 public:
  explicit Midpoint(const OdeSystem& system) : ImplicitFixedStep(system, midpoint_info) {}

 private:
  bool advance(double h, const Tolerances& tolerances) override {
    jacobian_here_ = false;
    std::copy(y_.begin(), y_.end(), psi_.begin());
    std::copy(y_.begin(), y_.end(), y_new_.begin());
    if (!solve(t_ + 0.5 * h, 0.5 * h, nullptr, tolerances)) return false;
    for (std::size_t i = 0; i < y_.size(); ++i) y_new_[i] = 2 * y_new_[i] - y_[i];
    return counted_.rhs(t_ + h, y_new_.data(), f_new_.data());
  }
};

/// The unknowns are the accelerations at the end of the step, half as many as states.
class Newmark final : public FixedStep {
 public:
  explicit Newmark(const OdeSystem& system)
      : FixedStep(system, newmark_info),
        space_(system, newmark_info.name),
        half_{.n = static_cast<std::uint32_t>(space_.position.size()), .rhs = system.rhs},
        identity_(half_),
        jacobian_source_(system),
        matrix_(half_, identity_),
        jacobian_(jacobian_source_.n_values()),
        influence_(std::size_t{half_.n} * half_.n),
        acceleration_(half_.n),
        residual_(half_.n),
        pair_of_(system.n) {
    for (std::uint32_t k = 0; k < half_.n; ++k)
      pair_of_[space_.position[k]] = pair_of_[space_.velocity[k]] = k;
  }

 private:
  static constexpr double beta = 0.25, gamma = 0.5;  // the average acceleration

  bool advance(double h, const Tolerances& tolerances) override {
    if (!prepare(h, tolerances)) return false;
    for (std::uint32_t k = 0; k < half_.n; ++k) acceleration_[k] = f_[space_.velocity[k]];
    NewtonRate rate(tolerances.relative);
    for (int k = 0; k < NewtonRate::most_iterations; ++k) {
      place(h);
      if (!counted_.rhs(t_ + h, y_new_.data(), f_new_.data())) return false;
      for (std::uint32_t i = 0; i < half_.n; ++i)
        residual_[i] = f_new_[space_.velocity[i]] - acceleration_[i];
      matrix_.solve(residual_.data());
      ErrorNorm norm;
      for (std::uint32_t i = 0; i < half_.n; ++i) {
        acceleration_[i] += residual_[i];
        const std::uint32_t v = space_.velocity[i];
        norm.add(i, h * residual_[i] / tolerances.scale(v, std::abs(y_[v])));
      }
      const NewtonRate::Verdict verdict = rate.after(norm.value(half_.n));
      if (verdict == NewtonRate::Verdict::diverges) return false;
      if (verdict != NewtonRate::Verdict::converged) continue;
      place(h);
      return counted_.rhs(t_ + h, y_new_.data(), f_new_.data());
    }
    return false;
  }

  void place(double h) {
    for (std::uint32_t k = 0; k < half_.n; ++k) {
      const std::uint32_t q = space_.position[k], v = space_.velocity[k];
      y_new_[q] = y_[q] + h * y_[v] + h * h * ((0.5 - beta) * f_[v] + beta * acceleration_[k]);
      y_new_[v] = y_[v] + h * ((1 - gamma) * f_[v] + gamma * acceleration_[k]);
    }
  }

  /// 1 - da/dq beta h^2 - da/dv gamma h, from the Jacobian of the whole system.
  bool prepare(double h, const Tolerances& tolerances) {
    if (!jacobian_source_.evaluate(counted_, {t_, y_.data(), f_.data(), h}, tolerances,
                                   jacobian_.data(), nullptr))
      return false;
    std::fill(influence_.begin(), influence_.end(), 0.0);
    const std::uint32_t n = counted_.system.n;
    const ColumnPattern& pattern = counted_.system.jacobian_pattern;
    for (std::uint32_t j = 0; j < n; ++j) {
      const bool is_position = space_.position[pair_of_[j]] == j;
      const double weight = is_position ? beta * h * h : gamma * h;
      const std::size_t begin = pattern.empty() ? std::size_t{j} * n : pattern.column_start[j];
      const std::size_t end = pattern.empty() ? begin + n : pattern.column_start[j + 1];
      for (std::size_t e = begin; e < end; ++e) {
        const auto i = pattern.empty() ? static_cast<std::uint32_t>(e - begin) : pattern.row[e];
        if (space_.velocity[pair_of_[i]] == i)
          influence_[std::size_t{pair_of_[j]} * half_.n + pair_of_[i]] += weight * jacobian_[e];
      }
    }
    ++counted_.work.factorisations;
    return matrix_.factorise(1, influence_.data());
  }

  PhaseSpace space_;
  OdeSystem half_;  // only its size counts
  MassMatrix identity_;
  JacobianSource jacobian_source_;
  IterationMatrix<double> matrix_;
  std::vector<double> jacobian_;
  std::vector<double> influence_;                // [n/2 * n/2]
  std::vector<double> acceleration_, residual_;  // each [n/2]
  std::vector<std::uint32_t> pair_of_;           // [n]
};

}  // namespace

std::unique_ptr<Stepper> make_implicit_euler(const OdeSystem& system) {
  return std::make_unique<ImplicitEuler>(system);
}
std::unique_ptr<Stepper> make_bdf2(const OdeSystem& system) {
  return std::make_unique<Bdf2>(system);
}
std::unique_ptr<Stepper> make_trapezoidal(const OdeSystem& system) {
  return std::make_unique<Trapezoidal>(system);
}
std::unique_ptr<Stepper> make_midpoint(const OdeSystem& system) {
  return std::make_unique<Midpoint>(system);
}
std::unique_ptr<Stepper> make_newmark(const OdeSystem& system) {
  return std::make_unique<Newmark>(system);
}

}  // namespace alembert::integrate
