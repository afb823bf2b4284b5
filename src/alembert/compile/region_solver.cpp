// SPDX-License-Identifier: Apache-2.0
// Damped Newton (Deuflhard, Newton Methods for Nonlinear Problems, 2011, ch. 3) with the residual,
// scaled by the rows of the Jacobian, as the measure of progress. It ends when the step is a few
// units in the last place, or when the residual falls no further and is as small as rounding of the
// inputs makes it.
#include "alembert/compile/region_solver.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/compile/dense_solve.hpp"
#include "alembert/compile/sparse_solve.hpp"

namespace alembert::compile {
namespace {

/// An exponential that is far off comes down by one power of e in each step.
constexpr int max_iterations = 200;
/// Where there is a lifted form, more than these mean that it is needed.
constexpr int iterations_before_lifting = 12;
constexpr int lifted_iterations = 60;
constexpr double smallest_damping = 0x1p-20;
/// Where an exponential is flat, a step is as long as its slope is small: that of a diode leads
/// from 0 V to millions of volts, and the way to half a volt is a small part of it. As long as
/// trials overshoot, damping goes on.
constexpr double least_damping = 0x1p-40;
constexpr double overshoot = 16.0;

/// Looks at a residual on either side, and turns in them that only noise has.
constexpr int half_looks = 8;
constexpr double least_turns = 5.0;

// To whole cache lines, so that the parts behind stay aligned.
constexpr std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }

class Solver {
 public:
  Solver(const SolveRegion& region, const Kernel& body, const double* captured,
         const double* parameters, double* work)
      : region_(region),
        body_(body),
        captured_(captured),
        parameters_(parameters),
        n_(region.n_unknowns),
        n_captured_(region.captured.size()),
        n_outputs_(region.body.outputs.size()) {
    const auto take = [&work](std::size_t size) {
      double* part = work;
      work += padded(size);
      return part;
    };
    body_work_ = take(body.shape().workspace_size);
    inputs_ = take(n_ + n_captured_);
    here_ = take(n_outputs_);
    trial_ = take(n_outputs_);
    probe_ = take(n_outputs_);
    matrix_ = take(matrix_size(region));
    row_scale_ = take(n_);
    column_scale_ = take(n_);
    step_ = take(n_);
    for (std::size_t k = 0; k < n_captured_; ++k) inputs_[n_ + k] = captured[k];
  }

  static std::size_t workspace(const SolveRegion& region, const Kernel& body) {
    const std::size_t n = region.n_unknowns;
    const std::size_t n_outputs = region.body.outputs.size();
    return padded(body.shape().workspace_size) + padded(n + region.captured.size()) +
           3 * padded(n_outputs) + padded(matrix_size(region)) + 3 * padded(n);
  }

  bool solve_linear(double* unknowns) {
    for (std::size_t j = 0; j < n_; ++j) inputs_[j] = 0.0;
    if (!evaluate(here_) || !find_step()) return false;
    for (std::size_t j = 0; j < n_; ++j) unknowns[j] = step_[j];
    return true;
  }

  bool solve_newton(const double* guesses, double* u, int most_iterations = max_iterations) {
    for (std::size_t j = 0; j < n_; ++j) inputs_[j] = u[j] = guesses[j];
    if (!evaluate(here_)) return false;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      if (residual_is_zero()) return true;
      if (!find_step() && !(leave_stationary(u) && find_step())) return false;
      if (step_is_rounding(u)) {
        for (std::size_t j = 0; j < n_; ++j) u[j] += step_[j];
        return true;
      }
      if (!descend(u)) return at_rounding(u) || step_is_noise(u) || residual_is_noise(u);
      for (std::size_t j = 0; j < n_; ++j) u[j] = inputs_[j];
      std::swap(here_, trial_);
    }
    return most_iterations == max_iterations && find_step() &&
           (at_rounding(u) || residual_is_noise(u));
  }

  // Full steps only, from u and back to it: of a lifted form, along which nothing is steep. To
  // what is close to the solution and not to rounding.
  // Unknowns from `first_lifted` on are places on curves of exponentials. One that falls by more
  // than its digits would be left with rounding, on either side of 0: it goes there by some steps.
  bool iterate_undamped(double* u, std::size_t first_lifted) {
    constexpr double longest_fall = 1e-8;
    for (std::size_t j = 0; j < n_; ++j) inputs_[j] = u[j];
    for (int iteration = 0; iteration < lifted_iterations; ++iteration) {
      if (!evaluate(here_) || !find_step()) return false;
      for (std::size_t j = first_lifted; j < n_; ++j)
        if (u[j] > 1.0) step_[j] = std::fmax(step_[j], (longest_fall - 1.0) * u[j]);
      for (std::size_t j = 0; j < n_; ++j) inputs_[j] = u[j] += step_[j];
      if (step_is_noise(u)) return true;
    }
    // Where it goes back and forth within rounding, what is left is for the region itself.
    for (std::size_t j = 0; j < n_; ++j)
      if (!(std::fabs(step_[j]) <= 1e-3 * std::fmax(1.0, std::fabs(u[j])))) return false;
    return true;
  }

