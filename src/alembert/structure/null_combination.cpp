// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/null_combination.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "alembert/structure/integer_rows.hpp"
#include "alembert/structure/trivial_equations.hpp"
#include "alembert/symbolic/simplify.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

constexpr std::size_t largest_symbolic = 12;
constexpr double zero = 1e-10;  // against what a number is the difference of

std::vector<ExprId> all_entries(const ExprMatrix& matrix) {
  std::vector<ExprId> entries;
  for (const auto& row : matrix) entries.insert(entries.end(), row.begin(), row.end());
  return entries;
}

/// Rows of which one is a combination of the others, none of them needless: elimination with
/// complete pivoting over rows scaled to size 1 keeps the book on what each row was made of, and of
/// the rows that become zero the one that took the fewest is told. Empty if they are independent or
/// a number is not finite.
std::vector<std::size_t> dependent_in_numbers(std::vector<double> a, std::size_t n,
                                              std::size_t n_columns) {
  for (std::size_t i = 0; i < n; ++i) {
    double size = 0;
    for (std::size_t j = 0; j < n_columns; ++j) {
      if (!std::isfinite(a[i * n_columns + j])) return {};
      size = std::max(size, std::abs(a[i * n_columns + j]));
    }
    for (std::size_t j = 0; j < n_columns && size > 0; ++j) a[i * n_columns + j] /= size;
  }
  std::vector<double> taken(n * n, 0.0);  // a = taken * (a scaled)
  for (std::size_t i = 0; i < n; ++i) taken[i * n + i] = 1;
  std::vector<char> row_done(n, 0), column_done(n_columns, 0);
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t row = n;
    std::size_t column = n_columns;
    double best = zero;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n_columns && !row_done[i]; ++j)
        if (!column_done[j] && std::abs(a[i * n_columns + j]) > best)
          best = std::abs(a[i * n_columns + j]), row = i, column = j;
    if (row == n) break;
    row_done[row] = column_done[column] = 1;
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = a[i * n_columns + column] / a[row * n_columns + column];
      if (row_done[i] || factor == 0) continue;
      for (std::size_t j = 0; j < n_columns; ++j)
        a[i * n_columns + j] -= factor * a[row * n_columns + j];
      a[i * n_columns + column] = 0;
      for (std::size_t j = 0; j < n; ++j) taken[i * n + j] -= factor * taken[row * n + j];
    }
  }
  std::vector<std::size_t> fewest;
  for (std::size_t i = 0; i < n; ++i) {
    if (row_done[i]) continue;
    double largest = 0;
    for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(taken[i * n + j]));
    std::vector<std::size_t> rows;
    for (std::size_t j = 0; j < n; ++j)
      if (std::abs(taken[i * n + j]) > zero * largest) rows.push_back(j);
    if (fewest.empty() || rows.size() < fewest.size()) fewest = std::move(rows);
  }
  return fewest;
}

ExprMatrix selected_rows(const ExprMatrix& matrix, std::span<const std::size_t> rows) {
  ExprMatrix selected;
  for (const std::size_t i : rows) selected.push_back(matrix[i]);
  return selected;
}

/// What varies and must not vanish: bases of powers with exponents that are not positive numbers.
std::vector<ExprId> varying_divisors(const symbolic::ExprPool& pool,
                                     std::span<const ExprId> expressions) {
  std::vector<ExprId> divisors;
  const symbolic::Reach reach(pool, expressions);
  for (const ExprId node : reach.nodes()) {
    if (pool.op(node) != symbolic::Op::pow) continue;
    const ExprId exponent = pool.children(node)[1];
    const bool positive = pool.is_number(exponent) && pool.number_of(exponent).value() > 0;
    if (!positive && !is_constant_in_time(pool, pool.children(node)[0]))
      divisors.push_back(pool.children(node)[0]);
  }
  return divisors;
}

class NullCombination {
 public:
  NullCombination(symbolic::ExprPool& pool, ExprMatrix matrix)
      : pool_(pool), a_(std::move(matrix)), n_(a_.size()), n_columns_(a_.front().size()) {
    for (std::size_t i = 0; i < n_; ++i) {
      u_.emplace_back(n_, pool.number(0));
      u_[i][i] = pool.number(1);
    }
    for (unsigned k = 0; k < 2; ++k) points_.push_back(generic_point(pool, all_entries(a_), k));
  }

