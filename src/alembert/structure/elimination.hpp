// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Elimination with pivots over rows and columns. In: a sparse matrix of numbers,
// and which of its rows and columns count. Out: pivots, or what is left over where the rank falls.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/structure/structure.hpp"

namespace alembert::structure {

/// Elimination with row and column pivots over rows scaled to length 1, or less where a row was
/// longer elsewhere. Rows stay sparse, and a
/// heap knows the largest entry, so that a chain of mechanisms costs about its length.
class Elimination {
 public:
  /// incidence: columns of each row; entries: in the order of its items; row_sizes: what a row that
  /// is shorter is divided by in place of its length, or nothing.
  Elimination(const graph::IndexLists& incidence, Index n_columns, std::span<const double> entries,
              std::span<const double> row_sizes = {})
      : incidence_(incidence), entries_(entries), row_sizes_(row_sizes), local_(n_columns, none) {
    ensure(entries.size() == incidence.items.size(), "a number for each entry of the matrix");
  }

  struct Pivots {
    std::vector<Index> columns;  // chosen unknowns; fewer than rows where singular
    double smallest = 1.0;       // 0 where singular
    double log_product = 0.0;    // -inf where singular; the same in whatever order pivots come
  };

  /// `weights` favour columns: the largest weighted entry is the next pivot.
  Pivots run(std::span<const Index> rows, std::span<const Index> columns,
             std::span<const double> weights) {
    Pivots pivots;
    weights_ = weights;
    if (!load(rows, columns)) return singular(std::move(pivots));
    while (pivots.columns.size() < rows.size()) {
      const Candidate pivot = largest();
      if (pivot.size == 0) return singular(std::move(pivots));
      const double size = std::abs(*find(pivot.row, pivot.column));
      pivots.columns.push_back(columns[pivot.column]);
      pivots.smallest = std::min(pivots.smallest, size);
      pivots.log_product += std::log(size);
      eliminate(pivot.row, pivot.column);
    }
    return pivots;
  }

  /// What has no pivot as large as `least`: rows that depend on the others, and as many columns,
  /// where the matrix is square. All of them where an entry is not finite.
  struct LeftOver {
    std::vector<Index> rows;
    std::vector<Index> columns;
  };
  LeftOver left_over(std::span<const Index> rows, std::span<const Index> columns, double least) {
    const std::vector<double> equal(columns.size(), 1.0);
    weights_ = equal;
    std::vector<char> column_done(columns.size(), 0);
    if (load(rows, columns)) {
      for (Candidate pivot = largest(); pivot.size >= least; pivot = largest()) {
        column_done[pivot.column] = 1;
        eliminate(pivot.row, pivot.column);
      }
    }
    LeftOver result;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (!row_done_[i]) result.rows.push_back(rows[i]);
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (!column_done[k]) result.columns.push_back(columns[k]);
    return result;
  }

  /// Of a row of entries.
  static double length_of(std::span<const double> values) {
    double length = 0;
    for (const double value : values) length += value * value;
    length = std::sqrt(length);
    if (!(length >= 1e-150 && length <= 1e150)) {  // squares may be out of range
      length = 0;
      for (const double value : values) length = std::hypot(length, value);
    }
    return length;
  }

 private:
  static Pivots singular(Pivots pivots) {
    pivots.smallest = 0;
    pivots.log_product = -std::numeric_limits<double>::infinity();
    return pivots;
  }

  struct Entry {
    Index column;
    double value;
  };
  /// An entry as it once was; the largest comes first, then the first by row and column.
  struct Candidate {
    double size = 0;
    Index row = none;
    Index column = none;

    bool operator<(const Candidate& other) const {
      if (size != other.size) return size < other.size;
      return std::pair(row, column) > std::pair(other.row, other.column);
    }
  };

