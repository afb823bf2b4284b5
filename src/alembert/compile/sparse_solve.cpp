// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/sparse_solve.hpp"

#include <klu.h>

#include <cmath>
#include <numeric>

#include "alembert/base/constants.hpp"
#include "alembert/compile/dense_solve.hpp"

namespace alembert::compile {

namespace {

// Below these a dense elimination is quicker than following indices.
constexpr std::uint32_t fewest_unknowns = 64;
constexpr std::size_t least_zeros_per_entry = 8;

klu_common settings() {
  klu_common common;
  klu_defaults(&common);
  common.scale = 0;  // is done here
  common.tol = 0.1;  // a pivot is at least this beside the largest of its column
  return common;
}

}  // namespace

struct SparseElimination::Analysis {
  klu_symbolic* symbolic = nullptr;
  ~Analysis() {
    klu_common common = settings();
    klu_free_symbolic(&symbolic, &common);
  }
};

std::shared_ptr<const SparseElimination> SparseElimination::make(
    std::uint32_t n, std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns) {
  if (n < fewest_unknowns || rows.size() * least_zeros_per_entry > std::size_t{n} * n)
    return nullptr;
  std::shared_ptr<const SparseElimination> made(new SparseElimination(n, rows, columns));
  return made->analysis_->symbolic == nullptr ? nullptr : made;
}

SparseElimination::SparseElimination(std::uint32_t n, std::span<const std::uint32_t> rows,
                                     std::span<const std::uint32_t> columns)
    : n_(n),
      rows_(rows.begin(), rows.end()),
      columns_(columns.begin(), columns.end()),
      place_(rows.size()),
      column_begin_(n + 1),
      row_of_(rows.size()),
      analysis_(std::make_unique<Analysis>()) {
  for (const std::uint32_t column : columns_) ++column_begin_[column + 1];
  std::partial_sum(column_begin_.begin(), column_begin_.end(), column_begin_.begin());
  std::vector<std::int32_t> next(column_begin_.begin(), column_begin_.end() - 1);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const auto at = static_cast<std::uint32_t>(next[columns_[k]]++);
    place_[k] = at;
    row_of_[at] = static_cast<std::int32_t>(rows_[k]);
  }
  klu_common common = settings();
  analysis_->symbolic =
      klu_analyze(static_cast<int>(n), column_begin_.data(), row_of_.data(), &common);
}

SparseElimination::~SparseElimination() = default;

bool SparseElimination::scale_rows(double* entries, double* row_scale) const {
  for (std::uint32_t i = 0; i < n_; ++i) row_scale[i] = 0.0;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    row_scale[rows_[k]] = std::fmax(row_scale[rows_[k]], std::fabs(entries[k]));
  for (std::uint32_t i = 0; i < n_; ++i) {
    row_scale[i] = scale_to_one(row_scale[i]);
    if (row_scale[i] == 0.0) return false;
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) entries[k] *= row_scale[rows_[k]];
  return true;
}

bool SparseElimination::solve(double* entries, double* rhs, double* column_scale,
                              double* ordered) const {
  for (std::uint32_t j = 0; j < n_; ++j) column_scale[j] = 0.0;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    column_scale[columns_[k]] = std::fmax(column_scale[columns_[k]], std::fabs(entries[k]));
  for (std::uint32_t j = 0; j < n_; ++j) {
    column_scale[j] = scale_to_one(column_scale[j]);
    if (column_scale[j] == 0.0) return false;
  }
  for (std::size_t k = 0; k < rows_.size(); ++k)
    ordered[place_[k]] = entries[k] * column_scale[columns_[k]];

  klu_common common = settings();
  // KLU reads pattern and analysis only, though its interface does not say so.
  auto* begin = const_cast<std::int32_t*>(column_begin_.data());
  auto* row_of = const_cast<std::int32_t*>(row_of_.data());
  klu_numeric* factors = klu_factor(begin, row_of, ordered, analysis_->symbolic, &common);
  if (factors == nullptr) return false;
  const double smallest_pivot = static_cast<double>(n_) * eps;
  const auto* pivots = static_cast<const double*>(factors->Udiag);
  bool regular = common.status == KLU_OK;
  for (std::uint32_t i = 0; i < n_ && regular; ++i)
    regular = std::fabs(pivots[i]) >= smallest_pivot;
  if (regular) klu_solve(analysis_->symbolic, factors, static_cast<int>(n_), 1, rhs, &common);
  klu_free_numeric(&factors, &common);
  if (!regular) return false;
  for (std::uint32_t j = 0; j < n_; ++j) rhs[j] *= column_scale[j];
  return true;
}

}  // namespace alembert::compile
