// SPDX-License-Identifier: Apache-2.0
// Stage: flat. Numbers for parameters and start values. In: a FlatSystem, and values for a run that
// take the place of definitions. Out: doubles in the order of the system's lists. Parameters are
// evaluated after those they depend on; linear in the size of their definitions.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/flat/flat_system.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::flat {

/// Values by name for one run. A parameter that depends on an overridden one follows it.
using ParameterOverrides = std::map<std::string, double, std::less<>>;

struct ParameterReport {
  std::vector<double>
      values;  // [n_parameters]; NaN where a diagnostic or a dependency on one says why
  std::vector<Diagnostic> diagnostics;
};

/// Values, and everything that is wrong with them: F006, F007, F008, F009, F012.
ParameterReport examine_parameters(const FlatSystem& system,
                                   const ParameterOverrides& overrides = {});

/// Values [n_parameters]; throws one Error with all findings, if there are any.
std::vector<double> evaluate_parameters(const FlatSystem& system,
                                        const ParameterOverrides& overrides = {});

/// The values of these parameters decided what the equations are, and with them all those that they
/// are made from.
void mark_structural(FlatSystem& system, std::span<const ExprId> parameters);

/// The same values by symbol, for symbolic::evaluate. parameter_values: [n_parameters], as
/// everywhere below; what stands behind them plays no part.
symbolic::Values values_by_symbol(const FlatSystem& system,
                                  std::span<const double> parameter_values);

struct StartNumbers {
  std::vector<std::optional<double>> unknowns;  // [n_unknowns]
  std::vector<double> derivatives;              // [n_derivative_starts]
};

/// The start values that belong to parameter_values [n_parameters]. The system must have passed
/// `check`.
StartNumbers evaluate_starts(const FlatSystem& system, std::span<const double> parameter_values);

/// pre(v) of the discrete variables at the start [n_discrete_variables]; 0 where none is given.
std::vector<double> evaluate_discrete_starts(const FlatSystem& system,
                                             std::span<const double> parameter_values);

}  // namespace alembert::flat