 private:
  /// Dense: all entries. Sparse: the entries twice, as given and in order of columns.
  static std::size_t matrix_size(const SolveRegion& region) {
    const std::size_t n = region.n_unknowns;
    return region.elimination ? 2 * region.elimination->n_entries() : n * n;
  }

  // Residuals and nonzeros at inputs_; false if one has no value.
  bool evaluate(double* outputs) {
    body_(inputs_, parameters_, outputs, body_work_);
    for (std::size_t i = 0; i < n_; ++i)
      if (!std::isfinite(outputs[i])) return false;
    for (std::size_t k = n_; k < n_outputs_; ++k)
      if (!std::isfinite(outputs[k]) &&
          !take_differences(outputs, region_.jacobian_columns[k - n_]))
        return false;
    return true;
  }

  // A slope may have no value where the residual has one: beside a branch that is not taken, at the
  // edge of a root. All slopes by this unknown, at inputs_, from a point beside it.
  bool take_differences(double* outputs, std::size_t unknown) {
    const double x = inputs_[unknown];
    const double step = 1e-7 * (x != 0.0 ? std::fabs(x) : 1.0);
    bool found = false;
    for (const double side : {step, -step}) {
      inputs_[unknown] = x + side;
      body_(inputs_, parameters_, probe_, body_work_);
      found = true;
      for (std::size_t k = n_; k < n_outputs_ && found; ++k) {
        if (region_.jacobian_columns[k - n_] != unknown) continue;
        const std::size_t row = region_.jacobian_rows[k - n_];
        outputs[k] = (probe_[row] - outputs[row]) / (inputs_[unknown] - x);
        found = std::isfinite(outputs[k]);
      }
      if (found) break;
    }
    inputs_[unknown] = x;
    return found;
  }

  // step = -J^-1 r at here_; leaves the scale of each row for measuring residuals.
  bool find_step() {
    if (region_.elimination) return find_step_sparsely(*region_.elimination);
    for (std::size_t k = 0; k < n_ * n_; ++k) matrix_[k] = 0.0;
    for (std::size_t k = 0; k < region_.jacobian_rows.size(); ++k)
      matrix_[region_.jacobian_rows[k] * n_ + region_.jacobian_columns[k]] = here_[n_ + k];
    if (!scale_rows(n_, matrix_, row_scale_)) return false;
    for (std::size_t i = 0; i < n_; ++i) step_[i] = -(here_[i] * row_scale_[i]);
    return solve_dense(n_, matrix_, step_, column_scale_);
  }

  bool find_step_sparsely(const SparseElimination& elimination) {
    const std::size_t n_entries = elimination.n_entries();
    for (std::size_t k = 0; k < n_entries; ++k) matrix_[k] = here_[n_ + k];
    if (!elimination.scale_rows(matrix_, row_scale_)) return false;
    for (std::size_t i = 0; i < n_; ++i) step_[i] = -(here_[i] * row_scale_[i]);
    return elimination.solve(matrix_, step_, column_scale_, matrix_ + n_entries);
  }

  // Moves unknowns on which nothing depends at u, as on m in |m| = r at m = 0, where no step leads
  // away; false if there are none.
  bool leave_stationary(double* u) {
    constexpr double share = 1e-3;
    bool moved = false;
    for (std::size_t j = 0; j < n_; ++j) {
      bool stationary = true;
      for (std::size_t k = n_; k < n_outputs_ && stationary; ++k)
        stationary = region_.jacobian_columns[k - n_] != j || here_[k] == 0.0;
      if (!stationary) continue;
      inputs_[j] = u[j] += share * std::fmax(1.0, std::fabs(u[j]));
      moved = true;
    }
    return moved && evaluate(here_);
  }

  bool step_is_rounding(const double* u) const {
    for (std::size_t j = 0; j < n_; ++j)
      if (!(std::fabs(step_[j]) <= 2.0 * eps * std::fabs(u[j]))) return false;
    return true;
  }

