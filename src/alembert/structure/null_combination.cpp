// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/null_combination.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

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

struct Scales {
  std::vector<double> rows, columns;
};

/// Factors that make rows and columns of size 1, so that a picofarad beside a volt is as good as
/// any number.
Scales balance(std::vector<double> a, std::size_t n, std::size_t n_columns) {
  constexpr int sweeps = 4;
  Scales scales{std::vector<double>(n, 1.0), std::vector<double>(n_columns, 1.0)};
  const auto scale = [&](double& factor, std::size_t begin, std::size_t count, std::size_t stride) {
    double size = 0;
    for (std::size_t k = 0; k < count; ++k) size = std::max(size, std::abs(a[begin + k * stride]));
    if (size == 0) return;
    for (std::size_t k = 0; k < count; ++k) a[begin + k * stride] /= size;
    factor /= size;
  };
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t j = 0; j < n_columns; ++j) scale(scales.columns[j], j, n, n_columns);
    for (std::size_t i = 0; i < n; ++i) scale(scales.rows[i], i * n_columns, n_columns, 1);
  }
  return scales;
}

void apply(const Scales& scales, std::vector<double>& a) {
  const std::size_t n_columns = scales.columns.size();
  for (std::size_t k = 0; k < a.size(); ++k)
    a[k] *= scales.rows[k / n_columns] * scales.columns[k % n_columns];
}

/// A singular matrix has a pivot that is rounding, whatever the order of elimination; to find one
/// takes a fraction of what complete pivoting and sizes do.
bool is_clearly_regular(const std::vector<double>& a, std::size_t n, std::size_t n_columns) {
  constexpr double clear = 1e-7;
  if (n != n_columns) return false;
  const auto size = static_cast<Eigen::Index>(n);
  const Eigen::Map<const Eigen::MatrixXd> transposed(a.data(), size, size);
  const Eigen::PartialPivLU<Eigen::MatrixXd> decomposition(transposed);
  return decomposition.matrixLU().diagonal().cwiseAbs().minCoeff() > clear;
}

/// A matrix of numbers, row by row, and beside each the sizes of all that it is a sum of.
struct SizedMatrix {
  std::vector<double> values, sizes;
  std::size_t n_columns;

  std::size_t at(std::size_t i, std::size_t j) const { return i * n_columns + j; }
  bool is_zero(std::size_t at) const { return std::abs(values[at]) <= rounding * sizes[at]; }

  void subtract(std::size_t i, double factor, std::size_t row) {
    for (std::size_t j = 0; j < n_columns; ++j) {
      values[at(i, j)] -= factor * values[at(row, j)];
      sizes[at(i, j)] += std::abs(factor) * sizes[at(row, j)];
    }
  }
};

/// Rows of which one is a combination of the others, none of them needless: elimination with
/// complete pivoting keeps the book on what each row was made of, and of the rows that become zero
/// the one that took the fewest is told.
class NumberElimination {
 public:
  NumberElimination(std::vector<double> values, std::vector<double> sizes, std::size_t n)
      : n_(n), a_{std::move(values), std::move(sizes), 0} {
    a_.n_columns = a_.values.size() / n;
    taken_ = {std::vector<double>(n * n, 0.0), {}, n};
    for (std::size_t i = 0; i < n; ++i) taken_.values[taken_.at(i, i)] = 1;
    taken_.sizes = taken_.values;
    row_done_.assign(n, 0);
    column_done_.assign(a_.n_columns, 0);
  }

  /// Empty if rows are independent.
  std::vector<std::size_t> run() {
    for (std::size_t step = 0; step < n_; ++step) {
      const auto [row, column] = largest();
      if (row == n_) break;
      row_done_[row] = column_done_[column] = 1;
      // To subtract as often as rounding says would spread it where nothing was added.
      for (std::size_t i = 0; i < n_; ++i)
        if (!row_done_[i] && !a_.is_zero(a_.at(i, column))) subtract(i, row, column);
    }
    std::vector<std::size_t> fewest;
    for (std::size_t i = 0; i < n_; ++i) {
      if (row_done_[i]) continue;
      std::vector<std::size_t> rows;
      for (std::size_t j = 0; j < n_; ++j)
        if (!taken_.is_zero(taken_.at(i, j))) rows.push_back(j);
      if (fewest.empty() || rows.size() < fewest.size()) fewest = std::move(rows);
    }
    return fewest;
  }

 private:
  struct Place {
    std::size_t row, column;
  };

