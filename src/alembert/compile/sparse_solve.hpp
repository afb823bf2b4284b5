// SPDX-License-Identifier: Apache-2.0
// Stage: compile, internal to region_solver. A linear system of many unknowns of which each
// equation sees a few, eliminated by KLU (Davis and Palamadai Natarajan 2010). The order of columns
// follows from the pattern alone and the rows from the numbers at hand, so that a solution depends
// on nothing that was solved before.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace alembert::compile {

class SparseElimination {
 public:
  /// Entries by row and column, each once. Null where a dense matrix is as good: few unknowns, or
  /// few zeros.
  static std::shared_ptr<const SparseElimination> make(std::uint32_t n,
                                                       std::span<const std::uint32_t> rows,
                                                       std::span<const std::uint32_t> columns);
  ~SparseElimination();
  SparseElimination(const SparseElimination&) = delete;
  SparseElimination& operator=(const SparseElimination&) = delete;

  /// Scales the rows of the entries (in the order of make) to a largest one in [1, 2); row_scale
  /// [n] out. False if a row is zero.
  bool scale_rows(double* entries, double* row_scale) const;
  /// Solves for rhs [n], overwritten by the solution; entries are overwritten, column_scale [n] and
  /// ordered [n_entries] are work. Expects scaled rows. False if the matrix is singular to rounding
  /// as for solve_dense.
  bool solve(double* entries, double* rhs, double* column_scale, double* ordered) const;

  std::size_t n_entries() const { return rows_.size(); }

 private:
  struct Analysis;
  SparseElimination(std::uint32_t n, std::span<const std::uint32_t> rows,
                    std::span<const std::uint32_t> columns);

  std::uint32_t n_;
  std::vector<std::uint32_t> rows_, columns_;  // [n_entries], as given
  std::vector<std::uint32_t> place_;           // [n_entries]: in the order of columns
  std::vector<std::int32_t> column_begin_;     // [n + 1]
  std::vector<std::int32_t> row_of_;           // [n_entries], in the order of columns
  std::unique_ptr<Analysis> analysis_;
};

}  // namespace alembert::compile