  std::optional<std::vector<ExprId>> run() {
    std::vector<char> row_done(n_, 0), column_done(n_columns_, 0);
    for (std::size_t step = 0; step < n_; ++step) {
      // A row of zeros is what we look for.
      for (std::size_t i = 0; i < n_; ++i)
        if (!row_done[i] && is_zero_row(i)) return u_[i];
      std::size_t row = n_;
      std::size_t column = n_columns_;
      auto best = std::tuple(true, ~0u);
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < n_columns_; ++j) {
          if (row_done[i] || column_done[j] || pool_.is_zero(a_[i][j])) continue;
          const auto cost = std::tuple(!is_constant_in_time(pool_, a_[i][j]),
                                       static_cast<unsigned>(pool_.height(a_[i][j])));
          if (cost < best || row == n_) best = cost, row = i, column = j;
        }
      row_done[row] = column_done[column] = 1;
      for (std::size_t i = 0; i < n_; ++i)
        if (!row_done[i] && !pool_.is_zero(a_[i][column])) subtract(i, row, column);
    }
    return std::nullopt;
  }

 private:
  bool is_zero_row(std::size_t i) const {
    return std::all_of(a_[i].begin(), a_[i].end(), [&](ExprId x) { return pool_.is_zero(x); });
  }

  /// Constants are divided by, so that combinations stay plain; what varies is not.
  void subtract(std::size_t i, std::size_t pivot_row, std::size_t column) {
    const ExprId pivot = a_[pivot_row][column];
    const bool divide = is_constant_in_time(pool_, pivot);
    const ExprId own = divide ? pool_.number(1) : pivot;
    const ExprId other = divide ? pool_.div(a_[i][column], pivot) : a_[i][column];
    for (std::size_t j = 0; j < n_columns_; ++j)
      a_[i][j] = j == column ? pool_.number(0) : difference(own, a_[i][j], other, a_[pivot_row][j]);
    for (std::size_t j = 0; j < n_; ++j)
      u_[i][j] = difference(own, u_[i][j], other, u_[pivot_row][j]);
  }

  /// own * a - other * b; zero where it is so at all points.
  ExprId difference(ExprId own, ExprId a, ExprId other, ExprId b) {
    const ExprId first = pool_.mul(own, a);
    const ExprId second = pool_.mul(other, b);
    if (pool_.is_zero(second)) return first;
    const ExprId result = symbolic::expand(pool_, pool_.sub(first, second));
    if (pool_.is_number(result)) return result;
    for (const symbolic::Values& point : points_) {
      const double x = evaluate(pool_, first, point);
      const double y = evaluate(pool_, second, point);
      if (!(std::abs(x - y) <= zero * (std::abs(x) + std::abs(y)))) return result;
    }
    return pool_.number(0);
  }

  symbolic::ExprPool& pool_;
  ExprMatrix a_;
  std::size_t n_;
  std::size_t n_columns_;
  ExprMatrix u_;  // a_ = u_ * given
  std::vector<symbolic::Values> points_;
};

}  // namespace

symbolic::Values generic_point(const symbolic::ExprPool& pool, std::span<const ExprId> expressions,
                               unsigned number) {
  symbolic::Values values;
  for (const ExprId symbol : free_symbols(pool, expressions)) {
    // Positive, so that logarithms and roots have values.
    const std::uint64_t mixed = (pool.hash(symbol) + number) * 0x9e3779b97f4a7c15ull;
    values[symbol] = 0.4 + 1.2 * static_cast<double>(mixed >> 11) * 0x1p-53;
  }
  return values;
}

std::vector<std::size_t> dependent_rows_of(const symbolic::ExprPool& pool,
                                           const ExprMatrix& matrix) {
  const auto at_point = [&](const ExprMatrix& rows, unsigned k) {
    const std::vector<ExprId> entries = all_entries(rows);
    return dependent_in_numbers(evaluate(pool, entries, generic_point(pool, entries, k)),
                                rows.size(), rows.front().size());
  };
  if (matrix.empty()) return {};
  std::vector<std::size_t> rows = at_point(matrix, 0);
  if (rows.empty() || at_point(selected_rows(matrix, rows), 1).empty()) return {};
  return rows;
}

std::optional<std::vector<ExprId>> divided_by(symbolic::ExprPool& pool,
                                              std::span<const ExprId> vector, std::size_t k) {
  std::vector<ExprId> quotients;
  for (const ExprId entry : vector)
    quotients.push_back(symbolic::expand(pool, pool.div(entry, vector[k])));
  const std::vector<ExprId> before = varying_divisors(pool, vector);
  for (const ExprId divisor : varying_divisors(pool, quotients))
    if (std::ranges::find(before, divisor) == before.end()) return std::nullopt;
  return quotients;
}

std::optional<std::vector<ExprId>> integer_combination(
    symbolic::ExprPool& pool, std::span<const std::vector<ExprEntry>> given, Index n_columns) {
  constexpr std::int64_t largest = 1000;  // longer numbers are no counts of currents or voltages
  const auto is_whole = [&](const ExprEntry& entry) {
    if (!pool.is_number(entry.value) || !pool.number_of(entry.value).is_integer()) return false;
    return std::abs(pool.number_of(entry.value).numerator()) <= largest;
  };
  std::vector<IntegerRow> rows;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!std::all_of(given[i].begin(), given[i].end(), is_whole)) continue;
    IntegerRow row;
    for (const ExprEntry& entry : given[i])
      if (!pool.is_zero(entry.value))
        row.push_back({entry.column, pool.number_of(entry.value).numerator()});
    std::ranges::sort(row, {}, &IntegerEntry::column);
    // On the right each row has a column of its own, which tells how often it was taken.
    row.push_back({n_columns + static_cast<Index>(i), 1});
    rows.push_back(std::move(row));
  }
  const std::vector<DependentRow> dependent = dependent_rows(std::move(rows), n_columns);
  if (dependent.empty()) return std::nullopt;
  std::vector<ExprId> u(given.size(), pool.number(0));
  for (const IntegerEntry& entry : dependent.front().left_over)
    u[entry.column - n_columns] = pool.integer(entry.coefficient);
  return u;
}

std::optional<std::vector<ExprId>> null_combination(symbolic::ExprPool& pool,
                                                    const ExprMatrix& matrix,
                                                    std::span<const std::size_t> rows) {
  if (rows.empty() || rows.size() > largest_symbolic) return std::nullopt;
  const auto factors = NullCombination(pool, selected_rows(matrix, rows)).run();
  if (!factors) return std::nullopt;
  std::vector<ExprId> u(matrix.size(), pool.number(0));
  for (std::size_t k = 0; k < rows.size(); ++k) u[rows[k]] = (*factors)[k];
  return u;
}

}  // namespace alembert::structure