  /// Behind the last row if nothing is left.
  Place largest() const {
    Place place{n_, a_.n_columns};
    double best = 0;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < a_.n_columns && !row_done_[i]; ++j) {
        const double size = std::abs(a_.values[a_.at(i, j)]);
        if (!column_done_[j] && size > best && !a_.is_zero(a_.at(i, j)))
          best = size, place = {i, j};
      }
    return place;
  }

  void subtract(std::size_t i, std::size_t row, std::size_t column) {
    const std::size_t own = a_.at(i, column), pivot = a_.at(row, column);
    const double factor = a_.values[own] / a_.values[pivot];
    // In the rows what the factor is in doubt by cancels, as far as they are dependent.
    const double doubt =
        (a_.sizes[own] + std::abs(factor) * a_.sizes[pivot]) / std::abs(a_.values[pivot]);
    for (std::size_t j = 0; j < n_; ++j)
      taken_.sizes[taken_.at(i, j)] += doubt * std::abs(taken_.values[taken_.at(row, j)]);
    taken_.subtract(i, factor, row);
    a_.subtract(i, factor, row);
    a_.values[own] = 0;
  }

  std::size_t n_;
  SizedMatrix a_;
  SizedMatrix taken_;  // a_ = taken_ * given
  std::vector<char> row_done_, column_done_;
};

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

/// Elimination in formulas, beside which numbers at points are carried along: these tell what is
/// zero.
class NullCombination {
 public:
  NullCombination(symbolic::ExprPool& pool, const ExprMatrix& matrix, const symbolic::Values* known)
      : pool_(pool), n_(matrix.size()), n_columns_(matrix.front().size()) {
    const std::vector<ExprId> entries = all_entries(matrix);
    const std::vector<JudgedNumber> numbers = judged(pool, entries, known);
    std::vector<double> values;
    for (const JudgedNumber& number : numbers) values.push_back(number.value[0]);
    scales_ = balance(std::move(values), n_, n_columns_);
    for (std::size_t i = 0; i < n_; ++i) {
      a_.emplace_back();
      for (std::size_t j = 0; j < n_columns_; ++j)
        a_[i].push_back(cell(entries[i * n_columns_ + j], numbers[i * n_columns_ + j]));
      u_.emplace_back(n_, Cell{pool.number(0), {}});
      u_[i][i] = Cell{pool.number(1), {{1, 1}, {1, 1}}};
    }
  }

  std::optional<NullVector> run() {
    std::vector<char> row_done(n_, 0), column_done(n_columns_, 0);
    for (std::size_t step = 0; step < n_; ++step) {
      // A row of zeros is what we look for.
      for (std::size_t i = 0; i < n_; ++i)
        if (!row_done[i] && is_zero_row(i)) return null_vector(u_[i]);
      std::size_t row = n_;
      std::size_t column = n_columns_;
      auto best = std::tuple(true, ~0u, 0.0);
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < n_columns_; ++j) {
          if (row_done[i] || column_done[j] || is_zero(a_[i][j])) continue;
          // Of numbers that are as plain the largest leaves the least rounding.
          const double scaled = a_[i][j].number.value[0] * scales_.rows[i] * scales_.columns[j];
          const auto cost =
              std::tuple(!is_constant_in_time(pool_, a_[i][j].formula),
                         static_cast<unsigned>(pool_.height(a_[i][j].formula)), -std::abs(scaled));
          if (cost < best || row == n_) best = cost, row = i, column = j;
        }
      row_done[row] = column_done[column] = 1;
      for (std::size_t i = 0; i < n_; ++i)
        if (!row_done[i] && !is_zero(a_[i][column])) subtract(i, row, column);
    }
    return std::nullopt;
  }

 private:
  struct Cell {
    ExprId formula;
    JudgedNumber number;
  };

  Cell cell(ExprId formula, const JudgedNumber& number) const {
    if (number.is_zero() || pool_.is_zero(formula)) return {pool_.number(0), {}};
    return {formula, number};
  }

  bool is_zero(const Cell& cell) const { return pool_.is_zero(cell.formula); }

  bool is_zero_row(std::size_t i) const {
    return std::ranges::all_of(a_[i], [&](const Cell& cell) { return is_zero(cell); });
  }

  NullVector null_vector(const std::vector<Cell>& row) const {
    NullVector result;
    for (const auto& [formula, number] : row) {
      result.factors.push_back(formula);
      double doubt = 0;
      for (unsigned k = 0; k < n_generic_points && !pool_.is_zero(formula); ++k)
        doubt = std::max(doubt, number.size[k] / std::abs(number.value[k]));
      result.doubts.push_back(doubt);
    }
    return result;
  }

  /// Constants are divided by, so that combinations stay plain; what varies is not.
  void subtract(std::size_t i, std::size_t pivot_row, std::size_t column) {
    const Cell pivot = a_[pivot_row][column];
    const Cell eliminated = a_[i][column];
    Cell own{pool_.number(1), {{1, 1}, {}}};
    Cell other = eliminated;
    if (is_constant_in_time(pool_, pivot.formula)) {
      other.formula = pool_.div(eliminated.formula, pivot.formula);
      for (unsigned k = 0; k < n_generic_points; ++k) {
        const double divisor = std::abs(pivot.number.value[k]);
        other.number.value[k] = eliminated.number.value[k] / pivot.number.value[k];
        other.number.size[k] =
            (eliminated.number.size[k] + std::abs(other.number.value[k]) * pivot.number.size[k]) /
            divisor;
      }
    } else {
      own = pivot;
    }
    for (std::size_t j = 0; j < n_; ++j)
      u_[i][j] = difference(own, u_[i][j], other, u_[pivot_row][j], true);
    for (std::size_t j = 0; j < n_columns_; ++j)
      a_[i][j] = j == column ? Cell{pool_.number(0), {}}
                             : difference(own, a_[i][j], other, a_[pivot_row][j], false);
  }

  /// own * a - other * b. What the factors are in doubt by is doubt in the combination; in what is
  /// left of rows it cancels, as far as they are dependent.
  Cell difference(const Cell& own, const Cell& a, const Cell& other, const Cell& b,
                  bool counts_doubt) {
    JudgedNumber number;
    for (unsigned k = 0; k < n_generic_points; ++k) {
      number.value[k] =
          own.number.value[k] * a.number.value[k] - other.number.value[k] * b.number.value[k];
      number.size[k] = std::abs(own.number.value[k]) * a.number.size[k] +
                       std::abs(other.number.value[k]) * b.number.size[k];
      if (counts_doubt)
        number.size[k] += own.number.size[k] * std::abs(a.number.value[k]) +
                          other.number.size[k] * std::abs(b.number.value[k]);
    }
    const ExprId first = pool_.mul(own.formula, a.formula);
    const ExprId second = pool_.mul(other.formula, b.formula);
    if (pool_.is_zero(second)) return cell(first, number);
    return cell(symbolic::expand(pool_, pool_.sub(first, second)), number);
  }

  symbolic::ExprPool& pool_;
  std::size_t n_;
  std::size_t n_columns_;
  Scales scales_;
  std::vector<std::vector<Cell>> a_;
  std::vector<std::vector<Cell>> u_;  // a_ = u_ * given
};

}  // namespace

