// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. One nonlinear system by a ladder of methods, for starts, where guesses may be
// poor. In: residuals with their Jacobian, a guess, typical sizes, bounds. Out: a solution and
// which rung found it. Newton with line search (minimum-norm steps where the matrix is singular or
// not square, so that what is not determined stays as guessed; once more with rows and columns
// balanced, for what seems singular by its units only), then Levenberg-Marquardt, then
// Newton homotopy F(x) = (1 - s) F(x0), first by ascending s, then along the curve wherever it
// turns, so that a solution behind a fold is found; last Newton from guesses around the given one.
// Nocedal and Wright, Numerical Optimization, chapters 10 and 11; Allgower and Georg, Introduction
// to Numerical Continuation Methods, chapters 3, 6 and 12. Dense.
#pragma once

#include <span>
#include <string_view>

#include "alembert/integrate/function_ref.hpp"

namespace alembert::integrate {

struct NonlinearBlock {
  std::size_t n_rows = 0;
  std::size_t n_unknowns = 0;
  /// Residuals [n_rows] and Jacobian [n_rows * n_unknowns], column-major; false where not finite.
  FunctionRef<bool(std::span<const double> x, std::span<double> residuals,
                   std::span<double> jacobian)>
      evaluate;
  std::span<const double> scale;  // [n_unknowns]: typical sizes, positive
  std::span<const double> lower;  // [n_unknowns]; steps end there
  std::span<const double> upper;
};

enum class Rung { newton, levenberg_marquardt, homotopy, continuation, other_guesses };
std::string_view to_string(Rung rung);

struct LadderResult {
  bool solved = false;
  Rung rung = Rung::newton;  ///< the last one tried
  int iterations = 0;
  double residual = 0;  ///< largest, each row in units of what the unknowns' sizes make of it
};

/// x: guess in, solution out; the best point found where there is none. last: rungs behind it are
/// not tried.
LadderResult solve_block(const NonlinearBlock& block, std::span<double> x,
                         Rung last = Rung::other_guesses);

}  // namespace alembert::integrate