  // True if the residual at u, which the step does not lower, is rounding. Of a step so short the
  // linear model would foretell the effect, were it not for noise: constants of the equations,
  // which no change of inputs shows, may be the largest things in them, and an unknown near zero
  // has the rounding of larger ones.
  bool at_rounding(const double* u) {
    double largest_step = 0.0;
    double largest = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {
      largest_step = std::fmax(largest_step, std::fabs(step_[j]));
      largest = std::fmax(largest, std::fabs(u[j]));
    }
    return largest_step <= 4096.0 * eps * largest || residual_is_rounding(u);
  }

  // To be asked where no step, however short, lowers the residual, so that it must be noise: that
  // of functions that iterate themselves is some powers of ten above rounding. Where all quantities
  // are near zero, constants of size 1 are what is rounded. (Where a solution ends slopes vanish,
  // and steps are long.)
  bool step_is_noise(const double* u) const {
    constexpr double noise = 1e-10;
    for (std::size_t j = 0; j < n_; ++j)
      if (!(std::fabs(step_[j]) <= std::fmax(4096.0 * eps, noise * std::fabs(u[j])))) return false;
    return true;
  }

  bool residual_is_zero() const {
    for (std::size_t i = 0; i < n_; ++i)
      if (here_[i] != 0.0) return false;
    return true;
  }

  double scaled_residual(const double* outputs) const {
    double largest = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double size = std::fabs(outputs[i] * row_scale_[i]);
      if (size > largest) largest = size;
    }
    return largest;
  }

  // Halves the step until the residual falls; the new point is then in inputs_, its numbers in
  // trial_.
  bool descend(const double* u) {
    const double before = scaled_residual(here_);
    bool checked = false;
    bool overshoots = true;
    for (double damping = 1.0; damping >= (overshoots ? least_damping : smallest_damping);
         damping *= 0.5) {
      for (std::size_t j = 0; j < n_; ++j) inputs_[j] = u[j] + damping * step_[j];
      overshoots = true;
      if (evaluate(trial_)) {
        const double after = scaled_residual(trial_);
        overshoots = after > overshoot * before;
        if (after <= (1.0 - 0.25 * damping) * before) return true;
        // Near the end the residual is noise, which no shorter step will lower: look once.
        if (!checked && after <= 4.0 * before) {
          if (at_rounding(u)) return false;
          checked = true;
        }
      }
    }
    return false;
  }

  // True if the residual at u is no larger than what a few units in the last place of unknowns and
  // captured values do to it. The changes differ in size, lest they cancel. Overwrites trial_.
  bool residual_is_rounding(const double* u) {
    const auto change = [](std::size_t k) {
      const double size = eps * static_cast<double>(3 + 5 * k % 7);
      return k % 2 == 0 ? 1.0 + size : 1.0 - size;
    };
    for (std::size_t j = 0; j < n_; ++j) inputs_[j] = u[j] * change(j);
    for (std::size_t k = 0; k < n_captured_; ++k) inputs_[n_ + k] = captured_[k] * change(n_ + k);
    body_(inputs_, parameters_, trial_, body_work_);
    for (std::size_t k = 0; k < n_captured_; ++k) inputs_[n_ + k] = captured_[k];
    for (std::size_t i = 0; i < n_; ++i)
      if (!(std::fabs(here_[i]) <= 4.0 * std::fabs(trial_[i] - here_[i]))) return false;
    return true;
  }

  // True if residuals around u go up and down by as much as they are at u: constants that are
  // larger than all unknowns, as the pressure of the air in all pressures, make stairs of them, and
  // Newton ends on one. Looked at along the step, ever further away; a curve does not turn so
  // often, and a jump of the equations does but once. To be asked where no step lowers the
  // residual. Overwrites trial_, probe_, matrix_ and column_scale_.
  bool residual_is_noise(const double* u) {
    constexpr double furthest = 1e-4;
    const double most = scaled_residual(here_);
    // No round factor: stairs would be met at the same place each time.
    for (double spread = 1.0; spread <= 4096.0; spread *= 7.3) {
      for (std::size_t j = 0; j < n_; ++j)
        if (!(spread * half_looks * std::fabs(step_[j]) <=
              furthest * std::fmax(1.0, std::fabs(u[j]))))
          return false;
      if (!count_turns(u, spread)) return false;
      bool all = true;
      for (std::size_t i = 0; i < n_ && all; ++i)
        all = std::fabs(here_[i] * row_scale_[i]) <= 0.01 * most ||
              std::fabs(matrix_[i]) > least_turns;
      if (all) return true;
    }
    return false;
  }

  // Of each residual at equal distances along the step: how often its second differences change
  // their sign, in matrix_ [n], one more and with the last sign. Those far below the residual at u
  // do not count. False if there are no values.
  bool count_turns(const double* u, double spread) {
    double* const turns = matrix_;
    double* const difference = column_scale_;
    for (std::size_t i = 0; i < n_; ++i) turns[i] = 0.0;
    for (int k = -half_looks; k <= half_looks; ++k) {
      for (std::size_t j = 0; j < n_; ++j) inputs_[j] = u[j] + k * spread * step_[j];
      body_(inputs_, parameters_, trial_, body_work_);
      for (std::size_t i = 0; i < n_; ++i) {
        if (!std::isfinite(trial_[i])) return false;
        if (k == -half_looks) continue;
        const double now = trial_[i] - probe_[i];
        const double bend = now - difference[i];
        difference[i] = now;
        if (k == 1 - half_looks || std::fabs(bend) < 0.125 * std::fabs(here_[i])) continue;
        if (turns[i] * bend <= 0.0) turns[i] = std::copysign(std::fabs(turns[i]) + 1.0, bend);
      }
      std::swap(trial_, probe_);
    }
    return true;
  }

  const SolveRegion& region_;
  const Kernel& body_;
  const double* captured_;
  const double* parameters_;
  std::size_t n_, n_captured_, n_outputs_;
  double* body_work_;
  double* inputs_;        // [n_unknowns + n_captured] of the body
  double* here_;          // [n_unknowns + n_nonzeros] at the accepted point
  double* trial_;         // the same at the point being tried
  double* probe_;         // the same beside a point
  double* matrix_;        // [matrix_size]
  double* row_scale_;     // [n_unknowns]
  double* column_scale_;  // [n_unknowns]
  double* step_;          // [n_unknowns]
};

}  // namespace

