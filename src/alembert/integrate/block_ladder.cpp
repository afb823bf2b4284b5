// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/block_ladder.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/base/constants.hpp"

namespace alembert::integrate {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A residual this small, in units of what the sizes of the unknowns make of it, is a solution if
/// no method gets it any smaller.
constexpr double acceptable = 1e-9;

class Ladder {
 public:
  explicit Ladder(const NonlinearBlock& block)
      : block_(block),
        n_(static_cast<Eigen::Index>(block.n_unknowns)),
        m_(static_cast<Eigen::Index>(block.n_rows)),
        scale_(Eigen::Map<const VectorXd>(block.scale.data(), n_)),
        shift_(VectorXd::Zero(m_)) {}

  LadderResult run(std::span<double> out, Rung last) {
    last_ = last;
    VectorXd guess = first_guess(clamped(Eigen::Map<const VectorXd>(out.data(), n_)));
    LadderResult result;
    best_ = guess;
    try_all(guess, result);
    if (!result.solved && last == Rung::other_guesses && off_stationary(guess))
      try_all(guess, result);
    result.residual = best_residual_;
    Eigen::Map<VectorXd>(out.data(), n_) = best_;
    return result;
  }

 private:
  void try_all(const VectorXd& guess, LadderResult& result) {
    Values first;
    const bool has_value = evaluate(guess, first);
    for (const Rung rung : {Rung::newton, Rung::levenberg_marquardt, Rung::homotopy,
                            Rung::continuation, Rung::other_guesses}) {
      if (rung > last_) break;
      result.rung = rung;
      VectorXd x = guess;
      iterations_ = 0;
      result.solved = climb(rung, x) || (has_value && is_multiple_root(x, row_scale(first, guess)));
      result.iterations += iterations_;
      const double residual = residual_at(x);
      if (result.solved || residual < best_residual_) {
        best_ = x;
        best_residual_ = residual;
      }
      if (result.solved) break;
    }
  }

  /// At a root where slopes vanish too, as of y^2 = 0, the residual is never small beside them. It
  /// is rounding beside what they were at the guess, and no step lowers it.
  bool is_multiple_root(const VectorXd& x, const VectorXd& rows_at_guess) {
    Values here, there;
    if (m_ == 0 || !evaluate(x, here)) return false;
    const double residual = norm(here.residuals, rows_at_guess);
    if (!(residual < 1e-13)) return false;
    const VectorXd step = newton_step(here, row_scale(here, x)).cwiseProduct(scale_);
    if (!step.allFinite()) return false;
    for (const double damping : {1.0, 0.5, 0.25, 0.125})
      if (evaluate(clamped(x + damping * step), there) &&
          norm(there.residuals, rows_at_guess) < 0.5 * residual)
        return false;
    return true;
  }

  /// Moves unknowns on which nothing depends at the guess, as on y in x^2 + y^2 = 1 at y = 0: no
  /// method would. False if there are none.
  bool off_stationary(VectorXd& x) {
    Values values;
    if (m_ == 0 || !evaluate(x, values)) return false;
    bool moved = false;
    for (Eigen::Index j = 0; j < n_; ++j) {
      if (values.jacobian.col(j).cwiseAbs().maxCoeff() > 0) continue;
      x[j] += scale_[j];
      moved = true;
    }
    x = clamped(x);
    return moved;
  }

  bool climb(Rung rung, VectorXd& x) {
    switch (rung) {
      case Rung::newton: return plain_newton(x);
      case Rung::levenberg_marquardt: return damped(x) && newton(x, 30);
      case Rung::homotopy: return homotopy(x);
      case Rung::continuation: return follow_curve(x);
      case Rung::other_guesses: break;
    }
    return start_elsewhere(x);
  }

  bool plain_newton(VectorXd& x) {
    const VectorXd guess = x;
    if (newton(x, 60) || (off_bounds(x) && newton(x, 60))) return true;
    VectorXd again = guess;
    balances_ = true;
    const bool found = newton(again, 60);
    balances_ = false;
    if (found) x = again;
    return found;
  }

  /// Newton from guesses that differ in one unknown, the nearest first. Where equations have kinks,
  /// no path may lead to a solution, though one is found from everywhere near it.
  bool start_elsewhere(VectorXd& x) {
    constexpr Eigen::Index largest = 20;
    if (m_ != n_ || n_ > largest) return false;
    const VectorXd guess = x;
    for (const double distance : {1.0, 2.0, 10.0})
      for (Eigen::Index j = 0; j < n_; ++j)
        for (const double side : {-1.0, 1.0}) {
          x = guess;
          x[j] += side * distance * scale_[j];
          x = clamped(x);
          if (x[j] != guess[j] && newton(x, 15)) return true;
        }
    x = guess;
    return false;
  }

