// SPDX-License-Identifier: Apache-2.0
// Stage: structure. A point at which some equations hold. In: residuals and the start values of a
// model. Out: values of all their symbols, by damped least squares (Levenberg and Marquardt) from
// the start values or from points near the last one. Dense: for hundreds of equations.
#pragma once

#include <span>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/graph/bipartite_graph.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::structure {

using graph::Index;
using symbolic::ExprId;

/// No choices, and nothing from outside: calls have values of their own, and discrete variables
/// none yet. Of other expressions some points tell little.
bool is_smooth(const symbolic::ExprPool& pool, std::span<const ExprId> expressions);

class ConsistentPoint {
 public:
  /// At the values given, which must outlive the point; 0 where a symbol has none.
  ConsistentPoint(symbolic::ExprPool& pool, const symbolic::Values& given,
                  std::vector<ExprId> residuals);

  std::span<const ExprId> residuals() const { return residuals_; }

  enum class End { met, contradiction, unknown };
  /// Moves to a point where all residuals vanish. contradiction: to one where they are as small as
  /// can be, and are not zero.
  End solve();
  /// Moves away by a part of the size of the values, differently for each number.
  void disturb(unsigned number, double part);
  /// Values there; symbols that are in no residual and have no start have made-up values.
  std::vector<double> evaluate(std::span<const ExprId> expressions) const;

 private:
  bool evaluate_all();

  symbolic::ExprPool& pool_;
  const symbolic::Values& given_;
  std::vector<ExprId> residuals_;
  std::vector<ExprId> symbols_;      // unknowns and derivatives
  graph::IndexLists columns_;        // places in symbols_ of each residual
  std::vector<ExprId> expressions_;  // residuals, then entries of the Jacobian
  std::vector<double> numbers_;      // their values
  symbolic::Values values_;          // of their symbols
};

/// Parameters and start values of a model, as far as it has them.
symbolic::Values start_values(const flat::FlatSystem& flat);

}  // namespace alembert::structure
