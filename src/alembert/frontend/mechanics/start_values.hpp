// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. The numbers at which choices are made before anything runs: start
// values and parameters of a model, by symbol. In: a model. Out: values; what has none is left out.
#pragma once

#include <string>
#include <vector>

#include "alembert/frontend/builder/model.hpp"
#include "alembert/frontend/mechanics/elimination.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/matrix.hpp"

namespace alembert::mechanics {

/// Time is 0 and unknowns without a start value are 0, as at the start of a run.
symbolic::Values start_values(const builder::Model& model);

/// The entries as numbers. Symbols without a value (parameters that are given for each run,
/// derivatives) count as `missing`.
NumberMatrix evaluate_matrix(symbolic::ExprPool& pool, const symbolic::Matrix& matrix,
                             symbolic::Values values, double missing);
/// The same for a matrix of few entries.
NumberMatrix evaluate_entries(symbolic::ExprPool& pool, const symbolic::SparseExprMatrix& matrix,
                              symbolic::Values values, double missing);

}  // namespace alembert::mechanics