  struct Values {
    VectorXd residuals;
    MatrixXd jacobian;  // by unknowns in units of their scale
  };

  VectorXd clamped(VectorXd x) const {
    for (Eigen::Index j = 0; j < n_; ++j) {
      const auto k = static_cast<std::size_t>(j);
      if (!block_.lower.empty()) x[j] = std::clamp(x[j], block_.lower[k], block_.upper[k]);
    }
    return x;
  }

  /// The guess, or one in which what is zero is not, where zeros have no value (1/x, log x).
  VectorXd first_guess(const VectorXd& given) {
    Values values;
    if (evaluate(given, values)) return given;
    for (const double size : {1.0, 0.01}) {
      VectorXd x = given;
      for (Eigen::Index j = 0; j < n_; ++j)
        if (x[j] == 0) x[j] = size * scale_[j];
      x = clamped(x);
      if (evaluate(x, values)) return x;
    }
    return given;
  }

  /// Moves what came to lie at a bound into the range: a slope may have led the wrong way. False if
  /// nothing does.
  bool off_bounds(VectorXd& x) const {
    bool moved = false;
    for (Eigen::Index j = 0; j < n_ && !block_.lower.empty(); ++j) {
      const double lower = block_.lower[static_cast<std::size_t>(j)];
      const double upper = block_.upper[static_cast<std::size_t>(j)];
      if (lower == upper || (x[j] > lower && x[j] < upper)) continue;
      moved = true;
      const double inside = x[j] <= lower ? lower + scale_[j] : upper - scale_[j];
      x[j] = std::isfinite(upper - lower) ? 0.5 * (lower + upper) : inside;
    }
    return moved;
  }

  bool evaluate(const VectorXd& x, Values& values) {
    values.residuals.resize(m_);
    values.jacobian.resize(m_, n_);
    if (!block_.evaluate({x.data(), static_cast<std::size_t>(n_)},
                         {values.residuals.data(), static_cast<std::size_t>(m_)},
                         {values.jacobian.data(), static_cast<std::size_t>(m_ * n_)}))
      return false;
    values.residuals -= shift_;
    values.jacobian *= scale_.asDiagonal();
    return true;
  }

  /// What the terms of each row amount to: unknowns that grew beyond their scale bring more
  /// rounding.
  VectorXd row_scale(const Values& values, const VectorXd& x) const {
    const VectorXd growth = x.cwiseAbs().cwiseQuotient(scale_).cwiseMax(1.0);
    VectorXd rows = (values.jacobian.cwiseAbs() * growth.asDiagonal()).rowwise().maxCoeff();
    for (Eigen::Index i = 0; i < m_; ++i)
      if (!(rows[i] > 0)) rows[i] = 1;
    return rows;
  }

  static double norm(const VectorXd& residuals, const VectorXd& rows) {
    return residuals.cwiseQuotient(rows).cwiseAbs().maxCoeff();
  }

  double residual_at(const VectorXd& x) {
    Values values;
    if (m_ == 0) return 0;
    if (!evaluate(x, values)) return infinity;
    return norm(values.residuals, row_scale(values, x));
  }

  /// In units of scale; of least length where it is not unique.
  VectorXd newton_step(const Values& values, const VectorXd& rows) {
    const MatrixXd a = rows.cwiseInverse().asDiagonal() * values.jacobian;
    const VectorXd b = -values.residuals.cwiseQuotient(rows);
    if (m_ == n_ && balances_) return balanced_step(a, b);
    if (m_ == n_) {
      const Eigen::PartialPivLU<MatrixXd> lu(a);
      if (lu.rcond() > 1e3 * eps) return lu.solve(b);
    }
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> qr(m_, n_);
    qr.setThreshold(1e-10);
    qr.compute(a);
    return qr.solve(b);
  }

  /// The geometric mean of the largest and the smallest entry that is not zero; 1 if there is none.
  template <class Entries>
  static double middle_size(const Entries& entries) {
    double smallest = infinity, largest = 0;
    for (Eigen::Index k = 0; k < entries.size(); ++k) {
      const double size = std::abs(entries[k]);
      if (!(size > 0)) continue;
      smallest = std::min(smallest, size);
      largest = std::max(largest, size);
    }
    return largest > 0 ? std::sqrt(smallest) * std::sqrt(largest) : 1;
  }

