// SPDX-License-Identifier: Apache-2.0
// Stage: integrate, for implicit steppers. The matrix that they all solve with, shift M - J, for a
// real or complex shift. In: a system's mass and Jacobian values. Out: solutions in place. Dense LU
// for small systems or without a pattern; else KLU (Davis and Palamadai Natarajan, ACM TOMS 37(3),
// 2010), which orders once and then factorises again in the same places.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "alembert/integrate/ode_system.hpp"

namespace alembert::integrate {

/// Systems up to this size are solved densely even where a pattern is there.
inline constexpr std::uint32_t largest_dense = 60;

inline bool solves_sparsely(const OdeSystem& system) {
  return system.n > largest_dense && !system.jacobian_pattern.empty();
}

/// M as its nonzeros.
class MassMatrix {
 public:
  explicit MassMatrix(const OdeSystem& system);

  bool is_identity() const { return identity_; }
  std::uint32_t n() const { return n_; }
  const std::vector<std::uint32_t>& column_start() const { return column_start_; }
  const std::vector<std::uint32_t>& row() const { return row_; }
  const std::vector<double>& value() const { return value_; }

  /// out = M x or, to add to it, out += factor M x. [n] each, apart from one another.
  void multiply(const double* x, double* out) const;
  void multiply_add(double factor, const double* x, double* out) const;

 private:
  std::uint32_t n_;
  bool identity_;
  std::vector<std::uint32_t> column_start_;  // [n + 1]
  std::vector<std::uint32_t> row_;           // [n_nonzeros]
  std::vector<double> value_;                // [n_nonzeros]
};

template <class Scalar>
class IterationMatrix {
 public:
  IterationMatrix(const OdeSystem& system, const MassMatrix& mass);
  ~IterationMatrix();

  /// `jacobian` has the values in the system's layout. False where the matrix is singular.
  bool factorise(Scalar shift, const double* jacobian);
  /// Solves in place: b [n]. After a factorisation that went well.
  void solve(Scalar* b);
  /// The next factorisation does not depend on those before it.
  void forget();

 private:
  struct Dense;
  struct Sparse;
  std::unique_ptr<Dense> dense_;
  std::unique_ptr<Sparse> sparse_;
};

extern template class IterationMatrix<double>;
extern template class IterationMatrix<std::complex<double>>;

}  // namespace alembert::integrate