ExprMatrix without_vanishing(symbolic::ExprPool& pool, ExprMatrix matrix,
                             const symbolic::Values* known) {
  std::vector<ExprId> symbolic;
  for (const ExprId entry : all_entries(matrix))
    if (!pool.is_number(entry)) symbolic.push_back(entry);
  const std::vector<JudgedNumber> numbers = judged(pool, symbolic, known);
  auto number = numbers.begin();
  for (auto& row : matrix)
    for (ExprId& entry : row)
      if (!pool.is_number(entry) && (number++)->is_zero()) entry = pool.number(0);
  return matrix;
}

std::vector<std::size_t> dependent_rows_of(const symbolic::ExprPool& pool, const ExprMatrix& matrix,
                                           const symbolic::Values* known) {
  // Empty also if a number is not finite.
  const auto at_point = [&](const ExprMatrix& rows, unsigned k) -> std::vector<std::size_t> {
    const std::vector<ExprId> entries = all_entries(rows);
    const symbolic::Values point = generic_point(pool, entries, k, known);
    std::vector<double> values = evaluate(pool, entries, point);
    if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) return {};
    const Scales scales = balance(values, rows.size(), rows.front().size());
    apply(scales, values);
    if (is_clearly_regular(values, rows.size(), rows.front().size())) return {};
    std::vector<double> sizes = sizes_of(pool, entries, point);
    apply(scales, sizes);
    return NumberElimination(std::move(values), std::move(sizes), rows.size()).run();
  };
  if (matrix.empty()) return {};
  std::vector<std::size_t> rows = at_point(matrix, 0);
  if (rows.empty() || at_point(selected_rows(matrix, rows), 1).empty()) return {};
  return rows;
}

std::vector<Index> vanishing_columns(const symbolic::ExprPool& pool,
                                     std::span<const std::vector<ExprEntry>> rows, Index n_columns,
                                     std::span<const double> doubts,
                                     const symbolic::Values* known) {
  std::vector<ExprId> entries;
  for (const auto& row : rows)
    for (const ExprEntry& entry : row) entries.push_back(entry.value);
  const std::vector<JudgedNumber> numbers = judged(pool, entries, known);
  std::vector<JudgedNumber> sums(n_columns);
  std::vector<char> has_entry(n_columns, 0);
  auto number = numbers.begin();
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const ExprEntry& entry : rows[i]) {
      has_entry[entry.column] = 1;
      for (unsigned k = 0; k < n_generic_points; ++k) {
        sums[entry.column].value[k] += number->value[k];
        sums[entry.column].size[k] += doubts[i] * number->size[k];
      }
      ++number;
    }
  std::vector<Index> columns;
  for (Index j = 0; j < n_columns; ++j)
    if (has_entry[j] && sums[j].is_zero()) columns.push_back(j);
  return columns;
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

