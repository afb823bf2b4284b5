// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/matrix.hpp"

#include <bit>
#include <string>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/derivative.hpp"

namespace alembert::symbolic {

namespace {

std::string size_text(const Matrix& a) {
  return std::to_string(a.rows()) + " x " + std::to_string(a.columns());
}

void require(bool fits, const std::string& what) {
  if (!fits) throw Error("E008", what);
}

template <class Combine>
Matrix entrywise(const Matrix& a, const Matrix& b, const char* verb, Combine combine) {
  require(a.rows() == b.rows() && a.columns() == b.columns(),
          std::string("cannot ") + verb + " matrices of sizes " + size_text(a) + " and " +
              size_text(b));
  Matrix result(a.rows(), a.columns());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) result(i, j) = combine(a(i, j), b(i, j));
  return result;
}

}  // namespace

Matrix::Matrix(std::initializer_list<std::initializer_list<Expr>> rows)
    : rows_(rows.size()), columns_(rows.size() == 0 ? 0 : rows.begin()->size()) {
  for (const auto& row : rows) {
    require(row.size() == columns_, "the rows of a matrix must have one length, but there are " +
                                        std::to_string(columns_) + " and " +
                                        std::to_string(row.size()));
    data_.insert(data_.end(), row.begin(), row.end());
  }
}

Matrix Matrix::identity(std::size_t n) { return diagonal(std::vector<Expr>(n, 1)); }

Matrix Matrix::diagonal(const std::vector<Expr>& entries) {
  Matrix result(entries.size(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) result(i, i) = entries[i];
  return result;
}

Matrix Matrix::column(const std::vector<Expr>& entries) {
  Matrix result(entries.size(), 1);
  for (std::size_t i = 0; i < entries.size(); ++i) result(i, 0) = entries[i];
  return result;
}

Matrix operator+(const Matrix& a, const Matrix& b) {
  return entrywise(a, b, "add", [](const Expr& x, const Expr& y) { return x + y; });
}

Matrix operator-(const Matrix& a, const Matrix& b) {
  return entrywise(a, b, "subtract", [](const Expr& x, const Expr& y) { return x - y; });
}

Matrix operator*(const Matrix& a, const Matrix& b) {
  require(a.columns() == b.rows(),
          "cannot multiply matrices of sizes " + size_text(a) + " and " + size_text(b));
  Matrix result(a.rows(), b.columns());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < b.columns(); ++j)
      for (std::size_t k = 0; k < a.columns(); ++k) result(i, j) += a(i, k) * b(k, j);
  return result;
}

Matrix operator*(const Expr& a, const Matrix& b) {
  Matrix result(b.rows(), b.columns());
  for (std::size_t i = 0; i < b.rows(); ++i)
    for (std::size_t j = 0; j < b.columns(); ++j) result(i, j) = a * b(i, j);
  return result;
}

Matrix transpose(const Matrix& a) {
  Matrix result(a.columns(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) result(j, i) = a(i, j);
  return result;
}

Expr determinant(const Matrix& a) {
  const std::size_t n = a.rows();
  require(n == a.columns(), "only a square matrix has a determinant; this one is " + size_text(a));
  require(n <= 12, "symbolic determinants are made up to 12 x 12; this one is " + size_text(a));
  // minors[s]: determinant of the first |s| rows and the columns in the set s.
  std::vector<Expr> minors(std::size_t{1} << n);
  minors[0] = 1;
  for (std::size_t set = 1; set < minors.size(); ++set) {
    const auto row = static_cast<std::size_t>(std::popcount(set)) - 1;
    Expr total = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (!(set >> j & 1)) continue;
      const auto right = std::popcount(set >> (j + 1));
      const Expr term = a(row, j) * minors[set & ~(std::size_t{1} << j)];
      total = right % 2 == 0 ? total + term : total - term;
    }
    minors[set] = total;
  }
  return minors.back();
}

Matrix der(const Matrix& a) {
  Matrix result(a.rows(), a.columns());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) result(i, j) = der(a(i, j));
  return result;
}

Matrix jacobian(const std::vector<Expr>& values, const std::vector<Expr>& symbols) {
  Matrix result(values.size(), symbols.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < symbols.size(); ++j)
      result(i, j) = differentiate(values[i], symbols[j]);
  return result;
}

Expr dot(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  require(a.size() == b.size(), "a dot product needs vectors of one length, not " +
                                    std::to_string(a.size()) + " and " + std::to_string(b.size()));
  Expr total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

std::vector<Expr> cross(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  require(a.size() == 3 && b.size() == 3, "a cross product needs two vectors of length 3");
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Matrix outer(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  return Matrix::column(a) * transpose(Matrix::column(b));
}

}  // namespace alembert::symbolic
