// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/integer_rows.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::structure {

using graph::none;

namespace {

std::optional<std::int64_t> in_64_bits(__int128 value) {
  // One less than the range, so that a sign can always be changed.
  if (value > std::numeric_limits<std::int64_t>::max() ||
      value < -std::numeric_limits<std::int64_t>::max())
    return std::nullopt;
  return static_cast<std::int64_t>(value);
}

/// row * row_factor + pivot * pivot_factor without common factors; nothing if a number is too long.
std::optional<IntegerRow> combination(const IntegerRow& row, std::int64_t row_factor,
                                      const IntegerRow& pivot, std::int64_t pivot_factor) {
  IntegerRow sum;
  sum.reserve(row.size() + pivot.size());
  std::int64_t common = 0;
  const auto append = [&](Index column, __int128 value) {
    if (value == 0) return true;
    const auto fits = in_64_bits(value);
    if (!fits) return false;
    common = std::gcd(common, *fits);
    sum.push_back({column, *fits});
    return true;
  };
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < row.size() || k < pivot.size()) {
    const Index column =
        std::min(i < row.size() ? row[i].column : none, k < pivot.size() ? pivot[k].column : none);
    __int128 value = 0;
    if (i < row.size() && row[i].column == column)
      value += static_cast<__int128>(row[i++].coefficient) * row_factor;
    if (k < pivot.size() && pivot[k].column == column)
      value += static_cast<__int128>(pivot[k++].coefficient) * pivot_factor;
    if (!append(column, value)) return std::nullopt;
  }
  if (common > 1)
    for (IntegerEntry& entry : sum) entry.coefficient /= common;
  return sum;
}

class Elimination {
 public:
  Elimination(std::vector<IntegerRow> rows, Index n_pivot_columns)
      : rows_(std::move(rows)),
        n_columns_(n_pivot_columns),
        done_(rows_.size(), 0),
        rows_of_(n_pivot_columns),
        count_(n_pivot_columns, 0) {
    std::size_t n_entries = 0;
    for (Index r = 0; r < rows_.size(); ++r) {
      history_.push_back({none, none, r});
      history_of_.push_back(r);
      for (const IntegerEntry& entry : rows_[r])
        if (entry.column < n_columns_) {
          rows_of_[entry.column].push_back(r);
          ++count_[entry.column];
          ++n_entries;
        }
    }
    // Beyond this a system is no connection graph, and exactness is not worth its price.
    work_left_ = 200 * n_entries + 100000;
  }

  std::vector<DependentRow> run() {
    for (Index r = 0; r < rows_.size(); ++r)
      if (!has_unknown(rows_[r])) finish_dependent(r);
    for (Index c = 0; c < n_columns_; ++c)
      if (count_[c] > 0) queue_.push({count_[c], c});
    while (!queue_.empty() && work_left_ > 0) {
      const auto [count, column] = queue_.top();
      queue_.pop();
      if (count != count_[column] || count == 0) continue;  // changed since
      eliminate(column);
    }
    std::sort(found_.begin(), found_.end(),
              [](const DependentRow& a, const DependentRow& b) { return a.row < b.row; });
    return std::move(found_);
  }

 private:
  struct Step {
    Index first, second;  // combinations that were combined; none: a row as given
    Index row;
  };
  using Entry = std::pair<Index, Index>;  // rows in which the column occurs, column

  bool has_unknown(const IntegerRow& row) const {
    return !row.empty() && row.front().column < n_columns_;  // right sides come last
  }

  static const IntegerEntry* entry_of(const IntegerRow& row, Index column) {
    const auto at = std::lower_bound(
        row.begin(), row.end(), column,
        [](const IntegerEntry& entry, Index wanted) { return entry.column < wanted; });
    return at != row.end() && at->column == column ? &*at : nullptr;
  }

