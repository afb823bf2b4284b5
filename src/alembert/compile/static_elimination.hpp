// SPDX-License-Identifier: Apache-2.0
// Stage: compile. Sparse Gaussian elimination as straight-line code. In: the entries of a square
// matrix as values of a tape, and an order of pivots chosen by numbers at one point (Markowitz with
// a threshold; entries that never change are preferred, as they never go bad). Out: a
// factorisation, and solutions for any number of right-hand sides, in which zeros take no
// operation. How good the pivots are at another point is a value of the tape too, so that a caller
// knows when to choose again.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "alembert/compile/tape.hpp"

namespace alembert::compile {

struct MatrixEntry {
  std::uint32_t row;
  std::uint32_t column;
};

struct Pivot {
  std::uint32_t row;
  std::uint32_t column;

  friend auto operator<=>(const Pivot&, const Pivot&) = default;
};

/// As many as rows; fewer where the matrix is singular at these numbers, to a part in 1e13.
std::vector<Pivot> choose_pivots(std::uint32_t n, std::span<const MatrixEntry> entries,
                                 std::span<const double> values, std::span<const char> constant);

class StaticElimination {
 public:
  /// values: of the entries, on the tape; pivots: [n].
  StaticElimination(TapeBuilder& builder, std::uint32_t n, std::span<const MatrixEntry> entries,
                    std::span<const ValueId> values, std::span<const Pivot> pivots);

  /// x with A x = right. no_value is zero, in both.
  std::vector<ValueId> solve(std::vector<ValueId> right) const;
  /// In the order in which they were given.
  ValueId pivot(std::size_t k) const { return steps_[k].pivot; }
  /// The least pivot beside the largest entry of its row, 1 at best.
  ValueId quality() const { return quality_; }
  /// The least pivot beside the largest entry that its row had at first. Near 0 rows depend on each
  /// other, whatever the pivots.
  ValueId independence() const { return independence_; }

 private:
  struct Step {
    std::uint32_t row;
    std::uint32_t column;
    ValueId pivot;
    ValueId inverse;
    std::vector<std::pair<std::uint32_t, ValueId>> below;  // rows and their multipliers
    std::vector<std::pair<std::uint32_t, ValueId>> right;  // columns and their entries
  };

  void note_size(ValueId& size, ValueId value);

  TapeBuilder& builder_;
  std::uint32_t n_;
  std::vector<Step> steps_;
  ValueId quality_ = no_value, independence_ = no_value;
};

}  // namespace alembert::compile