  /// The same by other units of unknowns and rows, in which entries are as near to 1 as may be
  /// (geometric scaling: Fulkerson and Wolfe, SIAM Review 4, 1962). Slopes of voltages of 1e9 V/s
  /// that picofarads make currents of seem not to be determined in units of 1 V/s. Not finite where
  /// the matrix is singular in these units too.
  static VectorXd balanced_step(MatrixXd a, VectorXd b) {
    constexpr int passes = 20;
    VectorXd units = VectorXd::Ones(a.cols());
    for (int pass = 0; pass < passes; ++pass) {
      for (Eigen::Index i = 0; i < a.rows(); ++i) {
        const double size = middle_size(a.row(i));
        a.row(i) /= size;
        b[i] /= size;
      }
      for (Eigen::Index j = 0; j < a.cols(); ++j) {
        const double size = middle_size(a.col(j));
        a.col(j) /= size;
        units[j] /= size;
      }
    }
    const Eigen::PartialPivLU<MatrixXd> lu(a);
    if (!(lu.rcond() > 1e3 * eps))
      return VectorXd::Constant(a.cols(), std::numeric_limits<double>::quiet_NaN());
    return lu.solve(b).cwiseProduct(units);
  }

  bool newton(VectorXd& x, int most) {
    if (m_ == 0) return true;
    Values here, trial;
    if (!evaluate(x, here)) return false;
    double last_step = infinity;
    for (int k = 0; k < most; ++k, ++iterations_) {
      const VectorXd rows = row_scale(here, x);
      const double before = norm(here.residuals, rows);
      if (before == 0) return true;
      const VectorXd step = newton_step(here, rows);
      if (!step.allFinite()) return false;
      bool better = false;
      for (double damping = 1; damping > 1e-7 && !better; damping *= 0.5) {
        const VectorXd next = clamped(x + damping * step.cwiseProduct(scale_));
        if (!evaluate(next, trial)) continue;
        if (norm(trial.residuals, rows) > (1 - 1e-4 * damping) * before) {
          // Near a solution the residual is noise, which no shorter step will lower.
          if (before < acceptable && damping == 1) break;
          continue;
        }
        better = true;
        last_step = ((next - x).cwiseAbs().array() / (x.cwiseAbs() + scale_).array()).maxCoeff();
        x = next;
        std::swap(here, trial);
      }
      if (!better) return before < acceptable;
      if (last_step < 2 * eps) return norm(here.residuals, row_scale(here, x)) < acceptable;
    }
    return norm(here.residuals, row_scale(here, x)) < acceptable;
  }

  /// Levenberg-Marquardt; true if the residual became small.
  bool damped(VectorXd& x) {
    Values here, trial;
    if (!evaluate(x, here)) return false;
    double mu = 1e-3;
    for (int k = 0; k < 300; ++k, ++iterations_) {
      const VectorXd rows = row_scale(here, x);
      if (norm(here.residuals, rows) < acceptable) return true;
      const MatrixXd a = rows.cwiseInverse().asDiagonal() * here.jacobian;
      const VectorXd r = here.residuals.cwiseQuotient(rows);
      MatrixXd normal = a.transpose() * a;
      normal.diagonal().array() += mu;
      const VectorXd step = normal.ldlt().solve(-a.transpose() * r);
      const VectorXd next = clamped(x + step.cwiseProduct(scale_));
      if (evaluate(next, trial) &&
          trial.residuals.cwiseQuotient(rows).squaredNorm() < r.squaredNorm()) {
        x = next;
        std::swap(here, trial);
        mu = std::max(mu / 5, 1e-15);
      } else if ((mu *= 4) > 1e12) {
        return false;
      }
    }
    return false;
  }

  /// From the guess, where F(x) = F(x0), to F(x) = 0.
  bool homotopy(VectorXd& x) {
    Values start;
    if (!evaluate(x, start)) return false;
    const VectorXd first = start.residuals;
    double s = 0;
    double step = 0.1;
    while (s < 1 && step > 1e-4) {
      const double next = std::min(1.0, s + step);
      shift_ = (1 - next) * first;
      VectorXd trial = x;
      if (newton(trial, 10)) {
        x = trial;
        s = next;
        step = std::min(0.25, 2 * step);
      } else {
        step *= 0.4;
      }
    }
    shift_.setZero();
    return s == 1 && newton(x, 30);
  }

  // ---- along the curve --------------------------------------------------------------------------

  /// The curve F(x) = F(x0) - w e, with e the direction of F(x0): x in units of scale, then w. It
  /// begins at w = 0; where w = |F(x0)| is a solution.
  struct Curve {
    VectorXd rows;       // scale of the residuals
    VectorXd first;      // F(x0), scaled
    VectorXd direction;  // of F(x0)
    double orientation = 0;
  };

  /// Scaled residuals of the curve and their derivatives by x and w; false where there are none.
  bool on_curve(const Curve& curve, const VectorXd& z, VectorXd& residuals, MatrixXd& slopes) {
    Values values;
    const VectorXd x = z.head(n_).cwiseProduct(scale_);
    if (clamped(x) != x || !evaluate(x, values)) return false;
    residuals = values.residuals.cwiseQuotient(curve.rows) - curve.first + z[n_] * curve.direction;
    slopes.resize(n_, n_ + 1);
    slopes.leftCols(n_) = curve.rows.cwiseInverse().asDiagonal() * values.jacobian;
    slopes.col(n_) = curve.direction;
    return true;
  }

