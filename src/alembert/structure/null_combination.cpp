// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/null_combination.hpp"

#include <Eigen/Dense>
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

std::vector<ExprId> all_entries(const ExprMatrix& matrix) {
  std::vector<ExprId> entries;
  for (const auto& row : matrix) entries.insert(entries.end(), row.begin(), row.end());
  return entries;
}

/// Rows and columns of size 1, so that a picofarad beside a volt is as good as any number.
void balance(std::vector<double>& a, std::size_t n, std::size_t n_columns) {
  constexpr int sweeps = 4;
  const auto scale = [&](std::size_t begin, std::size_t count, std::size_t stride) {
    double size = 0;
    for (std::size_t k = 0; k < count; ++k) size = std::max(size, std::abs(a[begin + k * stride]));
    for (std::size_t k = 0; k < count && size > 0; ++k) a[begin + k * stride] /= size;
  };
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t j = 0; j < n_columns; ++j) scale(j, n, n_columns);
    for (std::size_t i = 0; i < n; ++i) scale(i * n_columns, n_columns, 1);
  }
}

/// A singular matrix has a pivot that is rounding, whatever the order of elimination; to find one
/// takes a fraction of what complete pivoting does.
bool is_clearly_regular(const std::vector<double>& a, std::size_t n, std::size_t n_columns) {
  constexpr std::size_t few = 8;
  constexpr double clear = 1e-7;
  if (n != n_columns || n < few) return false;
  const auto size = static_cast<Eigen::Index>(n);
  const Eigen::Map<const Eigen::MatrixXd> transposed(a.data(), size, size);
  const Eigen::PartialPivLU<Eigen::MatrixXd> decomposition(transposed);
  return decomposition.matrixLU().diagonal().cwiseAbs().minCoeff() > clear;
}

/// Rows of which one is a combination of the others, none of them needless: elimination with
/// complete pivoting keeps the book on what each row was made of, and of the rows that become zero
/// the one that took the fewest is told. A number is zero beside the sizes of all that it is a sum
/// of. Empty if rows are independent or a number is not finite.
std::vector<std::size_t> dependent_in_numbers(std::vector<double> a, std::size_t n,
                                              std::size_t n_columns, double zero) {
  for (const double entry : a)
    if (!std::isfinite(entry)) return {};
  balance(a, n, n_columns);
  if (is_clearly_regular(a, n, n_columns)) return {};
  std::vector<double> sizes(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) sizes[k] = std::abs(a[k]);
  std::vector<double> taken(n * n, 0.0);  // a = taken * (a scaled)
  for (std::size_t i = 0; i < n; ++i) taken[i * n + i] = 1;
  std::vector<char> row_done(n, 0), column_done(n_columns, 0);
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t row = n;
    std::size_t column = n_columns;
    double best = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n_columns && !row_done[i]; ++j) {
        const double size = std::abs(a[i * n_columns + j]);
        if (!column_done[j] && size > best && size > zero * sizes[i * n_columns + j])
          best = size, row = i, column = j;
      }
    if (row == n) break;
    row_done[row] = column_done[column] = 1;
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = a[i * n_columns + column] / a[row * n_columns + column];
      if (row_done[i] || factor == 0) continue;
      for (std::size_t j = 0; j < n_columns; ++j) {
        a[i * n_columns + j] -= factor * a[row * n_columns + j];
        sizes[i * n_columns + j] += std::abs(factor) * sizes[row * n_columns + j];
      }
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

/// A point without a pattern, but for what is known.
symbolic::Values point_under(const symbolic::ExprPool& pool, std::span<const ExprId> expressions,
                             unsigned number, const Assumption& assumption) {
  symbolic::Values values = generic_point(pool, expressions, number);
  if (assumption.known != nullptr)
    for (auto& [symbol, value] : values)
      if (const auto known = assumption.known->find(symbol); known != assumption.known->end())
        value = known->second;
  return values;
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
  NullCombination(symbolic::ExprPool& pool, ExprMatrix matrix, const Assumption& assumption)
      : pool_(pool),
        a_(std::move(matrix)),
        n_(a_.size()),
        n_columns_(a_.front().size()),
        zero_(assumption.zero) {
    for (std::size_t i = 0; i < n_; ++i) {
      u_.emplace_back(n_, pool.number(0));
      u_[i][i] = pool.number(1);
    }
    for (unsigned k = 0; k < 2; ++k)
      points_.push_back(point_under(pool, all_entries(a_), k, assumption));
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
      if (!(std::abs(x - y) <= zero_ * (std::abs(x) + std::abs(y)))) return result;
    }
    return pool_.number(0);
  }

  symbolic::ExprPool& pool_;
  ExprMatrix a_;
  std::size_t n_;
  std::size_t n_columns_;
  double zero_;   // beside what a number is the difference of
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

