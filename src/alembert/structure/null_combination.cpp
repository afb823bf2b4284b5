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

/// Complete pivoting over rows scaled to size 1; -1 where a number is not finite.
int rank_in_numbers(std::vector<double> a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    double size = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (!std::isfinite(a[i * n + j])) return -1;
      size = std::max(size, std::abs(a[i * n + j]));
    }
    for (std::size_t j = 0; j < n && size > 0; ++j) a[i * n + j] /= size;
  }
  std::vector<char> done(n, 0);
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t row = step;
    std::size_t column = n;
    double best = zero;
    for (std::size_t i = step; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (!done[j] && std::abs(a[i * n + j]) > best)
          best = std::abs(a[i * n + j]), row = i, column = j;
    if (column == n) return static_cast<int>(step);
    for (std::size_t j = 0; j < n; ++j) std::swap(a[row * n + j], a[step * n + j]);
    done[column] = 1;
    for (std::size_t i = step + 1; i < n; ++i) {
      const double factor = a[i * n + column] / a[step * n + column];
      for (std::size_t j = 0; j < n; ++j) a[i * n + j] -= factor * a[step * n + j];
      a[i * n + column] = 0;
    }
  }
  return static_cast<int>(n);
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
      : pool_(pool), a_(std::move(matrix)), n_(a_.size()) {
    for (std::size_t i = 0; i < n_; ++i) {
      u_.emplace_back(n_, pool.number(0));
      u_[i][i] = pool.number(1);
    }
    for (unsigned k = 0; k < 2; ++k) points_.push_back(generic_point(pool, all_entries(a_), k));
  }

  std::optional<std::vector<ExprId>> run() {
    std::vector<char> row_done(n_, 0), column_done(n_, 0);
    for (std::size_t step = 0; step < n_; ++step) {
      // A row of zeros is what we look for.
      for (std::size_t i = 0; i < n_; ++i)
        if (!row_done[i] && is_zero_row(i)) return u_[i];
      std::size_t row = n_;
      std::size_t column = n_;
      auto best = std::tuple(true, ~0u);
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < n_; ++j) {
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
    for (std::size_t j = 0; j < n_; ++j) {
      a_[i][j] = j == column ? pool_.number(0) : difference(own, a_[i][j], other, a_[pivot_row][j]);
      u_[i][j] = difference(own, u_[i][j], other, u_[pivot_row][j]);
    }
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

bool is_identically_singular(const symbolic::ExprPool& pool, const ExprMatrix& matrix) {
  const std::vector<ExprId> entries = all_entries(matrix);
  for (unsigned k = 0; k < 2; ++k) {
    const int rank =
        rank_in_numbers(evaluate(pool, entries, generic_point(pool, entries, k)), matrix.size());
    if (rank < 0 || rank == static_cast<int>(matrix.size())) return false;
  }
  return true;
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

std::optional<std::vector<ExprId>> null_combination(symbolic::ExprPool& pool, ExprMatrix matrix) {
  if (matrix.size() > largest_symbolic) return std::nullopt;
  return NullCombination(pool, std::move(matrix)).run();
}

}  // namespace alembert::structure