  /// Unit tangent; the side of the determinant tells which way is forward, also beyond a kink.
  VectorXd tangent(Curve& curve, const MatrixXd& slopes) const {
    const Eigen::HouseholderQR<MatrixXd> qr(slopes.transpose());
    VectorXd t = VectorXd::Unit(n_ + 1, n_);
    t.applyOnTheLeft(qr.householderQ());
    MatrixXd square(n_ + 1, n_ + 1);
    square << slopes, t.transpose();
    const double side = Eigen::PartialPivLU<MatrixXd>(square).determinant() > 0 ? 1 : -1;
    if (curve.orientation == 0) curve.orientation = t[n_] > 0 ? side : -side;
    return side == curve.orientation ? t : VectorXd(-t);
  }

  /// Back onto the curve, within the plane through z across t.
  bool correct(const Curve& curve, const VectorXd& t, VectorXd& z, MatrixXd& slopes, int& passes) {
    const double along = t.dot(z);
    VectorXd residuals;
    for (passes = 1; passes <= 8; ++passes, ++iterations_) {
      if (!on_curve(curve, z, residuals, slopes)) return false;
      MatrixXd square(n_ + 1, n_ + 1);
      square << slopes, t.transpose();
      VectorXd right(n_ + 1);
      right << -residuals, along - t.dot(z);
      const VectorXd step = square.partialPivLu().solve(right);
      if (!step.allFinite()) return false;
      z += step;
      if (step.norm() <= 1e-10 * (1 + z.norm())) return on_curve(curve, z, residuals, slopes);
    }
    return false;
  }

  bool follow_curve(VectorXd& x) {
    constexpr Eigen::Index largest = 120;
    Values start;
    if (m_ != n_ || n_ > largest || !evaluate(x, start)) return false;
    Curve curve;
    curve.rows = row_scale(start, x);
    curve.first = start.residuals.cwiseQuotient(curve.rows);
    const double goal = curve.first.norm();
    if (!(goal > 0)) return true;
    curve.direction = curve.first / goal;
    VectorXd z(n_ + 1), residuals;
    z << x.cwiseQuotient(scale_), 0;
    MatrixXd slopes;
    if (!on_curve(curve, z, residuals, slopes)) return false;
    VectorXd t = tangent(curve, slopes);
    constexpr double shortest = 1e-12;
    double h = std::min(0.1, std::max(goal, 1e-9));
    for (int k = 0; k < 1500 && h > shortest && z.norm() < 1e9; ++k) {
      VectorXd next = z + h * t;
      VectorXd across = t;
      int passes = 0;
      bool found = correct(curve, across, next, slopes, passes);
      VectorXd turned = found ? tangent(curve, slopes) : t;
      // A turn that is not smooth: try the direction that the curve has behind the kink.
      if (!found && on_curve(curve, z + h * t, residuals, slopes)) {
        across = tangent(curve, slopes);
        next = z + h * across;
        found = correct(curve, across, next, slopes, passes);
        if (found) turned = tangent(curve, slopes);
      }
      const double far = (next - z).norm();
      if (!found || far > 3 * h || (h > 1e-4 && turned.dot(across) < 0.5)) {
        h *= 0.3;
        continue;
      }
      if ((z[n_] < goal) != (next[n_] < goal)) {
        const double share = (goal - z[n_]) / (next[n_] - z[n_]);
        VectorXd end = (z + share * (next - z)).head(n_).cwiseProduct(scale_);
        if (newton(end, 30)) {
          x = end;
          return true;
        }
      }
      z = next;
      t = turned;
      if (passes <= 4) h = std::min(h * 1.7, 0.3 * (1 + z.norm()));
    }
    return false;
  }

  const NonlinearBlock& block_;
  Eigen::Index n_, m_;
  VectorXd scale_;
  VectorXd shift_;         // subtracted from the residuals, on the way of the homotopy
  bool balances_ = false;  // Newton's steps by balanced_step
  int iterations_ = 0;
  Rung last_ = Rung::other_guesses;
  VectorXd best_;
  double best_residual_ = infinity;
};

}  // namespace

std::string_view to_string(Rung rung) {
  switch (rung) {
    case Rung::newton: return "Newton";
    case Rung::levenberg_marquardt: return "Levenberg-Marquardt";
    case Rung::homotopy: return "homotopy";
    case Rung::continuation: return "continuation";
    case Rung::other_guesses: break;
  }
  return "other guesses";
}

LadderResult solve_block(const NonlinearBlock& block, std::span<double> x, Rung last) {
  return Ladder(block).run(x, last);
}

}  // namespace alembert::integrate