ExprMatrix without_vanishing(symbolic::ExprPool& pool, ExprMatrix matrix,
                             const Assumption& assumption) {
  const std::vector<ExprId> entries = all_entries(matrix);
  const symbolic::Values points[] = {point_under(pool, entries, 0, assumption),
                                     point_under(pool, entries, 1, assumption)};
  const auto vanishes = [&](ExprId entry) {
    const ExprId whole = symbolic::expand(pool, entry);
    const bool is_sum = pool.op(whole) == symbolic::Op::add;
    const std::vector<ExprId> terms =
        is_sum ? std::vector(pool.children(whole).begin(), pool.children(whole).end())
               : std::vector{whole};
    return std::ranges::all_of(points, [&](const symbolic::Values& point) {
      double sum = 0, sizes = 0;
      for (const double term : evaluate(pool, terms, point)) {
        sum += term;
        sizes += std::abs(term);
      }
      return std::abs(sum) <= (is_sum ? assumption.zero : 0) * sizes;
    });
  };
  // What is not small beside its row has not cancelled: few are worth a closer look.
  constexpr double small = 1e-6;
  const std::vector<double> values = evaluate(pool, entries, points[0]);
  std::size_t at = 0;
  for (auto& row : matrix) {
    double largest = 0;
    for (std::size_t j = 0; j < row.size() && row.size() > 1; ++j)
      largest = std::max(largest, std::abs(values[at + j]));
    for (ExprId& entry : row) {
      const bool is_suspect = row.size() == 1 || std::abs(values[at]) <= small * largest;
      if (is_suspect && !pool.is_number(entry) && vanishes(entry)) entry = pool.number(0);
      ++at;
    }
  }
  return matrix;
}

std::vector<std::size_t> dependent_rows_of(const symbolic::ExprPool& pool, const ExprMatrix& matrix,
                                           const Assumption& assumption) {
  const auto at_point = [&](const ExprMatrix& rows, unsigned k) {
    const std::vector<ExprId> entries = all_entries(rows);
    return dependent_in_numbers(evaluate(pool, entries, point_under(pool, entries, k, assumption)),
                                rows.size(), rows.front().size(), assumption.zero);
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

std::vector<std::int64_t> whole_numbers(std::span<const double> values) {
  constexpr int largest_factor = 12;
  constexpr double largest = 1000;
  constexpr double near = 1e-6;
  for (int factor = 1; factor <= largest_factor; ++factor) {
    std::vector<std::int64_t> numbers;
    for (const double value : values) {
      const double rounded = std::round(factor * value);
      if (!(std::abs(factor * value - rounded) < near && std::abs(rounded) <= largest)) break;
      numbers.push_back(static_cast<std::int64_t>(rounded));
    }
    if (numbers.size() == values.size()) return numbers;
  }
  return {};
}

std::optional<std::vector<ExprId>> number_combination(symbolic::ExprPool& pool,
                                                      const ExprMatrix& matrix,
                                                      std::span<const std::size_t> rows,
                                                      const Assumption& assumption) {
  if (rows.empty()) return std::nullopt;
  const ExprMatrix selected = selected_rows(matrix, rows);
  const std::vector<ExprId> entries = all_entries(selected);
  const auto n = static_cast<Eigen::Index>(rows.size());
  Eigen::VectorXd found;
  for (unsigned k = 0; k < 2; ++k) {
    std::vector<double> numbers =
        evaluate(pool, entries, point_under(pool, entries, k, assumption));
    // Columns: the rows. None is needless, so that the others tell each.
    const Eigen::Map<const Eigen::MatrixXd> columns(
        numbers.data(), static_cast<Eigen::Index>(selected.front().size()), n);
    if (!columns.allFinite()) return std::nullopt;
    Eigen::VectorXd vector = Eigen::VectorXd::Ones(n);
    if (n > 1)
      vector.tail(n - 1) = columns.rightCols(n - 1).colPivHouseholderQr().solve(-columns.col(0));
    constexpr double same = 1e-9;
    if (k > 0 && !((vector - found).cwiseAbs().maxCoeff() <= same * vector.cwiseAbs().maxCoeff()))
      return std::nullopt;
    found = std::move(vector);
  }
  const std::vector<std::int64_t> whole =
      whole_numbers({found.data(), static_cast<std::size_t>(n)});
  std::vector<ExprId> u(matrix.size(), pool.number(0));
  for (std::size_t k = 0; k < rows.size(); ++k)
    u[rows[k]] =
        whole.empty() ? pool.real(found[static_cast<Eigen::Index>(k)]) : pool.integer(whole[k]);
  return u;
}

std::optional<std::vector<ExprId>> null_combination(symbolic::ExprPool& pool,
                                                    const ExprMatrix& matrix,
                                                    std::span<const std::size_t> rows,
                                                    const Assumption& assumption) {
  if (rows.empty() || rows.size() > largest_symbolic) return std::nullopt;
  const auto factors = NullCombination(pool, selected_rows(matrix, rows), assumption).run();
  if (!factors) return std::nullopt;
  std::vector<ExprId> u(matrix.size(), pool.number(0));
  for (std::size_t k = 0; k < rows.size(); ++k) u[rows[k]] = (*factors)[k];
  return u;
}

}  // namespace alembert::structure
