// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. A model near one point, and points at which it rests.
//   x' = A x + B u,   y = C x + D u
// In: a FlatSystem with constraints and all, the names of inputs (parameters) and outputs. Out: the
// matrices for independent states x, exact: inputs become states that stay as they are and outputs
// states that collect them, so that one Jacobian of one chart, solved blocks included, holds all
// four. The point is the consistent start of the model.
#pragma once

#include <complex>
#include <map>
#include <string>
#include <vector>

#include "alembert/compile/model/compiled_model.hpp"

namespace alembert::integrate {

/// Values by name: "x", "der(x)".
using NamedValues = std::map<std::string, double, std::less<>>;

struct LineariseOptions {
  double time = 0;
  NamedValues parameters = {};            ///< values that differ from the model's
  NamedValues at = {};                    ///< start values that differ from the model's
  std::vector<std::string> inputs = {};   ///< parameters
  std::vector<std::string> outputs = {};  ///< variables and observed quantities
  /// Variables that shall be the first states; others complete them. Empty: those of the chart that
  /// is best at the point.
  std::vector<std::string> states = {};
};

struct Linearisation {
  std::vector<std::string> states, inputs, outputs;
  std::vector<std::vector<double>> A, B, C, D;    // row by row
  std::vector<std::complex<double>> eigenvalues;  // of A, by real part, then imaginary part
  NamedValues point;                              ///< values of all variables there
};

/// Error I020: a name that is no parameter or no variable, or states that are not independent at
/// the point; I021: no derivatives there. Errors of the start as in `simulate`.
Linearisation linearise(const flat::FlatSystem& system, const LineariseOptions& options = {});

/// Eigenvalues of the block of A that belongs to the first n states.
std::vector<std::complex<double>> eigenvalues(const std::vector<std::vector<double>>& a,
                                              std::size_t n);

struct EquilibriumOptions {
  double time = 0;
  NamedValues parameters = {};
  NamedValues at = {};                 ///< guesses that differ from the model's start values
  std::vector<std::string> hold = {};  ///< states that keep their start values and may move on
};

/// Values of all variables where the derivatives of all states vanish, the one that is found from
/// the start values as guess. Errors of the start as in `simulate`, where there is none.
NamedValues equilibrium(const flat::FlatSystem& system, const EquilibriumOptions& options = {});

}  // namespace alembert::integrate
