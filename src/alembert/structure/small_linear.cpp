// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/small_linear.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/symbolic/simplify.hpp"
#include "alembert/symbolic/solve.hpp"

namespace alembert::structure {

using graph::Index;

namespace {

/// A difference much smaller than what it is the difference of may be zero but for rounding.
constexpr double least_pivot = 1e-6;

class SmallElimination {
 public:
  SmallElimination(symbolic::ExprPool& pool, CoefficientReader& reader, std::size_t n)
      : pool_(pool), reader_(reader), n_(n), row_done_(n, 0), column_done_(n, 0) {}

  bool load(std::span<const ExprId> residuals, std::span<const ExprId> symbols) {
    for (const ExprId residual : residuals) {
      const auto form = linear_combination(pool_, residual, symbols);
      if (!form) return false;
      slopes_.push_back(form->slopes);
      offsets_.push_back(form->offset);
      sizes_.emplace_back();
      for (const ExprId slope : form->slopes)
        sizes_.back().push_back(std::abs(reader_.constant_value(slope)));
    }
    return true;
  }

  bool eliminate() {
    while (steps_.size() < n_) {
      const auto pivot = best_pivot();
      if (!pivot) return false;
      take(*pivot);
    }
    return true;
  }

  std::vector<SolvedUnknown> solution(std::span<const ExprId> symbols) {
    std::vector<SolvedUnknown> solved;
    for (std::size_t k = n_; k-- > 0;) {
      const auto [row, column] = steps_[k];
      std::vector<ExprId> terms{offsets_[row]};
      for (std::size_t later = k + 1; later < n_; ++later) {
        const std::size_t j = steps_[later].column;
        terms.push_back(pool_.mul(slopes_[row][j], symbols[j]));
      }
      const ExprId value = pool_.neg(pool_.div(pool_.add(terms), slopes_[row][column]));
      solved.push_back({static_cast<Index>(column), static_cast<Index>(row), value});
    }
    return solved;
  }

 private:
  struct Step {
    std::size_t row, column;
  };

  /// The largest constant against the others of its row; the first of equal ones.
  std::optional<Step> best_pivot() {
    std::optional<Step> best;
    double best_size = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      if (row_done_[i]) continue;
      double scale = 0;
      for (std::size_t j = 0; j < n_; ++j)
        if (!column_done_[j]) scale = std::max(scale, sizes_[i][j]);
      for (std::size_t j = 0; j < n_; ++j) {
        if (column_done_[j]) continue;
        const double size = std::abs(reader_.constant_value(slopes_[i][j]));
        if (size <= least_pivot * scale || size / scale <= best_size * (1 + 1e-9)) continue;
        best_size = size / scale;
        best = Step{i, j};
      }
    }
    return best;
  }

  void take(Step pivot) {
    steps_.push_back(pivot);
    row_done_[pivot.row] = 1;
    column_done_[pivot.column] = 1;
    for (std::size_t i = 0; i < n_; ++i) {
      if (row_done_[i] || pool_.is_zero(slopes_[i][pivot.column])) continue;
      const ExprId factor = pool_.div(slopes_[i][pivot.column], slopes_[pivot.row][pivot.column]);
      const double size = std::abs(reader_.constant_value(factor));
      for (std::size_t j = 0; j < n_; ++j) {
        if (column_done_[j] || pool_.is_zero(slopes_[pivot.row][j])) continue;
        slopes_[i][j] = difference(slopes_[i][j], factor, slopes_[pivot.row][j]);
        sizes_[i][j] += size * sizes_[pivot.row][j];
      }
      offsets_[i] = pool_.sub(offsets_[i], pool_.mul(factor, offsets_[pivot.row]));
    }
  }

  /// Multiplied out, so that what cancels is seen to.
  ExprId difference(ExprId a, ExprId factor, ExprId b) {
    return symbolic::expand(pool_, pool_.sub(a, pool_.mul(factor, b)));
  }

  symbolic::ExprPool& pool_;
  CoefficientReader& reader_;
  std::size_t n_;
  std::vector<std::vector<ExprId>> slopes_;  // [n][n]
  std::vector<std::vector<double>> sizes_;   // [n][n]: of the constants that entries are sums of
  std::vector<ExprId> offsets_;              // [n]
  std::vector<char> row_done_, column_done_;
  std::vector<Step> steps_;
};

}  // namespace

std::optional<std::vector<SolvedUnknown>> solve_small_linear(symbolic::ExprPool& pool,
                                                             CoefficientReader& reader,
                                                             std::span<const ExprId> residuals,
                                                             std::span<const ExprId> symbols) {
  SmallElimination elimination(pool, reader, symbols.size());
  if (!elimination.load(residuals, symbols) || !elimination.eliminate()) return std::nullopt;
  return elimination.solution(symbols);
}

}  // namespace alembert::structure