std::optional<NullVector> integer_combination(symbolic::ExprPool& pool,
                                              std::span<const std::vector<ExprEntry>> given,
                                              Index n_columns) {
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
  NullVector u{std::vector<ExprId>(given.size(), pool.number(0)),
               std::vector<double>(given.size(), 1.0)};
  for (const IntegerEntry& entry : dependent.front().left_over)
    u.factors[entry.column - n_columns] = pool.integer(entry.coefficient);
  return u;
}

std::vector<std::int64_t> whole_numbers(std::span<const double> values, double exactness) {
  constexpr int largest_factor = 12;
  constexpr double largest = 1000;
  for (int factor = 1; factor <= largest_factor; ++factor) {
    std::vector<std::int64_t> numbers;
    for (const double value : values) {
      const double rounded = std::round(factor * value);
      if (!(std::abs(factor * value - rounded) <= factor * exactness &&
            std::abs(rounded) <= largest))
        break;
      numbers.push_back(static_cast<std::int64_t>(rounded));
    }
    if (numbers.size() == values.size()) return numbers;
  }
  return {};
}

std::optional<NullVector> number_combination(symbolic::ExprPool& pool, const ExprMatrix& matrix,
                                             std::span<const std::size_t> rows,
                                             const symbolic::Values* known) {
  if (rows.empty()) return std::nullopt;
  const ExprMatrix selected = selected_rows(matrix, rows);
  const std::vector<ExprId> entries = all_entries(selected);
  const auto n = static_cast<Eigen::Index>(rows.size());
  const auto n_columns = static_cast<Eigen::Index>(selected.front().size());
  Eigen::VectorXd found = Eigen::VectorXd::Ones(n);
  Eigen::VectorXd sizes = found;
  for (unsigned k = 0; k < n_generic_points; ++k) {
    const symbolic::Values point = generic_point(pool, entries, k, known);
    std::vector<double> numbers = evaluate(pool, entries, point);
    std::vector<double> number_sizes = sizes_of(pool, entries, point);
    const Scales scales = balance(numbers, rows.size(), selected.front().size());
    apply(scales, numbers);
    apply(scales, number_sizes);
    const Eigen::Map<const Eigen::VectorXd> row_scales(scales.rows.data(), n);
    // Columns: the rows. None is needless, so that the others tell each.
    const Eigen::Map<const Eigen::MatrixXd> columns(numbers.data(), n_columns, n);
    const Eigen::Map<const Eigen::MatrixXd> column_sizes(number_sizes.data(), n_columns, n);
    if (!columns.allFinite()) return std::nullopt;
    Eigen::VectorXd vector = Eigen::VectorXd::Ones(n);
    sizes = vector;
    if (n > 1) {
      const Eigen::MatrixXd inverse =
          columns.rightCols(n - 1).completeOrthogonalDecomposition().pseudoInverse();
      vector.tail(n - 1) = -inverse * columns.col(0);
      sizes.tail(n - 1) = inverse.cwiseAbs() * (column_sizes * vector.cwiseAbs());
    }
    vector.array() *= row_scales.array() / row_scales[0];
    sizes.array() *= row_scales.array() / row_scales[0];
    if (k > 0 && !((vector - found).array().abs() <= rounding * sizes.array()).all())
      return std::nullopt;
    found = std::move(vector);
  }
  const std::vector<std::int64_t> whole =
      whole_numbers({found.data(), static_cast<std::size_t>(n)}, rounding * sizes.maxCoeff());
  NullVector u{std::vector<ExprId>(matrix.size(), pool.number(0)),
               std::vector<double>(matrix.size(), 0.0)};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    u.factors[rows[k]] = whole.empty() ? pool.real(found[at]) : pool.integer(whole[k]);
    u.doubts[rows[k]] = whole.empty() ? sizes[at] / std::abs(found[at]) : 1.0;
  }
  return u;
}

std::optional<NullVector> null_combination(symbolic::ExprPool& pool, const ExprMatrix& matrix,
                                           std::span<const std::size_t> rows,
                                           const symbolic::Values* known) {
  if (rows.empty() || rows.size() > largest_symbolic) return std::nullopt;
  const auto found = NullCombination(pool, selected_rows(matrix, rows), known).run();
  if (!found) return std::nullopt;
  NullVector u{std::vector<ExprId>(matrix.size(), pool.number(0)),
               std::vector<double>(matrix.size(), 0.0)};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    u.factors[rows[k]] = found->factors[k];
    u.doubts[rows[k]] = found->doubts[k];
  }
  return u;
}

}  // namespace alembert::structure
