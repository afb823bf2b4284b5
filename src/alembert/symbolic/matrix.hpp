// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Short vectors and matrices of expressions, for mechanics and for writing
// equations by components. In: expressions. Out: expressions. Dense and small by design; large
// systems are sparse and live elsewhere.
#pragma once

#include <initializer_list>
#include <vector>

#include "alembert/symbolic/expr.hpp"

namespace alembert::symbolic {

class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), data_(rows * columns) {}
  Matrix(std::initializer_list<std::initializer_list<Expr>> rows);
  static Matrix identity(std::size_t n);
  static Matrix diagonal(const std::vector<Expr>& entries);
  static Matrix column(const std::vector<Expr>& entries);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  Expr& operator()(std::size_t row, std::size_t column) { return data_[row * columns_ + column]; }
  const Expr& operator()(std::size_t row, std::size_t column) const {
    return data_[row * columns_ + column];
  }

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<Expr> data_;  // row by row
};

/// Sizes that do not fit are Error E008.
Matrix operator+(const Matrix& a, const Matrix& b);
Matrix operator-(const Matrix& a, const Matrix& b);
Matrix operator*(const Matrix& a, const Matrix& b);
Matrix operator*(const Expr& a, const Matrix& b);
Matrix transpose(const Matrix& a);
/// By minors over subsets of columns: n 2^n products, shared; for n up to 12.
Expr determinant(const Matrix& a);
/// Time derivative, entry by entry.
Matrix der(const Matrix& a);
/// d values_i / d symbols_j.
Matrix jacobian(const std::vector<Expr>& values, const std::vector<Expr>& symbols);

Expr dot(const std::vector<Expr>& a, const std::vector<Expr>& b);
/// Of two vectors of length 3.
std::vector<Expr> cross(const std::vector<Expr>& a, const std::vector<Expr>& b);
Matrix outer(const std::vector<Expr>& a, const std::vector<Expr>& b);

}  // namespace alembert::symbolic
