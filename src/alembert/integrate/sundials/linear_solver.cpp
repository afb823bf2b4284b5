// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/sundials/linear_solver.hpp"

#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>

#include "alembert/base/error.hpp"
#include "alembert/integrate/sundials/operations.hpp"

namespace alembert::integrate::sundials {

namespace {

/// Of the matrix less M: of dr/dy + factor dr/dy' where the system is r(t, y, y') = 0.
const ColumnPattern& pattern_of(const OdeSystem& system) {
  return system.residual != nullptr ? system.residual_pattern : system.jacobian_pattern;
}

}  // namespace

Context make_context() {
  SUNContext context = nullptr;
  ensure(SUNContext_Create(nullptr, &context) == 0, "SUNDIALS gives no context");
  return Context(context);
}

Vector make_vector(std::uint32_t n, const Context& context) {
  Vector vector(N_VNew_Serial(n, context.get()));
  ensure(vector != nullptr, "SUNDIALS gives no vector");
  use_own_operations(vector.get());
  N_VConst(0, vector.get());
  return vector;
}

LinearSolver::LinearSolver(const OdeSystem& system, const MassMatrix& mass, N_Vector like,
                           const Context& context)
    : mass_(mass), n_(system.n), sparse_(system.n > largest_dense && !pattern_of(system).empty()) {
  if (n_ == 0) return;
  plan_places(system);
  if (sparse_) {
    matrix_ =
        SUNSparseMatrix(n_, n_, static_cast<sunindextype>(row_.size()), CSC_MAT, context.get());
    ensure(matrix_ != nullptr, "SUNDIALS gives no sparse matrix");
    fill(matrix_, 1, 0, std::vector<double>(from_jacobian_.size(), 0.0).data());
    solver_ = SUNLinSol_KLU(like, matrix_, context.get());
  } else {
    matrix_ = SUNDenseMatrix(n_, n_, context.get());
    ensure(matrix_ != nullptr, "SUNDIALS gives no dense matrix");
    matrix_->ops->zero = [](SUNMatrix) -> int { return SUNMAT_SUCCESS; };  // fill does it
    solver_ = make_dense_solver(n_, context.get());
  }
  ensure(solver_ != nullptr, "SUNDIALS gives no linear solver");
}

LinearSolver::~LinearSolver() {
  if (solver_ != nullptr) SUNLinSolFree(solver_);
  if (matrix_ != nullptr) SUNMatDestroy(matrix_);
}

void LinearSolver::forget() {
  if (sparse_ && n_ > 0)
    SUNLinSol_KLUReInit(solver_, matrix_, static_cast<sunindextype>(row_.size()),
                        SUNKLU_REINIT_PARTIAL);
}

void LinearSolver::plan_places(const OdeSystem& system) {
  const ColumnPattern& pattern = pattern_of(system);
  if (!sparse_) {
    for (std::uint32_t j = 0; j < n_; ++j) {
      const std::size_t column = std::size_t{j} * n_;
      if (pattern.empty())
        for (std::uint32_t i = 0; i < n_; ++i) from_jacobian_.push_back(column + i);
      else
        for (auto e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
          from_jacobian_.push_back(column + pattern.row[e]);
      for (auto e = mass_.column_start()[j]; e < mass_.column_start()[j + 1]; ++e)
        from_mass_.push_back(column + mass_.row()[e]);
    }
    return;
  }
  column_start_ = {0};
  std::vector<std::size_t> place(n_);
  for (std::uint32_t j = 0; j < n_; ++j) {
    std::vector<sunindextype> rows(pattern.row.begin() + pattern.column_start[j],
                                   pattern.row.begin() + pattern.column_start[j + 1]);
    rows.insert(rows.end(), mass_.row().begin() + mass_.column_start()[j],
                mass_.row().begin() + mass_.column_start()[j + 1]);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    for (const sunindextype i : rows) {
      place[static_cast<std::size_t>(i)] = row_.size();
      row_.push_back(i);
    }
    for (auto e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
      from_jacobian_.push_back(place[pattern.row[e]]);
    for (auto e = mass_.column_start()[j]; e < mass_.column_start()[j + 1]; ++e)
      from_mass_.push_back(place[mass_.row()[e]]);
    column_start_.push_back(static_cast<sunindextype>(row_.size()));
  }
}

void LinearSolver::fill(SUNMatrix target, double mass_factor, double jacobian_factor,
                        const double* jacobian) const {
  double* values;
  if (sparse_) {
    values = SM_DATA_S(target);
    // SUNDIALS clears the places with the values.
    std::copy(column_start_.begin(), column_start_.end(), SM_INDEXPTRS_S(target));
    std::copy(row_.begin(), row_.end(), SM_INDEXVALS_S(target));
    std::fill_n(values, row_.size(), 0.0);
  } else {
    values = SM_DATA_D(target);
    std::fill_n(values, std::size_t{n_} * n_, 0.0);
  }
  for (std::size_t e = 0; e < from_jacobian_.size(); ++e)
    values[from_jacobian_[e]] = jacobian_factor * jacobian[e];
  for (std::size_t e = 0; e < from_mass_.size(); ++e)
    values[from_mass_[e]] += mass_factor * mass_.value()[e];
}

}  // namespace alembert::integrate::sundials
