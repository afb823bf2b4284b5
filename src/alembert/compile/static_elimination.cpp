// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/static_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "alembert/base/error.hpp"

namespace alembert::compile {

namespace {

/// A pivot must not be smaller than this beside the largest entry of its row.
constexpr double threshold = 0.1;
/// What is smaller than this beside the largest entry that its row had is rounding.
constexpr double rounding = 1e-13;

/// The matrix while it is eliminated by numbers.
class NumericElimination {
 public:
  NumericElimination(std::uint32_t n, std::span<const MatrixEntry> entries,
                     std::span<const double> values, std::span<const char> constant)
      : rows_(n), columns_(n), size_(n, 0.0) {
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const auto [row, column] = entries[e];
      rows_[row][column] = {values[e], constant[e] != 0};
      columns_[column].insert(row);
      size_[row] = std::max(size_[row], std::abs(values[e]));
    }
    for (std::uint32_t r = 0; r < n; ++r) enqueue(r);
  }

  std::vector<Pivot> run() {
    std::vector<Pivot> pivots;
    while (!queue_.empty()) {
      const Candidate best = *queue_.begin();
      queue_.erase(queue_.begin());
      pivots.push_back({best.row, best.column});
      eliminate(best.row, best.column);
    }
    return pivots;
  }

 private:
  struct Entry {
    double value = 0;
    bool constant = false;
  };
  struct Candidate {
    std::uint64_t cost;
    bool varies;
    double weakness;  // the less, the better
    std::uint32_t row;
    std::uint32_t column;
    auto operator<=>(const Candidate&) const = default;
  };

  /// The best pivot of a row, if it has any.
  void enqueue(std::uint32_t row) {
    double largest = 0;
    for (const auto& [column, entry] : rows_[row])
      largest = std::max(largest, std::abs(entry.value));
    if (!(largest > rounding * size_[row])) return;
    bool found = false;
    Candidate best{};
    for (const auto& [column, entry] : rows_[row]) {
      if (std::abs(entry.value) < threshold * largest) continue;
      const Candidate candidate{(rows_[row].size() - 1) * (columns_[column].size() - 1),
                                !entry.constant, largest / std::abs(entry.value), row, column};
      if (!found || candidate < best) best = candidate;
      found = true;
    }
    queue_.insert(best);
    waiting_[row] = best;
  }

  void forget(std::uint32_t row) {
    const auto found = waiting_.find(row);
    if (found == waiting_.end()) return;
    queue_.erase(found->second);
    waiting_.erase(found);
  }

  void eliminate(std::uint32_t row, std::uint32_t column) {
    waiting_.erase(row);
    const std::map<std::uint32_t, Entry> pivot_row = std::move(rows_[row]);
    rows_[row].clear();
    const Entry pivot = pivot_row.at(column);
    std::set<std::uint32_t> touched;
    for (const auto& [c, entry] : pivot_row) {
      columns_[c].erase(row);
      if (c != column) touched.insert(columns_[c].begin(), columns_[c].end());
    }
    const std::set<std::uint32_t> below = std::move(columns_[column]);
    columns_[column].clear();
    touched.insert(below.begin(), below.end());
    for (const std::uint32_t r : touched) forget(r);
    for (const std::uint32_t r : below) {
      const Entry lower = rows_[r].at(column);
      rows_[r].erase(column);
      const double multiplier = lower.value / pivot.value;
      for (const auto& [c, entry] : pivot_row) {
        if (c == column) continue;
        const bool is_new = !rows_[r].contains(c);
        Entry& target = rows_[r][c];
        target.constant =
            (is_new || target.constant) && entry.constant && lower.constant && pivot.constant;
        target.value -= multiplier * entry.value;
        size_[r] = std::max(size_[r], std::abs(multiplier * entry.value));
        columns_[c].insert(r);
      }
    }
    for (const std::uint32_t r : touched) enqueue(r);
  }

  std::vector<std::map<std::uint32_t, Entry>> rows_;
  std::vector<std::set<std::uint32_t>> columns_;  // rows that have an entry there
  std::vector<double> size_;                      // [n rows]: largest number met in it
  std::set<Candidate> queue_;
  std::map<std::uint32_t, Candidate> waiting_;  // by row: what of it is in the queue
};

}  // namespace

