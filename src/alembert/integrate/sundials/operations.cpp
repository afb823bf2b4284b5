// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/sundials/operations.hpp"

#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace alembert::integrate::sundials {
namespace {

// ---- vectors: a result may be one of the operands, element by element ---------------------------
// What is rounded, and in which order, is as in SUNDIALS: runs have the same bits.

void add(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
  const sunindextype n = NV_LENGTH_S(z);
  const double *from = NV_DATA_S(x), *and_from = NV_DATA_S(y);
  double* to = NV_DATA_S(z);
#pragma GCC ivdep
  for (sunindextype i = 0; i < n; ++i) to[i] = a * from[i] + b * and_from[i];
}

void linear_sum(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
  if (std::abs(a) != std::abs(b) || std::abs(a) == 1) {
    add(a, x, b, y, z);
    return;
  }
  const sunindextype n = NV_LENGTH_S(z);
  const double *from = NV_DATA_S(x), *and_from = NV_DATA_S(y), sign = a == b ? 1 : -1;
  double* to = NV_DATA_S(z);
#pragma GCC ivdep
  for (sunindextype i = 0; i < n; ++i) to[i] = a * (from[i] + sign * and_from[i]);
}

void scale(double c, N_Vector x, N_Vector z) {
  const sunindextype n = NV_LENGTH_S(z);
  const double* from = NV_DATA_S(x);
  double* to = NV_DATA_S(z);
#pragma GCC ivdep
  for (sunindextype i = 0; i < n; ++i) to[i] = c * from[i];
}

double weighted_norm(N_Vector x, N_Vector w) {
  const sunindextype n = NV_LENGTH_S(x);
  const double *values = NV_DATA_S(x), *weights = NV_DATA_S(w);
  double sum = 0;
  for (sunindextype i = 0; i < n; ++i) {
    const double e = values[i] * weights[i];
    sum += e * e;
  }
  return std::sqrt(sum / static_cast<double>(n));
}

/// z = sum of c_k x_k; z may be the first of them.
int linear_combination(int count, double* c, N_Vector* x, N_Vector z) {
  if (count == 1) {
    scale(c[0], x[0], z);
    return 0;
  }
  add(c[0], x[0], c[1], x[1], z);
  for (int k = 2; k < count; ++k) add(c[k], x[k], 1, z, z);
  return 0;
}

/// z_k = a_k x + y_k
int scale_add_multi(int count, double* a, N_Vector x, N_Vector* y, N_Vector* z) {
  for (int k = 0; k < count; ++k) add(a[k], x, 1, y[k], z[k]);
  return 0;
}

int linear_sums(int count, double a, N_Vector* x, double b, N_Vector* y, N_Vector* z) {
  for (int k = 0; k < count; ++k) linear_sum(a, x[k], b, y[k], z[k]);
  return 0;
}

int scale_all(int count, double* c, N_Vector* x, N_Vector* z) {
  for (int k = 0; k < count; ++k) scale(c[k], x[k], z[k]);
  return 0;
}

// ---- dense systems ------------------------------------------------------------------------------

/// target -= factor * column
void subtract(sunindextype n, double factor, const double* __restrict column,
              double* __restrict target) {
  for (sunindextype i = 0; i < n; ++i) target[i] -= factor * column[i];
}

class DenseLu {
 public:
  explicit DenseLu(sunindextype n)
      : exchanged_(static_cast<std::size_t>(n)),
        first_(static_cast<std::size_t>(n)),
        end_(static_cast<std::size_t>(n)) {}

  sunindextype n() const { return static_cast<sunindextype>(exchanged_.size()); }

