// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/hand_jacobian.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"

namespace alembert::integrate {
namespace {

std::string place(std::size_t i, std::size_t j) {
  return "HandProblem::jacobian in row " + std::to_string(i + 1) + ", column " +
         std::to_string(j + 1);
}

/// The Jacobian and f at a point.
class Trial {
 public:
  Trial(const HandProblem& problem, double t, std::span<const double> u)
      : problem_(problem), t_(t), u_(u.begin(), u.end()), n_(u.size()), jacobian_(n_ * n_, 0.0) {
    problem_.jacobian(jacobian_, u_, problem_.parameters, t_);
    f_ = f_at(u_);
  }

  /// The first row that is far from differences; n where none is.
  std::size_t wrong_row(const Tolerances& tolerances) const {
    std::vector<Row> rows(n_);
    for (const bool from_scales : {true, false}) {
      for (Row& row : rows) row.has_slopes = false;
      for (const double share : {std::sqrt(eps), 1e-5, 1e-3}) {
        const std::vector<double> by = direction(tolerances, from_scales, share);
        const std::vector<double> ahead = f_at(moved(by, 1));
        for (std::size_t i = 0; i < n_; ++i) {
          const double change = ahead[i] - f_[i];
          if (agrees(i, by, change, change, tolerances)) rows[i].is_good = true;
        }
        if (std::ranges::all_of(rows, &Row::is_good)) return n_;
        const std::vector<double> behind = f_at(moved(by, -1));
        for (std::size_t i = 0; i < n_; ++i)
          look_at(rows[i], i, by, share, ahead[i] - f_[i], f_[i] - behind[i], tolerances);
      }
    }
    const auto wrong =
        std::ranges::find_if(rows, [](const Row& row) { return !row.is_good && row.is_sure; });
    return static_cast<std::size_t>(wrong - rows.begin());
  }

  /// The first entry that is not what differences say, in rows [first, last).
  std::string wrong_entry(std::size_t first, std::size_t last) const {
    constexpr double far = 0.1;
    for (std::size_t j = 0; j < n_; ++j) {
      std::vector<double> by(n_, 0.0);
      by[j] = std::sqrt(eps) * std::max(1.0, std::abs(u_[j]));
      const std::vector<double> f = f_at(moved(by, 1));
      for (std::size_t i = first; i < last; ++i) {
        const double written = jacobian_[j * n_ + i], seen = (f[i] - f_[i]) / by[j];
        if (!std::isfinite(written)) return place(i, j) + " is not finite. ";
        const double rounding = 10 * eps * std::max(std::abs(f_[i]), std::abs(f[i])) / by[j];
        if (std::abs(written - seen) > far * std::max(std::abs(written), std::abs(seen)) + rounding)
          return place(i, j) + " is " + rounded_text(written) + ", and differences of f say " +
                 rounded_text(seen) + ": look at what it writes there. ";
      }
    }
    return "";
  }

 private:
  struct Row {
    bool is_good = false;     // it agrees with differences of some length
    bool is_sure = false;     // differences of two lengths agree with each other
    bool has_slopes = false;  // of the length before
    double low = 0, high = 0;
  };

  std::vector<double> f_at(const std::vector<double>& u) const {
    std::vector<double> f(n_);
    problem_.f(f, u, problem_.parameters, t_);
    return f;
  }

  std::vector<double> moved(const std::vector<double>& by, double sign) const {
    std::vector<double> u = u_;
    for (std::size_t j = 0; j < n_; ++j) u[j] += sign * by[j];
    return u;
  }

  /// No two unknowns alike. How large one is that is zero, only the tolerance tells, or nothing.
  std::vector<double> direction(const Tolerances& tolerances, bool from_scales,
                                double share) const {
    std::vector<double> by(n_);
    for (std::size_t j = 0; j < n_; ++j) {
      const double size = std::abs(u_[j]);
      const double least = from_scales ? tolerances.scale(j, size) : 1.0;
      const double part = 1 + 0.5 * std::sin(1.0 + static_cast<double>(j));
      by[j] = (j % 2 == 0 ? share : -share) * part * std::max(size, least);
    }
    return by;
  }