std::vector<Pivot> choose_pivots(std::uint32_t n, std::span<const MatrixEntry> entries,
                                 std::span<const double> values, std::span<const char> constant) {
  return NumericElimination(n, entries, values, constant).run();
}

StaticElimination::StaticElimination(TapeBuilder& builder, std::uint32_t n,
                                     std::span<const MatrixEntry> entries,
                                     std::span<const ValueId> values, std::span<const Pivot> pivots)
    : builder_(builder), n_(n) {
  ensure(pivots.size() == n, "a regular matrix has as many pivots as rows");
  std::vector<std::map<std::uint32_t, ValueId>> rows(n);
  std::vector<std::set<std::uint32_t>> columns(n);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    rows[entries[e].row][entries[e].column] = values[e];
    columns[entries[e].column].insert(entries[e].row);
  }
  const ValueId one = builder_.constant(1.0);
  quality_ = independence_ = one;
  std::vector<ValueId> sizes(n, no_value);  // of rows: the largest number met in them
  for (std::size_t e = 0; e < entries.size(); ++e) note_size(sizes[entries[e].row], values[e]);
  for (const auto& [row, column] : pivots) {
    const ValueId pivot = rows[row].at(column);
    Step step{row, column, pivot, no_value, {}, {}};
    step.inverse = builder_.apply(TapeOp::div, one, pivot);
    ValueId largest = no_value;
    bool all_constant = builder_.constant_value(pivot) != nullptr;
    for (const auto& [c, value] : rows[row]) {
      columns[c].erase(row);
      if (c == column) continue;
      step.right.emplace_back(c, value);
      all_constant = all_constant && builder_.constant_value(value) != nullptr;
      const ValueId size = builder_.apply(TapeOp::abs, value);
      largest = largest == no_value ? size : builder_.apply(TapeOp::max, largest, size);
    }
    if (largest != no_value && !all_constant) {
      const ValueId size = builder_.apply(TapeOp::abs, pivot);
      const ValueId ratio =
          builder_.apply(TapeOp::div, size, builder_.apply(TapeOp::max, size, largest));
      quality_ = builder_.apply(TapeOp::min, quality_, ratio);
    }
    if (builder_.constant_value(sizes[row]) == nullptr)
      independence_ = builder_.apply(
          TapeOp::min, independence_,
          builder_.apply(TapeOp::div, builder_.apply(TapeOp::abs, pivot), sizes[row]));
    for (const std::uint32_t r : columns[column]) {
      const auto found = rows[r].find(column);
      const ValueId multiplier = builder_.apply(TapeOp::mul, found->second, step.inverse);
      rows[r].erase(found);
      step.below.emplace_back(r, multiplier);
      for (const auto& [c, value] : step.right) {
        const auto [target, is_new] = rows[r].try_emplace(c, no_value);
        target->second =
            is_new ? builder_.apply(TapeOp::neg, builder_.apply(TapeOp::mul, multiplier, value))
                   : builder_.apply(TapeOp::fnma, multiplier, value, target->second);
        columns[c].insert(r);
      }
    }
    columns[column].clear();
    steps_.push_back(std::move(step));
  }
}

void StaticElimination::note_size(ValueId& size, ValueId value) {
  const ValueId here = builder_.apply(TapeOp::abs, value);
  size = size == no_value ? here : builder_.apply(TapeOp::max, size, here);
}

std::vector<ValueId> StaticElimination::solve(std::vector<ValueId> right) const {
  const auto subtract = [&](ValueId from, ValueId a, ValueId b) {
    if (b == no_value) return from;
    if (from == no_value) return builder_.apply(TapeOp::neg, builder_.apply(TapeOp::mul, a, b));
    return builder_.apply(TapeOp::fnma, a, b, from);
  };
  for (const Step& step : steps_)
    for (const auto& [row, multiplier] : step.below)
      right[row] = subtract(right[row], multiplier, right[step.row]);
  std::vector<ValueId> result(n_, no_value);
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    ValueId sum = right[step->row];
    for (const auto& [column, value] : step->right) sum = subtract(sum, value, result[column]);
    if (sum != no_value) result[step->column] = builder_.apply(TapeOp::mul, sum, step->inverse);
  }
  return result;
}

}  // namespace alembert::compile