std::size_t region_workspace(const SolveRegion& region, const Kernel& body,
                             const LiftedRegion* lifted) {
  const std::size_t own = Solver::workspace(region, body);
  if (lifted == nullptr) return own;
  const std::size_t n_exponents = lifted->exponents.shape().n_outputs;
  return own + padded(lifted->region.n_unknowns) + padded(region.n_unknowns) +
         padded(region.n_unknowns + region.captured.size()) + padded(n_exponents) +
         padded(lifted->exponents.shape().workspace_size) +
         Solver::workspace(lifted->region, lifted->body);
}

namespace {

/// The unknowns by the lifted form, to a few digits at least.
bool solve_lifted(const SolveRegion& region, const LiftedRegion& lifted, const double* captured,
                  const double* guesses, const double* parameters, double* unknowns, double* work) {
  const std::size_t n = region.n_unknowns;
  const std::size_t n_captured = region.captured.size();
  const std::size_t n_exponents = lifted.exponents.shape().n_outputs;
  double* const all = work;
  double* const inputs = all + padded(n + n_exponents);
  double* const exponents = inputs + padded(n + n_captured);
  double* const rest = exponents + padded(n_exponents);
  for (std::size_t j = 0; j < n; ++j) all[j] = inputs[j] = guesses[j];
  for (std::size_t k = 0; k < n_captured; ++k) inputs[n + k] = captured[k];
  lifted.exponents(inputs, parameters, exponents, rest);
  for (std::size_t k = 0; k < n_exponents; ++k) all[n + k] = lifted_place(exponents[k]);
  Solver solver(lifted.region, lifted.body, captured, parameters,
                rest + padded(lifted.exponents.shape().workspace_size));
  if (!solver.iterate_undamped(all, n)) return false;
  for (std::size_t j = 0; j < n; ++j) unknowns[j] = all[j];
  return true;
}

bool solve_with_exponentials(Solver& solver, const SolveRegion& region, const LiftedRegion& lifted,
                             const double* captured, const double* guesses,
                             const double* parameters, double* unknowns, double* work) {
  if (solver.solve_newton(guesses, unknowns, iterations_before_lifting)) return true;
  double* const found = work;
  if (solve_lifted(region, lifted, captured, guesses, parameters, found,
                   work + padded(region.n_unknowns)) &&
      solver.solve_newton(found, unknowns))
    return true;
  return solver.solve_newton(guesses, unknowns);
}

}  // namespace

void solve_region(const SolveRegion& region, const Kernel& body, const double* captured,
                  const double* guesses, const double* parameters, double* unknowns, double* work,
                  const LiftedRegion* lifted) {
  Solver solver(region, body, captured, parameters, work);
  bool solved = false;
  if (region.kind == SolveRegion::Kind::linear)
    solved = solver.solve_linear(unknowns);
  else if (lifted == nullptr)
    solved = solver.solve_newton(guesses, unknowns);
  else
    solved = solve_with_exponentials(solver, region, *lifted, captured, guesses, parameters,
                                     unknowns, work + Solver::workspace(region, body));
  if (solved) return;
  for (std::size_t j = 0; j < region.n_unknowns; ++j)
    unknowns[j] = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace alembert::compile