  /// False if an entry is not finite.
  bool load(std::span<const Index> rows, std::span<const Index> columns) {
    rows_.assign(rows.size(), {});
    row_done_.assign(rows.size(), 0);
    users_.assign(columns.size(), {});
    heap_ = {};
    bool finite = true;
    for (Index k = 0; k < columns.size(); ++k) local_[columns[k]] = k;
    for (Index i = 0; i < rows.size(); ++i) {
      const auto unknowns = incidence_[rows[i]];
      const double* values = entries_.data() + incidence_.begin[rows[i]];
      double length = length_of({values, unknowns.size()});
      if (!std::isfinite(length)) finite = false;
      if (length == 0) continue;
      if (!row_sizes_.empty()) length = std::max(length, row_sizes_[rows[i]]);
      for (std::size_t k = 0; k < unknowns.size(); ++k)
        if (local_[unknowns[k]] != none && values[k] != 0)
          rows_[i].push_back({local_[unknowns[k]], values[k] / length});
      std::sort(rows_[i].begin(), rows_[i].end(),
                [](const Entry& a, const Entry& b) { return a.column < b.column; });
      for (const Entry& entry : rows_[i]) {
        users_[entry.column].push_back(i);
        offer(i, entry);
      }
    }
    for (const Index j : columns) local_[j] = none;
    return finite;
  }

  void offer(Index row, const Entry& entry) {
    heap_.push({std::abs(entry.value) * weights_[entry.column], row, entry.column});
  }

  const double* find(Index row, Index column) const {
    const auto at =
        std::lower_bound(rows_[row].begin(), rows_[row].end(), column,
                         [](const Entry& entry, Index wanted) { return entry.column < wanted; });
    return at != rows_[row].end() && at->column == column ? &at->value : nullptr;
  }

  Candidate largest() {
    while (!heap_.empty()) {
      const Candidate top = heap_.top();
      heap_.pop();
      if (row_done_[top.row]) continue;
      const double* now = find(top.row, top.column);
      if (now && std::abs(*now) * weights_[top.column] == top.size) return top;
    }
    return {};
  }

  void eliminate(Index pivot_row, Index pivot_column) {
    row_done_[pivot_row] = 1;
    const double pivot = *find(pivot_row, pivot_column);
    for (const Index i : users_[pivot_column]) {
      const double* entry = row_done_[i] ? nullptr : find(i, pivot_column);
      if (entry != nullptr) subtract(i, pivot_row, *entry / pivot, pivot_column);
    }
  }

  /// row -= factor * pivot row, without the pivot's column.
  void subtract(Index row, Index pivot_row, double factor, Index pivot_column) {
    const std::vector<Entry>& a = rows_[row];
    const std::vector<Entry>& b = rows_[pivot_row];
    sum_.clear();
    std::size_t i = 0;
    std::size_t k = 0;
    while (i < a.size() || k < b.size()) {
      const Index column =
          std::min(i < a.size() ? a[i].column : none, k < b.size() ? b[k].column : none);
      const bool in_a = i < a.size() && a[i].column == column;
      const bool in_b = k < b.size() && b[k].column == column;
      const double old = in_a ? a[i++].value : 0.0;
      const double now = in_b ? old - factor * b[k++].value : old;
      if (column == pivot_column || now == 0) continue;
      sum_.push_back({column, now});
      if (!in_a) users_[column].push_back(row);
      if (in_b) offer(row, sum_.back());
    }
    rows_[row].swap(sum_);
  }

  const graph::IndexLists& incidence_;
  std::span<const double> entries_;
  std::span<const double> row_sizes_;
  std::vector<Index>
      local_;  // [n columns of the whole]: place among the columns; none between calls
  std::span<const double> weights_;
  std::vector<std::vector<Entry>> rows_;  // by column, ascending; a pivot's column is gone
  std::vector<char> row_done_;
  std::vector<std::vector<Index>> users_;  // [n columns]: rows that have had the column
  std::priority_queue<Candidate> heap_;
  std::vector<Entry> sum_;
};

}  // namespace alembert::structure