  double told(std::size_t i, const std::vector<double>& by) const {
    double sum = 0;
    for (std::size_t j = 0; j < n_; ++j) sum += jacobian_[j * n_ + i] * by[j];
    return sum;
  }

  /// low, high: by which f changes ahead and behind, in order.
  bool agrees(std::size_t i, const std::vector<double>& by, double low, double high,
              const Tolerances& tolerances) const {
    constexpr double far_off = 0.5;
    constexpr double no_matter = 1e-3;  // of all that moves, over the whole run
    const double expected = told(i, by);
    if (!std::isfinite(expected)) return true;  // then differences are taken
    if (!std::isfinite(low) || !std::isfinite(high)) return false;
    const double miss = std::max({low - expected, expected - high, 0.0});
    const double size = std::max({std::abs(expected), std::abs(low), std::abs(high)});
    if (miss <= far_off * size + rounding(i)) return true;
    if (!problem_.mass.empty()) return false;
    double move = 0;
    for (std::size_t j = 0; j < n_; ++j)
      move = std::max(move, std::abs(by[j]) / tolerances.scale(j, std::abs(u_[j])));
    return std::abs(problem_.t_stop - problem_.t_start) * miss <=
           no_matter * move * tolerances.scale(i, std::abs(u_[i]));
  }

  /// Of differences of f in a row.
  double rounding(std::size_t i) const {
    double size = std::abs(f_[i]);
    for (std::size_t j = 0; j < n_; ++j) size += std::abs(jacobian_[j * n_ + i] * u_[j]);
    return 10 * eps * size;
  }

  /// Beside a kink all between the slopes of its sides is good. Across a jump, and in noise, slopes
  /// of different lengths are not alike.
  void look_at(Row& row, std::size_t i, const std::vector<double>& by, double share, double ahead,
               double behind, const Tolerances& tolerances) const {
    const double low = std::min(ahead, behind), high = std::max(ahead, behind);
    if (agrees(i, by, low, high, tolerances)) row.is_good = true;
    const Row before = row;
    row.low = low / share;
    row.high = high / share;
    row.has_slopes = std::isfinite(row.low) && std::isfinite(row.high);
    if (!row.has_slopes || !before.has_slopes) return;
    constexpr double alike = 0.1;
    const double size =
        std::max({std::abs(told(i, by)) / share, std::abs(row.low), std::abs(row.high)});
    if (std::abs(row.low - before.low) <= alike * size &&
        std::abs(row.high - before.high) <= alike * size)
      row.is_sure = true;
  }

  const HandProblem& problem_;
  double t_;
  std::vector<double> u_;  // [n]
  std::size_t n_;
  std::vector<double> jacobian_;  // [n * n], column-major
  std::vector<double> f_;         // [n]
};

}  // namespace

void check_jacobian(const HandProblem& problem, const Tolerances& tolerances,
                    std::span<const double> start) {
  const Trial trial(problem, problem.t_start, start);
  const std::size_t row = trial.wrong_row(tolerances);
  if (row == start.size()) return;
  std::string text = trial.wrong_entry(row, row + 1);
  if (text.empty())
    text = "HandProblem::jacobian in row " + std::to_string(row + 1) +
           " is far from what differences of f say: look at what it writes there. ";
  throw Error(
      "I011",
      "at the start, " + text +
          "It is column-major, df_i/du_j at [j * n + i]; left empty, differences are taken.");
}

std::string doubt_jacobian(const HandProblem& problem, double t, std::span<const double> u) {
  return problem.jacobian ? Trial(problem, t, u).wrong_entry(0, u.size()) : "";
}

}  // namespace alembert::integrate
