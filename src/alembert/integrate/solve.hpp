// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Equations written by hand, M u' = f(u, p, t), with every method. In: a plain
// function, start values, a mass matrix and a Jacobian where there are any. Out: a Trajectory of
// the unknowns, how the run ended and, where it did not reach its end, why and what to try.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "alembert/integrate/adaptive.hpp"
#include "alembert/result/trajectory.hpp"

namespace alembert::integrate {

struct HandProblem {
  /// Writes f(u, p, t) into out [n]; a value that is not finite means that there is none.
  std::function<void(std::span<double> out, std::span<const double> u, std::span<const double> p,
                     double t)>
      f;
  std::vector<double> start;  // [n]
  double t_start = 0;
  double t_stop = 1;
  std::vector<double> parameters = {};
  /// Empty: the identity; [n]: a diagonal; [n * n]: column-major. May be singular, with index 1;
  /// then unknowns whose derivatives do not occur start with what their equations say, whatever
  /// `start` says of them, beyond the tolerance.
  std::vector<double> mass = {};
  /// df/du [n * n], column-major, zero where nothing is written; without it, difference quotients
  /// are taken. Held against them at the start.
  std::function<void(std::span<double> dfdu, std::span<const double> u, std::span<const double> p,
                     double t)>
      jacobian = {};
  std::vector<std::string> names = {};  ///< [n]; empty: u[1], u[2], ...
  /// velocity_of[i] = j says that u_i' = u_j, n that i is no position; for methods that need it.
  /// Tried near the start.
  std::vector<std::uint32_t> velocity_of = {};
};

struct SolveOptions {
  std::string method = "auto";  ///< a name of all_methods()
  double relative_tolerance = 1e-6;
  double absolute_tolerance = 1e-6;  ///< one of both may be 0
  double step = 0;                   ///< of methods with a fixed step; 0: a thousandth of the span
  std::uint32_t intervals = 500;     ///< equidistant output; 0: the steps themselves
  std::uint64_t max_steps = 1'000'000;  ///< accepted and rejected ones
};

struct SolveResult {
  result::Trajectory trajectory;  // complete up to end_time
  Outcome outcome = Outcome::done;
  double end_time = 0;
  std::string message;  ///< where it did not reach the end
  Statistics statistics;
};

/// Error I001: no consistent start; I003: unknown method; I005: an index above 1; I010: a method
/// that does not fit; I011: sizes that do not agree, names, numbers or options that cannot be
/// meant, a row that f does not write, velocities that are none, a Jacobian that is far from
/// differences.
SolveResult solve(const HandProblem& problem, const SolveOptions& options = {});

}  // namespace alembert::integrate
