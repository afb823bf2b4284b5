// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/iteration_matrix.hpp"

#include <klu.h>

#include <Eigen/LU>
#include <algorithm>
#include <type_traits>

#include "alembert/base/error.hpp"

namespace alembert::integrate {

MassMatrix::MassMatrix(const OdeSystem& system)
    : n_(system.n), identity_(system.mass == nullptr), column_start_(system.n + 1, 0) {
  for (std::uint32_t j = 0; j < n_; ++j) {
    const auto enter = [&](std::uint32_t i, double value) {
      if (value == 0) return;
      row_.push_back(i);
      value_.push_back(value);
    };
    if (identity_) {
      enter(j, 1);
    } else if (system.mass_pattern.empty()) {
      for (std::uint32_t i = 0; i < n_; ++i) enter(i, system.mass[std::size_t{j} * n_ + i]);
    } else {
      const ColumnPattern& pattern = system.mass_pattern;
      for (auto e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
        enter(pattern.row[e], system.mass[e]);
    }
    column_start_[j + 1] = static_cast<std::uint32_t>(row_.size());
  }
}

void MassMatrix::multiply(const double* x, double* out) const {
  if (identity_) {
    std::copy_n(x, n_, out);
    return;
  }
  std::fill_n(out, n_, 0.0);
  multiply_add(1, x, out);
}

void MassMatrix::multiply_add(double factor, const double* x, double* out) const {
  if (identity_) {
    for (std::uint32_t i = 0; i < n_; ++i) out[i] += factor * x[i];
    return;
  }
  for (std::uint32_t j = 0; j < n_; ++j)
    for (std::uint32_t e = column_start_[j]; e < column_start_[j + 1]; ++e)
      out[row_[e]] += factor * value_[e] * x[j];
}

template <class Scalar>
struct IterationMatrix<Scalar>::Dense {
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  Dense(const OdeSystem& system, const MassMatrix& m)
      : mass(m),
        pattern(system.jacobian_pattern),
        matrix(system.n, system.n),
        lu(system.n),
        x(system.n) {}

  bool factorise(Scalar shift, const double* jacobian) {
    const auto n = static_cast<std::uint32_t>(matrix.rows());
    if (pattern.empty()) {
      matrix = -Eigen::Map<const Eigen::MatrixXd>(jacobian, n, n);
    } else {
      matrix.setZero();
      for (std::uint32_t j = 0; j < n; ++j)
        for (auto e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
          matrix(pattern.row[e], j) = -jacobian[e];
    }
    for (std::uint32_t j = 0; j < n; ++j)
      for (auto e = mass.column_start()[j]; e < mass.column_start()[j + 1]; ++e)
        matrix(mass.row()[e], j) += shift * mass.value()[e];
    lu.compute(matrix);
    return n == 0 || lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0;  // false for nan too
  }
  void solve(Scalar* b) {
    Eigen::Map<Vector> rhs(b, x.size());
    x = lu.solve(rhs);
    rhs = x;
  }

  const MassMatrix& mass;
  ColumnPattern pattern;
  Matrix matrix;
  Eigen::PartialPivLU<Matrix> lu;
  Vector x;
};

template <class Scalar>
struct IterationMatrix<Scalar>::Sparse {
  static constexpr bool real = std::is_same_v<Scalar, double>;
  /// A factorisation in the places of an older one is made anew below this.
  static constexpr double least_condition = 1e-12;

  Sparse(const OdeSystem& system, const MassMatrix& m) : mass(m) {
    merge_patterns(system.n, system.jacobian_pattern);
    values.resize(row.size());
    klu_defaults(&common);
    symbolic = klu_analyze(n(), column_start.data(), row.data(), &common);
    ensure(symbolic != nullptr, "KLU could not order the matrix");
  }
  ~Sparse() {
    free_numeric();
    klu_free_symbolic(&symbolic, &common);
  }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  int n() const { return static_cast<int>(column_start.size()) - 1; }

  void merge_patterns(std::uint32_t n, const ColumnPattern& pattern) {
    column_start.assign(n + 1, 0);
    from_jacobian.resize(pattern.row.size());
    from_mass.resize(mass.row().size());
    std::vector<std::uint32_t> place(n);
    std::vector<std::uint32_t> rows;
    for (std::uint32_t j = 0; j < n; ++j) {
      rows.assign(pattern.row.begin() + pattern.column_start[j],
                  pattern.row.begin() + pattern.column_start[j + 1]);
      rows.insert(rows.end(), mass.row().begin() + mass.column_start()[j],
                  mass.row().begin() + mass.column_start()[j + 1]);
      std::sort(rows.begin(), rows.end());
      rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
      for (const std::uint32_t i : rows) {
        place[i] = static_cast<std::uint32_t>(row.size());
        row.push_back(static_cast<int>(i));
      }
      for (auto e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
        from_jacobian[e] = place[pattern.row[e]];
      for (auto e = mass.column_start()[j]; e < mass.column_start()[j + 1]; ++e)
        from_mass[e] = place[mass.row()[e]];
      column_start[j + 1] = static_cast<int>(row.size());
    }
  }

  void free_numeric() {
    if (numeric == nullptr) return;
    if constexpr (real)
      klu_free_numeric(&numeric, &common);
    else
      klu_z_free_numeric(&numeric, &common);
  }

  bool refactorise() {
    auto* const data = reinterpret_cast<double*>(values.data());
    int done;
    if constexpr (real)
      done = klu_refactor(column_start.data(), row.data(), data, symbolic, numeric, &common) &&
             klu_rcond(symbolic, numeric, &common);
    else
      done = klu_z_refactor(column_start.data(), row.data(), data, symbolic, numeric, &common) &&
             klu_z_rcond(symbolic, numeric, &common);
    return done != 0 && common.status == KLU_OK && common.rcond > least_condition;
  }

  bool factorise(Scalar shift, const double* jacobian) {
    std::fill(values.begin(), values.end(), Scalar(0));
    for (std::size_t e = 0; e < from_jacobian.size(); ++e) values[from_jacobian[e]] -= jacobian[e];
    for (std::size_t e = 0; e < from_mass.size(); ++e)
      values[from_mass[e]] += shift * mass.value()[e];
    if (numeric != nullptr && refactorise()) return true;
    free_numeric();
    auto* const data = reinterpret_cast<double*>(values.data());
    if constexpr (real)
      numeric = klu_factor(column_start.data(), row.data(), data, symbolic, &common);
    else
      numeric = klu_z_factor(column_start.data(), row.data(), data, symbolic, &common);
    return numeric != nullptr && common.status == KLU_OK;
  }

  void solve(Scalar* b) {
    auto* const data = reinterpret_cast<double*>(b);
    if constexpr (real)
      klu_solve(symbolic, numeric, n(), 1, data, &common);
    else
      klu_z_solve(symbolic, numeric, n(), 1, data, &common);
  }

  const MassMatrix& mass;
  std::vector<int> column_start, row;  // of the sum; KLU's index type
  std::vector<Scalar> values;
  std::vector<std::uint32_t> from_jacobian, from_mass;  // places in values
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
};

template <class Scalar>
IterationMatrix<Scalar>::IterationMatrix(const OdeSystem& system, const MassMatrix& mass) {
  if (solves_sparsely(system))
    sparse_ = std::make_unique<Sparse>(system, mass);
  else
    dense_ = std::make_unique<Dense>(system, mass);
}

template <class Scalar>
IterationMatrix<Scalar>::~IterationMatrix() = default;

template <class Scalar>
bool IterationMatrix<Scalar>::factorise(Scalar shift, const double* jacobian) {
  return sparse_ ? sparse_->factorise(shift, jacobian) : dense_->factorise(shift, jacobian);
}

template <class Scalar>
void IterationMatrix<Scalar>::solve(Scalar* b) {
  if (sparse_)
    sparse_->solve(b);
  else
    dense_->solve(b);
}

template <class Scalar>
void IterationMatrix<Scalar>::forget() {
  if (sparse_) sparse_->free_numeric();
}

template class IterationMatrix<double>;
template class IterationMatrix<std::complex<double>>;

}  // namespace alembert::integrate