  /// False where a pivot is zero, or no number.
  bool factorise(double* a) {
    for (sunindextype k = 0; k < n(); ++k) {
      double* const column = a + k * n();
      sunindextype pivot = k;
      for (sunindextype i = k + 1; i < n(); ++i)
        if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
      if (!(std::abs(column[pivot]) > 0)) return false;
      exchanged_[static_cast<std::size_t>(k)] = pivot;
      if (pivot != k)
        for (sunindextype j = 0; j < n(); ++j) std::swap(a[j * n() + k], a[j * n() + pivot]);
      const double inverse = 1 / column[k];
      sunindextype end = n();
      while (end > k + 1 && column[end - 1] == 0) --end;
      for (sunindextype i = k + 1; i < end; ++i) column[i] *= inverse;
      for (sunindextype j = k + 1; j < n(); ++j)
        if (const double factor = a[j * n() + k]; factor != 0)
          subtract(end - k - 1, factor, column + k + 1, a + j * n() + k + 1);
    }
    find_ends(a);
    return true;
  }

  void solve(const double* a, double* b) const {
    for (sunindextype k = 0; k < n(); ++k)
      std::swap(b[k], b[exchanged_[static_cast<std::size_t>(k)]]);
    for (sunindextype k = 0; k < n(); ++k)
      if (b[k] != 0)
        subtract(end_[static_cast<std::size_t>(k)] - k - 1, b[k], a + k * n() + k + 1, b + k + 1);
    for (sunindextype k = n(); k-- > 0;) {
      b[k] /= a[k * n() + k];
      const sunindextype first = first_[static_cast<std::size_t>(k)];
      if (b[k] != 0) subtract(k - first, b[k], a + k * n() + first, b + first);
    }
  }

 private:
  /// Columns of small networks have zeros at both ends, and a factor serves many solutions.
  void find_ends(const double* a) {
    for (sunindextype k = 0; k < n(); ++k) {
      const double* const column = a + k * n();
      sunindextype first = 0, end = n();
      while (first < k && column[first] == 0) ++first;
      while (end > k + 1 && column[end - 1] == 0) --end;
      first_[static_cast<std::size_t>(k)] = first;
      end_[static_cast<std::size_t>(k)] = end;
    }
  }

  std::vector<sunindextype> exchanged_;    // [n]: with which row, at each pivot
  std::vector<sunindextype> first_, end_;  // [n columns]: of the rows that are not zero
};

DenseLu& content(SUNLinearSolver solver) { return *static_cast<DenseLu*>(solver->content); }

}  // namespace

void use_own_operations(N_Vector vector) {
  vector->ops->nvlinearsum = linear_sum;
  vector->ops->nvscale = scale;
  vector->ops->nvwrmsnorm = weighted_norm;
  vector->ops->nvlinearcombination = linear_combination;
  vector->ops->nvscaleaddmulti = scale_add_multi;
  vector->ops->nvlinearsumvectorarray = linear_sums;
  vector->ops->nvscalevectorarray = scale_all;
}

SUNLinearSolver make_dense_solver(sunindextype n, SUNContext context) {
  SUNLinearSolver solver = SUNLinSolNewEmpty(context);
  if (solver == nullptr) return nullptr;
  solver->content = new DenseLu(n);
  solver->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
  solver->ops->getid = [](SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; };
  solver->ops->initialize = [](SUNLinearSolver) -> int { return SUNLS_SUCCESS; };
  solver->ops->setup = [](SUNLinearSolver self, SUNMatrix matrix) -> int {
    return content(self).factorise(SM_DATA_D(matrix)) ? SUNLS_SUCCESS : SUNLS_LUFACT_FAIL;
  };
  solver->ops->solve = [](SUNLinearSolver self, SUNMatrix matrix, N_Vector x, N_Vector b,
                          double) -> int {
    if (x != b) std::copy_n(NV_DATA_S(b), content(self).n(), NV_DATA_S(x));
    content(self).solve(SM_DATA_D(matrix), NV_DATA_S(x));
    return SUNLS_SUCCESS;
  };
  solver->ops->free = [](SUNLinearSolver self) -> int {
    delete &content(self);
    SUNLinSolFreeEmpty(self);
    return SUNLS_SUCCESS;
  };
  return solver;
}

}  // namespace alembert::integrate::sundials