  void count_down(const IntegerRow& row) {
    for (const IntegerEntry& entry : row)
      if (entry.column < n_columns_ && --count_[entry.column] > 0)
        queue_.push({count_[entry.column], entry.column});
  }

  /// The shortest row of the column becomes its pivot and leaves; the others lose the column.
  void eliminate(Index column) {
    users_.clear();
    for (const Index r : rows_of_[column])
      if (!done_[r] && entry_of(rows_[r], column) != nullptr) users_.push_back(r);
    std::sort(users_.begin(), users_.end());
    users_.erase(std::unique(users_.begin(), users_.end()), users_.end());
    ensure(users_.size() == count_[column], "a column knows its rows");
    const Index pivot = *std::min_element(users_.begin(), users_.end(), [&](Index a, Index b) {
      return std::pair(rows_[a].size(), a) < std::pair(rows_[b].size(), b);
    });
    done_[pivot] = 1;
    count_down(rows_[pivot]);
    for (const Index r : users_)
      if (r != pivot) subtract(r, pivot, column);
    rows_of_[column].clear();
    rows_[pivot].clear();
    rows_[pivot].shrink_to_fit();
  }

  void subtract(Index r, Index pivot, Index column) {
    const std::int64_t a = entry_of(rows_[r], column)->coefficient;
    const std::int64_t b = entry_of(rows_[pivot], column)->coefficient;
    const std::int64_t common = std::gcd(a, b);
    auto sum = combination(rows_[r], b / common, rows_[pivot], -(a / common));
    const std::size_t work = rows_[r].size() + rows_[pivot].size();
    work_left_ -= std::min(work_left_, work);
    if (!sum) {  // given up: counts as independent
      done_[r] = 1;
      count_down(rows_[r]);
      return;
    }
    for (const IntegerEntry& entry : *sum)
      if (entry.column < n_columns_ && entry_of(rows_[r], entry.column) == nullptr) {
        rows_of_[entry.column].push_back(r);
        ++count_[entry.column];
        queue_.push({count_[entry.column], entry.column});
      }
    for (const IntegerEntry& entry : rows_[r])
      if (entry.column < n_columns_ && entry_of(*sum, entry.column) == nullptr)
        if (--count_[entry.column] > 0) queue_.push({count_[entry.column], entry.column});
    rows_[r] = std::move(*sum);
    history_.push_back({history_of_[r], history_of_[pivot], r});
    history_of_[r] = static_cast<Index>(history_.size() - 1);
    if (!has_unknown(rows_[r])) finish_dependent(r);
  }

  void finish_dependent(Index r) {
    done_[r] = 1;
    found_.push_back({r, combined_rows(history_of_[r]), rows_[r]});
  }

  std::vector<Index> combined_rows(Index top) const {
    std::vector<Index> rows;
    std::vector<Index> stack{top};
    std::vector<char> seen(history_.size(), 0);
    while (!stack.empty()) {
      const Index at = stack.back();
      stack.pop_back();
      if (seen[at]) continue;
      seen[at] = 1;
      if (history_[at].first == none) {
        rows.push_back(history_[at].row);
        continue;
      }
      stack.push_back(history_[at].first);
      stack.push_back(history_[at].second);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  std::vector<IntegerRow> rows_;
  Index n_columns_;
  std::vector<char> done_;                   // [n_rows]: a pivot row, dependent, or given up
  std::vector<std::vector<Index>> rows_of_;  // [n_pivot_columns]: has had the column; may repeat
  std::vector<Index> count_;                 // [n_pivot_columns]: rows not done that have it
  std::vector<Step> history_;
  std::vector<Index> history_of_;  // [n_rows]
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  std::vector<Index> users_;
  std::size_t work_left_ = 0;
  std::vector<DependentRow> found_;
};

}  // namespace

std::vector<DependentRow> dependent_rows(std::vector<IntegerRow> rows, Index n_pivot_columns) {
  return Elimination(std::move(rows), n_pivot_columns).run();
}

}  // namespace alembert::structure
